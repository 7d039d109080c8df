#pragma once

#include "core/ir/graph.h"
#include "core/quant/integer_arithmetic.h"
#include "core/quant/quant_plan.h"

#include <ATen/core/Tensor.h>
#include <cstdint>

// How a target rounds tensors, where that differs from quantize() (TargetKernel).
namespace ql {

struct Step;

/// How a target computes the codes of a tensor.
enum class TargetRounding : std::int8_t {
    Divides,         ///< value / scale, as everything that does not state otherwise
    TimesReciprocal, ///< ncnn, MNN: value * (1 / scale), ties away from zero
    /// OpenVINO: value * ((codes - 1) / (highest - lowest value)) plus the lowest code, as one fused operation, ties to
    /// even.
    TimesRangeFactor,
    /// OpenVINO, in the kernel of a layer, with a scale per channel: the product is rounded before the sum, and all
    /// channels add the number of the first if theirs are equal but for rounding.
    TimesRangeFactorOfChannels,
    /// OpenVINO, in a kernel that it generates for operations on elements (a Subgraph): the factor and its product with
    /// the lowest value are rounded, and so are the product with x and its sum. If x has codes of another grid, they
    /// take its place.
    TimesRangeFactorSeparately,
    Clamps ///< only limits values to the range of the codes
};

/// v, rounded half away from zero and limited to [lowest, highest]; overwritten.
at::Tensor awayFromZero(at::Tensor v, double lowest, double highest);

/// x * factor + added in float32, rounded once.
at::Tensor fusedMultiplyAdd(const at::Tensor &x, float factor, float added);

/// The scale of slot as its target reads it from the file: the plan's, except with RKNN's toolkit. That takes codes of
/// 8 bits whose zero point is 128 (signed: 0) for symmetric ones, whose scale is the largest magnitude / 127 instead of
/// / 128; and it computes the scale of a bias from the scales that it reads.
std::vector<float> targetScale(const Graph &graph, const QuantPlan &plan, Slot slot);

/// Whether both slots round to the same codes of the same scale.
bool isSameGrid(const Graph &graph, const QuantPlan &plan, Slot a, Slot b);

/// A Quantize step without inputs and outputs, which rounds the tensor in slot by its config; see setRounding().
Step quantizeStep(const QuantPlan &plan, Slot slot, const TensorQuantConfig &config);
/// x, an activation, rounded on the scale that the target reads.
at::Tensor roundedForTarget(const at::Tensor &x, const Graph &graph, const QuantPlan &plan, Slot slot);
/// A parameter as it is in the file, rounded again if the target reads another scale.
at::Tensor roundedParameter(const at::Tensor &value, const Graph &graph, const QuantPlan &plan, Slot slot);

/// How the target computes the codes of the tensor in slot.
TargetRounding targetRounding(const QuantPlan &plan, Slot slot, const TensorQuantConfig &config);
/// Sets step.scale and step.rounding, and step.grid or step.sumSteps if its factor depends on how x is computed.
/// from: the grid of its input; nullptr: none
void setRounding(Step &step, const Graph &graph, const QuantPlan &plan, const CodeGrid *from);
/// The codes of a Quantize step. @pre isByteGrid() of its config
CodeGrid gridOf(const Step &step);
/// The values of x rounded by a Quantize step.
at::Tensor roundedByTarget(const at::Tensor &x, const Step &step);
/// Likewise, of x as multiples of step.sumSteps or step.grid.scale. @pre OpenVINO's rounding
at::Tensor roundedUnits(const at::Tensor &units, const Step &step);

/// How the target rounds the tensor of slot: TargetKernel::result of the operation that computes it.
TargetKernel::Result resultAt(const Graph &graph, const QuantPlan &plan, Slot slot);
/// Lets a Quantize step limit values to the range of the codes: rounded to a grid that is finer by 2^15, or not at all
/// if the target is OpenVINO.
void clampOnly(Step &step);

} // namespace ql
