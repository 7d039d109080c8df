#pragma once

#include "core/api/written_operation.h"
#include "core/ir/graph.h"

namespace ql {

/// The operations of a graph that is written to a file, in topological order. QuantizeLinear, DequantizeLinear and
/// DynamicQuantizeLinear are not listed: the tensors of the operations next to them have the types of the codes.
std::vector<api::WrittenOperation> writtenOperations(const Graph &graph);

} // namespace ql
