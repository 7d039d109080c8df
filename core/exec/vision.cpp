// Detection and sampling: boxes, regions, grids. Source: ONNX NonMaxSuppression-11, RoiAlign-16, GridSample-20,
// AffineGrid-20, MaxUnpool-11, CenterCropPad-18, Col2Im-18; mmcv::grid_sampler and mmcv::MMCVRoiAlign as mmcv exports
// them.
#include "core/exec/matmul.h"

#include <ATen/ops/affine_grid_generator.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/grid_sampler.h>
#include <ATen/ops/round.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace ql {

namespace {

struct Box
{
    float x0, y0, x1, y1;
    float area() const { return (x1 - x0) * (y1 - y0); }
};

/// In float32, as ONNX Runtime: quantized boxes often overlap by exactly the threshold, and then its rounding decides.
float overlap(const Box &a, const Box &b)
{
    const float width = std::min(a.x1, b.x1) - std::max(a.x0, b.x0);
    const float height = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
    if (width <= 0 || height <= 0) return 0;
    const float both = width * height;
    const float either = a.area() + b.area() - both;
    return either > 0 ? both / either : 0;
}

/// In the input's type: as a double, the largest int64, which exporters write for "all", would become one more.
at::Scalar scalarOr(Inputs inputs, std::size_t i, const at::Scalar &fallback)
{
    const at::Tensor t = inputOr(inputs, i);
    return t.defined() && t.numel() > 0 ? t.reshape({-1})[0].item() : fallback;
}

/// boxes [N, B, 4], scores [N, C, B] -> [selected, 3] of batch, class, box; in each class by descending score, equal
/// scores by index.
std::vector<at::Tensor> nonMaxSuppression(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor boxes = requiredInput(context, inputs, 0).to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor scores = requiredInput(context, inputs, 1).to(at::kCPU, at::kFloat).contiguous();
    const std::int64_t most = scalarOr(inputs, 2, 0).toLong();
    const float iouThreshold = scalarOr(inputs, 3, 0).toFloat();
    const double scoreThreshold = scalarOr(inputs, 4, -std::numeric_limits<double>::infinity()).toDouble();
    if (boxes.dim() != 3 || scores.dim() != 3 || boxes.size(2) != 4 || boxes.size(0) != scores.size(0) ||
        boxes.size(1) != scores.size(2))
        throw Error(ErrorKind::Kernel, QL_TEXT("NonMaxSuppression: expected boxes [N, B, 4] and scores [N, C, B]"),
                    op.name);
    const bool centre = op.intAttribute("center_point_box", 0) != 0;
    const std::int64_t count = boxes.size(1);
    std::vector<std::int64_t> selected;
    for (std::int64_t n = 0; n < boxes.size(0); ++n) {
        std::vector<Box> all;
        for (std::int64_t i = 0; i < count; ++i) {
            const float *b = boxes.data_ptr<float>() + (n * count + i) * 4;
            if (centre) // x, y, width, height
                all.push_back({b[0] - b[2] / 2, b[1] - b[3] / 2, b[0] + b[2] / 2, b[1] + b[3] / 2});
            else // y, x of any two opposite corners
                all.push_back({std::min(b[1], b[3]), std::min(b[0], b[2]), std::max(b[1], b[3]), std::max(b[0], b[2])});
        }
        for (std::int64_t c = 0; c < scores.size(1); ++c) {
            if (context.job) context.job->checkpoint();
            const float *score = scores.data_ptr<float>() + (n * scores.size(1) + c) * count;
            std::vector<std::int64_t> order;
            for (std::int64_t i = 0; i < count; ++i)
                if (double(score[i]) > scoreThreshold) order.push_back(i);
            std::stable_sort(order.begin(), order.end(),
                             [&](std::int64_t a, std::int64_t b) { return score[a] > score[b]; });
            std::vector<std::int64_t> kept;
            for (const std::int64_t i : order) {
                if (std::int64_t(kept.size()) >= most) break;
                const bool hidden = std::any_of(kept.begin(), kept.end(), [&](std::int64_t k) {
                    return overlap(all[std::size_t(k)], all[std::size_t(i)]) > iouThreshold;
                });
                if (hidden) continue;
                kept.push_back(i);
                selected.insert(selected.end(), {n, c, i});
            }
        }
    }
    const auto rows = std::int64_t(selected.size()) / 3;
    return {at::tensor(selected, at::TensorOptions(at::kLong)).reshape({rows, 3})};
}

struct RoiOptions
{
    bool average = true;
    bool aligned = true; ///< pixel centres at half-integers
    std::int64_t height = 1, width = 1, samplingRatio = 0;
    double scale = 1;
};

/// The four neighbours of a point with their weights; all 0 outside the image.
struct Tap
{
    std::array<std::int64_t, 4> at{};
    std::array<float, 4> weight{};
};

Tap bilinearTap(double y, double x, std::int64_t height, std::int64_t width)
{
    Tap tap;
    if (y < -1 || y > double(height) || x < -1 || x > double(width)) return tap;
    y = std::max(y, 0.0);
    x = std::max(x, 0.0);
    const std::int64_t top = std::min(std::int64_t(y), height - 1), left = std::min(std::int64_t(x), width - 1);
    const std::int64_t bottom = std::min(top + 1, height - 1), right = std::min(left + 1, width - 1);
    const double dy = top >= height - 1 ? 0 : y - double(top), dx = left >= width - 1 ? 0 : x - double(left);
    tap.at = {top * width + left, top * width + right, bottom * width + left, bottom * width + right};
    tap.weight = {float((1 - dy) * (1 - dx)), float((1 - dy) * dx), float(dy * (1 - dx)), float(dy * dx)};
    return tap;
}

/// x [N, C, H, W], rois [R, 4] as x0 y0 x1 y1, batch [R] -> [R, C, height, width]. Maximum: of the weighted
/// neighbours, as in the reference implementation.
at::Tensor roiAlign(const Operation &op, const at::Tensor &picture, const at::Tensor &rois, const at::Tensor &batch,
                    const RoiOptions &o)
{
    const at::Tensor x = picture.to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor r = rois.to(at::kCPU, at::kFloat).contiguous();
    const std::vector<std::int64_t> images = toInts(batch);
    if (x.dim() != 4 || r.dim() != 2 || r.size(1) != 4 || std::int64_t(images.size()) != r.size(0) || o.height < 1 ||
        o.width < 1)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: expected X [N, C, H, W], rois [R, 4], batch indices [R]").with(op.type), op.name);
    const std::int64_t channels = x.size(1), height = x.size(2), width = x.size(3);
    checkElements(op, {r.size(0), channels, o.height, o.width});
    at::Tensor y = at::zeros({r.size(0), channels, o.height, o.width}, x.options());
    for (std::int64_t n = 0; n < r.size(0); ++n) {
        const float *roi = r.data_ptr<float>() + n * 4;
        if (images[std::size_t(n)] < 0 || images[std::size_t(n)] >= x.size(0))
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: a batch index is outside the batch").with(op.type), op.name);
        const double shift = o.aligned ? 0.5 : 0;
        const double left = roi[0] * o.scale - shift, top = roi[1] * o.scale - shift;
        double roiWidth = roi[2] * o.scale - shift - left, roiHeight = roi[3] * o.scale - shift - top;
        if (!o.aligned) {
            roiWidth = std::max(roiWidth, 1.0);
            roiHeight = std::max(roiHeight, 1.0);
        }
        const double binHeight = roiHeight / double(o.height), binWidth = roiWidth / double(o.width);
        const auto points = [&](double size, std::int64_t bins) {
            const double wanted = o.samplingRatio > 0 ? double(o.samplingRatio) : std::ceil(size / double(bins));
            if (!(wanted < 1e4))
                throw Error(ErrorKind::Kernel, QL_TEXT("%1: a region is too large to sample").with(op.type), op.name);
            return std::int64_t(wanted);
        };
        const std::int64_t rows = points(roiHeight, o.height), columns = points(roiWidth, o.width);
        const double count = double(std::max<std::int64_t>(rows * columns, 1));
        for (std::int64_t py = 0; py < o.height; ++py) {
            for (std::int64_t px = 0; px < o.width; ++px) {
                std::vector<Tap> taps;
                for (std::int64_t iy = 0; iy < rows; ++iy)
                    for (std::int64_t ix = 0; ix < columns; ++ix)
                        taps.push_back(
                            bilinearTap(top + double(py) * binHeight + (double(iy) + 0.5) * binHeight / double(rows),
                                        left + double(px) * binWidth + (double(ix) + 0.5) * binWidth / double(columns),
                                        height, width));
                for (std::int64_t c = 0; c < channels; ++c) {
                    const float *plane = x.data_ptr<float>() + (images[std::size_t(n)] * channels + c) * height * width;
                    double sum = 0;
                    double largest = taps.empty() ? 0 : -std::numeric_limits<double>::infinity();
                    for (const Tap &tap : taps)
                        for (std::size_t k = 0; k < 4; ++k) {
                            const double value = double(tap.weight[k]) * double(plane[tap.at[k]]);
                            sum += value;
                            largest = std::max(largest, value);
                        }
                    y.data_ptr<float>()[((n * channels + c) * o.height + py) * o.width + px] =
                        float(o.average ? sum / count : largest);
                }
            }
        }
    }
    return y.to(picture.device(), picture.scalar_type());
}

std::vector<at::Tensor> onnxRoiAlign(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    RoiOptions o;
    o.average = op.stringAttribute("mode", "avg") == "avg";
    o.aligned = op.stringAttribute("coordinate_transformation_mode",
                                   op.opset < 16 ? "output_half_pixel" : "half_pixel") == "half_pixel";
    o.height = op.intAttribute("output_height", 1);
    o.width = op.intAttribute("output_width", 1);
    o.samplingRatio = op.intAttribute("sampling_ratio", 0);
    o.scale = op.floatAttribute("spatial_scale", 1);
    return {roiAlign(op, requiredInput(context, inputs, 0), requiredInput(context, inputs, 1),
                     requiredInput(context, inputs, 2), o)};
}

/// rois [R, 5]: batch index and corners.
std::vector<at::Tensor> mmcvRoiAlign(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &rois = requiredInput(context, inputs, 1);
    if (rois.dim() != 2 || rois.size(1) != 5)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: expected rois [R, 5]").with(op.type), op.name);
    RoiOptions o;
    o.average = op.stringAttribute("mode", "avg") == "avg";
    o.aligned = op.intAttribute("aligned", 1) != 0;
    o.height = op.intAttribute("output_height", 1);
    o.width = op.intAttribute("output_width", 1);
    o.samplingRatio = op.intAttribute("sampling_ratio", 0);
    o.scale = op.floatAttribute("spatial_scale", 1);
    return {roiAlign(op, requiredInput(context, inputs, 0), rois.narrow(1, 1, 4), rois.select(1, 0), o)};
}

/// rois [R, 5]: batch index and corners in the image -> the maximum of each of pooled_shape bins; 0 for an empty one.
std::vector<at::Tensor> maxRoiPool(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor rois = requiredInput(context, inputs, 1).to(at::kCPU, at::kFloat).contiguous();
    const std::vector<std::int64_t> pooled = op.intsAttribute("pooled_shape");
    const double scale = op.floatAttribute("spatial_scale", 1);
    if (x.dim() != 4 || rois.dim() != 2 || rois.size(1) != 5 || pooled.size() != 2 || pooled[0] < 1 || pooled[1] < 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("MaxRoiPool: expected X [N, C, H, W], rois [R, 5], two pooled sizes"),
                    op.name);
    checkElements(op, {rois.size(0), x.size(1), pooled[0], pooled[1]});
    at::Tensor y = at::zeros({rois.size(0), x.size(1), pooled[0], pooled[1]}, x.options());
    for (std::int64_t r = 0; r < rois.size(0); ++r) {
        const float *roi = rois.data_ptr<float>() + r * 5;
        const auto image = std::int64_t(roi[0]);
        if (image < 0 || image >= x.size(0))
            throw Error(ErrorKind::Kernel, QL_TEXT("MaxRoiPool: a batch index is outside the batch"), op.name);
        const auto range = [&](int axis, std::int64_t i) { // bin i of an axis: 0 = rows, 1 = columns
            const double first = std::round(roi[2 - axis] * scale), last = std::round(roi[4 - axis] * scale);
            const double bin = std::max(last - first + 1, 1.0) / double(pooled[std::size_t(axis)]);
            const double size = double(x.size(2 + axis));
            const auto from = std::int64_t(std::clamp(std::floor(double(i) * bin) + first, 0.0, size));
            const auto to = std::int64_t(std::clamp(std::ceil(double(i + 1) * bin) + first, 0.0, size));
            return std::pair(from, std::max(to - from, std::int64_t{0}));
        };
        for (std::int64_t py = 0; py < pooled[0]; ++py)
            for (std::int64_t px = 0; px < pooled[1]; ++px) {
                const auto [top, height] = range(0, py);
                const auto [left, width] = range(1, px);
                if (height == 0 || width == 0) continue;
                const at::Tensor area = x.select(0, image).narrow(1, top, height).narrow(2, left, width);
                y.select(0, r).select(1, py).select(1, px).copy_(at::amax(area, {1, 2}));
            }
    }
    return {y};
}

/// Convolution with displaced taps: offset [N, G * kh * kw * 2, oh, ow] holds (y, x) of each tap, mask [N, G * kh *
/// kw, oh, ow] its factor; each of the G offset groups displaces its part of the channels.
std::vector<at::Tensor> deformConv(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &w = requiredInput(context, inputs, 1);
    const at::Tensor &offset = requiredInput(context, inputs, 2);
    const at::Tensor bias = inputOr(inputs, 3), mask = inputOr(inputs, 4);
    if (x.dim() != 4 || w.dim() != 4 || offset.dim() != 4)
        throw Error(ErrorKind::UnsupportedOp, QL_TEXT("DeformConv: only two spatial axes are implemented"), op.name);
    const std::int64_t groups = op.intAttribute("offset_group", 1), group = op.intAttribute("group", 1);
    const auto strides = op.intsAttribute("strides", {1, 1}), dilations = op.intsAttribute("dilations", {1, 1});
    const auto pads = op.intsAttribute("pads", {0, 0, 0, 0});
    const std::int64_t n = x.size(0), channels = x.size(1), taps = w.size(2) * w.size(3);
    const std::int64_t oh = offset.size(2), ow = offset.size(3);
    if (groups < 1 || group < 1 || channels % groups != 0 || channels != w.size(1) * group || w.size(0) % group != 0 ||
        offset.size(1) != groups * taps * 2 || (mask.defined() && mask.size(1) != groups * taps) ||
        strides.size() != 2 || dilations.size() != 2 || pads.size() != 4)
        throw Error(ErrorKind::Kernel, QL_TEXT("DeformConv: the shapes of X, W, offset and mask are incompatible"),
                    op.name);
    checkElements(op, {n, channels, taps, oh, ow}, x.element_size());
    // Positions in float64: through the scale of grid_sampler, float32 would shift them in proportion to the image
    // size
    const at::TensorOptions exact = x.options().dtype(at::kDouble);
    const at::Tensor y0 = at::arange(oh, exact).reshape({oh, 1}) * strides[0] - pads[0];
    const at::Tensor x0 = at::arange(ow, exact).reshape({1, ow}) * strides[1] - pads[1];
    std::vector<at::Tensor> columns; // for each tap [N, C, oh, ow]
    for (std::int64_t k = 0; k < taps; ++k) {
        std::vector<at::Tensor> parts;
        for (std::int64_t g = 0; g < groups; ++g) {
            const std::int64_t at = g * taps + k;
            const at::Tensor y = y0 + k / w.size(3) * dilations[0] + offset.select(1, 2 * at);
            const at::Tensor column = x0 + k % w.size(3) * dilations[1] + offset.select(1, 2 * at + 1);
            // As grid_sampler counts without align_corners: -1 and 1 are the outer edges of the corner pixels
            const at::Tensor grid =
                at::stack({(column * 2 + 1) / double(x.size(3)) - 1, (y * 2 + 1) / double(x.size(2)) - 1}, -1);
            const at::Tensor pixels = x.narrow(1, g * (channels / groups), channels / groups).to(at::kDouble);
            at::Tensor sampled = at::grid_sampler(pixels, grid, 0, 0, false).to(x.scalar_type());
            if (mask.defined()) sampled = sampled * mask.select(1, at).unsqueeze(1);
            parts.push_back(sampled);
        }
        columns.push_back(at::cat(parts, 1));
    }
    const at::Tensor all = at::stack(columns, 2).reshape({n, group, channels / group * taps, oh * ow});
    const at::Tensor weights = w.reshape({1, group, w.size(0) / group, -1});
    at::Tensor y = matrixProduct(weights, all).reshape({n, w.size(0), oh, ow});
    return {bias.defined() ? y + bias.reshape({1, -1, 1, 1}) : y};
}

/// The index of word in names, each with all of its spellings.
std::int64_t numberOf(const std::string &word, const std::vector<std::vector<std::string>> &names)
{
    return std::find_if(names.begin(), names.end(),
                        [&](const auto &known) { return std::find(known.begin(), known.end(), word) != known.end(); }) -
           names.begin();
}

/// grid [N, d, h, w, 3] with each position moved to the nearest pixel of x, half to even: for volumes LibTorch rounds
/// half away from zero.
at::Tensor onPixels(const at::Tensor &grid, const at::Tensor &x, bool aligned)
{
    const at::Tensor size =
        at::tensor({double(x.size(4)), double(x.size(3)), double(x.size(2))}, at::kDouble).to(grid.device());
    const at::Tensor span = aligned ? at::clamp_min(size - 1, 1e-9) : size; // a single pixel is its own neighbour
    const double edge = aligned ? 0 : 1;
    const at::Tensor pixel = at::round(((grid.to(at::kDouble) + 1) * span - edge) / 2);
    return (pixel * 2 + edge) / span - 1;
}

std::vector<at::Tensor> gridSample(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &grid = requiredInput(context, inputs, 1);
    const std::int64_t mode =
        numberOf(op.stringAttribute("mode", "linear"), {{"linear", "bilinear"}, {"nearest"}, {"cubic", "bicubic"}});
    const std::int64_t padding =
        numberOf(op.stringAttribute("padding_mode", "zeros"), {{"zeros"}, {"border"}, {"reflection"}});
    const bool aligned = op.intAttribute("align_corners", 0) != 0;
    checkElements(op, {grid.numel() / std::max<std::int64_t>(grid.size(-1), 1), x.dim() > 1 ? x.size(1) : 1});
    if (mode == 1 && x.dim() == 5 && grid.size(-1) == 3)
        return {at::grid_sampler(x, onPixels(grid, x, aligned).to(x.scalar_type()), mode, padding, aligned)};
    return {at::grid_sampler(x, grid.to(x.scalar_type()), mode, padding, aligned)};
}

/// interpolation_mode, padding_mode: LibTorch's numbers.
std::vector<at::Tensor> mmcvGridSampler(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    return {at::grid_sampler(requiredInput(context, inputs, 0), requiredInput(context, inputs, 1),
                             op.intAttribute("interpolation_mode", 0), op.intAttribute("padding_mode", 0),
                             op.intAttribute("align_corners", 0) != 0)};
}

std::vector<at::Tensor> affineGrid(const KernelContext &context, Inputs inputs)
{
    const std::vector<std::int64_t> size = toInts(requiredInput(context, inputs, 1));
    checkElements(context.op, size);
    return {at::affine_grid_generator(requiredInput(context, inputs, 0), size,
                                      context.op.intAttribute("align_corners", 0) != 0)};
}

/// Writes each value to the position given by MaxPool's indices, in a tensor of zeros. Indices count over the whole
/// tensor that the attributes describe; a larger output_shape keeps the corner.
std::vector<at::Tensor> maxUnpool(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor index = requiredInput(context, inputs, 1).to(at::kLong).reshape({-1});
    const std::size_t spatial = std::size_t(std::max<std::int64_t>(x.dim() - 2, 0));
    const auto kernel = op.intsAttribute("kernel_shape");
    const auto strides = op.intsAttribute("strides", std::vector<std::int64_t>(spatial, 1));
    const auto pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * spatial, 0));
    if (kernel.size() != spatial || strides.size() != spatial || pads.size() != 2 * spatial)
        throw Error(ErrorKind::Kernel, QL_TEXT("MaxUnpool: kernel_shape, strides or pads do not match the input"),
                    op.name);
    std::vector<std::int64_t> shape = x.sizes().vec();
    for (std::size_t i = 0; i < spatial; ++i)
        shape[i + 2] = (shape[i + 2] - 1) * strides[i] - pads[i] - pads[i + spatial] + kernel[i];
    const std::vector<std::int64_t> wanted = toInts(inputOr(inputs, 2));
    checkElements(op, shape, x.element_size());
    if (!wanted.empty()) {
        checkElements(op, wanted, x.element_size());
        bool fits = wanted.size() == shape.size();
        for (std::size_t i = 0; fits && i < shape.size(); ++i) fits = wanted[i] >= shape[i];
        if (!fits)
            throw Error(ErrorKind::Kernel, QL_TEXT("MaxUnpool: output_shape is smaller than the pooled area"), op.name);
    }
    at::Tensor y = at::zeros(shape, x.options());
    if (index.numel() != x.numel() ||
        (index.numel() > 0 && (index.min().item().toLong() < 0 || index.max().item().toLong() >= y.numel())))
        throw Error(ErrorKind::Kernel, QL_TEXT("MaxUnpool: an index is outside the result"), op.name);
    y.view({-1}).scatter_(0, index, x.reshape({-1}));
    if (wanted.empty() || wanted == shape) return {y};
    std::vector<std::int64_t> more;
    for (std::size_t i = shape.size(); i-- > 0;) {
        more.push_back(0);
        more.push_back(wanted[i] - shape[i]);
    }
    return {at::constant_pad_nd(y, more, 0)};
}

/// Crops or pads both ends of the axes to the given size; the odd element at the end.
std::vector<at::Tensor> centerCropPad(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const std::vector<std::int64_t> wanted = toInts(requiredInput(context, inputs, 1));
    std::vector<std::int64_t> axes(wanted.size());
    std::iota(axes.begin(), axes.end(), std::int64_t{0});
    axes = context.op.intsAttribute("axes", axes);
    if (axes.size() != wanted.size())
        throw Error(ErrorKind::Kernel, QL_TEXT("CenterCropPad: shape and axes differ in length"), context.op.name);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = normalizeAxis(axes[i], x.dim(), context.op);
        const std::int64_t size = x.size(axis);
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape[std::size_t(axis)] = wanted[i];
        checkElements(context.op, shape, x.element_size());
        if (wanted[i] <= size) {
            x = x.narrow(axis, (size - wanted[i]) / 2, wanted[i]);
            continue;
        }
        std::vector<std::int64_t> pads(2 * std::size_t(x.dim() - axis), 0);
        pads[pads.size() - 2] = (wanted[i] - size) / 2;
        pads[pads.size() - 1] = wanted[i] - size - (wanted[i] - size) / 2;
        x = at::constant_pad_nd(x, pads, 0);
    }
    return {x};
}

/// [N, C * prod(block), L] -> [N, C, image...]: blocks added where they overlap.
std::vector<at::Tensor> col2Im(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::vector<std::int64_t> image = toInts(requiredInput(context, inputs, 1));
    const std::vector<std::int64_t> block = toInts(requiredInput(context, inputs, 2));
    const std::size_t rank = image.size();
    const auto pads = op.intsAttribute("pads", std::vector<std::int64_t>(2 * rank, 0));
    const auto strides = op.intsAttribute("strides", std::vector<std::int64_t>(rank, 1));
    const auto dilations = op.intsAttribute("dilations", std::vector<std::int64_t>(rank, 1));
    const auto bad = [&](const Text &what) {
        throw Error(ErrorKind::Kernel, QL_TEXT("Col2Im: %1").with(what), op.name);
    };
    if (rank == 0 || block.size() != rank || pads.size() != 2 * rank || strides.size() != rank ||
        dilations.size() != rank)
        bad(QL_TEXT("image_shape, block_shape, pads, strides and dilations are incompatible"));
    // [N, C, block..., places of the block...]
    std::int64_t taps = 1, places = 1;
    std::vector<std::int64_t> padded, count;
    for (std::size_t i = 0; i < rank; ++i) {
        if (image[i] < 1 || block[i] < 1 || strides[i] < 1 || dilations[i] < 1 || pads[i] < 0 || pads[rank + i] < 0)
            bad(QL_TEXT("sizes, strides and dilations must be positive, pads 0 or more"));
        padded.push_back(image[i] + pads[i] + pads[rank + i]);
        const std::int64_t room = padded[i] - dilations[i] * (block[i] - 1) - 1;
        if (room < 0) bad(QL_TEXT("a block is larger than the padded image"));
        count.push_back(room / strides[i] + 1);
        taps *= block[i];
        places *= count[i];
    }
    if (x.dim() != 3 || x.size(1) % taps != 0 || x.size(2) != places)
        bad(QL_TEXT("expected [N, C * %1, %2]").with(taps, places));
    std::vector<std::int64_t> shape{x.size(0), x.size(1) / taps, taps};
    shape.insert(shape.end(), count.begin(), count.end());
    const at::Tensor columns = x.reshape(shape);
    shape = {x.size(0), x.size(1) / taps};
    shape.insert(shape.end(), padded.begin(), padded.end());
    checkElements(op, shape, x.element_size());
    at::Tensor whole = at::zeros(shape, x.options());
    for (std::int64_t tap = 0; tap < taps; ++tap) {
        at::Tensor part = whole;
        std::int64_t rest = tap;
        for (std::size_t i = rank; i-- > 0; rest /= block[i]) {
            const std::int64_t start = rest % block[i] * dilations[i];
            part = part.slice(std::int64_t(i) + 2, start, start + (count[i] - 1) * strides[i] + 1, strides[i]);
        }
        part.add_(columns.select(2, tap));
    }
    for (std::size_t i = 0; i < rank; ++i) whole = whole.narrow(std::int64_t(i) + 2, pads[i], image[i]);
    return {whole};
}

const KernelRegistrar suppression{{"NonMaxSuppression"},
                                  {.run = nonMaxSuppression, .minOpset = 10, .family = "vision"},
                                  {.inputs = {{"boxes"},
                                              {"scores", SlotKind::Float},
                                              {"max_output_boxes_per_class", SlotKind::ShapeOrIndex},
                                              {"iou_threshold", SlotKind::ShapeOrIndex},
                                              {"score_threshold", SlotKind::ShapeOrIndex}},
                                   .outputs = {{.name = "selected_indices", .isIndex = true}},
                                   .valuesFlow = false,
                                   .source = ValueSource::Indices,
                                   .shapes = {.dependsOnValues = true}}};
OpTraits roiTraits()
{
    return {.inputs = {{"X"}, {"rois", SlotKind::Float}, {"batch_indices", SlotKind::ShapeOrIndex}},
            .regionsFollowValues = true};
}
const KernelRegistrar align{
    {"RoiAlign"},
    {.run = onnxRoiAlign,
     .minOpset = 10,
     .family = "vision",
     .refusal = acceptsOnly(
         {{"mode", {"avg", "max"}}, {"coordinate_transformation_mode", {"half_pixel", "output_half_pixel"}}})},
    roiTraits()};
const KernelRegistrar roiPool{{"MaxRoiPool"}, {.run = maxRoiPool, .family = "vision"}};
const KernelRegistrar deform{{"DeformConv"},
                             {.run = deformConv, .minOpset = 19, .family = "vision", .limits = "two spatial axes"}};
const KernelRegistrar mmcvAlign{{"MMCVRoiAlign", "mmcv:MMCVRoiAlign", "mmdeploy:MMCVRoiAlign"},
                                {.run = mmcvRoiAlign, .family = "vision"},
                                roiTraits()};
const RefusalFunction onlySampleWords = acceptsOnly({{"mode", {"linear", "bilinear", "nearest", "cubic", "bicubic"}},
                                                     {"padding_mode", {"zeros", "border", "reflection"}}});
OpTraits gridTraits()
{
    return {.inputs = {{"X"}, {"grid", SlotKind::Float}}};
}
const KernelRegistrar sample{
    {"GridSample"},
    {.run = gridSample, .minOpset = 16, .family = "vision", .refusal = onlySampleWords, .onDevice = always},
    gridTraits()};
const KernelRegistrar contribSample{{"com.microsoft:GridSample"},
                                    {.run = gridSample, .maxOpset = 1, .family = "vision", .refusal = onlySampleWords},
                                    gridTraits()};
const KernelRegistrar mmcvSample{{"grid_sampler", "mmcv:grid_sampler", "mmdeploy:grid_sampler"},
                                 {.run = mmcvGridSampler, .family = "vision"},
                                 gridTraits()};
const KernelRegistrar affine{{"AffineGrid"},
                             {.run = affineGrid, .minOpset = 20, .family = "vision"},
                             {.inputs = {{"theta"}, {"size", SlotKind::ShapeOrIndex}}}};
const KernelRegistrar unpool{{"MaxUnpool"}, {.run = maxUnpool, .minOpset = 9, .family = "vision"}};
const KernelRegistrar cropPad{{"CenterCropPad"},
                              {.run = centerCropPad, .minOpset = 18, .family = "vision"},
                              {.inputs = {{"input_data"}, {"shape", SlotKind::ShapeOrIndex}}}};
const KernelRegistrar columns{
    {"Col2Im"},
    {.run = col2Im, .minOpset = 18, .family = "vision"},
    {.inputs = {{"input"}, {"image_shape", SlotKind::ShapeOrIndex}, {"block_shape", SlotKind::ShapeOrIndex}}}};

} // namespace

} // namespace ql
