#pragma once

#include "core/base/ids.h"
#include "core/ir/graph.h"
#include "core/quant/quant_plan.h"

#include <cstddef>
#include <vector>

namespace ql {

// After an edit of one operation, what comes before it computes what it computed before. Work over batches (calibration,
// error analysis) keeps the tensors at some cuts through the graph, and starts at the last one ahead of the edit.

/// A place in the topological order: tensors that operations before it make and others read.
struct Cut
{
    std::size_t position = 0; ///< number of operations before it
    std::vector<VarId> alive; ///< graph inputs among them; in order of their ids

    friend bool operator==(const Cut &, const Cut &) = default;
};

/// Up to 16 cuts, spread over the graph where few bytes are alive, and of `bytes` together for one batch. Tensors whose
/// size is not known are not cut through, nor is a layer from the activation behind it, which run as one.
std::vector<Cut> cutsOf(const Graph &graph, std::size_t bytes);

/// How many operations at the start of the topological order are quantized by a as by b: same configs, effective
/// scales and values of parameters.
std::size_t commonPrefix(const Graph &graph, const QuantPlan &a, const QuantPlan &b);

} // namespace ql
