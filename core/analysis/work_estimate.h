#pragma once

#include "core/quant/quant_plan.h"

#include <set>

namespace ql {

/// Multiplications of an operation with weights, from the types of the graph; 0 for any other.
double productsOf(const Graph &graph, const Operation &op);
/// Estimated cost of an operation, from the types of the graph: the products of a convolution or matrix product, or a
/// few per output element of any other operation. For progress and notices, not for results.
double workOf(const Graph &graph, const Operation &op);
/// Of one pass over a batch with the graph's types.
double workOf(const Graph &graph);
/// The cost, in float passes, of running, for each of these operations, the operation and everything after it in
/// execution order.
double passesFrom(const Graph &graph, const std::set<OpId> &operations);

} // namespace ql
