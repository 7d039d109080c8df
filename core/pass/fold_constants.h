#pragma once

#include "core/ir/graph.h"

#include <set>

namespace ql {

/// The tensors that the pass "fold_constants" makes parameters of, unless a graph output names them.
std::set<VarId> foldableTensors(const Graph &graph);

} // namespace ql
