// Pooling, ROIPooling, Interp, Upsample: windows over images, and resizing.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/io/caffe/layer.h"

#include <ATen/ops/tensor.h>

namespace ql::caffe_io {

namespace {

Attributes poolAttributes(const std::vector<std::int64_t> &kernel, const std::vector<std::int64_t> &stride,
                          const std::vector<std::int64_t> &pads)
{
    return {{"kernel_shape", kernel}, {"strides", stride}, {"pads", pads}};
}

/// Output sizes are rounded up (round_mode, ceil_mode: down), but no window may start in the end padding. The window
/// added by rounding up extends past the input: in ONNX this is more end padding, with the same meaning in all
/// runtimes. Averages count the padding requested by the layer, not that beyond it.
void pooling(Layer &layer)
{
    using P = format::PoolingParameter;
    const auto &p = layer.proto.pooling_param();
    const Value &x = layer.bottom(0);
    if (x.rank() != 4) layer.fail(QL_TEXT("its bottom is %1, it needs [N, C, H, W]").with(sizesText(x.shape)));
    if (p.pool() == P::STOCHASTIC) layer.unsupported(QL_TEXT("STOCHASTIC pooling is for training only"), "");
    const bool isMax = p.pool() == P::MAX;
    if (p.global_pooling()) {
        if (layer.isRead(1)) layer.unsupported(QL_TEXT("global pooling has no mask"));
        return layer.top(
            0, layer.emit(isMax ? "GlobalMaxPool" : "GlobalAveragePool", {x}, {}, {x.size(0), x.size(1), 1, 1}));
    }
    const auto pair = [](bool hasHeight, std::int64_t height, bool hasWidth, std::int64_t width, std::int64_t both) {
        return std::vector<std::int64_t>{hasHeight ? height : both, hasWidth ? width : both};
    };
    const auto kernel = pair(p.has_kernel_h(), p.kernel_h(), p.has_kernel_w(), p.kernel_w(), p.kernel_size());
    const auto stride = pair(p.has_stride_h(), p.stride_h(), p.has_stride_w(), p.stride_w(), p.stride());
    const auto pad = pair(p.has_pad_h(), p.pad_h(), p.has_pad_w(), p.pad_w(), p.pad());
    const bool roundsUp = p.round_mode() == P::CEIL && p.ceil_mode();
    std::vector<std::int64_t> padAfter;
    Shape shape{x.size(0), x.size(1)};
    bool isPadded = false, reachesBeyond = false;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t in = x.shape[i + 2], k = kernel[i], s = stride[i];
        if (k < 1 || s < 1 || k > (1 << 24) || s > (1 << 24) || pad[i] >= k || in + 2 * pad[i] < k)
            layer.fail(
                QL_TEXT("kernel %1, stride %2 and pad %3 do not fit %4 (the padding must be smaller than the kernel)")
                    .with(sizesText(kernel), sizesText(stride), sizesText(pad), sizesText(x.shape)),
                QL_TEXT("Give a larger input, or correct the layer."));
        const std::int64_t room = in + 2 * pad[i] - k;
        std::int64_t out = (roundsUp ? (room + s - 1) / s : room / s) + 1;
        const bool hasPad = pad[0] > 0 || pad[1] > 0;
        if (hasPad && (out - 1) * s >= in + pad[i]) --out;
        if ((out - 1) * s >= in + pad[i])
            layer.unsupported(QL_TEXT("with a stride of %1, windows of %2 start outside %3")
                                  .with(sizesText(stride), sizesText(kernel), sizesText(x.shape)),
                              QL_TEXT("Set round_mode: FLOOR."));
        const std::int64_t end = std::max<std::int64_t>((out - 1) * s + k - in - pad[i], 0);
        padAfter.push_back(roundsUp ? end : std::min(end, pad[i]));
        isPadded = isPadded || hasPad;
        reachesBeyond = reachesBeyond || end > pad[i];
        shape.push_back(out);
    }
    const std::vector<std::int64_t> pads{pad[0], pad[1], padAfter[0], padAfter[1]};
    Attributes attributes = poolAttributes(kernel, stride, pads);
    if (isMax && layer.isRead(1)) { // the mask, for Upsample
        const std::vector<Value> both = layer.emitMany("MaxPool", {x}, std::move(attributes), {shape, shape});
        layer.setType(both[1], at::kLong);
        layer.top(0, both[0]);
        return layer.top(1, both[1]);
    }
    if (isMax) return layer.top(0, layer.emit("MaxPool", {x}, std::move(attributes), shape));
    Value padded = x;
    if (isPadded && reachesBeyond) {
        // Zeros of the padding count, those beyond it do not
        padded = layer.emit("Pad", {x, layer.ints("pads", {0, 0, pad[0], pad[1], 0, 0, pad[0], pad[1]})}, {},
                            {x.size(0), x.size(1), x.size(2) + 2 * pad[0], x.size(3) + 2 * pad[1]});
        attributes["pads"] = std::vector<std::int64_t>{0, 0, std::max<std::int64_t>(padAfter[0] - pad[0], 0),
                                                       std::max<std::int64_t>(padAfter[1] - pad[1], 0)};
    } else if (isPadded) {
        attributes["count_include_pad"] = std::int64_t{1};
    }
    layer.top(0, layer.emit("AveragePool", {padded}, std::move(attributes), shape));
}

void roiPooling(Layer &layer)
{
    const auto &p = layer.proto.roi_pooling_param();
    const Value &x = layer.bottom(0), &rois = layer.bottom(1);
    if (x.rank() != 4 || rois.rank() < 2 || rois.count() != rois.size(0) * 5 || p.pooled_h() < 1 || p.pooled_w() < 1)
        layer.fail(QL_TEXT("its bottoms are %1 and %2; it needs [N, C, H, W], [R, 5], pooled_h and pooled_w")
                       .with(sizesText(x.shape), sizesText(rois.shape)));
    const Value flat = rois.rank() == 2 ? rois : layer.reshape(rois, {0, 5}, {rois.size(0), 5});
    const std::vector<std::int64_t> pooled{p.pooled_h(), p.pooled_w()};
    layer.top(0, layer.emit("MaxRoiPool", {x, flat}, {{"pooled_shape", pooled}, {"spatial_scale", p.spatial_scale()}},
                            {rois.size(0), x.size(1), pooled[0], pooled[1]}));
}

Value resizeTo(Layer &layer, const Value &x, std::int64_t height, std::int64_t width, Attributes attributes)
{
    const Shape shape{x.size(0), x.size(1), height, width};
    if (height < 1 || width < 1) layer.fail(QL_TEXT("its result would be %1").with(sizesText(shape)));
    return layer.emit("Resize", {x, {}, {}, layer.ints("sizes", shape)}, std::move(attributes), shape);
}

void interp(Layer &layer)
{
    const auto &p = layer.proto.interp_param();
    Value x = layer.bottom(0);
    if (x.rank() != 4) layer.fail(QL_TEXT("its bottom is %1, it needs [N, C, H, W]").with(sizesText(x.shape)));
    if (p.pad_beg() > 0 || p.pad_end() > 0)
        layer.unsupported(QL_TEXT("pad_beg and pad_end can only crop (must not be positive)"), "");
    const std::int64_t height = x.size(2) + p.pad_beg() + p.pad_end(), width = x.size(3) + p.pad_beg() + p.pad_end();
    if (height < 1 || width < 1)
        layer.fail(QL_TEXT("pad_beg and pad_end leave nothing of %1").with(sizesText(x.shape)));
    if (p.pad_beg() < 0 || p.pad_end() < 0) x = layer.slice(x, {2, 3}, {-p.pad_beg(), -p.pad_beg()}, {height, width});
    std::int64_t toHeight = height, toWidth = width;
    if (layer.bottomCount() > 1) {
        if (layer.bottom(1).rank() != 4)
            layer.fail(QL_TEXT("its second bottom is %1").with(sizesText(layer.bottom(1).shape)));
        toHeight = layer.bottom(1).size(2);
        toWidth = layer.bottom(1).size(3);
    } else if (p.height() > 0 && p.width() > 0) {
        toHeight = p.height();
        toWidth = p.width();
    } else {
        const std::int64_t zoom = p.zoom_factor(), shrink = p.shrink_factor();
        if (zoom < 1 || shrink < 1) layer.fail(QL_TEXT("zoom_factor and shrink_factor must be positive"));
        const auto scaled = [&](std::int64_t size) {
            size = (size - 1) / shrink + 1;
            return size + (size - 1) * (zoom - 1);
        };
        toHeight = scaled(height);
        toWidth = scaled(width);
    }
    layer.top(0, resizeTo(layer, x, toHeight, toWidth,
                          {{"mode", std::string("linear")},
                           {"coordinate_transformation_mode",
                            std::string(p.align_corners() ? "align_corners" : "half_pixel")}}));
}

void nearest(Layer &layer, std::int64_t byHeight, std::int64_t byWidth)
{
    const Value &x = layer.bottom(0);
    if (x.rank() != 4) layer.fail(QL_TEXT("its bottom is %1, it needs [N, C, H, W]").with(sizesText(x.shape)));
    if (byHeight < 1 || byWidth < 1) layer.fail(QL_TEXT("the scale must be positive"));
    const std::vector<float> scales{1, 1, float(byHeight), float(byWidth)};
    layer.top(0, layer.emit("Resize", {x, {}, layer.constant("scales", at::tensor(scales))},
                            {{"mode", std::string("nearest")},
                             {"coordinate_transformation_mode", std::string("asymmetric")},
                             {"nearest_mode", std::string("floor")}},
                            {x.size(0), x.size(1), x.size(2) * byHeight, x.size(3) * byWidth}));
}

/// One bottom: every pixel becomes scale x scale. Two: values return to the positions where a MaxPool found them.
void upsample(Layer &layer)
{
    const auto &p = layer.proto.upsample_param();
    const std::int64_t scale = p.has_scale() ? p.scale() : layer.bottomCount() > 1 ? 2 : 1;
    const std::int64_t byHeight = p.has_scale_h() ? p.scale_h() : scale,
                       byWidth = p.has_scale_w() ? p.scale_w() : scale;
    if (layer.bottomCount() < 2) return nearest(layer, byHeight, byWidth);
    const Value &x = layer.bottom(0), &mask = layer.bottom(1);
    const OpId producer = layer.producer(mask);
    if (producer == noOp || layer.operation(producer).type != "MaxPool" || x.shape != mask.shape || byHeight < 1 ||
        byWidth < 1)
        layer.unsupported(
            QL_TEXT("its second bottom must be the mask of a MAX Pooling and have the size of the first"));
    const Shape shape{x.size(0), x.size(1), p.has_upsample_h() ? p.upsample_h() : x.size(2) * byHeight,
                      p.has_upsample_w() ? p.upsample_w() : x.size(3) * byWidth};
    const Shape pooled = layer.shapeOf(layer.operation(producer).inputs[0]);
    if (pooled != shape)
        layer.unsupported(QL_TEXT("it would write %1, but the mask belongs to a blob of %2")
                              .with(sizesText(shape), sizesText(pooled)));
    layer.top(0, layer.emit("MaxUnpool", {x, mask, layer.ints("output_shape", shape)},
                            {{"kernel_shape", std::vector<std::int64_t>{byHeight, byWidth}},
                             {"strides", std::vector<std::int64_t>{byHeight, byWidth}}},
                            shape));
}

const LayerRegistrar poolings{{"Pooling"},
                              {"MaxPool, AveragePool, GlobalMaxPool, GlobalAveragePool",
                               "MAX and AVE; kernel, stride, pad, global_pooling; rounds up and clips as Caffe does, "
                               "or down with round_mode: FLOOR "
                               "or ceil_mode: false; a second top (mask) only for Upsample",
                               pooling}};
const LayerRegistrar roiPoolings{{"ROIPooling"}, {"MaxRoiPool", "pooled_h, pooled_w, spatial_scale", roiPooling}};
const LayerRegistrar interps{
    {"Interp"},
    {"Slice, Resize",
     "bilinear; height and width, zoom_factor, shrink_factor or the size of a second bottom; pad_beg and "
     "pad_end up to 0; align_corners",
     interp}};
const LayerRegistrar upsamples{
    {"Upsample"},
    {"Resize, MaxUnpool", "nearest by scale (scale_h, scale_w); with the mask of a Pooling as second bottom: unpooling",
     upsample}};
const LayerRegistrar nnUpsamples{{"NNUpsample"}, {"Resize", "nn_upsample_param: resize", [](Layer &layer) {
                                                      const std::int64_t by = layer.proto.nn_upsample_param().resize();
                                                      nearest(layer, by, by);
                                                  }}};

} // namespace
} // namespace ql::caffe_io
