#include "core/exec/target_kernel.h"

#include "core/exec/mnn_activation.h"
#include "core/exec/mnn_resize.h"
#include "core/exec/ncnn_activation.h"
#include "core/exec/openvino_activation.h"
#include "core/exec/openvino_kernels.h"
#include "core/exec/runtime_kernels.h"
#include "core/exec/target_float16.h"
#include "core/exec/target_fusion.h"
#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"
#include "core/quant/quantize.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/round.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/trunc.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

constexpr std::int32_t lowest16 = -32768, highest16 = 32767;
constexpr std::int32_t largestCode = 255, signedShift = 128;

bool canSaturate(std::int32_t first, std::int32_t second)
{
    const std::int32_t up = std::max(first, 0) + std::max(second, 0), down = std::min(first, 0) + std::min(second, 0);
    return largestCode * up > highest16 || largestCode * down < lowest16;
}

template <std::size_t N>
bool readAttribute(const Operation &op, const char *key, std::array<std::int64_t, N> &out)
{
    const auto values = op.intsAttribute(key, std::vector<std::int64_t>(out.begin(), out.end()));
    if (values.size() != N) return false;
    std::copy(values.begin(), values.end(), out.begin());
    return true;
}

/// codes: [O, C, H, W], C: of a group
std::vector<std::vector<PairSaturation::Pair>> pairsOf(const at::Tensor &codes, std::int64_t groups)
{
    const std::int64_t outputs = codes.size(0), channels = codes.size(1), rows = codes.size(2), columns = codes.size(3);
    const at::Tensor dense = codes.contiguous();
    const float *code = dense.data_ptr<float>();
    std::vector<std::vector<PairSaturation::Pair>> pairs{std::size_t(outputs)};
    for (std::int64_t o = 0; o < outputs; ++o)
        for (std::int64_t c = 0; c < channels; c += 2)
            for (std::int64_t y = 0; y < rows; ++y)
                for (std::int64_t x = 0; x < columns; ++x) {
                    const auto weight = [&](std::int64_t channel) {
                        return channel < channels
                                   ? std::int32_t(code[((o * channels + channel) * rows + y) * columns + x])
                                   : 0;
                    };
                    const std::int32_t first = weight(c), second = weight(c + 1);
                    if (canSaturate(first, second))
                        pairs[std::size_t(o)].push_back({o / (outputs / groups) * channels + c, y, x, first, second});
                }
    return pairs;
}

/// x as unsigned codes with padding around it: [C, H, W] of one sample
struct PaddedCodes
{
    std::vector<std::int32_t> codes;
    std::int64_t height, width;

    PaddedCodes(const PairSaturation &its, const float *x, std::int64_t channels, std::int64_t rows,
                std::int64_t columns)
        : height(rows + its.pads[0] + its.pads[2]), width(columns + its.pads[1] + its.pads[3])
    {
        codes.assign(std::size_t((channels + 1) * height * width), its.shift); // an odd channel has a neighbour
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t y = 0; y < rows; ++y)
                for (std::int64_t i = 0; i < columns; ++i)
                    codes[std::size_t((c * height + y + its.pads[0]) * width + i + its.pads[1])] =
                        std::int32_t(std::nearbyint(x[(c * rows + y) * columns + i] / its.inputScale)) + its.shift;
    }
};

class SaturatingKernel final : public PreparedKernel
{
public:
    SaturatingKernel(std::shared_ptr<PreparedKernel> kernel, const KernelEntry &entry, PairSaturation saturation)
        : m_kernel(std::move(kernel)), m_entry(entry), m_saturation(std::move(saturation))
    {}

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        std::vector<at::Tensor> out = m_kernel ? m_kernel->run(context, inputs) : callKernel(m_entry, context, inputs);
        const at::Tensor lost = m_saturation.lost(requiredInput(context, inputs, 0), out.at(0));
        out[0] = out[0] + lost;
        return out;
    }
    Text hostReason() const override { return QL_TEXT("sums that saturate are computed on the CPU"); }

private:
    std::shared_ptr<PreparedKernel> m_kernel;
    const KernelEntry &m_entry; ///< of the registry
    PairSaturation m_saturation;
};

/// A Conv as MNN computes it on x86, with codes of 8 bits (MNN: CPUConvolution.cpp, updateInputOutputScale;
/// GemmInt8.cpp, CPUDepthwiseConvInt8.cpp). s: the sum of products of codes, k: the sum of the weight codes of the
/// channel, b: the bias, all results float32:
///   codes of x are stored plus 128:  y = round((s + 128 k) * sw * (sx / sy) + (b - k * sw * 128 * sx) / sy)
///   depthwise:                       y = round((s + trunc(b / (sx * sw))) * (sw * (sx / sy)))
/// y is limited to the codes of the result; half away from zero.
class MnnKernel final : public PreparedKernel
{
public:
    struct Layer
    {
        at::Tensor weightScale, weightSum, bias; ///< [1, channels, 1, 1]
        float inputScale = 1;
        CodeGrid output;
        bool isDepthwise = false;
    };

    /// sums: of products of codes
    MnnKernel(std::unique_ptr<PreparedKernel> sums, const Layer &layer)
        : m_sums(std::move(sums)), m_output(layer.output)
    {
        const float ratio = layer.inputScale / layer.output.scale;
        if (layer.isDepthwise) {
            m_factor = layer.weightScale * ratio;
            m_added = at::trunc(layer.bias / (layer.weightScale * layer.inputScale));
            return;
        }
        m_first = layer.weightScale;
        m_factor = at::full_like(layer.weightScale, ratio);
        m_added = layer.weightSum.to(at::kDouble) * shiftOfCodes;
        m_after =
            (layer.bias - layer.weightSum * layer.weightScale * shiftOfCodes * layer.inputScale) / layer.output.scale;
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        at::Tensor y =
            m_sums->run(context, inputs).at(0).to(at::kDouble).add_(m_added.to(inputs[0].device())).to(at::kFloat);
        if (m_first.defined()) y.mul_(m_first.to(y.device()));
        y.mul_(m_factor.to(y.device()));
        if (m_after.defined()) y.add_(m_after.to(y.device()));
        return {awayFromZero(std::move(y), m_output.lowest, m_output.highest).mul_(m_output.scale)};
    }

private:
    static constexpr double shiftOfCodes = 128;

    std::unique_ptr<PreparedKernel> m_sums;
    CodeGrid m_output;
    at::Tensor m_added, m_first, m_factor, m_after;
};

std::unique_ptr<PreparedKernel> mnnKernel(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                          const KernelEntry &entry, const CodeGrid &input, const AppliedConfig &applied)
{
    const auto result = op.type == "Conv" && op.domain.empty() ? roundedResult(graph, op, applied) : std::nullopt;
    const auto sums = exactSums(graph, plan, op.id, input, applied);
    if (!result || !sums || !isByteGrid(*applied(*result)) || sums->parts[0].weight.dim() != 4) return nullptr;
    const std::int64_t groups = op.intAttribute("group", 1), channels = sums->parts[0].weight.size(0);
    if (groups != 1 && groups != channels) return nullptr;
    const auto alongChannels = [&](const at::Tensor &x) { return x.to(at::kFloat).reshape({1, -1, 1, 1}); };
    MnnKernel::Layer layer;
    layer.inputScale = input.scale;
    layer.output = codeGrid(plan, *result);
    layer.isDepthwise = groups > 1;
    std::vector<float> scale = targetWeightScale(graph, plan, op.id);
    if (scale.size() == 1) scale.resize(std::size_t(channels), scale[0]);
    layer.weightScale = alongChannels(at::tensor(scale, at::TensorOptions(at::kFloat)));
    layer.weightSum = at::zeros_like(layer.weightScale);
    for (const ExactSums::Part &part : sums->parts)
        layer.weightSum += alongChannels(part.weight.reshape({channels, -1}).sum(1));
    layer.bias = sums->bias.defined() ? alongChannels(sums->bias) : at::zeros_like(layer.weightScale);
    auto products =
        entry.exactSums(KernelContext{op, graph}, ExactSums{.parts = sums->parts, .steps = {1}, .bias = {}});
    return std::make_unique<MnnKernel>(std::move(products), layer);
}

/// The mean as MNN computes it on codes plus 128, on the grid of its input: y + 128 = (their sum * (2^24 / count)) /
/// 2^24, both quotients rounded down (MNN: CPUPoolInt8.cpp, MNNAvgPoolUint8).
class MnnAverage final : public PreparedKernel
{
public:
    MnnAverage(const Operation &op, const CodeGrid &grid)
        : m_grid(grid), m_isGlobal(op.type == "GlobalAveragePool"), m_kernel(op.intsAttribute("kernel_shape")),
          m_strides(op.intsAttribute("strides", {1, 1}))
    {}
    static bool isPossible(const Operation &op)
    {
        const auto pads = op.intsAttribute("pads", {0, 0, 0, 0}), dilations = op.intsAttribute("dilations", {1, 1});
        return op.type == "GlobalAveragePool" ||
               (op.intsAttribute("kernel_shape").size() == 2 && op.intAttribute("ceil_mode", 0) == 0 &&
                op.stringAttribute("auto_pad", "NOTSET") == "NOTSET" && dilations == std::vector<std::int64_t>{1, 1} &&
                std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; }));
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, 0);
        const std::vector<std::int64_t> whole{x.size(2), x.size(3)};
        const std::vector<std::int64_t> &kernel = m_isGlobal ? whole : m_kernel;
        const double count = double(kernel[0] * kernel[1]), one = 1 << 24;
        const at::Tensor codes = at::round(x.to(at::kDouble) / m_grid.scale) + shift;
        const at::Tensor sums = at::round(at::avg_pool2d(codes, kernel, m_isGlobal ? kernel : m_strides) * count);
        const at::Tensor y = at::floor(sums * (std::floor(one / count) / one)) - shift;
        return {(at::clamp(y, m_grid.lowest, m_grid.highest) * m_grid.scale).to(at::kFloat)};
    }

private:
    static constexpr double shift = 128;

    CodeGrid m_grid;
    bool m_isGlobal;
    std::vector<std::int64_t> m_kernel, m_strides;
};

std::unique_ptr<PreparedKernel> mnnAverage(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                           const AppliedConfig &applied)
{
    const auto source = gridSource(graph, inputSlot(op.id, 0), applied);
    const bool isKnown = op.domain.empty() && (op.type == "AveragePool" || op.type == "GlobalAveragePool");
    if (!isKnown || !source || !applied(outputSlot(op.id)) || !MnnAverage::isPossible(op) ||
        plan.scale(*source) != plan.scale(outputSlot(op.id)))
        return nullptr;
    return std::make_unique<MnnAverage>(op, codeGrid(plan, *source));
}

/// Whether pnnx leaves the Mul of a SiLU alone, as part of a longer expression, instead of writing a layer Swish.
bool isInExpression(const Graph &graph, const Operation &mul)
{
    const auto &uses = graph.variable(mul.outputs[0]).uses;
    if (uses.size() != 1 || uses[0].op == noOp) return false;
    const std::string &next = graph.operation(uses[0].op).type;
    return next == "Add" || next == "Sub" || next == "Mul" || next == "Div";
}

/// An activation in float32 as the target computes it.
class TargetActivation final : public PreparedKernel
{
public:
    using Function = at::Tensor (*)(const at::Tensor &);

    /// input: the number of the input that it reads
    TargetActivation(Function function, std::size_t input) : m_function(function), m_input(input) {}
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        return {m_function(requiredInput(context, inputs, m_input))};
    }
    Text hostReason() const override { return QL_TEXT("it follows the formula of the runtime's CPU kernel"); }

private:
    Function m_function;
    std::size_t m_input;
};

std::shared_ptr<PreparedKernel> targetActivation(const Graph &graph, const Operation &op, TargetKernel::Sums sums)
{
    const bool isNcnn = sums == TargetKernel::Sums::Ncnn;
    if (!op.domain.empty()) return nullptr;
    if (!isNcnn && sums != TargetKernel::Sums::Mnn) {
        const OpenVinoActivation its = openVinoActivation(op.type);
        return its ? std::make_shared<TargetActivation>(its, 0) : nullptr;
    }
    if (op.type == "Sigmoid") return std::make_shared<TargetActivation>(isNcnn ? ncnnSigmoid : mnnSigmoid, 0);
    if (op.type != "Mul" || (isNcnn && isInExpression(graph, op))) return nullptr;
    if (const auto gate = gateOfSilu(graph, op))
        return std::make_shared<TargetActivation>(isNcnn ? ncnnSwish : mnnSilu, 1 - *gate);
    return nullptr;
}

/// A depthwise Conv whose input has a scale for each channel: sums of products of codes, times both scales.
class DepthwiseOnCodes final : public PreparedKernel
{
public:
    DepthwiseOnCodes(std::unique_ptr<PreparedKernel> sums, const std::vector<float> &scales)
        : m_sums(std::move(sums)), m_scales(at::tensor(scales, at::TensorOptions(at::kFloat)).reshape({1, -1, 1, 1}))
    {}
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        std::vector<at::Tensor> given(inputs.begin(), inputs.end());
        const at::Tensor &x = requiredInput(context, inputs, 0);
        given[0] = at::round(x / m_scales.to(x.device()));
        return m_sums->run(context, given);
    }

private:
    std::unique_ptr<PreparedKernel> m_sums;
    at::Tensor m_scales;
};

std::shared_ptr<PreparedKernel> depthwiseOnCodes(const Graph &graph, const QuantPlan &plan, const Operation &op,
                                                 const KernelEntry &entry, const AppliedConfig &applied)
{
    const Slot slot = inputSlot(op.id, 0);
    const TensorQuantConfig *config = applied(slot);
    if (!TargetKernel::isOfOpenVino(plan.kernelOf(op.id).sums) || op.type != "Conv" || !config ||
        !config->isPerChannel() || *config->channelAxis != 1 ||
        targetRounding(plan, slot, *config) == TargetRounding::Divides)
        return nullptr;
    const std::vector<float> &scales = plan.scale(slot);
    if (op.intAttribute("group", 1) != std::int64_t(scales.size())) return nullptr;
    const CodeGrid codes{.scale = 1, .lowest = -largestCode, .highest = largestCode};
    auto sums = exactSums(graph, plan, op.id, codes, applied);
    if (!sums || sums->parts[0].weight.dim() != 4) return nullptr;
    sums->steps = stepsOfDepthwise(plan, slot, sums->steps, std::size_t(sums->parts[0].weight.size(0)));
    return std::make_shared<DepthwiseOnCodes>(entry.exactSums(KernelContext{op, graph}, *sums), scales);
}

} // namespace

at::Tensor PairSaturation::lost(const at::Tensor &x, const at::Tensor &like) const
{
    const at::Tensor values = isMatrix ? x.contiguous().reshape({-1, x.size(-1), 1, 1}) : x.contiguous();
    const std::int64_t samples = values.size(0), channels = values.size(1), outputs = std::int64_t(pairs.size());
    const std::int64_t height = isMatrix ? 1 : like.size(2), width = isMatrix ? 1 : like.size(3);
    const at::Tensor out = at::zeros({samples, outputs, height, width}, at::TensorOptions(at::kFloat));
    const float *from = values.data_ptr<float>();
    float *to = out.data_ptr<float>();
    for (std::int64_t n = 0; n < samples; ++n) {
        const PaddedCodes padded(*this, from + n * values.stride(0), channels, values.size(2), values.size(3));
        at::parallel_for(0, outputs, 1, [&](std::int64_t begin, std::int64_t end) {
            std::vector<std::int32_t> sums(std::size_t(height * width), 0);
            for (std::int64_t o = begin; o < end; ++o) {
                std::fill(sums.begin(), sums.end(), 0);
                for (const Pair &pair : pairs[std::size_t(o)])
                    for (std::int64_t y = 0; y < height; ++y) {
                        const std::int32_t *row = &padded.codes[std::size_t(
                            (pair.channel * padded.height + y * strides[0] + pair.row * dilations[0]) * padded.width +
                            pair.column * dilations[1])];
                        const std::int32_t *neighbour = row + padded.height * padded.width;
                        std::int32_t *sum = &sums[std::size_t(y * width)];
                        for (std::int64_t i = 0; i < width; ++i) {
                            const std::int32_t both =
                                row[i * strides[1]] * pair.first + neighbour[i * strides[1]] * pair.second;
                            sum[i] += std::clamp(both, lowest16, highest16) - both;
                        }
                    }
                const float step = steps[steps.size() > 1 ? std::size_t(o) : 0];
                for (std::int64_t i = 0; i < height * width; ++i)
                    to[(n * outputs + o) * height * width + i] = float(sums[std::size_t(i)]) * step;
            }
        });
    }
    return isMatrix ? out.reshape(like.sizes()) : out;
}

std::optional<PairSaturation> pairSaturation(const Graph &graph, const QuantPlan &plan, OpId id,
                                             const AppliedConfig &applied)
{
    const Operation &op = graph.operation(id);
    const bool isConvolution = op.type == "Conv";
    if (!op.domain.empty() || (!isConvolution && op.type != "Gemm" && op.type != "MatMul") || !op.hasInput(1) ||
        !graph.isParameter(op.inputs[1]))
        return std::nullopt;
    const TensorQuantConfig *config = applied(inputSlot(id, 1));
    const auto source = gridSource(graph, inputSlot(id, 0), applied);
    if (!config || !source || config->isFloating() || config->isGrouped() || config->dynamic || config->bits > 8)
        return std::nullopt;
    at::Tensor weight = simulatedParameter(graph, plan, inputSlot(id, 1));
    if (weight.dim() != (isConvolution ? 4 : 2) || weight.scalar_type() != at::kFloat) return std::nullopt;
    const auto axis = weightChannelAxis(op, 1, weight.dim());
    const std::vector<float> scale = targetWeightScale(graph, plan, id);
    if (!axis || scale.empty() || (config->isPerChannel() && *config->channelAxis != *axis)) return std::nullopt;
    at::Tensor codes = weightCodes(weight, scale, *axis);
    if (!codes.defined()) return std::nullopt;
    PairSaturation out;
    if (isConvolution) {
        if (op.stringAttribute("auto_pad", "NOTSET") != "NOTSET" || !readAttribute(op, "strides", out.strides) ||
            !readAttribute(op, "dilations", out.dilations) || !readAttribute(op, "pads", out.pads) ||
            std::any_of(out.pads.begin(), out.pads.end(), [](std::int64_t pad) { return pad < 0; }))
            return std::nullopt;
    } else {
        if (op.intAttribute("transA", 0) != 0 || op.floatAttribute("alpha", 1) != 1) return std::nullopt;
        out.isMatrix = true;
        codes = (*axis == 0 ? codes : codes.transpose(0, 1)).unsqueeze(2).unsqueeze(3);
    }
    const TensorQuantConfig &input = *applied(*source);
    out.inputScale = plan.scale(*source)[0];
    out.shift = plan.zeroPoint(*source)[0] + (input.quantMin < 0 ? signedShift : 0);
    for (const float each : scale) out.steps.push_back(out.inputScale * each);
    out.pairs = pairsOf(codes, isConvolution ? op.intAttribute("group", 1) : 1);
    if (std::all_of(out.pairs.begin(), out.pairs.end(), [](const auto &pairs) { return pairs.empty(); }))
        return std::nullopt;
    return out;
}

KernelOfSums kernelOfSums(const Graph &graph, const QuantPlan &plan, const Operation &op, const KernelEntry &entry,
                          const AppliedConfig &applied)
{
    const TargetKernel::Sums sums = plan.kernelOf(op.id).sums;
    if (sums == TargetKernel::Sums::Rknn) {
        if (plan.isQuantized(op.id)) return {runtimeConvolution(op), std::nullopt};
        if (isBetweenCodes(graph, op, applied))
            return {entry.asRuntime ? runtimeKernel(entry.asRuntime) : nullptr, std::nullopt};
        return {inFloat16(graph, plan, op, entry), std::nullopt};
    }
    if (!TargetKernel::sumsCodes(sums) || !op.hasInput(0)) return {};
    if (auto activation = targetActivation(graph, op, sums)) return {std::move(activation), std::nullopt};
    static const KernelFunction cubicResize = mnnCubicResize;
    if (sums == TargetKernel::Sums::Mnn && isMnnCubicResize(op)) return {runtimeKernel(cubicResize), std::nullopt};
    if (auto add = openVinoAdd(graph, plan, op, applied)) return {std::move(add), std::nullopt};
    if (!isComputing(op))
        return {sums == TargetKernel::Sums::Mnn ? mnnAverage(graph, plan, op, applied) : nullptr, std::nullopt};
    const auto source = gridSource(graph, inputSlot(op.id, 0), applied);
    if (!source) return {depthwiseOnCodes(graph, plan, op, entry, applied), std::nullopt};
    KernelOfSums out;
    const CodeGrid grid = codeGrid(plan, *source);
    if (sums == TargetKernel::Sums::Mnn)
        if ((out.kernel = mnnKernel(graph, plan, op, entry, grid, applied))) {
            out.codes = grid;
            return out;
        }
    CodeGrid read = grid;
    if (TargetKernel::isOfOpenVino(sums)) read.scale = scaleOfReadCodes(graph, plan, *source);
    if (const auto exact = exactSums(graph, plan, op.id, read, applied)) {
        out.kernel = entry.exactSums(KernelContext{op, graph}, *exact);
        out.codes = grid;
    }
    if (sums != TargetKernel::Sums::SaturatingPairs) return out;
    auto saturation = pairSaturation(graph, plan, op.id, applied);
    if (!saturation) return out;
    if (out.codes) saturation->inputScale = 1;
    out.kernel = std::make_shared<SaturatingKernel>(std::move(out.kernel), entry, std::move(*saturation));
    return out;
}

} // namespace ql
