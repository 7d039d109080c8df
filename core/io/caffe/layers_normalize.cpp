// BatchNorm, Scale, Bias and the normalizations. If Caffe's formula differs from that of an ONNX operator (position of
// epsilon, averaged axes), it is written out in elementary operations.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/layer.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

namespace ql::caffe_io {

namespace {

Value power(Layer &layer, const Value &x, double exponent)
{
    if (exponent == 0.5) return layer.unary("Sqrt", x);
    return exponent == 1 ? x : layer.binary("Pow", x, layer.scalar("power", exponent));
}

/// value of shape [C] as [C, 1, 1 ...] for a blob of that rank, so that it aligns with axis 1.
at::Tensor perChannel(const at::Tensor &value, std::int64_t rank)
{
    Shape shape{value.numel()};
    for (std::int64_t i = 2; i < rank; ++i) shape.push_back(1);
    return value.reshape(shape);
}

void batchNorm(Layer &layer)
{
    const auto &p = layer.proto.batch_norm_param();
    const Value &x = layer.bottom(0);
    const std::int64_t channels = x.rank() > 1 ? x.size(1) : 1;
    if (p.has_use_global_stats() && !p.use_global_stats()) {
        layer.report(
            api::Severity::Warning,
            QL_TEXT(
                "use_global_stats is false: mean and variance are those of the current batch, as the layer specifies"),
            QL_TEXT("Remove use_global_stats to use the learned statistics."));
        std::vector<std::int64_t> axes = axesFrom(2, x.rank());
        axes.insert(axes.begin(), 0);
        const Value centred = layer.binary("Sub", x, layer.reduce("ReduceMean", x, axes, true));
        const Value variance = layer.reduce("ReduceMean", layer.binary("Mul", centred, centred), axes, true);
        const Value deviation = layer.unary("Sqrt", layer.affine(variance, 1, double(p.eps())));
        layer.top(0, layer.binary("Div", centred, deviation));
        return;
    }
    if (x.rank() < 2)
        layer.unsupported(QL_TEXT("its bottom is %1, it needs channels on axis 1").with(sizesText(x.shape)));
    at::Tensor mean = layer.blob(0, {channels}), variance = layer.blob(1, {channels});
    // The third blob is the total weight of the batches summed in the others
    if (layer.blobCount() == 3 || layer.blobCount() == 5) {
        const float sum = layer.blob(2, {1}).data_ptr<float>()[0];
        const float factor = sum == 0 ? 0 : 1 / sum;
        mean = mean * factor;
        variance = variance * factor;
    } else if (layer.blobCount() != 2) {
        layer.fail(QL_TEXT("it has %1 blobs, expected mean, variance and their factor").with(layer.blobCount()));
    }
    const bool hasScale = p.scale_bias() && layer.blobCount() == 5;
    const at::Tensor scale = hasScale ? layer.blob(3, {channels}) : at::ones({channels});
    const at::Tensor bias = hasScale ? layer.blob(4, {channels}) : at::zeros({channels});
    layer.top(0, layer.emit("BatchNormalization",
                            {x, layer.constant("scale", scale), layer.constant("bias", bias),
                             layer.constant("mean", mean), layer.constant("var", variance)},
                            {{"epsilon", p.eps()}}, x.shape));
}

/// BatchNorm with scale and shift in other dialects: blobs scale, shift, mean, variance.
void bn(Layer &layer)
{
    const auto &p = layer.proto.bn_param();
    const Value &x = layer.bottom(0);
    if (x.rank() < 2)
        layer.unsupported(QL_TEXT("its bottom is %1, it needs channels on axis 1").with(sizesText(x.shape)));
    const Shape shape{x.size(1)};
    std::vector<Value> inputs{x};
    const char *const names[] = {"scale", "bias", "mean", "var"};
    for (std::size_t i = 0; i < 4; ++i) inputs.push_back(layer.constant(names[i], layer.blob(i, shape)));
    layer.top(0, layer.emit("BatchNormalization", inputs, {{"epsilon", p.has_eps() ? p.eps() : p.var_eps()}}, x.shape));
}

/// Sizes of a learned blob that covers numAxes axes from axis on.
Shape covered(const Layer &layer, const Value &x, std::int64_t axis, std::int64_t numAxes)
{
    const std::int64_t end = numAxes == -1 ? x.rank() : axis + numAxes;
    if (numAxes < -1 || end > x.rank())
        layer.fail(QL_TEXT("num_axes %1 from axis %2 is outside %3").with(numAxes, axis, sizesText(x.shape)));
    return {x.shape.begin() + axis, x.shape.begin() + end};
}

/// value, whose axes correspond to those of x from axis on, with trailing axes of size 1 for broadcasting.
Value aligned(Layer &layer, const Value &x, const Value &value, std::int64_t axis)
{
    const std::int64_t trailing = x.rank() - axis - value.rank();
    for (std::int64_t i = 0; i < value.rank(); ++i)
        if (trailing < 0 || value.size(i) != x.size(axis + i))
            layer.fail(QL_TEXT("a blob of %1 does not match %3 from axis %2 on")
                           .with(sizesText(value.shape), axis, sizesText(x.shape)));
    if (trailing == 0 || value.rank() == 0) return value;
    Shape shape = value.shape;
    shape.insert(shape.end(), std::size_t(trailing), 1);
    return layer.emit("Unsqueeze", {value, layer.ints("axes", axesFrom(value.rank(), value.rank() + trailing))}, {},
                      shape);
}

at::Tensor alignedBlob(const at::Tensor &blob, const Value &x, std::int64_t axis)
{
    Shape shape = blob.sizes().vec();
    if (shape.empty()) return blob;
    shape.insert(shape.end(), std::size_t(x.rank() - axis) - shape.size(), 1);
    return blob.reshape(shape);
}

void scale(Layer &layer)
{
    const auto &p = layer.proto.scale_param();
    const Value &x = layer.bottom(0);
    if (layer.bottomCount() > 1) {
        const std::int64_t at = layer.bottom(1).rank() == 0 ? 0 : layer.axis(p.axis(), x.rank());
        Value y = layer.binary("Mul", x, aligned(layer, x, layer.bottom(1), at));
        if (p.bias_term()) {
            const at::Tensor bias = layer.blob(0, layer.bottom(1).shape);
            y = layer.binary("Add", y, layer.parameter(0, alignedBlob(bias, x, at)));
        }
        return layer.top(0, y);
    }
    const std::int64_t axis = layer.axis(p.axis(), x.rank());
    const Shape shape = covered(layer, x, axis, p.num_axes());
    const at::Tensor factor = layer.blob(0, shape);
    const at::Tensor bias = p.bias_term() ? layer.blob(1, shape) : at::Tensor();
    const OpId norm = layer.precedingBatchNorm();
    // BatchNorm and Scale are one BatchNormalization; a Scale without a top leaves the other's result unchanged
    if (norm != noOp && axis == 1 && shape.size() == 1 && layer.topCount() > 0) {
        const Operation op = layer.operation(norm);
        layer.foldInto(op.inputs[1], op.inputs[2], factor, bias);
        return layer.rebindTop(0, x);
    }
    Value y = layer.binary("Mul", x, layer.parameter(0, alignedBlob(factor, x, axis)));
    if (bias.defined()) y = layer.binary("Add", y, layer.parameter(1, alignedBlob(bias, x, axis)));
    layer.top(0, y);
}

void biasLayer(Layer &layer)
{
    const auto &p = layer.proto.bias_param();
    const Value &x = layer.bottom(0);
    if (layer.bottomCount() > 1) {
        const std::int64_t at = layer.bottom(1).rank() == 0 ? 0 : layer.axis(p.axis(), x.rank());
        return layer.top(0, layer.binary("Add", x, aligned(layer, x, layer.bottom(1), at)));
    }
    const std::int64_t axis = layer.axis(p.axis(), x.rank());
    const at::Tensor blob = layer.blob(0, covered(layer, x, axis, p.num_axes()));
    layer.top(0, layer.binary("Add", x, layer.parameter(0, alignedBlob(blob, x, axis))));
}

void lrn(Layer &layer)
{
    const auto &p = layer.proto.lrn_param();
    const Value &x = layer.bottom(0);
    const std::int64_t size = p.local_size();
    if (size % 2 == 0 || size > (1 << 20)) layer.fail(QL_TEXT("local_size %1 must be odd").with(size));
    if (x.rank() != 4) layer.fail(QL_TEXT("its bottom is %1, it needs [N, C, H, W]").with(sizesText(x.shape)));
    if (p.norm_region() == format::LRNParameter::ACROSS_CHANNELS)
        return layer.top(
            0, layer.unary("LRN", x, {{"size", size}, {"alpha", p.alpha()}, {"beta", p.beta()}, {"bias", p.k()}}));
    // x / (1 + alpha * mean of squares in a window)^beta; the mean counts the padding, k is not used
    const std::int64_t pad = (size - 1) / 2;
    const Value mean = layer.unary("AveragePool", layer.binary("Mul", x, x),
                                   {{"kernel_shape", std::vector<std::int64_t>{size, size}},
                                    {"pads", std::vector<std::int64_t>{pad, pad, pad, pad}},
                                    {"count_include_pad", std::int64_t{1}}});
    const Value base = layer.affine(mean, double(p.alpha()), 1);
    layer.top(0, layer.binary("Mul", x, power(layer, base, -double(p.beta()))));
}

void mvn(Layer &layer)
{
    const auto &p = layer.proto.mvn_param();
    const Value &x = layer.bottom(0);
    if (x.rank() < 3) layer.fail(QL_TEXT("its bottom is %1, it needs [N, C, H, W]").with(sizesText(x.shape)));
    const std::vector<std::int64_t> axes = axesFrom(p.across_channels() ? 1 : 2, x.rank());
    const Value centred = layer.binary("Sub", x, layer.reduce("ReduceMean", x, axes, true));
    if (!p.normalize_variance()) return layer.top(0, centred);
    const Value variance = layer.reduce("ReduceMean", layer.binary("Mul", centred, centred), axes, true);
    // epsilon is added to the deviation, not to the variance
    layer.top(0, layer.binary("Div", centred, layer.affine(layer.unary("Sqrt", variance), 1, double(p.eps()))));
}

void normalize(Layer &layer)
{
    const auto &p = layer.proto.norm_param();
    const Value &x = layer.bottom(0);
    if (x.rank() < 2) layer.fail(QL_TEXT("its bottom is %1, it needs channels on axis 1").with(sizesText(x.shape)));
    const std::vector<std::int64_t> axes = p.across_spatial() ? axesFrom(1, x.rank()) : std::vector<std::int64_t>{1};
    const Value sum = layer.reduce("ReduceSumSquare", x, axes, true);
    const Value norm = layer.unary("Sqrt", layer.affine(sum, 1, double(p.eps())));
    const Value y = layer.binary("Div", x, norm);
    const at::Tensor factor = layer.blob(0, {p.channel_shared() ? 1 : x.size(1)});
    layer.top(0, layer.binary("Mul", y, layer.parameter(0, perChannel(factor, x.rank()))));
}

bool withOneBottom(const format::LayerParameter &p)
{
    return p.bottom_size() < 2;
}

const LayerRegistrar batchNorms{{"BatchNorm"},
                                {"BatchNormalization",
                                 "eps; blobs mean, variance and their factor (and scale, bias with scale_bias). "
                                 "use_global_stats: false is computed "
                                 "from the batch, with a warning",
                                 batchNorm, [](const format::LayerParameter &p) {
                                     return !p.batch_norm_param().has_use_global_stats() ||
                                            p.batch_norm_param().use_global_stats();
                                 }}};
const LayerRegistrar bns{{"BN"},
                         {"BatchNormalization", "blobs scale, shift, mean, variance; eps or var_eps", bn, always}};
const LayerRegistrar scales{
    {"Scale"},
    {"Mul, Add",
     "learned (axis, num_axes, bias_term) or from a second bottom; after BatchNorm, part of its "
     "BatchNormalization",
     scale, withOneBottom}};
const LayerRegistrar biases{{"Bias"},
                            {"Add", "learned (axis, num_axes) or from a second bottom", biasLayer, withOneBottom}};
const LayerRegistrar lrns{{"LRN"},
                          {"LRN; AveragePool, Pow, Mul", "across channels, or within one (which ignores k)", lrn}};
const LayerRegistrar mvns{{"MVN"}, {"ReduceMean, Sub, Sqrt, Div", "normalize_variance, across_channels, eps", mvn}};
const LayerRegistrar normalizes{
    {"Normalize", "NormalizeBBox"},
    {"ReduceSumSquare, Sqrt, Div, Mul", "norm_param: across_spatial, channel_shared, eps", normalize, always}};

} // namespace
} // namespace ql::caffe_io
