// ConvTranspose whose kernel equals its stride: the output patches of the inputs do not overlap, so it is a matrix
// product from C to kh * kw * O channels (a convolution of size 1) and a reorder from depth to space.
#include "core/exec/convolution.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

namespace ql {

namespace {

class PatchConvolution final : public PreparedKernel
{
public:
    /// weight: [C, O, k...]; product: the convolution of size 1 to [N, k... * O, spatial...], O innermost.
    PatchConvolution(const KernelContext &context, const at::Tensor &weight, Operation conv,
                     std::unique_ptr<PreparedKernel> product)
        : m_weightSizes(weight.sizes().vec()), m_conv(std::move(conv)), m_product(std::move(product))
    {
        m_conv.name = context.op.name;
        m_conv.id = context.op.id;
    }

    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        const at::Tensor &x = requiredInput(context, inputs, 0);
        const ConvGeometry geometry = convGeometry(context.op, x.sizes(), m_weightSizes);
        const std::vector<std::int64_t> sizes = convOutputSizes(context.op, geometry, x.sizes(), m_weightSizes);
        const at::Tensor painted =
            m_product->run(KernelContext{m_conv, context.graph, context.job}, std::span(&x, 1))[0];
        return {depthToSpace(painted, sizes)};
    }

private:
    /// painted: channels-last [N, kh * kw * O, H, W] (1-D has no H and kh). @returns [N, O, kh H, kw W], channels-last
    at::Tensor depthToSpace(at::Tensor painted, const std::vector<std::int64_t> &sizes) const
    {
        const bool line = sizes.size() == 3;
        if (line) painted = painted.unsqueeze(2);
        painted = painted.contiguous(at::MemoryFormat::ChannelsLast);
        const std::int64_t kernelRows = line ? 1 : m_weightSizes[2];
        const std::int64_t width = painted.size(3), channels = sizes[1];
        const std::int64_t patch = painted.size(1), run = patch / kernelRows; // contiguous floats in both
        at::Tensor out = at::empty({sizes[0], channels, line ? 1 : sizes[2], sizes.back()},
                                   painted.options().memory_format(at::MemoryFormat::ChannelsLast));
        const float *from = painted.data_ptr<float>();
        float *to = out.data_ptr<float>();
        const std::int64_t rows = sizes[0] * (line ? 1 : sizes[2]); // of the result
        const std::int64_t grain = std::max<std::int64_t>(1, 32768 / std::max<std::int64_t>(1, width * run));
        at::parallel_for(0, rows, grain, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row) {
                const float *source = from + row / kernelRows * width * patch + row % kernelRows * run;
                float *target = to + row * width * run;
                for (std::int64_t i = 0; i < width; ++i, source += patch, target += run)
                    std::memcpy(target, source, std::size_t(run) * sizeof(float));
            }
        });
        return line ? out.squeeze(2) : out;
    }

    std::vector<std::int64_t> m_weightSizes;
    Operation m_conv; ///< the product as an operation: a Conv of this name
    std::unique_ptr<PreparedKernel> m_product;
};

bool hasDisjointPatches(const Operation &op, const at::Tensor &weight)
{
    if (op.type != "ConvTranspose" || op.intAttribute("group", 1) != 1 || !op.intsAttribute("output_shape").empty())
        return false;
    const std::string padding = op.stringAttribute("auto_pad", "NOTSET");
    if (padding != "NOTSET" && padding != "VALID") return false;
    const auto all = [&](const char *key, std::int64_t want) {
        const std::vector<std::int64_t> values = op.intsAttribute(key);
        return std::all_of(values.begin(), values.end(), [&](std::int64_t v) { return v == want; });
    };
    if (!all("output_padding", 0) || !all("dilations", 1) || (padding == "NOTSET" && !all("pads", 0))) return false;
    const auto kernel = weight.sizes().slice(2);
    const auto strides = op.intsAttribute("strides", std::vector<std::int64_t>(kernel.size(), 1));
    return std::equal(strides.begin(), strides.end(), kernel.begin(), kernel.end());
}

} // namespace

std::unique_ptr<PreparedKernel> preparePatchConvolution(const KernelContext &context, Inputs constants,
                                                        const Epilogue &epilogue)
{
    const at::Tensor weight = inputOr(constants, 1), bias = inputOr(constants, 2);
    if (!weight.defined() || (weight.dim() != 3 && weight.dim() != 4) || !hasDisjointPatches(context.op, weight))
        return nullptr;
    if (context.op.hasInput(2) && !bias.defined()) return nullptr;
    Operation conv;
    conv.type = "Conv";
    conv.opset = context.op.opset;
    conv.inputs = context.op.inputs;
    // [C, O, k...] -> [k..., O, C], one output channel for each tap and channel
    const at::Tensor taps = weight.dim() == 3 ? weight.permute({2, 1, 0}) : weight.permute({2, 3, 1, 0});
    std::vector<std::int64_t> sizes(std::size_t(weight.dim()), 1);
    sizes[0] = weight.numel() / std::max<std::int64_t>(1, weight.size(0));
    sizes[1] = weight.size(0);
    std::vector<at::Tensor> packed{at::Tensor(), taps.reshape(sizes)};
    if (bias.defined()) {
        if (bias.numel() != weight.size(1)) return nullptr; // reported by the general kernel
        packed.push_back(bias.reshape({-1}).repeat({sizes[0] / weight.size(1)}));
    }
    std::unique_ptr<PreparedKernel> product =
        prepareDnnlConvolution(KernelContext{conv, context.graph, context.job}, packed, epilogue);
    if (!product) return nullptr;
    return std::make_unique<PatchConvolution>(context, weight, std::move(conv), std::move(product));
}

} // namespace ql
