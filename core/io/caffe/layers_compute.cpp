// Convolution, Deconvolution, InnerProduct: layers with weights.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/layer.h"
#include "core/io/caffe/limits.h"

#include <ATen/ops/empty.h>
#include <cmath>

namespace ql::caffe_io {

namespace {

struct Window
{
    std::vector<std::int64_t> kernel, stride, pad, dilation;
};

/// One number for all axes, one per axis, or the fields for height and width.
std::vector<std::int64_t> perAxis(const Layer &layer, const google::protobuf::RepeatedField<std::uint32_t> &values,
                                  bool hasHeight, std::uint32_t height, bool hasWidth, std::uint32_t width,
                                  std::int64_t fallback, std::size_t axes, const std::string &what)
{
    std::vector<std::int64_t> out;
    if (hasHeight || hasWidth) {
        if (axes != 2) layer.fail(QL_TEXT("%1_h and %2_w need two spatial axes").with(what, what));
        const std::int64_t one = values.empty() ? fallback : values.Get(0);
        out = {hasHeight ? std::int64_t(height) : one, hasWidth ? std::int64_t(width) : one};
    } else if (values.empty()) {
        out.assign(axes, fallback);
    } else if (values.size() == 1) {
        out.assign(axes, values.Get(0));
    } else if (std::size_t(values.size()) == axes) {
        out.assign(values.begin(), values.end());
    } else {
        layer.fail(QL_TEXT("it has %1 values of %2 for %3 spatial axes").with(values.size(), what, axes));
    }
    return out;
}

Window windowOf(const Layer &layer, std::size_t axes)
{
    const auto &p = layer.proto.convolution_param();
    Window w;
    w.kernel = perAxis(layer, p.kernel_size(), p.has_kernel_h(), p.kernel_h(), p.has_kernel_w(), p.kernel_w(), 0, axes,
                       "kernel");
    w.stride =
        perAxis(layer, p.stride(), p.has_stride_h(), p.stride_h(), p.has_stride_w(), p.stride_w(), 1, axes, "stride");
    w.pad = perAxis(layer, p.pad(), p.has_pad_h(), p.pad_h(), p.has_pad_w(), p.pad_w(), 0, axes, "pad");
    google::protobuf::RepeatedField<std::uint32_t> dilation = p.dilation();
    if (dilation.empty() && p.has_hole()) dilation.Add(p.hole());
    w.dilation = perAxis(layer, dilation, p.has_hole_h(), p.hole_h(), p.has_hole_w(), p.hole_w(), 1, axes, "dilation");
    constexpr std::int64_t most = 1 << 24;
    for (std::size_t i = 0; i < axes; ++i)
        if (w.kernel[i] < 1 || w.stride[i] < 1 || w.dilation[i] < 1 || w.kernel[i] > most || w.stride[i] > most ||
            w.dilation[i] > most || w.pad[i] > most)
            layer.fail(
                QL_TEXT("kernel %1, stride %2, dilation %3, pad %4: kernel, stride and dilation must be positive")
                    .with(sizesText(w.kernel), sizesText(w.stride), sizesText(w.dilation), sizesText(w.pad)));
    return w;
}

Attributes attributesOf(const Window &w, std::int64_t group)
{
    std::vector<std::int64_t> pads = w.pad;
    pads.insert(pads.end(), w.pad.begin(), w.pad.end());
    return {
        {"kernel_shape", w.kernel}, {"strides", w.stride}, {"pads", pads}, {"dilations", w.dilation}, {"group", group}};
}

/// Weights of a "bilinear" filler: the initial weights of a deconvolution that enlarges images, which it keeps if it is
/// not trained. Source: the definition of the filler; f = ceil(k / 2), c = (2 f - 1 - f mod 2) / (2 f), w = (1 - |x / f
/// - c|) (1 - |y / f - c|).
at::Tensor bilinear(const Layer &layer, const Shape &shape)
{
    std::int64_t count = 1;
    for (const std::int64_t size : shape) {
        if (size < 1 || count > maxMadeElements / size)
            layer.fail(QL_TEXT("its filler would create an empty or too large blob: %1").with(sizesText(shape)));
        count *= size;
    }
    if (shape.size() != 4 || shape[2] != shape[3]) layer.fail(QL_TEXT("a bilinear filler needs a square kernel"));
    at::Tensor out = at::empty(shape, at::TensorOptions(at::kFloat));
    const std::int64_t k = shape[3], f = (k + 1) / 2;
    const float c = float(2 * f - 1 - f % 2) / (2.f * float(f));
    for (std::int64_t i = 0; i < count; ++i) {
        const float x = float(i % k), y = float((i / k) % k);
        out.data_ptr<float>()[i] = (1 - std::fabs(x / float(f) - c)) * (1 - std::fabs(y / float(f) - c));
    }
    return out;
}

void convolution(Layer &layer)
{
    const bool isTransposed = layer.proto.type() == "Deconvolution";
    const auto &p = layer.proto.convolution_param();
    if (layer.bottomCount() != layer.topCount()) layer.fail(QL_TEXT("it needs one top for each bottom"));
    const Value &first = layer.bottom(0);
    if (layer.axis(p.axis(), first.rank()) != 1) layer.unsupported(QL_TEXT("axis %1 is not 1").with(p.axis()));
    if (first.rank() < 3 || first.rank() > 5)
        layer.unsupported(
            QL_TEXT("its bottom is %1, only one to three spatial axes are supported").with(sizesText(first.shape)));
    const Window w = windowOf(layer, std::size_t(first.rank()) - 2);
    const std::int64_t channels = first.size(1), out = p.num_output();
    const std::int64_t group =
        layer.proto.type() == "ConvolutionDepthwise" || layer.proto.type() == "DepthwiseConvolution"
            ? channels
            : std::int64_t(p.group());
    if (group < 1 || out < 1 || channels % group != 0 || out % group != 0)
        layer.fail(QL_TEXT("group %1 does not divide %2 channels and %3 outputs").with(group, channels, out));
    Shape shape = isTransposed ? Shape{channels, out / group} : Shape{out, channels / group};
    shape.insert(shape.end(), w.kernel.begin(), w.kernel.end());
    const bool isMade =
        isTransposed && layer.blobCount() == 0 && p.weight_filler().type() == "bilinear" && !p.bias_term();
    const Value weight = layer.parameter(0, isMade ? bilinear(layer, shape) : layer.blob(0, shape));
    Value bias;
    if (p.bias_term()) bias = layer.parameter(1, layer.blob(1, {out}));
    for (std::size_t b = 0; b < layer.bottomCount(); ++b) {
        const Value &x = layer.bottom(b);
        if (x.rank() != first.rank() || x.size(1) != channels)
            layer.fail(
                QL_TEXT("its bottoms %1 and %2 are incompatible").with(sizesText(first.shape), sizesText(x.shape)));
        Shape result{x.size(0), out};
        for (std::size_t i = 0; i < w.kernel.size(); ++i) {
            const std::int64_t in = x.shape[i + 2], extent = w.dilation[i] * (w.kernel[i] - 1) + 1;
            const std::int64_t room = in + 2 * w.pad[i] - extent;
            result.push_back(isTransposed ? w.stride[i] * (in - 1) + extent - 2 * w.pad[i]
                             : room < 0   ? -1
                                          : room / w.stride[i] + 1);
            if (result.back() < 1)
                layer.fail(QL_TEXT("a kernel of %1 does not fit into %2").with(sizesText(w.kernel), sizesText(x.shape)),
                           QL_TEXT("Give a larger input, or correct kernel and pad."));
        }
        std::vector<Value> inputs{x, weight};
        if (bias.id != noVar) inputs.push_back(bias);
        layer.top(b, layer.emit(isTransposed ? "ConvTranspose" : "Conv", inputs, attributesOf(w, group), result));
    }
}

void innerProduct(Layer &layer)
{
    const auto &p = layer.proto.inner_product_param();
    const Value &x = layer.bottom(0);
    const std::int64_t axis = layer.axis(p.axis(), x.rank());
    const std::int64_t inner = x.count(axis, x.rank()), out = p.num_output();
    if (out < 1) layer.fail(QL_TEXT("num_output is missing"));
    at::Tensor weight = layer.blob(0, p.transpose() ? Shape{inner, out} : Shape{out, inner});
    const bool hasBias = p.bias_term();
    if (axis == 1) {
        const Value flat =
            x.rank() == 2 ? x : layer.emit("Flatten", {x}, {{"axis", std::int64_t{1}}}, {x.size(0), inner});
        std::vector<Value> inputs{flat, layer.parameter(0, weight)};
        if (hasBias) inputs.push_back(layer.parameter(1, layer.blob(1, {out})));
        layer.top(0, layer.emit("Gemm", inputs, {{"transB", std::int64_t(p.transpose() ? 0 : 1)}}, {x.size(0), out}));
        return;
    }
    // Axes before `axis` stay: a matrix product over the last axis
    Shape lead(x.shape.begin(), x.shape.begin() + axis);
    Shape flatShape = lead;
    flatShape.push_back(inner);
    Value flat = x;
    if (axis != x.rank() - 1) {
        std::vector<std::int64_t> target(lead.size(), 0);
        target.push_back(inner);
        flat = layer.reshape(x, target, flatShape);
    }
    lead.push_back(out);
    Value y =
        layer.emit("MatMul", {flat, layer.parameter(0, p.transpose() ? weight : weight.t().contiguous())}, {}, lead);
    if (hasBias) y = layer.binary("Add", y, layer.parameter(1, layer.blob(1, {out})));
    layer.top(0, y);
}

const LayerRegistrar convolutions{{"Convolution", "ConvolutionDepthwise", "DepthwiseConvolution"},
                                  {"Conv",
                                   "one to three spatial axes; kernel, stride, pad for all axes, per axis or as _h and "
                                   "_w; dilation (also `hole`), group, bias_term; axis 1 only",
                                   convolution, always}};
const LayerRegistrar deconvolutions{
    {"Deconvolution"},
    {"ConvTranspose", "as Convolution; without weights a bilinear weight_filler is computed", convolution,
     [](const format::LayerParameter &p) { return p.convolution_param().weight_filler().type() != "bilinear"; }}};
const LayerRegistrar innerProducts{{"InnerProduct"},
                                   {"Flatten, Gemm; MatMul, Add",
                                    "any axis, transpose, bias_term; Gemm for axis 1, MatMul for others", innerProduct,
                                    always}};

} // namespace
} // namespace ql::caffe_io
