#pragma once

#include "core/quant/quant_plan.h"

#include <functional>
#include <optional>

// Integer arithmetic: how a target with integer kernels computes a layer between quantized tensors. With centred codes
// (code - zero point, padding is 0) of the input x, the weight w and the bias b = round(bias / (sx * sw)):
//   sum = b + sum of x * w                       exact
//   y = clamp(round_half_even(float(sum) * f))   f = sx * sw[channel] / sy in float32, in this order
// and the value is y * sy. Source: ONNX operator QLinearConv-10 and how ONNX Runtime executes QuantizeLinear and
// DequantizeLinear around Conv, Gemm, MatMul, GlobalAveragePool (f = sx / (sy * count)) and AveragePool (float sums of
// values).

namespace ql {

/// One scale, static, linear, codes of 8 bits (within -128..127 or 0..255), rounded half to even.
bool isByteGrid(const TensorQuantConfig &config);

/// The effective config of a slot, or null: as applied by a program, or written by an exporter.
using AppliedConfig = std::function<const TensorQuantConfig *(Slot)>;

/// The slot whose grid the sums of op are rounded to: op's output, or that of the Relu or Clip that is the only
/// consumer of an output which is not quantized itself (both orders of rounding and clipping give the same codes).
/// @returns nothing if op's type has no integer form, or neither is quantized to 8 bits
std::optional<Slot> roundedAt(const Graph &graph, OpId op, const AppliedConfig &applied);

/// Scales of the weight of a layer as its target uses them: the plan's, except for channels without weights whose bias
/// needs another one in integer arithmetic (scalesWithRoomForBias).
std::vector<float> targetWeightScale(const Graph &graph, const QuantPlan &plan, OpId op);

} // namespace ql
