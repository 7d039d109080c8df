#include "core/exec/target_rounding.h"

#include "core/base/error.h"
#include "core/exec/kernel.h"
#include "core/exec/openvino_kernels.h"
#include "core/exec/program.h"
#include "core/ir/op_traits.h"
#include "core/quant/groups.h"
#include "core/quant/integer_arithmetic.h"
#include "core/quant/quantize.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/round.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>

namespace ql {

at::Tensor awayFromZero(at::Tensor v, double lowest, double highest)
{
    v.clamp_(lowest, highest);
    return v.add_(at::copysign(at::full({}, 0.5, v.options()), v)).trunc_();
}

at::Tensor fusedMultiplyAdd(const at::Tensor &x, float factor, float added)
{
    return x.to(at::kDouble).mul_(factor).add_(added).to(at::kFloat);
}

/// isByteGrid(), or the same with a scale for each channel.
static bool hasByteGrids(TensorQuantConfig config)
{
    if (!config.isGrouped()) config.channelAxis.reset();
    return isByteGrid(config);
}

static constexpr double toSymmetric = 128.0 / 127;

/// Whether the target takes the codes of slot for symmetric ones on a larger scale.
static bool isTakenForSymmetric(const Graph &graph, const QuantPlan &plan, Slot slot)
{
    const TensorQuantConfig *config = plan.find(slot);
    if (!config || plan.kernelOf(slot.op).sums != TargetKernel::Sums::Rknn) return false;
    const auto &traits = traitsOf(graph.operation(slot.op)).inputs;
    if (!slot.output && std::size_t(slot.index) < traits.size() && traits[std::size_t(slot.index)].isOnInputGrid)
        return false; // a bound of a Clip: a float in the file
    const std::int32_t middle = config->quantMin < 0 ? 0 : 128;
    const std::vector<std::int32_t> &zeroPoints = plan.zeroPoint(slot);
    return hasByteGrids(*config) && !zeroPoints.empty() &&
           std::all_of(zeroPoints.begin(), zeroPoints.end(), [&](std::int32_t zero) { return zero == middle; });
}

std::vector<float> targetScale(const Graph &graph, const QuantPlan &plan, Slot slot)
{
    std::vector<float> scale = plan.scale(slot);
    if (plan.kernels.empty() || plan.kernelOf(slot.op).sums != TargetKernel::Sums::Rknn) return scale;
    const auto factorOf = [&](Slot of) { return isTakenForSymmetric(graph, plan, of) ? toSymmetric : 1.0; };
    const bool isBias = !slot.output && slot.index == 2 && isLayer(graph.operation(slot.op));
    if (!isBias) {
        for (float &each : scale) each = float(double(each) * factorOf(slot));
        return scale;
    }
    const std::vector<float> &input = plan.scale(inputSlot(slot.op, 0)), &weight = plan.scale(inputSlot(slot.op, 1));
    if (input.size() != 1 || (weight.size() != 1 && weight.size() != scale.size())) return scale;
    const double factor = factorOf(inputSlot(slot.op, 0)) * double(input[0]),
                 ofWeight = factorOf(inputSlot(slot.op, 1));
    for (std::size_t c = 0; c < scale.size(); ++c)
        scale[c] = float(factor * (ofWeight * double(weight[weight.size() > 1 ? c : 0])));
    return scale;
}

bool isSameGrid(const Graph &graph, const QuantPlan &plan, Slot a, Slot b)
{
    return a == b || (plan.find(a)->sameScheme(*plan.find(b)) && plan.zeroPoint(a) == plan.zeroPoint(b) &&
                      targetScale(graph, plan, a) == targetScale(graph, plan, b));
}

Step quantizeStep(const QuantPlan &plan, Slot slot, const TensorQuantConfig &config)
{
    Step step;
    step.kind = Step::Kind::Quantize;
    step.op = slot.op;
    step.config = config;
    step.slot = slot;
    step.root = plan.root(slot);
    step.scale = plan.scale(slot);
    step.zeroPoint = plan.zeroPoint(slot);
    return step;
}

at::Tensor roundedForTarget(const at::Tensor &x, const Graph &graph, const QuantPlan &plan, Slot slot)
{
    Step step = quantizeStep(plan, slot, *plan.find(slot));
    setRounding(step, graph, plan, nullptr);
    return roundedByTarget(x, step);
}

at::Tensor roundedParameter(const at::Tensor &value, const Graph &graph, const QuantPlan &plan, Slot slot)
{
    try {
        const at::Tensor inFile = fakeQuant(value, plan, slot);
        const bool isSame = targetScale(graph, plan, slot) == plan.scale(slot);
        return isSame ? inFile : roundedForTarget(inFile, graph, plan, slot);
    } catch (Error &error) {
        error.op = graph.operation(slot.op).name;
        error.variable = graph.variable(variableOf(graph, slot)).name;
        throw;
    }
}

TargetRounding targetRounding(const QuantPlan &plan, Slot slot, const TensorQuantConfig &config)
{
    if (plan.kernels.empty()) return TargetRounding::Divides;
    switch (plan.kernelOf(slot.op).sums) {
    case TargetKernel::Sums::Float:
    case TargetKernel::Sums::Rknn: break;
    case TargetKernel::Sums::Ncnn:
    case TargetKernel::Sums::Mnn:
        if (isByteGrid(config) && config.symmetric && config.rounding == Rounding::HalfAwayFromZero)
            return TargetRounding::TimesReciprocal;
        break;
    case TargetKernel::Sums::Integer:
    case TargetKernel::Sums::SaturatingPairs:
        if (hasByteGrids(config) && config.rounding == Rounding::HalfEven && config.quantMax - config.quantMin == 255)
            return TargetRounding::TimesRangeFactor;
        break;
    }
    return TargetRounding::Divides;
}

static constexpr float rangeSteps = 255;

/// OpenVINO's FakeQuantize: codes above the lowest one = value * factor + shift.
struct RangeFactor
{
    float factor, shift, lowestCode;

    /// unit: of the value
    RangeFactor(const TensorQuantConfig &config, float scale, std::int32_t zeroPoint, float unit)
        : lowestCode(float(config.quantMin - zeroPoint))
    {
        const float lowest = lowestCode * scale / unit;
        const float range = float(config.quantMax - zeroPoint) * scale / unit - lowest;
        factor = rangeSteps / range;
        shift = -lowest * rangeSteps / range;
    }
};

/// Numbers that are broadcast over x: one, or one per channel.
static at::Tensor alongChannelsOf(const Step &step, const std::vector<float> &values, const at::Tensor &x)
{
    TensorQuantConfig config = step.config;
    if (step.sumSteps.size() > 1) config.channelAxis = 1;
    const at::Tensor all = at::tensor(values, at::TensorOptions(at::kFloat)).to(x.device());
    return scaleOfElements(all, x.sizes(), config);
}

/// One number each, or one per channel.
struct RangeFactors
{
    std::vector<float> factors, shifts, lowestCodes;
};

static std::int32_t zeroPointOf(const Step &step, std::size_t channel)
{
    return step.zeroPoint[step.zeroPoint.size() > 1 ? channel : 0];
}

/// isFused: the sum is rounded once; otherwise product and sum are rounded on their own.
static at::Tensor timesFactors(const at::Tensor &units, const RangeFactors &by, const Step &step, bool isFused)
{
    const auto alongChannels = [&](const std::vector<float> &values) { return alongChannelsOf(step, values, units); };
    const at::Tensor factors = alongChannels(by.factors), shifts = alongChannels(by.shifts);
    at::Tensor codes = isFused ? units.to(at::kDouble).mul_(factors).add_(shifts).to(at::kFloat)
                               : at::mul(units, factors).add_(shifts);
    codes.round_().sub_(step.shift).clamp_(0, rangeSteps);
    return codes.add_(alongChannels(by.lowestCodes)).mul_(alongChannels(step.scale));
}

/// OpenVINO, in its own kernels (dnnl_postops_composer.cpp, updateOptimizedFormula and appendLinear).
static at::Tensor timesRangeFactors(const at::Tensor &units, const Step &step)
{
    constexpr float negligible = 0.00005f;
    const std::size_t channels = std::max(step.scale.size(), step.sumSteps.size());
    const auto of = [](const std::vector<float> &values, std::size_t c) { return values[values.size() > 1 ? c : 0]; };
    RangeFactors all;
    for (std::size_t c = 0; c < channels; ++c) {
        const float unit = step.sumSteps.empty() ? 1 : of(step.sumSteps, c);
        const RangeFactor by(step.config, of(step.scale, c), zeroPointOf(step, c), unit);
        all.factors.push_back(by.factor);
        all.shifts.push_back(by.shift);
        all.lowestCodes.push_back(by.lowestCode);
    }
    std::vector<float> &shifts = all.shifts;
    const float first = shifts[0];
    const bool isOfLayer = step.rounding == TargetRounding::TimesRangeFactorOfChannels;
    const auto isLikeFirst = [&](float shift) { return std::abs(shift - first) < negligible; };
    if (isOfLayer && std::all_of(shifts.begin(), shifts.end(), isLikeFirst))
        std::fill(shifts.begin(), shifts.end(), first);
    for (float &shift : shifts) shift += step.shift;
    return timesFactors(units, all, step, !isOfLayer);
}

/// A FakeQuantize in a Subgraph (snippets: fq_decomposition.cpp; LPT divides its range by the scale of codes that it
/// reads).
static at::Tensor roundedSeparately(const at::Tensor &units, const Step &step)
{
    RangeFactors all;
    for (std::size_t c = 0; c < step.scale.size(); ++c) {
        const float lowestCode = float(step.config.quantMin - zeroPointOf(step, c));
        const float lowest = lowestCode * step.scale[c] / step.grid.scale;
        const float highest = float(step.config.quantMax - zeroPointOf(step, c)) * step.scale[c] / step.grid.scale;
        all.factors.push_back(rangeSteps / (highest - lowest));
        all.shifts.push_back(-lowest * all.factors.back());
        all.lowestCodes.push_back(lowestCode);
    }
    return timesFactors(units, all, step, false);
}

static bool roundsItsResult(const Operation &op)
{
    const KernelEntry *kernel = findKernel(op);
    return kernel && kernel->openvinoRoundsResult;
}

void setRounding(Step &step, const Graph &graph, const QuantPlan &plan, const CodeGrid *from)
{
    step.scale = targetScale(graph, plan, step.slot);
    step.rounding = targetRounding(plan, step.slot, step.config);
    if (step.rounding != TargetRounding::TimesRangeFactor) return;
    const AppliedConfig applied = [&](Slot slot) { return plan.simulated(slot); };
    step.shift = shiftBeforeRounding(graph, plan, step.slot, applied);
    const VarId variable = variableOf(graph, step.slot);
    const OpId producer = variable == noVar ? noOp : graph.variable(variable).producer;
    if (!from && producer != noOp && runsInLayer(graph, plan, graph.operation(producer), applied)) {
        step.sumSteps = stepsOfSums(graph, plan, step.slot, applied);
        if (step.config.isPerChannel() || step.sumSteps.size() > 1)
            step.rounding = TargetRounding::TimesRangeFactorOfChannels;
        return;
    }
    if (hasOpenShapes(graph) || (!from && producer != noOp && roundsItsResult(graph.operation(producer)))) return;
    step.rounding = TargetRounding::TimesRangeFactorSeparately;
    step.grid = from ? *from : CodeGrid{};
}

CodeGrid gridOf(const Step &step)
{
    const std::int32_t zero = step.zeroPoint[0];
    return {step.scale[0], float(step.config.quantMin - zero), float(step.config.quantMax - zero)};
}

at::Tensor roundedUnits(const at::Tensor &units, const Step &step)
{
    return step.rounding == TargetRounding::TimesRangeFactorSeparately ? roundedSeparately(units, step)
                                                                       : timesRangeFactors(units, step);
}

at::Tensor roundedByTarget(const at::Tensor &x, const Step &step)
{
    switch (step.rounding) {
    case TargetRounding::Divides: break;
    case TargetRounding::TimesReciprocal:
        return awayFromZero(at::mul(x, 1 / step.scale[0]), step.config.quantMin, step.config.quantMax)
            .mul_(step.scale[0]);
    case TargetRounding::Clamps:
        return at::clamp(x, float(step.config.quantMin - step.zeroPoint[0]) * step.scale[0],
                         float(step.config.quantMax - step.zeroPoint[0]) * step.scale[0]);
    case TargetRounding::TimesRangeFactorSeparately:
        return roundedUnits(step.grid.scale == 1 ? x : at::round(x / step.grid.scale), step);
    case TargetRounding::TimesRangeFactor:
    case TargetRounding::TimesRangeFactorOfChannels:
        return roundedUnits(step.sumSteps.empty() ? x : at::round(x / alongChannelsOf(step, step.sumSteps, x)), step);
    }
    return fakeQuant(x, step.config, step.scale, step.zeroPoint);
}

TargetKernel::Result resultAt(const Graph &graph, const QuantPlan &plan, Slot slot)
{
    if (plan.kernels.empty()) return TargetKernel::Result::Rounded;
    const VarId variable = variableOf(graph, slot);
    const OpId producer = slot.output ? slot.op : variable == noVar ? noOp : graph.variable(variable).producer;
    return producer == noOp ? TargetKernel::Result::Rounded : plan.kernelOf(producer).result;
}

void clampOnly(Step &step)
{
    constexpr int finer = 1 << 15; // codes of 8 bits stay below 2^24
    const bool isOfRange = step.rounding == TargetRounding::TimesRangeFactor ||
                           step.rounding == TargetRounding::TimesRangeFactorOfChannels;
    const bool isExact = isOfRange && !step.config.isPerChannel();
    step.rounding = isExact ? TargetRounding::Clamps : TargetRounding::Divides;
    step.config.bits += 15;
    step.config.quantMin *= finer;
    step.config.quantMax *= finer;
    for (float &scale : step.scale) scale /= finer;
    for (std::int32_t &zero : step.zeroPoint) zero *= finer;
}

} // namespace ql
