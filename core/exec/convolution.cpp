// Conv and ConvTranspose through LibTorch: any rank, any device, weights that are not constant.
#include "core/exec/convolution.h"

#include "core/exec/integer.h"
#include "core/exec/trained_convolution.h"

#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/convolution.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <optional>

namespace ql {

ConvGeometry convGeometry(const Operation &op, at::IntArrayRef inputSizes, at::IntArrayRef weightSizes)
{
    const auto fail = [&](const Text &message) {
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: %2").with(op.type, message), op.name);
    };
    if (inputSizes.size() != weightSizes.size() || inputSizes.size() < 3)
        fail(QL_TEXT("input of rank %1 and weight of rank %2; both must be [N, C, spatial...] of the same rank")
                 .with(inputSizes.size(), weightSizes.size()));
    const std::size_t spatial = inputSizes.size() - 2;
    const bool transposed = op.type == "ConvTranspose";
    ConvGeometry g;
    g.group = op.intAttribute("group", 1);
    const std::int64_t wantChannels = transposed ? weightSizes[0] : weightSizes[1] * g.group;
    if (g.group < 1 || wantChannels != inputSizes[1] || (!transposed && weightSizes[0] % g.group != 0) ||
        (transposed && weightSizes[0] % g.group != 0))
        fail(QL_TEXT("input has %1 channels, the weight needs %2 (group %3)")
                 .with(inputSizes[1], wantChannels, g.group));
    const auto list = [&](const char *key, std::int64_t fallback, std::size_t count) {
        std::vector<std::int64_t> values = op.intsAttribute(key, std::vector<std::int64_t>(count, fallback));
        if (values.size() != count)
            fail(QL_TEXT("%1 has %2 entries, expected %3").with(std::string(key), values.size(), count));
        return values;
    };
    g.strides = list("strides", 1, spatial);
    g.dilations = list("dilations", 1, spatial);
    const std::vector<std::int64_t> pads = list("pads", 0, 2 * spatial);
    for (std::size_t i = 0; i < spatial; ++i)
        if (g.strides[i] < 1 || g.dilations[i] < 1) fail(QL_TEXT("strides and dilations must be positive"));
    const auto kernel = op.intsAttribute("kernel_shape");
    if (!kernel.empty() && !std::equal(kernel.begin(), kernel.end(), weightSizes.begin() + 2, weightSizes.end()))
        fail(QL_TEXT("kernel_shape differs from the weight's shape"));
    g.padBegin.assign(pads.begin(), pads.begin() + std::ptrdiff_t(spatial));
    g.padEnd.assign(pads.begin() + std::ptrdiff_t(spatial), pads.end());
    g.outputPadding = transposed ? list("output_padding", 0, spatial) : std::vector<std::int64_t>(spatial, 0);

    const std::string autoPad = op.stringAttribute("auto_pad", "NOTSET");
    std::vector<std::int64_t> outputShape = transposed ? op.intsAttribute("output_shape") : std::vector<std::int64_t>();
    if (outputShape.size() == spatial + 2) outputShape.erase(outputShape.begin(), outputShape.begin() + 2);
    const bool same = autoPad == "SAME_UPPER" || autoPad == "SAME_LOWER";
    if (!same && autoPad != "VALID" && autoPad != "NOTSET" && !autoPad.empty())
        fail(QL_TEXT("auto_pad is '%1', expected NOTSET, SAME_UPPER, SAME_LOWER or VALID").with(autoPad));
    if (autoPad == "VALID") {
        g.padBegin.assign(spatial, 0);
        g.padEnd.assign(spatial, 0);
    }
    for (std::size_t i = 0; i < spatial; ++i) {
        const std::int64_t in = inputSizes[i + 2];
        const std::int64_t extent = g.dilations[i] * (weightSizes[i + 2] - 1) + 1;
        std::int64_t total = -1;
        if (transposed && !outputShape.empty())
            total = g.strides[i] * (in - 1) + g.outputPadding[i] + extent - outputShape[i];
        else if (transposed && same)
            total = g.strides[i] * (in - 1) + g.outputPadding[i] + extent - in * g.strides[i];
        else if (same)
            total = ((in + g.strides[i] - 1) / g.strides[i] - 1) * g.strides[i] + extent - in;
        else
            continue;
        // A requested output that is larger than the full result: pad it at the end. SAME without one never adds to it,
        // as in ONNX's shape inference and in ONNX Runtime.
        if (transposed && total < 0 && !outputShape.empty()) g.outputPadding[i] -= total;
        total = std::max<std::int64_t>(total, 0);
        const bool moreAtEnd = autoPad == "SAME_UPPER";
        g.padBegin[i] = moreAtEnd ? total / 2 : total - total / 2;
        g.padEnd[i] = total - g.padBegin[i];
    }
    return g;
}

std::vector<std::int64_t> convOutputSizes(const Operation &op, const ConvGeometry &g, at::IntArrayRef inputSizes,
                                          at::IntArrayRef weightSizes)
{
    const bool transposed = op.type == "ConvTranspose";
    std::vector<std::int64_t> out{inputSizes[0], transposed ? weightSizes[1] * g.group : weightSizes[0]};
    for (std::size_t i = 0; i + 2 < inputSizes.size(); ++i) {
        const std::int64_t extent = g.dilations[i] * (weightSizes[i + 2] - 1) + 1;
        const std::int64_t pad = g.padBegin[i] + g.padEnd[i];
        const std::int64_t size = transposed
                                      ? g.strides[i] * (inputSizes[i + 2] - 1) + g.outputPadding[i] + extent - pad
                                      : (inputSizes[i + 2] + pad - extent) / g.strides[i] + 1;
        if (size < 1 || (!transposed && inputSizes[i + 2] + pad < extent))
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: the kernel (extent %2) does not fit into axis %3 of size %4 with padding %5")
                            .with(op.type, extent, i + 2, inputSizes[i + 2], pad),
                        op.name);
        out.push_back(size);
    }
    checkElements(op, out);
    return out;
}

at::Tensor convolve(const Operation &op, at::Tensor x, const at::Tensor &w, const at::Tensor &bias)
{
    const bool transposed = op.type == "ConvTranspose";
    ConvGeometry g = convGeometry(op, x.sizes(), w.sizes());
    const std::vector<std::int64_t> sizes = convOutputSizes(op, g, x.sizes(), w.sizes());
    const std::size_t spatial = g.strides.size();
    const at::Tensor biasRow = bias.defined() && bias.dim() != 1 ? bias.reshape({-1}) : bias;
    if (!transposed) {
        if (at::Tensor y = convolveWithGradient(g, sizes, x, w, biasRow); y.defined()) return y;
        if (g.padBegin != g.padEnd) { // LibTorch pads both ends equally: pad the rest here
            std::vector<std::int64_t> pads;
            for (std::size_t i = spatial; i-- > 0;) {
                pads.push_back(g.padBegin[i]);
                pads.push_back(g.padEnd[i]);
            }
            std::vector<std::int64_t> padded = x.sizes().vec();
            for (std::size_t i = 0; i < spatial; ++i) padded[i + 2] += g.padBegin[i] + g.padEnd[i];
            checkElements(op, padded, x.element_size());
            x = at::constant_pad_nd(x, pads, 0);
            g.padBegin.assign(spatial, 0);
        }
        return at::convolution(x, w, biasRow, g.strides, g.padBegin, g.dilations, false,
                               std::vector<std::int64_t>(spatial, 0), g.group);
    }
    // The full result, then cut: covers unequal padding and paddings beyond the kernel.
    std::vector<std::int64_t> full = sizes;
    for (std::size_t i = 0; i < spatial; ++i) full[i + 2] += g.padBegin[i] + g.padEnd[i];
    checkElements(op, full, x.element_size());
    at::Tensor y = at::convolution(x, w, biasRow, g.strides, std::vector<std::int64_t>(spatial, 0), g.dilations, true,
                                   std::vector<std::int64_t>(spatial, 0), g.group);
    for (std::size_t i = 0; i < spatial; ++i) {
        const auto axis = std::int64_t(i + 2);
        const std::int64_t have = y.size(axis) - g.padBegin[i];
        if (have >= sizes[i + 2]) {
            y = y.narrow(axis, g.padBegin[i], sizes[i + 2]);
            continue;
        }
        // output_padding extends past the full result: those elements get only the bias
        y = y.narrow(axis, g.padBegin[i], have);
        std::vector<std::int64_t> tail(y.sizes().begin(), y.sizes().end());
        tail[i + 2] = sizes[i + 2];
        at::Tensor whole = at::empty(tail, y.options());
        if (biasRow.defined()) {
            std::vector<std::int64_t> shape(tail.size(), 1);
            shape[1] = -1;
            whole.copy_(biasRow.reshape(shape).expand(tail));
        } else {
            whole.zero_();
        }
        whole.narrow(axis, 0, have).copy_(y);
        y = whole;
    }
    return y;
}

namespace {

std::vector<at::Tensor> convolution(const KernelContext &context, Inputs inputs)
{
    return {
        convolve(context.op, requiredInput(context, inputs, 0), requiredInput(context, inputs, 1), inputOr(inputs, 2))};
}

std::unique_ptr<PreparedKernel> prepare(const KernelContext &context, Inputs constants, const Epilogue &epilogue)
{
    for (const auto &special : {preparePatchConvolution, prepareWinogradConvolution})
        if (auto kernel = special(context, constants, epilogue)) return kernel;
    return prepareDnnlConvolution(context, constants, epilogue);
}

Text convolutionRefusal(const Operation &op)
{
    for (const char *key : {"kernel_shape", "strides", "dilations"})
        if (const std::size_t axes = op.intsAttribute(key).size(); axes > 3)
            return QL_TEXT("%1 spatial axes are not implemented").with(axes);
    return {};
}

const KernelEntry convolutionEntry{.run = convolution,
                                   .family = "convolution",
                                   .prepare = prepare,
                                   .limits = "one to three spatial axes",
                                   .refusal = convolutionRefusal,
                                   .onDevice = always};

std::optional<std::vector<std::int64_t>> convolutionSizes(const Operation &op, Inputs inputs)
{
    if (!hasFloat(inputs, 1)) return std::nullopt;
    const at::Tensor &x = inputs[0], &weight = inputs[1];
    if (x.dim() < 3 || x.dim() != weight.dim() || x.numel() == 0 || weight.numel() == 0) return std::nullopt;
    if (const at::Tensor bias = inputOr(inputs, 2); bias.defined() && bias.numel() != weight.size(0))
        return std::nullopt;
    return convOutputSizes(op, convGeometry(op, x.sizes(), weight.sizes()), x.sizes(), weight.sizes());
}

std::optional<Attribute> impliedConvolution(std::string_view name, const std::vector<Dim> *weight)
{
    if (name == "group") return std::int64_t(1);
    if (name == "auto_pad") return std::string("NOTSET");
    if (!weight || weight->size() < 3) return std::nullopt;
    const std::size_t spatial = weight->size() - 2;
    if (name == "strides" || name == "dilations") return std::vector<std::int64_t>(spatial, 1);
    if (name == "pads") return std::vector<std::int64_t>(2 * spatial, 0);
    if (name != "kernel_shape") return std::nullopt;
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 2; i < weight->size(); ++i) sizes.push_back((*weight)[i].size);
    return sizes;
}

const KernelRegistrar convKernel{
    {"Conv"},
    [] {
        KernelEntry entry = convolutionEntry;
        entry.integerForm = integerConvolution;
        entry.exactSums = sumsOfConvolution;
        return entry;
    }(),
    {.inputs = {{"X"}, {"W"}, {"B"}},
     .weights = WeightTraits{.bias = 2,
                             .axis = [](const Operation &, std::int64_t) { return std::optional<std::int64_t>(0); },
                             .outputAxis = 1,
                             .isLayer = true},
     .shapes = {.inputs = allInputs,
                .sizes = convolutionSizes,
                .rank = RankRule::LargerOfTwo,
                .elementType = ElementTypeRule::OfInput0},
     .implied = impliedConvolution}};
const KernelRegistrar transposedKernel{
    {"ConvTranspose"},
    [] {
        KernelEntry entry = convolutionEntry;
        entry.exactSums = sumsOfConvolution;
        entry.openvinoRoundsResult = true;
        return entry;
    }(),
    {.inputs = {{"X"}, {"W"}, {"B"}},
     .weights = WeightTraits{.bias = 2,
                             .axis = [](const Operation &, std::int64_t) { return std::optional<std::int64_t>(1); },
                             .isAxisPerGroup = true,
                             .isSpread = true,
                             .outputAxis = 1,
                             .isLayer = true},
     .shapes = {.inputs = allInputs, .rank = RankRule::LargerOfTwo, .elementType = ElementTypeRule::OfInput0},
     .implied = impliedConvolution}};

} // namespace

} // namespace ql
