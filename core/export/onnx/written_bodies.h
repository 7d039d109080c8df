#pragma once

#include "core/quant/quant_plan.h"

#include <functional>

namespace ql {

/// Quantized bodies (QuantPlan::bodies), as write gives them, take the places of those of graph. Weights that are only
/// in bodies from then on are not captured any more. New names of a body differ from all others of the file.
void writeBodies(Graph &graph, const QuantPlan &plan, const std::function<Graph(const QuantModel &)> &write);

} // namespace ql
