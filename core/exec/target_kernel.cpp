#include "core/exec/target_kernel.h"

#include "core/exec/program.h"
#include "core/ir/op_traits.h"
#include "core/quant/quantize.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>

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
    const char *hostReason() const override { return "sums that saturate are computed on the CPU"; }

private:
    std::shared_ptr<PreparedKernel> m_kernel;
    const KernelEntry &m_entry; ///< of the registry
    PairSaturation m_saturation;
};

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
    if (sums == TargetKernel::Sums::Float || !op.hasInput(0)) return {};
    const auto source = gridSource(graph, inputSlot(op.id, 0), applied);
    if (!source) return {};
    KernelOfSums out;
    const CodeGrid grid = codeGrid(plan, *source);
    if (const auto exact = exactSums(graph, plan, op.id, grid, applied)) {
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
    step.config.bits += 15;
    step.config.quantMin *= finer;
    step.config.quantMax *= finer;
    for (float &scale : step.scale) scale /= finer;
    for (std::int32_t &zero : step.zeroPoint) zero *= finer;
}

} // namespace ql
