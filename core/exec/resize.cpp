// Resize (opset 10 to 19) and Upsample (7, 9): separable interpolation, one axis after the other, exact in every
// coordinate transformation. Source: ONNX operator Resize and its reference formulas.
#include "core/exec/mnn_resize.h"
#include "core/exec/rows.h"

#include <ATen/ops/tensor.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

namespace ql {

namespace {

/// The taps of each output position along one axis: taps[k][i] is an input index, weights[k][i] its weight.
struct Taps
{
    std::vector<std::vector<std::int64_t>> index;
    std::vector<std::vector<float>> weight;
};

struct Mode
{
    std::string interpolation, transform, nearest;
    double cubic = -0.75;
    bool excludeOutside = false, antialias = false;
    double extrapolation = 0;
    bool wholeLength = false;  ///< length_resized is the size of the result, as in ONNX Runtime
    bool startsInside = false; ///< a position below 0 moves to the first pixel but keeps its distances, as in MNN
};

enum class Rules { Onnx, OnnxRuntime, Mnn };

/// In float32, like the runtimes: if a coordinate falls on the border between two elements, its last bit decides. The
/// specification's length_resized is scale * in, before it is rounded down to out elements: it moves the corners.
float sourceCoordinate(const Mode &mode, float i, float scale, float in, float out, float roiStart, float roiEnd)
{
    const float exact = scale * in;
    const bool isWhole = std::abs(exact - out) < 1e-4f * out; // scale may itself be out / in
    const float length = isWhole || (mode.wholeLength && mode.transform != "half_pixel_symmetric") ? out : exact;
    if (mode.transform == "half_pixel") return (i + 0.5f) / scale - 0.5f;
    if (mode.transform == "half_pixel_symmetric") {
        const float adjustment = out / length; // output size was rounded: keep the centre
        const float centre = in / 2;
        return centre * (1 - adjustment) + (i + 0.5f) / scale - 0.5f;
    }
    if (mode.transform == "pytorch_half_pixel") return out > 1 ? (i + 0.5f) / scale - 0.5f : 0;
    if (mode.transform == "align_corners") return out > 1 ? i * (in - 1) / (length - 1) : 0;
    if (mode.transform == "tf_half_pixel_for_nn") return (i + 0.5f) / scale;
    if (mode.transform == "tf_crop_and_resize")
        return out > 1 ? roiStart * (in - 1) + i * (roiEnd - roiStart) * (in - 1) / (length - 1)
                       : 0.5f * (roiStart + roiEnd) * (in - 1);
    return i / scale; // asymmetric
}

double nearestIndex(const std::string &rule, double x)
{
    if (rule == "floor") return std::floor(x);
    if (rule == "ceil") return std::ceil(x);
    if (rule == "round_prefer_ceil") return std::floor(x + 0.5);
    return std::ceil(x - 0.5); // round_prefer_floor
}

double cubicWeight(double distance, double a)
{
    const double x = std::abs(distance);
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
    return 0;
}

/// One output position: input positions starting at first with their weights, before clamping to the axis.
std::vector<std::pair<std::int64_t, double>> tapsAt(const Mode &mode, double x, double scale)
{
    std::vector<std::pair<std::int64_t, double>> taps;
    if (mode.interpolation == "nearest") {
        taps.emplace_back(std::int64_t(nearestIndex(mode.nearest, x)), 1.0);
        return taps;
    }
    const bool cubic = mode.interpolation == "cubic";
    const double stretch = mode.antialias && scale < 1 ? scale : 1; // shrinking: the kernel grows with the step
    const double support = (cubic ? 2 : 1) / stretch;
    const std::int64_t first = std::int64_t(std::floor(x - support)) + 1;
    const std::int64_t last = std::int64_t(std::ceil(x + support)) - 1;
    const std::int64_t moved = mode.startsInside && x < 0 ? -std::int64_t(std::floor(x)) : 0;
    for (std::int64_t p = first; p <= std::max(first, last); ++p) {
        const double distance = (x - double(p)) * stretch;
        taps.emplace_back(p + moved, cubic ? cubicWeight(distance, mode.cubic) : std::max(0.0, 1 - std::abs(distance)));
    }
    if (stretch != 1) {
        double sum = 0;
        for (const auto &[p, w] : taps) sum += w;
        for (auto &[p, w] : taps) w /= sum;
    }
    return taps;
}

Taps makeTaps(const Mode &mode, std::int64_t in, std::int64_t out, double scale, double roiStart, double roiEnd,
              std::vector<bool> &outside)
{
    Taps result;
    outside.assign(std::size_t(out), false);
    for (std::int64_t i = 0; i < out; ++i) {
        const double x = double(
            sourceCoordinate(mode, float(i), float(scale), float(in), float(out), float(roiStart), float(roiEnd)));
        if (mode.transform == "tf_crop_and_resize" && (x < 0 || x > double(in - 1))) outside[std::size_t(i)] = true;
        auto taps = tapsAt(mode, x, scale);
        if (mode.excludeOutside) {
            double sum = 0;
            for (auto &[p, w] : taps) {
                if (p < 0 || p >= in) w = 0;
                sum += w;
            }
            for (auto &[p, w] : taps) w = sum != 0 ? w / sum : w;
        }
        if (taps.size() > result.index.size()) {
            result.index.resize(taps.size(), std::vector<std::int64_t>(std::size_t(out), 0));
            result.weight.resize(taps.size(), std::vector<float>(std::size_t(out), 0));
        }
        for (std::size_t k = 0; k < taps.size(); ++k) {
            result.index[k][std::size_t(i)] = std::clamp<std::int64_t>(taps[k].first, 0, in - 1);
            result.weight[k][std::size_t(i)] = float(taps[k].second);
        }
    }
    return result;
}

at::Tensor resizeAxis(const at::Tensor &x, std::int64_t axis, const Taps &taps)
{
    if (taps.index.size() == 1 &&
        std::all_of(taps.weight[0].begin(), taps.weight[0].end(), [](float w) { return w == 1; }))
        return takeAlong(x, axis, taps.index[0]);
    if (const auto y = weightedSumAlong(x, axis, taps.index, taps.weight)) return *y;
    std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
    shape[std::size_t(axis)] = -1;
    at::Tensor y;
    for (std::size_t k = 0; k < taps.index.size(); ++k) {
        if (std::all_of(taps.weight[k].begin(), taps.weight[k].end(), [](float w) { return w == 0; })) continue;
        const at::Tensor weight = at::tensor(taps.weight[k], x.options()).reshape(shape);
        const at::Tensor part = takeAlong(x, axis, taps.index[k]);
        if (y.defined())
            y.addcmul_(part, weight);
        else
            y = part * weight;
    }
    return y;
}

std::vector<double> doubles(const at::Tensor &t)
{
    if (!t.defined()) return {};
    const at::Tensor wide = t.to(at::kDouble).contiguous();
    return {wide.data_ptr<double>(), wide.data_ptr<double>() + wide.numel()};
}

/// The request of one call: axes, and for each the factor and the size of the result.
struct ResizeTarget
{
    std::vector<std::int64_t> axes, sizes;
    std::vector<double> scales, roi;
};

Mode resizeModeOf(const Operation &op, bool isOld)
{
    Mode mode;
    mode.interpolation = op.stringAttribute("mode", "nearest");
    if (mode.interpolation == "bilinear") mode.interpolation = "linear"; // Upsample 1
    mode.transform = op.stringAttribute("coordinate_transformation_mode", isOld ? "asymmetric" : "half_pixel");
    mode.nearest = op.stringAttribute("nearest_mode", isOld ? "floor" : "round_prefer_floor");
    mode.cubic = op.floatAttribute("cubic_coeff_a", -0.75);
    mode.excludeOutside = op.intAttribute("exclude_outside", 0) != 0;
    mode.antialias = op.intAttribute("antialias", 0) != 0;
    mode.extrapolation = op.floatAttribute("extrapolation_value", 0);
    return mode;
}

/// Reads axes, scales or sizes, and adjusts sizes by the policy. sizes stay empty if scales are given.
ResizeTarget resizeTargetOf(const Operation &op, const at::Tensor &x, Inputs inputs, bool isOld)
{
    ResizeTarget wanted;
    const bool twoInputs = isOld && op.inputCount() <= 2;
    if (!twoInputs) wanted.roi = doubles(inputOr(inputs, 1));
    std::vector<double> &scales = wanted.scales = doubles(inputOr(inputs, twoInputs ? 1 : 2));
    if (scales.empty() && op.hasAttribute("scales")) scales = op.floatsAttribute("scales");
    std::vector<std::int64_t> &sizes = wanted.sizes, &axes = wanted.axes = op.intsAttribute("axes");
    if (!twoInputs) sizes = toInts(inputOr(inputs, 3));
    if (axes.empty()) {
        axes.resize(std::size_t(x.dim()));
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    for (std::int64_t &axis : axes) axis = normalizeAxis(axis, x.dim(), op);
    if (sizes.empty() && scales.size() != axes.size())
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: %2 scales for %3 axes").with(op.type, scales.size(), axes.size()),
                    op.name);
    if (!sizes.empty() && sizes.size() != axes.size())
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: %2 sizes for %3 axes").with(op.type, sizes.size(), axes.size()),
                    op.name);
    if (sizes.empty()) return wanted;
    const std::string policy = op.stringAttribute("keep_aspect_ratio_policy", "stretch");
    scales.clear();
    for (std::size_t i = 0; i < axes.size(); ++i) scales.push_back(double(sizes[i]) / double(x.size(axes[i])));
    if (policy == "stretch") return wanted;
    const double common = policy == "not_larger" ? *std::min_element(scales.begin(), scales.end())
                                                 : *std::max_element(scales.begin(), scales.end());
    for (std::size_t i = 0; i < axes.size(); ++i) {
        sizes[i] = std::int64_t(std::floor(common * double(x.size(axes[i])) + 0.5));
        scales[i] = common;
    }
    return wanted;
}

/// Fills in the sizes of the axes. @throws Error (Kernel) for a result that is empty, or too large
void completeSizesOf(const Operation &op, const at::Tensor &x, ResizeTarget &wanted)
{
    std::vector<std::int64_t> outSizes, shape = x.sizes().vec();
    for (std::size_t i = 0; i < wanted.axes.size(); ++i) {
        const std::int64_t axis = wanted.axes[i], in = x.size(axis);
        const double scaled = std::floor(double(in) * wanted.scales[i]);
        const bool isScaled = wanted.sizes.empty();
        if (in > 0 && isScaled && !(scaled >= 1 && scaled < 1e9))
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: scale %2 is not usable").with(op.type, Text::number(wanted.scales[i])), op.name);
        const std::int64_t out = in == 0 ? 0 : isScaled ? std::int64_t(scaled) : wanted.sizes[i]; // empty stays empty
        if (in > 0 && out < 1)
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: axis %2 would have size %3").with(op.type, axis, out), op.name);
        outSizes.push_back(out);
        shape[std::size_t(axis)] = out;
    }
    checkElements(op, shape, x.element_size()); // before the first axis is processed
    wanted.sizes = std::move(outSizes);
}

/// The two elements around each position along an axis, and their weights.
struct Neighbours
{
    std::array<std::vector<std::int64_t>, 2> index;
    std::array<std::vector<float>, 2> weight;

    Neighbours(const Mode &mode, std::int64_t in, std::int64_t out, double scale)
    {
        for (std::int64_t i = 0; i < out; ++i) {
            const float place =
                scale == 1 ? float(i) : sourceCoordinate(mode, float(i), float(scale), float(in), float(out), 0, 1);
            const float x = std::clamp(place, 0.f, float(in - 1));
            const std::int64_t low = std::int64_t(x), high = std::min(low + 1, in - 1);
            index[0].push_back(low);
            index[1].push_back(high);
            weight[0].push_back(low == high ? 0.5f : std::abs(x - float(high)));
            weight[1].push_back(low == high ? 0.5f : std::abs(x - float(low)));
        }
    }
};

/// Linear interpolation along two or three axes together, in ONNX Runtime's order: each element around a place times
/// the product of its weights. Nothing for cases for which it has other kernels.
std::optional<at::Tensor> linearOfRuntime(const at::Tensor &x, const Mode &mode, const ResizeTarget &wanted)
{
    const std::int64_t rank = x.dim(), first = rank < 4 ? 0 : 2; // axes before are batch and channels
    if (mode.interpolation != "linear" || mode.antialias || mode.excludeOutside || x.scalar_type() != at::kFloat ||
        mode.transform == "tf_crop_and_resize" || x.numel() == 0 || rank < 2 || rank > 5)
        return std::nullopt;
    std::vector<std::int64_t> sizes = x.sizes().vec();
    std::vector<double> scales(std::size_t(rank), 1);
    for (std::size_t i = 0; i < wanted.axes.size(); ++i) {
        sizes[std::size_t(wanted.axes[i])] = wanted.sizes[i];
        scales[std::size_t(wanted.axes[i])] = wanted.scales[i];
    }
    const auto isOne = [](double scale) { return scale == 1; };
    if (!std::all_of(scales.begin(), scales.begin() + first, isOne) || std::all_of(scales.begin(), scales.end(), isOne))
        return std::nullopt;
    std::vector<Neighbours> along; // from the last axis on
    for (std::int64_t axis = rank - 1; axis >= first; --axis)
        along.emplace_back(mode, x.size(axis), sizes[std::size_t(axis)], scales[std::size_t(axis)]);
    at::Tensor y;
    for (std::size_t corner = 0; corner < std::size_t{1} << along.size(); ++corner) {
        at::Tensor part = x, weight;
        for (std::size_t k = 0; k < along.size(); ++k) {
            const std::size_t side = corner >> k & 1;
            const std::int64_t axis = rank - 1 - std::int64_t(k);
            std::vector<std::int64_t> shape(std::size_t(rank), 1);
            shape[std::size_t(axis)] = -1;
            part = takeAlong(part, axis, along[k].index[side]);
            const at::Tensor own = at::tensor(along[k].weight[side], x.options()).reshape(shape);
            weight = weight.defined() ? weight * own : own;
        }
        if (y.defined())
            y.add_(part * weight);
        else
            y = part * weight;
    }
    return y;
}

/// Cubic interpolation of images in ONNX Runtime's order, all in float32: four columns of each row, then four rows.
/// Nothing for cases for which it has other kernels.
std::optional<at::Tensor> cubicOfRuntime(const at::Tensor &x, const Mode &mode, const ResizeTarget &wanted)
{
    constexpr std::int64_t imageRank = 4, neighbours = 4;
    if (mode.interpolation != "cubic" || mode.antialias || mode.excludeOutside || x.scalar_type() != at::kFloat ||
        mode.transform == "tf_crop_and_resize" || x.numel() == 0 || x.dim() != imageRank)
        return std::nullopt;
    const float a = float(mode.cubic);
    const auto outer = [&](float d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
    const auto inner = [&](float d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
    at::Tensor y = x;
    for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{2}}) {
        const auto found = std::find(wanted.axes.begin(), wanted.axes.end(), axis);
        if (found == wanted.axes.end()) return std::nullopt;
        const std::size_t place = std::size_t(found - wanted.axes.begin());
        const std::int64_t in = x.size(axis), out = wanted.sizes[place];
        const float scale = float(wanted.scales[place]);
        std::array<std::vector<std::int64_t>, neighbours> index;
        std::array<std::vector<float>, neighbours> weight;
        for (std::int64_t i = 0; i < out; ++i) {
            const float from =
                scale == 1 ? float(i) : sourceCoordinate(mode, float(i), scale, float(in), float(out), 0, 1);
            const float low = std::floor(from), s = from - low;
            const std::array<float, neighbours> own{outer(s + 1), inner(s), inner(1 - s), outer(2 - s)};
            for (std::size_t k = 0; k < own.size(); ++k) {
                index[k].push_back(std::clamp<std::int64_t>(std::int64_t(low) - 1 + std::int64_t(k), 0, in - 1));
                weight[k].push_back(own[k]);
            }
        }
        std::vector<std::int64_t> shape(std::size_t(imageRank), 1);
        shape[std::size_t(axis)] = -1;
        at::Tensor sum;
        for (std::size_t k = 0; k < index.size(); ++k) {
            const at::Tensor part = takeAlong(y, axis, index[k]) * at::tensor(weight[k], x.options()).reshape(shape);
            sum = sum.defined() ? sum.add_(part) : part;
        }
        y = sum;
    }
    return y;
}

std::vector<at::Tensor> resizeBy(const KernelContext &context, Inputs inputs, Rules rules)
{
    const Operation &op = context.op;
    const bool upsample = op.type == "Upsample";
    const bool old = upsample || op.opset < 11; // X, scales; asymmetric, floor
    // Resize 10 uses the pixel above along axes that shrink. The specification does not define it; this follows ONNX
    // Runtime.
    const bool ceilWhereShrinking = !upsample && op.opset < 11 && !op.hasAttribute("nearest_mode");
    at::Tensor x = requiredInput(context, inputs, 0);
    Mode mode = resizeModeOf(op, old);
    mode.wholeLength = rules == Rules::OnnxRuntime;
    if (rules == Rules::Mnn) {
        mode.cubic = -0.75; // it does not read the attribute
        mode.startsInside = true;
    }
    ResizeTarget wanted = resizeTargetOf(op, x, inputs, old);
    const at::ScalarType type = x.scalar_type();
    if (mode.interpolation != "nearest" && type != at::kFloat && type != at::kDouble) x = x.to(at::kFloat);
    completeSizesOf(op, x, wanted);
    if (rules == Rules::OnnxRuntime && type == at::kFloat)
        for (const auto ofRuntime : {linearOfRuntime, cubicOfRuntime})
            if (const auto y = ofRuntime(x, mode, wanted)) return {*y};
    std::vector<std::int64_t> &axes = wanted.axes;
    // Channels-last is kept: adjacent memory is moved together, and the next convolution needs no reorder.
    const bool channelsLast = x.dim() == 4 && !x.is_contiguous() && x.is_contiguous(at::MemoryFormat::ChannelsLast);
    if (channelsLast) {
        x = x.permute({0, 2, 3, 1});
        static constexpr std::int64_t place[] = {0, 3, 1, 2};
        for (std::int64_t &axis : axes) axis = place[axis];
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t in = x.size(axes[i]), out = wanted.sizes[i];
        const double scale = wanted.scales[i];
        if (in == 0) continue;
        // An axis that grows before another one shrinks can be larger than the result.
        std::vector<std::int64_t> shape = x.sizes().vec();
        shape[std::size_t(axes[i])] = out;
        checkElements(op, shape, x.element_size());
        const bool cropped = mode.transform == "tf_crop_and_resize";
        if (out == in && scale == 1 && !cropped) continue;
        const bool hasRoi = cropped && wanted.roi.size() == 2 * axes.size();
        const double roiStart = hasRoi ? wanted.roi[i] : 0, roiEnd = hasRoi ? wanted.roi[i + axes.size()] : 1;
        std::vector<bool> outside;
        Mode axisMode = mode;
        if (ceilWhereShrinking && scale < 1) axisMode.nearest = "ceil";
        x = resizeAxis(x, axes[i], makeTaps(axisMode, in, out, scale, roiStart, roiEnd, outside));
        for (std::int64_t p = 0; p < out; ++p)
            if (outside[std::size_t(p)]) x.select(axes[i], p).fill_(mode.extrapolation);
    }
    if (channelsLast) x = x.permute({0, 3, 1, 2});
    if (x.scalar_type() == type) return {x};
    return {x.to(type)}; // integers are cut off towards 0, as ONNX Runtime does
}

std::vector<at::Tensor> resize(const KernelContext &context, Inputs inputs)
{
    return resizeBy(context, inputs, Rules::Onnx);
}

std::vector<at::Tensor> resizeOfRuntime(const KernelContext &context, Inputs inputs)
{
    return resizeBy(context, inputs, Rules::OnnxRuntime);
}

const RefusalFunction refuseOtherResizeWords =
    acceptsOnly({{"mode", {"nearest", "linear", "cubic"}},
                 {"coordinate_transformation_mode",
                  {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
                   "tf_half_pixel_for_nn", "tf_crop_and_resize"}},
                 {"nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}},
                 {"keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"}}});
const KernelRegistrar resizeKernel{
    {"Resize"},
    {.run = resize,
     .minOpset = 10,
     .family = "vision",
     .refusal = refuseOtherResizeWords,
     .onDevice = always,
     .asRuntime = resizeOfRuntime,
     .openvinoRoundsResult = true},
    {.inputs = {{"X"},
                {"roi", SlotKind::ShapeOrIndex},
                {"scales", SlotKind::ShapeOrIndex},
                {"sizes", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .alignment = Alignment::Resize,
     .isLinear = [](const Operation &op) { return op.stringAttribute("mode", "nearest") != "nearest"; },
     .shapes = typeOfInput0()}};
/// The name of Resize in another tool's files, so that such a graph can be inspected.
const Registrar<OpTraits> interp{"Interp", {.isPassive = true}};
const KernelRegistrar upsampleKernel{{"Upsample"},
                                     {.run = resize,
                                      .minOpset = 7,
                                      .maxOpset = 10,
                                      .family = "vision",
                                      .refusal = acceptsOnly({{"mode", {"nearest", "linear", "bilinear"}}}),
                                      .onDevice = always,
                                      .openvinoRoundsResult = true},
                                     {.inputs = {{"X"}, {"scales", SlotKind::ShapeOrIndex}}, .shapes = typeOfInput0()}};

} // namespace

bool isMnnCubicResize(const Operation &op)
{
    return op.type == "Resize" && op.domain.empty() && op.stringAttribute("mode", "nearest") == "cubic";
}

std::vector<at::Tensor> mnnCubicResize(const KernelContext &context, Inputs inputs)
{
    return resizeBy(context, inputs, Rules::Mnn);
}

} // namespace ql
