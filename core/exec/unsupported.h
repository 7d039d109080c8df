#pragma once

#include "core/exec/executor.h"

#include <set>
#include <string>
#include <vector>

namespace ql {

/// Adds op if no kernel implements this version of it, and unsupported operations of its bodies. Operations created by
/// passes may have no version. prefix: before the name of op.
void collectUnsupported(const Operation &op, const std::string &prefix, std::vector<UnsupportedOp> &out);
/// @throws Error (UnsupportedOp) naming all needed operations that no kernel implements
void requireKernels(const Graph &graph, const std::vector<OpId> &order, const std::set<OpId> &needed);

} // namespace ql
