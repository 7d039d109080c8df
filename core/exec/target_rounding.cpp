#include "core/exec/target_rounding.h"

#include "core/exec/openvino_kernels.h"
#include "core/exec/program.h"
#include "core/ir/op_traits.h"
#include "core/quant/integer_arithmetic.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/copysign.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cmath>

namespace ql {

at::Tensor awayFromZero(at::Tensor v, double lowest, double highest)
{
    v.clamp_(lowest, highest);
    return v.add_(at::copysign(at::full({}, 0.5, v.options()), v)).trunc_();
}

TargetRounding targetRounding(const QuantPlan &plan, Slot slot, const TensorQuantConfig &config)
{
    if (plan.kernels.empty()) return TargetRounding::Divides;
    TensorQuantConfig oneChannel = config;
    if (!config.isGrouped()) oneChannel.channelAxis.reset();
    switch (plan.kernelOf(slot.op).sums) {
    case TargetKernel::Sums::Float: break;
    case TargetKernel::Sums::Ncnn:
    case TargetKernel::Sums::Mnn:
        if (isByteGrid(config) && config.symmetric && config.rounding == Rounding::HalfAwayFromZero)
            return TargetRounding::TimesReciprocal;
        break;
    case TargetKernel::Sums::Integer:
    case TargetKernel::Sums::SaturatingPairs:
        if (isByteGrid(oneChannel) && config.rounding == Rounding::HalfEven && config.quantMax - config.quantMin == 255)
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

    RangeFactor(const TensorQuantConfig &config, float scale, std::int32_t zeroPoint)
        : lowestCode(float(config.quantMin - zeroPoint))
    {
        const float lowest = lowestCode * scale, range = float(config.quantMax - zeroPoint) * scale - lowest;
        factor = rangeSteps / range;
        shift = -lowest * rangeSteps / range;
    }
};

/// One fused multiplication and addition, then ties to even.
static at::Tensor timesRangeFactor(const at::Tensor &x, const TensorQuantConfig &config, float scale,
                                   std::int32_t zeroPoint)
{
    const RangeFactor by(config, scale, zeroPoint);
    at::Tensor codes = x.to(at::kDouble).mul_(by.factor).add_(by.shift).to(at::kFloat); // as if fused
    return codes.round_().clamp_(0, rangeSteps).add_(by.lowestCode).mul_(scale);
}

/// One scale per channel (OpenVINO: dnnl_postops_composer.cpp, updateOptimizedFormula and appendLinear).
static at::Tensor timesRangeFactors(const at::Tensor &x, const TensorQuantConfig &config,
                                    const std::vector<float> &scales, const std::vector<std::int32_t> &zeroPoints)
{
    constexpr float negligible = 0.00005f;
    std::vector<float> factors, shifts, lowestCodes;
    for (std::size_t c = 0; c < scales.size(); ++c) {
        const RangeFactor by(config, scales[c], zeroPoints[zeroPoints.size() > 1 ? c : 0]);
        factors.push_back(by.factor);
        shifts.push_back(by.shift);
        lowestCodes.push_back(by.lowestCode);
    }
    const float first = shifts[0];
    if (std::all_of(shifts.begin(), shifts.end(), [&](float shift) { return std::abs(shift - first) < negligible; }))
        std::fill(shifts.begin(), shifts.end(), first);
    std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
    shape[std::size_t(*config.channelAxis < 0 ? *config.channelAxis + x.dim() : *config.channelAxis)] = -1;
    const auto alongChannels = [&](const std::vector<float> &values) {
        return at::tensor(values, at::TensorOptions(at::kFloat)).to(x.device()).reshape(shape);
    };
    at::Tensor codes = at::mul(x, alongChannels(factors)).add_(alongChannels(shifts)).round_().clamp_(0, rangeSteps);
    return codes.add_(alongChannels(lowestCodes)).mul_(alongChannels(scales));
}

void setRounding(Step &step, const Graph &graph, const QuantPlan &plan, const CodeGrid *from)
{
    step.rounding = targetRounding(plan, step.slot, step.config);
    if (step.rounding != TargetRounding::TimesRangeFactor || hasOpenShapes(graph)) return;
    const VarId variable = variableOf(graph, step.slot);
    const OpId producer = variable == noVar ? noOp : graph.variable(variable).producer;
    if (!from && producer != noOp && !movesValues(graph.operation(producer))) return;
    step.rounding = TargetRounding::TimesRangeFactorSeparately;
    step.grid = from ? *from : CodeGrid{};
}

at::Tensor roundedByTarget(const at::Tensor &x, const Step &step)
{
    if (step.rounding == TargetRounding::TimesRangeFactorSeparately) return roundedSeparately(x, step);
    if (step.rounding == TargetRounding::TimesReciprocal)
        return awayFromZero(at::mul(x, 1 / step.scale[0]), step.config.quantMin, step.config.quantMax)
            .mul_(step.scale[0]);
    if (step.rounding == TargetRounding::Clamps)
        return at::clamp(x, float(step.config.quantMin - step.zeroPoint[0]) * step.scale[0],
                         float(step.config.quantMax - step.zeroPoint[0]) * step.scale[0]);
    if (step.config.isPerChannel()) return timesRangeFactors(x, step.config, step.scale, step.zeroPoint);
    return timesRangeFactor(x, step.config, step.scale[0], step.zeroPoint[0]);
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
    const bool isExact = step.rounding == TargetRounding::TimesRangeFactor && !step.config.isPerChannel();
    step.rounding = isExact ? TargetRounding::Clamps : TargetRounding::Divides;
    step.config.bits += 15;
    step.config.quantMin *= finer;
    step.config.quantMax *= finer;
    for (float &scale : step.scale) scale /= finer;
    for (std::int32_t &zero : step.zeroPoint) zero *= finer;
}

} // namespace ql
