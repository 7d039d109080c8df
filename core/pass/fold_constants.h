#pragma once

#include "core/ir/graph.h"

#include <set>

namespace ql {

/// The tensors that the pass "fold_constants" turns into parameters, unless they are graph outputs.
std::set<VarId> foldableTensors(const Graph &graph);

} // namespace ql
