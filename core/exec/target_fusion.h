#pragma once

#include "core/quant/integer_arithmetic.h"

// Operations that a target computes in one kernel.
namespace ql {

/// The slot that rounds the result of op, or of the Relu or Clip that is its only consumer.
std::optional<Slot> roundedResult(const Graph &graph, const Operation &op, const AppliedConfig &applied);
/// If mul is x * sigmoid(x): the number of the input that the Sigmoid computes for it alone.
std::optional<std::size_t> gateOfSilu(const Graph &graph, const Operation &mul);

} // namespace ql
