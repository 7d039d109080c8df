#pragma once

#include "core/quant/quant_plan.h"

#include <set>

namespace ql {

/// What an operation costs, estimated from the types of the graph: the products of a convolution or a matrix product,
/// or a few for each element that any other operation writes. For progress and notices, not for results.
double workOf(const Graph &graph, const Operation &op);
/// Of one pass over a batch of the graph's types.
double workOf(const Graph &graph);
/// How many float passes it takes to run, for each of these operations, itself and what follows it in execution order.
double passesFrom(const Graph &graph, const std::set<OpId> &operations);

} // namespace ql
