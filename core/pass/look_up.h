#pragma once

#include "core/pass/dequantize_model.h"

#include <optional>
#include <vector>

namespace ql {

// Weights in formats that QuantizeLinear does not have (FP4, FP6, NF4), as exported models store them: codes, a table
// of their values, and scales (QdqNodes::addLookUp in core/export/onnx/qdq_nodes.h).

/// The nodes that compute the tensor `values` from codes, from the last one upstream: Mul, Gather of values, Cast of
/// codes, Gather of scales if there are groups. Empty for other tensors.
std::vector<OpId> lookUpNodes(const Graph &graph, VarId values);

struct LookedUp
{
    VarId codes = noVar;
    StoredGrid grid;
    at::Tensor values; ///< float32
};
/// What the look-up that ends with op stores. Nothing for other operations, and for tables and scales of no format that
/// a config expresses.
std::optional<LookedUp> lookedUp(const Graph &graph, const Operation &op);

} // namespace ql
