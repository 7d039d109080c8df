// Normalization layers in inference. Source: ONNX operator specifications.
#include "core/exec/kernel.h"
#include "core/exec/runtime_kernels.h"
#include "core/quant/integer_arithmetic.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/norm.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <optional>

namespace ql {

namespace {

/// [C] as [1, C, 1, ...] of the given rank.
at::Tensor perChannel(const at::Tensor &row, std::int64_t rank)
{
    std::vector<std::int64_t> shape(std::size_t(std::max<std::int64_t>(rank, 2)), 1);
    shape[1] = -1;
    return row.reshape(shape);
}

struct Standardized
{
    at::Tensor y, mean, variance; ///< mean and variance: of size 1 along the axes
};

/// x minus its own mean, divided by its own standard deviation over axes, times scale (input 1) plus shift (input 2)
/// per channel. Two passes: with one, the variance of large images loses too many digits.
Standardized standardized(const KernelContext &context, Inputs inputs, const std::vector<std::int64_t> &axes)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor mean = at::mean(x, axes, true);
    const at::Tensor centred = x - mean;
    const at::Tensor variance = at::mean(centred * centred, axes, true);
    const at::Tensor factor = perChannel(requiredInput(context, inputs, 1), x.dim()) *
                              at::rsqrt(variance + context.op.floatAttribute("epsilon", 1e-5));
    return {(centred * factor).add_(perChannel(requiredInput(context, inputs, 2), x.dim())), mean, variance};
}

/// With the statistics of x itself, as in networks that standardize their weights, and the updated running statistics.
/// Source: ONNX BatchNormalization-15.
std::vector<at::Tensor> ownStatistics(const KernelContext &context, Inputs inputs)
{
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 0; i < requiredInput(context, inputs, 0).dim(); ++i)
        if (i != 1) axes.push_back(i);
    const Standardized own = standardized(context, inputs, axes);
    const double momentum = context.op.floatAttribute("momentum", 0.9);
    const auto running = [&](std::size_t input, const at::Tensor &now) {
        return requiredInput(context, inputs, input) * momentum + now.reshape({-1}) * (1 - momentum);
    };
    return {own.y, running(3, own.mean), running(4, own.variance)};
}

std::vector<at::Tensor> batchNormalization(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (context.op.intAttribute("training_mode", 0) != 0) return ownStatistics(context, inputs);
    const at::Tensor variance = requiredInput(context, inputs, 4);
    const at::Tensor factor =
        requiredInput(context, inputs, 1) / at::sqrt(variance + context.op.floatAttribute("epsilon", 1e-5));
    const at::Tensor shift = requiredInput(context, inputs, 2) - requiredInput(context, inputs, 3) * factor;
    // spatial = 0 (before opset 9): one mean and variance per position, not per channel
    if (context.op.opset < 9 && context.op.intAttribute("spatial", 1) == 0) return {x * factor + shift};
    if (x.dim() == 1) return {x * factor + shift};
    return {(x * perChannel(factor, x.dim())).add_(perChannel(shift, x.dim()))};
}

std::vector<at::Tensor> instanceNormalization(const KernelContext &context, Inputs inputs, bool asRuntime)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    for (const std::size_t i : {1, 2})
        if (const at::Tensor &factor = requiredInput(context, inputs, i); x.dim() < 2 || factor.numel() != x.size(1))
            throw Error(
                ErrorKind::Kernel,
                QL_TEXT("InstanceNormalization: scale and bias must have one entry per channel of [N, C, ...], not %1")
                    .with(factor.numel()),
                context.op.name);
    if (asRuntime && x.scalar_type() == at::kFloat && x.numel() > 0)
        return {runtimeInstanceNormalization(x, inputs[1], inputs[2], context.op.floatAttribute("epsilon", 1e-5))};
    std::vector<std::int64_t> axes;
    for (std::int64_t i = 2; i < x.dim(); ++i) axes.push_back(i);
    return {standardized(context, inputs, axes).y};
}

/// InstanceNormalization and LayerNormalization of centred codes: mean and variance are exact in float64, which holds
/// sums of their squares; the rest in float32. Exporters write the same operations
/// (core/export/onnx/normalize_codes.h).
class NormalizedCodes final : public PreparedKernel
{
public:
    explicit NormalizedCodes(double epsilon) : m_epsilon(epsilon) {}

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, 0);
        const std::vector<std::int64_t> axes = normalizedAxes(context.op, x.dim());
        const bool perChannelFactors = context.op.type == "InstanceNormalization";
        const auto factor = [&](std::size_t i) {
            return perChannelFactors ? perChannel(inputs[i], x.dim()) : inputs[i];
        };
        const at::Tensor mean = at::mean(x.to(at::kDouble), axes, true);
        const at::Tensor square = at::mean((x * x).to(at::kDouble), axes, true);
        const at::Tensor inverse = at::reciprocal(at::sqrt((square - mean * mean) + m_epsilon));
        const at::Tensor y = (x * inverse.to(at::kFloat) - (mean * inverse).to(at::kFloat)) * factor(1);
        return {inputOr(inputs, 2).defined() ? y + factor(2) : y};
    }

private:
    double m_epsilon;
};
std::unique_ptr<PreparedKernel> normalizedCodes(const Operation &op, float scale)
{
    return std::make_unique<NormalizedCodes>(epsilonOfCodes(op, scale));
}

std::vector<at::Tensor> layerNormalization(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", -1), x.dim(), context.op);
    std::vector<std::int64_t> axes;
    for (std::int64_t i = axis; i < x.dim(); ++i) axes.push_back(i);
    const at::Tensor mean = at::mean(x, axes, true);
    const at::Tensor centred = x - mean;
    const at::Tensor inverse =
        at::rsqrt(at::mean(centred * centred, axes, true) + context.op.floatAttribute("epsilon", 1e-5));
    at::Tensor y = centred * inverse * requiredInput(context, inputs, 1);
    if (inputOr(inputs, 2).defined()) y = y + inputs[2];
    return {y, mean, inverse};
}

std::vector<at::Tensor> layerNormalizationOfRuntime(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", -1), x.dim(), context.op);
    const auto n = runtimeNormalization({.x = x,
                                         .scale = requiredInput(context, inputs, 1),
                                         .bias = inputOr(inputs, 2),
                                         .axis = axis,
                                         .epsilon = context.op.floatAttribute("epsilon", 1e-5)});
    return n ? std::vector<at::Tensor>{n->y, n->mean, n->inverse} : layerNormalization(context, inputs);
}

/// x * (bias + alpha / size * sum of squares over neighbouring channels) ^ -beta. As in ONNX Runtime, the sum moves
/// from channel to channel: its rounding errors decide in which code a quantized output falls.
std::vector<at::Tensor> localResponse(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t size = context.op.intAttribute("size", 1);
    if (x.dim() < 3) throw Error(ErrorKind::Kernel, QL_TEXT("LRN: expected [N, C, spatial...]"), context.op.name);
    const float factor = static_cast<float>(context.op.floatAttribute("alpha", 1e-4)) / static_cast<float>(size);
    const at::Tensor squares = (x * x * factor).flatten(2);
    const at::Tensor padded = at::constant_pad_nd(squares, {0, 0, (size - 1) / 2, size / 2}, 0);
    at::Tensor sum = at::full_like(squares.select(1, 0), context.op.floatAttribute("bias", 1));
    for (std::int64_t i = 0; i < size; ++i) sum = sum + padded.select(1, i);
    std::vector<at::Tensor> sums{sum};
    for (std::int64_t i = 1; i < x.size(1); ++i) {
        sum = sum + padded.select(1, i + size - 1) - padded.select(1, i - 1);
        sums.push_back(sum);
    }
    return {x * at::pow(at::stack(sums, 1).reshape(x.sizes()), -context.op.floatAttribute("beta", 0.75))};
}

/// (x - mean) / (standard deviation + 1e-9) over axes
std::vector<at::Tensor> meanVariance(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::vector<std::int64_t> axes = context.op.intsAttribute("axes", {0, 2, 3});
    for (std::int64_t &axis : axes) axis = normalizeAxis(axis, x.dim(), context.op);
    const at::Tensor centred = x - at::mean(x, axes, true);
    return {centred / (at::sqrt(at::mean(centred * centred, axes, true)) + 1e-9)};
}

/// Groups of channels are normalized together. Version 18 scales each group, version 21 each channel.
std::vector<at::Tensor> groupNormalization(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t groups = op.intAttribute("num_groups", 1);
    if (x.dim() < 2 || groups < 1 || x.size(1) % groups != 0)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("GroupNormalization: the number of channels is not divisible by num_groups"), op.name);
    const at::Tensor grouped = x.reshape({x.size(0), groups, -1});
    const at::Tensor centred = grouped - at::mean(grouped, {2}, true);
    at::Tensor y = centred * at::rsqrt(at::mean(centred * centred, {2}, true) + op.floatAttribute("epsilon", 1e-5));
    const at::Tensor &scale = requiredInput(context, inputs, 1);
    const at::Tensor &bias = requiredInput(context, inputs, 2);
    if (scale.numel() == groups && groups != x.size(1))
        return {(y * scale.reshape({1, groups, 1}) + bias.reshape({1, groups, 1})).reshape(x.sizes())};
    y = y.reshape(x.sizes());
    return {y * perChannel(scale, x.dim()) + perChannel(bias, x.dim())};
}

std::vector<at::Tensor> lpNormalization(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", -1), x.dim(), context.op);
    const at::Tensor norm = at::norm(x, context.op.intAttribute("p", 2), {axis}, true);
    return {at::where(norm == 0, at::zeros_like(x), x / norm)};
}

ShapeTraits batchNormShapes()
{
    ShapeTraits shapes = typeOfInput0(allInputs);
    shapes.sizes = [](const Operation &op, Inputs inputs) -> std::optional<std::vector<std::int64_t>> {
        const at::Tensor &x = inputs[0];
        const bool perChannel = op.opset >= 9 || op.intAttribute("spatial", 1) != 0;
        const bool isPlain = op.intAttribute("training_mode", 0) == 0 && perChannel && op.outputs.size() == 1;
        const bool fits = x.dim() >= 2 && inputs.size() == 5 &&
                          std::all_of(inputs.begin() + 1, inputs.end(),
                                      [&](const at::Tensor &t) { return t.defined() && t.numel() == x.size(1); });
        return isPlain && fits ? std::optional(x.sizes().vec()) : std::nullopt;
    };
    return shapes;
}

const KernelRegistrar batchNorm{
    {"BatchNormalization"},
    {.run = batchNormalization, .minOpset = 6, .family = "normalization", .onDevice = always},
    {.inputs = {{"X"}, {"scale"}, {"B"}, {"input_mean"}, {"input_var"}},
     .channels = ChannelUse::Normalizes,
     .shapes = batchNormShapes()}};
const KernelRegistrar instanceNorm{
    {"InstanceNormalization"},
    {.run = [](const KernelContext &context, Inputs inputs) { return instanceNormalization(context, inputs, false); },
     .minOpset = 6,
     .family = "normalization",
     .onDevice = always,
     .normalizeCodes = normalizedCodes,
     .asRuntime = [](const KernelContext &context,
                     Inputs inputs) { return instanceNormalization(context, inputs, true); },
     .openvinoRoundsResult = true},
    {.inputs = {{"X"}, {"scale"}, {"B"}}, .channels = ChannelUse::Normalizes, .shapes = typeOfInput0(allInputs)}};
const KernelRegistrar layerNorm{{"LayerNormalization"},
                                {.run = layerNormalization,
                                 .family = "normalization",
                                 .onDevice = always,
                                 .normalizeCodes = normalizedCodes,
                                 .asRuntime = layerNormalizationOfRuntime},
                                {.inputs = {{"X"}, {"Scale"}, {"B"}}, .shapes = typeOfInput0(allInputs)}};
const KernelRegistrar meanVarianceNorm{
    {"MeanVarianceNormalization"}, {.run = meanVariance, .minOpset = 9, .family = "normalization", .onDevice = always}};
const KernelRegistrar groupNorm{
    {"GroupNormalization"},
    {.run = groupNormalization, .minOpset = 18, .family = "normalization", .onDevice = always},
    {.inputs = {{"X"}, {"scale"}, {"bias"}}, .shapes = {.inputs = allInputs}}};
const KernelRegistrar lrn{
    {"LRN"}, {.run = localResponse, .family = "normalization", .onDevice = always}, {.shapes = typeOfInput0()}};
const KernelRegistrar lpNorm{{"LpNormalization"},
                             {.run = lpNormalization, .family = "normalization", .onDevice = always},
                             {.shapes = typeOfInput0()}};

} // namespace

} // namespace ql
