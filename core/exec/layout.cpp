// Operators that move elements without changing them. Source: ONNX operator specifications.
#include "core/exec/kernel.h"
#include "core/exec/rows.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/ones_like.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace ql {

namespace {

/// A list that is an attribute in old opsets and an input in new ones.
std::optional<std::vector<std::int64_t>> listOf(const KernelContext &context, Inputs inputs, std::size_t input,
                                                const char *attribute)
{
    const at::Tensor tensor = inputOr(inputs, input);
    if (tensor.defined()) return toInts(tensor);
    if (context.op.hasAttribute(attribute)) return context.op.intsAttribute(attribute);
    return std::nullopt;
}

std::vector<at::Tensor> identity(const KernelContext &context, Inputs inputs)
{
    return {requiredInput(context, inputs, 0)};
}

/// In inference Dropout passes its input through; the optional mask is all true.
std::vector<at::Tensor> dropout(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::vector<at::Tensor> out{x};
    if (context.op.outputs.size() > 1) out.push_back(at::ones_like(x, x.options().dtype(at::kBool)));
    return out;
}

std::vector<at::Tensor> reshape(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const auto wanted = listOf(context, inputs, 1, "shape");
    if (!wanted) throw Error(ErrorKind::Kernel, QL_TEXT("Reshape: the shape is missing"), context.op.name);
    std::vector<std::int64_t> shape = *wanted;
    if (context.op.intAttribute("allowzero", 0) == 0)
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (shape[i] == 0) {
                if (std::int64_t(i) >= x.dim())
                    throw Error(
                        ErrorKind::Kernel,
                        QL_TEXT("Reshape: dimension %1 cannot be copied from an input of rank %2").with(i, x.dim()),
                        context.op.name);
                shape[i] = x.size(std::int64_t(i));
            }
    return {x.reshape(shape)};
}

std::vector<at::Tensor> flatten(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::int64_t axis = context.op.intAttribute("axis", 1);
    if (axis < 0) axis += x.dim();
    if (axis < 0 || axis > x.dim())
        throw Error(ErrorKind::Kernel, QL_TEXT("Flatten: axis %1 is outside rank %2").with(axis, x.dim()),
                    context.op.name);
    std::int64_t rows = 1;
    for (std::int64_t i = 0; i < axis; ++i) rows *= x.size(i);
    std::int64_t columns = 1;
    for (std::int64_t i = axis; i < x.dim(); ++i) columns *= x.size(i);
    return {x.reshape({rows, columns})};
}

std::vector<at::Tensor> transpose(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::vector<std::int64_t> perm = context.op.intsAttribute("perm");
    if (perm.empty()) {
        perm.resize(std::size_t(x.dim()));
        std::iota(perm.rbegin(), perm.rend(), std::int64_t{0});
    }
    return {x.permute(perm)};
}

std::vector<std::int64_t> sortedAxes(const std::vector<std::int64_t> &axes, std::int64_t rank, const Operation &op)
{
    std::vector<std::int64_t> out;
    for (const std::int64_t axis : axes) out.push_back(normalizeAxis(axis, rank, op));
    std::sort(out.begin(), out.end());
    if (std::adjacent_find(out.begin(), out.end()) != out.end())
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: an axis is given twice").with(op.type), op.name);
    return out;
}

std::vector<at::Tensor> squeeze(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const auto wanted = listOf(context, inputs, 1, "axes");
    if (!wanted || wanted->empty()) return {x.squeeze()};
    std::vector<std::int64_t> axes = sortedAxes(*wanted, x.dim(), context.op);
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        if (x.size(*axis) != 1)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("Squeeze: axis %1 has size %2, expected 1").with(*axis, x.size(*axis)),
                        context.op.name);
        x = x.squeeze(*axis);
    }
    return {x};
}

std::vector<at::Tensor> unsqueeze(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const auto wanted = listOf(context, inputs, 1, "axes");
    if (!wanted) throw Error(ErrorKind::Kernel, QL_TEXT("Unsqueeze: the axes are missing"), context.op.name);
    for (const std::int64_t axis : sortedAxes(*wanted, x.dim() + std::int64_t(wanted->size()), context.op))
        x = x.unsqueeze(axis);
    return {x};
}

std::vector<at::Tensor> concat(const KernelContext &context, Inputs inputs)
{
    std::vector<at::Tensor> parts;
    for (std::size_t i = 0; i < inputs.size(); ++i) parts.push_back(requiredInput(context, inputs, i));
    if (parts.empty()) throw Error(ErrorKind::Kernel, QL_TEXT("Concat: no input"), context.op.name);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", 1), parts[0].dim(), context.op);
    return {joined(context.op, parts, axis)};
}

std::vector<at::Tensor> split(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", 0), x.dim(), context.op);
    std::vector<std::int64_t> sizes = listOf(context, inputs, 1, "split").value_or(std::vector<std::int64_t>());
    if (sizes.empty()) { // equal parts, the last one smaller if it does not divide
        const std::int64_t count = context.op.intAttribute("num_outputs", std::int64_t(context.op.outputs.size()));
        const std::int64_t part = (x.size(axis) + count - 1) / std::max<std::int64_t>(count, 1);
        for (std::int64_t i = 0; i < count; ++i)
            sizes.push_back(std::clamp<std::int64_t>(x.size(axis) - i * part, 0, part));
    }
    std::vector<at::Tensor> out;
    std::int64_t start = 0;
    for (const std::int64_t size : sizes) {
        if (size < 0 || start + size > x.size(axis))
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("Split: the parts do not match axis %1 of size %2").with(axis, x.size(axis)),
                        context.op.name);
        out.push_back(x.narrow(axis, start, size));
        start += size;
    }
    return out;
}

/// Negative starts, ends and steps, and the saturating ends of NumPy.
std::vector<at::Tensor> slice(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const auto starts = listOf(context, inputs, 1, "starts");
    const auto ends = listOf(context, inputs, 2, "ends");
    if (!starts || !ends || starts->size() != ends->size())
        throw Error(ErrorKind::Kernel, QL_TEXT("Slice: starts and ends are missing or differ in length"),
                    context.op.name);
    std::vector<std::int64_t> defaults(starts->size());
    std::iota(defaults.begin(), defaults.end(), std::int64_t{0});
    const std::vector<std::int64_t> axes = listOf(context, inputs, 3, "axes").value_or(defaults);
    const std::vector<std::int64_t> steps =
        inputOr(inputs, 4).defined() ? toInts(inputs[4]) : std::vector<std::int64_t>(starts->size(), 1);
    if (axes.size() != starts->size() || steps.size() != starts->size())
        throw Error(ErrorKind::Kernel, QL_TEXT("Slice: axes or steps differ in length from starts"), context.op.name);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::int64_t axis = normalizeAxis(axes[i], x.dim(), context.op);
        const std::int64_t size = x.size(axis);
        const std::int64_t step = std::clamp(steps[i], -size - 1, size + 1); // beyond that is past the end, too
        if (step == 0) throw Error(ErrorKind::Kernel, QL_TEXT("Slice: a step is 0"), context.op.name);
        std::int64_t start = (*starts)[i] < 0 ? std::max((*starts)[i], -size - 1) + size : (*starts)[i];
        std::int64_t end = (*ends)[i] < 0 ? std::max((*ends)[i], -size - 1) + size : (*ends)[i];
        if (step > 0) {
            start = std::clamp<std::int64_t>(start, 0, size);
            end = std::clamp<std::int64_t>(end, 0, size);
            x = x.slice(axis, start, std::max(start, end), step);
        } else {
            start = std::clamp<std::int64_t>(start, 0, size - 1);
            end = std::clamp<std::int64_t>(end, -1, size - 1);
            if (size == 0 || end >= start)
                x = x.narrow(axis, 0, 0);
            else
                x = at::index_select(x, axis, at::arange(start, end, step, x.options().dtype(at::kLong)));
        }
    }
    return {x};
}

/// Indices into an axis of the given size for positions -before .. size + after - 1. Mode: reflect, edge or wrap.
std::vector<std::int64_t> paddedIndices(std::int64_t size, std::int64_t before, std::int64_t after,
                                        const std::string &mode)
{
    std::vector<std::int64_t> out;
    for (std::int64_t i = -before; i < size + after; ++i) {
        std::int64_t at = i;
        if (mode == "edge" || size == 1) {
            at = std::clamp<std::int64_t>(i, 0, size - 1);
        } else if (mode == "wrap") {
            at = ((i % size) + size) % size;
        } else {
            const std::int64_t period = 2 * (size - 1);
            at = ((i % period) + period) % period;
            if (at >= size) at = period - at;
        }
        out.push_back(at);
    }
    return out;
}

std::vector<at::Tensor> pad(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    auto given = listOf(context, inputs, 1, "pads");
    if (!given && context.op.hasAttribute("paddings")) given = context.op.intsAttribute("paddings");
    if (!given) throw Error(ErrorKind::Kernel, QL_TEXT("Pad: the pads are missing"), context.op.name);
    std::vector<std::int64_t> axes;
    if (inputOr(inputs, 3).defined()) {
        for (const std::int64_t axis : toInts(inputs[3])) axes.push_back(normalizeAxis(axis, x.dim(), context.op));
    } else {
        axes.resize(std::size_t(x.dim()));
        std::iota(axes.begin(), axes.end(), std::int64_t{0});
    }
    if (given->size() != 2 * axes.size())
        throw Error(ErrorKind::Kernel, QL_TEXT("Pad: %1 pads for %2 axes").with(given->size(), axes.size()),
                    context.op.name);
    std::vector<std::int64_t> before(std::size_t(x.dim()), 0), after(std::size_t(x.dim()), 0);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        before[std::size_t(axes[i])] = (*given)[i];
        after[std::size_t(axes[i])] = (*given)[i + axes.size()];
    }
    std::vector<std::int64_t> padded;
    for (std::int64_t i = 0; i < x.dim(); ++i) {
        const std::int64_t most = std::int64_t{1} << 40; // far above the limit, far below overflow
        padded.push_back(std::max<std::int64_t>(0, x.size(i) + std::clamp(before[std::size_t(i)], -most, most) +
                                                       std::clamp(after[std::size_t(i)], -most, most)));
    }
    checkElements(context.op, padded, x.element_size());
    const std::string mode = context.op.stringAttribute("mode", "constant");
    if (mode == "constant") {
        const at::Tensor value = inputOr(inputs, 2);
        const at::Scalar fill = value.defined() && value.numel() > 0
                                    ? value.reshape({-1})[0].item()
                                    : at::Scalar(context.op.floatAttribute("value", 0));
        std::vector<std::int64_t> pads;
        for (std::size_t i = before.size(); i-- > 0;) {
            pads.push_back(before[i]);
            pads.push_back(after[i]);
        }
        return {at::constant_pad_nd(x, pads, fill)};
    }
    for (std::int64_t axis = 0; axis < x.dim(); ++axis) {
        std::int64_t b = before[std::size_t(axis)], a = after[std::size_t(axis)];
        if (b == 0 && a == 0) continue;
        if (mode == "wrap" && (b < 0 || a < 0)) { // the remaining part repeats, not the original one
            const std::int64_t start = std::max<std::int64_t>(0, -b),
                               end = x.size(axis) - std::max<std::int64_t>(0, -a);
            x = x.narrow(axis, std::min(start, x.size(axis)), std::max<std::int64_t>(0, end - start));
            b = std::max<std::int64_t>(0, b);
            a = std::max<std::int64_t>(0, a);
        }
        if (x.size(axis) == 0)
            throw Error(ErrorKind::Kernel, QL_TEXT("Pad: mode '%1' needs a non-empty axis").with(mode),
                        context.op.name);
        x = takeAlong(x, axis, paddedIndices(x.size(axis), b, a, mode));
    }
    return {x};
}

/// One number for each axis; Tile 1 has a count and an axis instead.
std::vector<std::int64_t> tileRepeats(const KernelContext &context, Inputs inputs, const at::Tensor &x)
{
    std::vector<std::int64_t> repeats = toInts(requiredInput(context, inputs, 1));
    if (context.op.opset < 6 && inputOr(inputs, 2).defined()) {
        std::vector<std::int64_t> all(std::size_t(x.dim()), 1);
        all.at(std::size_t(normalizeAxis(toInts(inputs[2]).at(0), x.dim(), context.op))) = repeats.at(0);
        return all;
    }
    if (std::int64_t(repeats.size()) != x.dim())
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("Tile: %1 repeats for a tensor of rank %2").with(repeats.size(), x.dim()), context.op.name);
    return repeats;
}

std::vector<at::Tensor> tile(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::vector<std::int64_t> repeats = tileRepeats(context, inputs, x);
    std::vector<std::int64_t> shape;
    for (std::int64_t i = 0; i < x.dim(); ++i) {
        const std::int64_t times = repeats[std::size_t(i)];
        const bool huge = times > 0 && x.size(i) > std::numeric_limits<std::int64_t>::max() / times;
        shape.push_back(huge ? std::numeric_limits<std::int64_t>::max() : times * x.size(i));
    }
    checkElements(context.op, shape, x.element_size());
    return {x.repeat(repeats)};
}

/// Broadcasts both ways: a dimension of 1 in the wanted shape keeps the input's.
std::vector<at::Tensor> expand(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    std::vector<std::int64_t> shape = toInts(requiredInput(context, inputs, 1));
    while (std::int64_t(shape.size()) < x.dim()) shape.insert(shape.begin(), 1);
    for (std::int64_t i = 1; i <= x.dim(); ++i)
        if (shape[shape.size() - std::size_t(i)] == 1) shape[shape.size() - std::size_t(i)] = x.size(-i);
    checkElements(context.op, shape, x.element_size());
    return {x.expand(shape)};
}

std::vector<at::Tensor> depthToSpace(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t b = context.op.intAttribute("blocksize", 1);
    if (x.dim() != 4 || b < 1 || x.size(1) % (b * b) != 0)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("DepthToSpace: the number of channels is not divisible by blocksize squared"),
                    context.op.name);
    const std::int64_t n = x.size(0), c = x.size(1) / (b * b), h = x.size(2), w = x.size(3);
    if (context.op.stringAttribute("mode", "DCR") == "CRD")
        return {x.reshape({n, c, b, b, h, w}).permute({0, 1, 4, 2, 5, 3}).reshape({n, c, h * b, w * b})};
    return {x.reshape({n, b, b, c, h, w}).permute({0, 3, 4, 1, 5, 2}).reshape({n, c, h * b, w * b})};
}

std::vector<at::Tensor> spaceToDepth(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t b = context.op.intAttribute("blocksize", 1);
    if (x.dim() != 4 || b < 1 || x.size(2) % b != 0 || x.size(3) % b != 0)
        throw Error(ErrorKind::Kernel, QL_TEXT("SpaceToDepth: height and width are not divisible by blocksize"),
                    context.op.name);
    const std::int64_t n = x.size(0), c = x.size(1), h = x.size(2) / b, w = x.size(3) / b;
    const at::Tensor blocks = x.reshape({n, c, h, b, w, b});
    const bool channelsFirst = context.op.stringAttribute("mode", "DCR") == "CRD"; // same name as for DepthToSpace
    return {(channelsFirst ? blocks.permute({0, 1, 3, 5, 2, 4}) : blocks.permute({0, 3, 5, 1, 2, 4}))
                .reshape({n, c * b * b, h, w})};
}

/// Inputs: x, axis (one number).
std::vector<at::Tensor> expandDims(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::vector<std::int64_t> axis = toInts(requiredInput(context, inputs, 1));
    if (axis.size() != 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("ExpandDims: %1 axes, expected one").with(axis.size()), context.op.name);
    return {x.unsqueeze(normalizeAxis(axis[0], x.dim() + 1, context.op))};
}

const KernelRegistrar identityKernel{
    {"Identity"},
    {.run = identity, .family = "layout", .takesShortFloats = true, .onDevice = always},
    {.isPassive = true, .keepsGrid = true, .isHomogeneous = true, .shapes = typeOfInput0()}};
// Passive in principle, but it never reaches quantization.
const KernelRegistrar dropoutKernel{{"Dropout"},
                                    {.run = dropout, .family = "layout", .takesShortFloats = true, .onDevice = always},
                                    {.shapes = typeOfInput0()}};
const KernelRegistrar reshapeKernel{
    {"Reshape"},
    {.run = reshape, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.inputs = {{"data"}, {"shape", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .isPassive = true,
     .keepsGrid = true,
     .shapes = {.inputs = 1, .rank = RankRule::LengthOfInput1, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar flattenKernel{
    {"Flatten"},
    {.run = flatten, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.isPassive = true,
     .keepsGrid = true,
     .shapes = {.inputs = 1, .rank = RankRule::Two, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar transposeKernel{
    {"Transpose"},
    {.run = transpose, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.isPassive = true, .keepsGrid = true, .shapes = typeOfInput0()}};
const KernelRegistrar squeezeKernel{
    {"Squeeze"},
    {.run = squeeze, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.inputs = {{"data"}, {"axes", SlotKind::ShapeOrIndex}},
     .isPassive = true,
     .keepsGrid = true,
     .shapes = {.inputs = 1, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar unsqueezeKernel{
    {"Unsqueeze"},
    {.run = unsqueeze, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.inputs = {{"data"}, {"axes", SlotKind::ShapeOrIndex}},
     .isPassive = true,
     .keepsGrid = true,
     .shapes = {.inputs = 1, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar concatKernel{
    {"Concat"},
    {.run = concat,
     .minOpset = 4,
     .family = "layout",
     .takesShortFloats = true,
     .strings = StringOutputs::All,
     .onDevice = always},
    {.alignment = Alignment::Concat,
     .channels = ChannelUse::Carries,
     .shapes = {.inputs = allInputs, .rank = RankRule::FirstKnown, .elementType = ElementTypeRule::OfInput0}}};
OpTraits splitTraits()
{
    ShapeTraits shapes = typeOfInput0();
    shapes.outputsAreAlike = true;
    return {.inputs = {{"input"}, {"split", SlotKind::ShapeOrIndex}},
            .regionsFollowValues = true,
            .isPassive = true,
            .keepsGrid = true,
            .shapes = shapes};
}
const KernelRegistrar splitKernel{{"Split"},
                                  {.run = split,
                                   .minOpset = 2,
                                   .family = "layout",
                                   .takesShortFloats = true,
                                   .strings = StringOutputs::All,
                                   .onDevice = always},
                                  splitTraits()};
// Passive in principle; it stays active because published scales and the runtimes' own tables give its output a
// separate scale.
const KernelRegistrar sliceKernel{
    {"Slice"},
    {.run = slice, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.inputs = {{"data"},
                {"starts", SlotKind::ShapeOrIndex},
                {"ends", SlotKind::ShapeOrIndex},
                {"axes", SlotKind::ShapeOrIndex},
                {"steps", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .keepsGrid = true,
     .shapes = typeOfInput0()}};
const KernelRegistrar padKernel{
    {"Pad", "com.microsoft:Pad"},
    {.run = pad,
     .family = "layout",
     .refusal = acceptsOnly({{"mode", {"constant", "reflect", "edge", "wrap"}}}),
     .takesShortFloats = true,
     .strings = StringOutputs::All,
     .onDevice = always},
    {.inputs = {{"data"},
                {"pads", SlotKind::ShapeOrIndex},
                {.name = "constant_value", .kind = SlotKind::ShapeOrIndex, .isOnInputGrid = true},
                {"axes", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .isPassive = true,
     .shapes = typeOfInput0()}};
const KernelRegistrar expandDimsKernel{
    {"com.microsoft:ExpandDims"}, {.run = expandDims, .maxOpset = 1, .family = "layout", .takesShortFloats = true}};
const KernelRegistrar tileKernel{
    {"Tile"},
    {.run = tile, .family = "layout", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.inputs = {{"input"}, {"repeats", SlotKind::ShapeOrIndex}, {"axis", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .shapes = {.inputs = 1, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar expandKernel{
    {"Expand"},
    {.run = expand,
     .minOpset = 8,
     .family = "layout",
     .takesShortFloats = true,
     .strings = StringOutputs::All,
     .onDevice = always},
    {.inputs = {{"input"}, {"shape", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .shapes = {.inputs = 1, .rank = RankRule::ExpandedToInput1, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar depthToSpaceKernel{{"DepthToSpace"},
                                         {.run = depthToSpace,
                                          .family = "layout",
                                          .refusal = acceptsOnly({{"mode", {"DCR", "CRD"}}}),
                                          .takesShortFloats = true,
                                          .strings = StringOutputs::All,
                                          .onDevice = always},
                                         {.shapes = typeOfInput0()}};
const KernelRegistrar spaceToDepthKernel{{"SpaceToDepth"},
                                         {.run = spaceToDepth,
                                          .family = "layout",
                                          .refusal = acceptsOnly({{"mode", {"DCR", "CRD"}}}),
                                          .takesShortFloats = true,
                                          .strings = StringOutputs::All,
                                          .onDevice = always},
                                         {.shapes = typeOfInput0()}};

} // namespace

} // namespace ql
