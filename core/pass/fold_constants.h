#pragma once

#include "core/base/job.h"
#include "core/ir/graph.h"

#include <set>
#include <vector>

namespace ql {

/// Whether the pass "fold_constants" computes op, if all of its inputs are parameters.
bool isFoldable(const Operation &op);
/// The tensors that the pass "fold_constants" turns into parameters, unless they are graph outputs.
std::set<VarId> foldableTensors(const Graph &graph);
/// Replaces those of ops whose inputs are parameters by parameters with their results, in topological order.
/// @returns how many; throws Cancelled
int foldOperations(Graph &graph, const std::vector<OpId> &ops, const JobContext &job);

/// The operations that the pass "fold_weights" computes, in topological order.
std::vector<OpId> operationsOfWeights(const Graph &graph);

} // namespace ql
