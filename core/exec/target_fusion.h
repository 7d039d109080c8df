#pragma once

#include "core/quant/integer_arithmetic.h"

// Operations that a target computes in one kernel.
namespace ql {

/// The slot that rounds the result of op, or of the Relu or Clip that is its only consumer.
std::optional<Slot> roundedResult(const Graph &graph, const Operation &op, const AppliedConfig &applied);
/// RKNN's toolkit rounds a float tensor that only operations without codes round: by the slot of a reader that rounds
/// it, if all that do agree, for all readers; or, if its one reader is a pool or moves, limits or interpolates values,
/// by the slot that rounds the result of that. applied: what the plan says
/// @returns the slot whose config rounds result (an output slot), which has none; empty: nothing does
std::optional<Slot> roundingByReaders(const Graph &graph, const QuantPlan &plan, Slot result,
                                      const AppliedConfig &applied);
/// If mul is x * sigmoid(x): the number of the input that the Sigmoid computes for it alone.
std::optional<std::size_t> gateOfSilu(const Graph &graph, const Operation &mul);

} // namespace ql
