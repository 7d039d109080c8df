#pragma once

#include "core/api/tune.h"
#include "core/quant/quant_plan.h"

#include <map>

namespace ql {

/// From the types of the graph, and the bits of each operation's data and weights; 32 for those in float.
api::TuneCost costOf(const QuantModel &model);
/// The share of all multiplications in each operation with weights.
std::map<OpId, double> shareOfMacs(const Graph &graph);

} // namespace ql
