#pragma once

#include "core/api/tune.h"
#include "core/quant/quant_plan.h"

#include <map>
#include <vector>

namespace ql {

/// From the types of the graph, and the bits of each operation's data and weights; 32 for those in float.
api::TuneCost costOf(const QuantModel &model);
/// The share of all multiplications in each operation with weights.
std::map<OpId, double> shareOfMacs(const Graph &graph);

/// Operations with weights whose multiplications have an operand of more than 8 bits, in execution order.
std::vector<OpId> wideOperations(const QuantModel &model);

/// Fewer bits of multiplications, or of weights, and not more of the other.
bool isCheaper(const api::TuneCost &a, const api::TuneCost &b);
/// Bytes that the parameters of an operation take more with so many bits; those that have more keep them.
double addedWeightBytes(const QuantModel &model, OpId id, int bits);

} // namespace ql
