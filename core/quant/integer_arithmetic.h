#pragma once

#include "core/quant/quant_plan.h"

#include <functional>
#include <optional>
#include <vector>

// Integer arithmetic: how a target with integer kernels computes a layer between quantized tensors. With centred codes
// (code - zero point, padding is 0) of the input x, the weight w and the bias b = round(bias / (sx * sw)):
//   sum = b + sum of x * w                       exact
//   y = clamp(round_half_even(float(sum) * f))   f = sx * sw[channel] / sy in float32, in this order
// and the value is y * sy. Source: ONNX operator QLinearConv-10 and how ONNX Runtime executes QuantizeLinear and
// DequantizeLinear around Conv, Gemm, MatMul, GlobalAveragePool (f = sx / (sy * count)) and AveragePool (float sums of
// values).
//
// If nothing rounds the sums to 8 bits (a SiLU or LeakyRelu follows, or the result stays float), values are
//   y = float(sum) * (sx * sw[channel])
// in float32, with a sum that float32 represents exactly, whatever its order: exporters write the layer on codes
// (DequantizeLinear with scale 1), followed by a Mul. Reductions and interpolations are computed on codes likewise:
//   y = f(codes of x) * sx

namespace ql {

/// The grid of a tensor: value = centred code * scale, centred codes (code - zero point) in [lowest, highest].
struct CodeGrid
{
    float scale = 1;
    float lowest = -128, highest = 127;
};
CodeGrid codeGrid(const QuantPlan &plan, Slot slot); ///< @pre isByteGrid() of its config

/// One scale, static, linear, codes of 8 bits (within -128..127 or 0..255).
bool isByteGrid(const TensorQuantConfig &config);

/// The effective config of a slot, or null: as applied by a program, or written by an exporter.
using AppliedConfig = std::function<const TensorQuantConfig *(Slot)>;

/// The slot whose grid the sums of op are rounded to: op's output, or that of the Relu or Clip that is the only
/// consumer of an output which is not quantized itself (both orders of rounding and clipping give the same codes).
/// @returns nothing if op's type has no integer form, or neither is quantized to 8 bits, rounded half to even
std::optional<Slot> roundedAt(const Graph &graph, OpId op, const AppliedConfig &applied);

/// Whether an output of op contains only values of its input 0, or others on the same grid (a Pad with 0, or with a
/// value that shares the scale).
bool passesGrid(const Graph &graph, const Operation &op, const AppliedConfig &applied, std::size_t output = 0);

/// The slot whose 8-bit grid the values that slot (an input) reads lie on: its own, or that of a slot upstream with
/// only operations between them that move values.
std::optional<Slot> gridSource(const Graph &graph, Slot slot, const AppliedConfig &applied);

/// Whether op is computed on codes and multiplied by the scale of input 0 afterwards (OpTraits::isLinear), if that lies
/// on an 8-bit grid: unless its target rounds its result itself.
bool isScaledAfterwards(const Graph &graph, const QuantPlan &plan, OpId op, const AppliedConfig &applied);

/// Whether the statistics of op (InstanceNormalization, LayerNormalization) are computed from the codes of its input,
/// which lies on the grid of an operation in integer arithmetic: exactly in float64, in any order.
bool isNormalizedFromCodes(const Graph &graph, const QuantPlan &plan, OpId op, const AppliedConfig &applied);
/// The axes that it normalizes over, for an input of this rank.
std::vector<std::int64_t> normalizedAxes(const Operation &op, std::int64_t rank);
/// Its epsilon for codes of this scale.
double epsilonOfCodes(const Operation &op, float scale);

/// A layer as sums of products that float32 represents exactly: value = (sum over parts of part.weight * centred codes
/// + part.bias) * step of the channel.
struct ExactSums
{
    struct Part
    {
        at::Tensor weight, bias; ///< float32, integers; bias is undefined if there is none
    };
    std::vector<Part> parts;  ///< one or two
    std::vector<float> steps; ///< 1 entry, or one per output channel
    at::Tensor bias;          ///< added to the value, in the same rounding (TargetKernel::Sums); may be undefined
    bool addsLater = false;   ///< the bias is added to the rounded value, which is rounded again
};
/// op's weight and bias for an input on this grid. Nothing if its target rounds the sums as integers (roundedAt()), its
/// kernel has no such form, weight or bias are not constant, or the sums need more bits. applied: as in a program of
/// plan.
std::optional<ExactSums> exactSums(const Graph &graph, const QuantPlan &plan, OpId op, const CodeGrid &input,
                                   const AppliedConfig &applied);

/// values / scale per entry of axis, rounded: the centred codes of a weight. Undefined when they have more than 8 bits.
at::Tensor weightCodes(const at::Tensor &values, const std::vector<float> &scale, std::int64_t axis);
/// Largest magnitude that a sum of some of the products x * w of one output channel, with or without its bias, can
/// reach. w: [channels, everything else]; bias: empty, or one per channel.
double largestSum(const at::Tensor &w, const CodeGrid &x, const std::vector<double> &bias);
inline constexpr double exactIntegers = 1 << 24; ///< float32 represents every integer up to this one

/// Scales of the weight of a layer as its target uses them: the plan's, except for channels without weights whose bias,
/// in float32, needs another one in integer arithmetic (scalesWithRoomForBias).
std::vector<float> targetWeightScale(const Graph &graph, const QuantPlan &plan, OpId op);

} // namespace ql
