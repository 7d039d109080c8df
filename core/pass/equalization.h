#pragma once

#include "core/ir/graph.h"

#include <set>

namespace ql {

/// Layers whose channels the pass layerwise_equalization scales with its default parameters, and the operations
/// between them. For a formatted graph: batch normalizations are part of their layers.
std::set<OpId> equalizableOperations(const Graph &graph);

} // namespace ql
