// Shapes, constants, indices, types. Source: ONNX operator specifications.
#include "core/exec/kernel.h"
#include "core/exec/opaque.h"
#include "core/exec/small_float.h"
#include "core/exec/text.h"

#include <ATen/ops/aminmax.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/argmin.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

std::vector<at::Tensor> constant(const KernelContext &context, Inputs)
{
    const Operation &op = context.op;
    const auto it = op.attributes.find("value");
    if (it != op.attributes.end())
        if (const auto *tensor = std::get_if<at::Tensor>(&it->second)) return {*tensor};
    if (op.hasAttribute("value_float"))
        return {at::full({}, op.floatAttribute("value_float", 0), at::TensorOptions(at::kFloat))};
    if (op.hasAttribute("value_int"))
        return {at::full({}, op.intAttribute("value_int", 0), at::TensorOptions(at::kLong))};
    if (op.hasAttribute("value_floats")) {
        const std::vector<double> values = op.floatsAttribute("value_floats");
        return {at::tensor(values, at::TensorOptions(at::kDouble)).to(at::kFloat)};
    }
    if (op.hasAttribute("value_ints"))
        return {at::tensor(op.intsAttribute("value_ints"), at::TensorOptions(at::kLong))};
    if (op.hasAttribute("value_string")) return {makeStrings({op.stringAttribute("value_string", "")}, {})};
    if (op.hasAttribute("value_strings")) {
        std::vector<std::string> texts = op.stringsAttribute("value_strings");
        const auto count = std::int64_t(texts.size());
        return {makeStrings(std::move(texts), {count})};
    }
    throw Error(ErrorKind::Kernel, QL_TEXT("Constant: it has no value"), op.name);
}

Text constantRefusal(const Operation &op)
{
    return op.hasAttribute("sparse_value") ? QL_TEXT("sparse_value is not implemented") : Text();
}

std::vector<at::Tensor> constantOfShape(const KernelContext &context, Inputs inputs)
{
    const std::vector<std::int64_t> shape = toInts(requiredInput(context, inputs, 0));
    checkElements(context.op, shape, 8);
    const auto it = context.op.attributes.find("value");
    if (it == context.op.attributes.end()) return {at::zeros(shape, at::TensorOptions(at::kFloat))};
    const at::Tensor &value = std::get<at::Tensor>(it->second);
    return {at::full(shape, value.reshape({-1})[0].item(), value.options())};
}

/// start and end (opset 15) choose a range of dimensions.
std::vector<at::Tensor> shape(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t rank = x.dim();
    const auto bound = [&](std::int64_t v) { return std::clamp<std::int64_t>(v < 0 ? v + rank : v, 0, rank); };
    const std::int64_t start = bound(context.op.intAttribute("start", 0));
    const std::int64_t end = std::max(start, bound(context.op.intAttribute("end", rank)));
    const std::vector<std::int64_t> sizes(x.sizes().begin() + start, x.sizes().begin() + end);
    return {at::tensor(sizes, at::TensorOptions(at::kLong))};
}

std::vector<at::Tensor> size(const KernelContext &context, Inputs inputs)
{
    return {at::full({}, requiredInput(context, inputs, 0).numel(), at::TensorOptions(at::kLong))};
}

std::vector<at::Tensor> range(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &start = requiredInput(context, inputs, 0);
    const at::Scalar step = requiredInput(context, inputs, 2).item();
    const double count =
        (requiredInput(context, inputs, 1).item().toDouble() - start.item().toDouble()) / step.toDouble();
    if (step.toDouble() == 0) throw Error(ErrorKind::Kernel, QL_TEXT("Range: the step is 0"), context.op.name);
    checkElements(context.op, {count > 0 ? std::int64_t(std::min(std::ceil(count), 1e18)) : 0}, 8);
    if (count <= 0) return {at::zeros({0}, start.options())};
    return {at::arange(start.item(), inputs[1].item(), step, start.options())};
}

/// On the CPU LibTorch refuses an index outside the axis; on CUDA such an index would make the device unusable.
at::Tensor wrapped(const at::Tensor &indices, std::int64_t size, const Operation &op)
{
    const at::Tensor wide = indices.to(at::kLong);
    if (!wide.is_cpu() && wide.numel() > 0) {
        const auto [low, high] = at::aminmax(wide);
        if (low.item().toLong() < -size || high.item().toLong() >= size)
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: an index is outside the axis of size %2").with(op.type, size),
                        op.name);
    }
    return at::where(wide < 0, wide + size, wide);
}

std::vector<at::Tensor> gather(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &indices = requiredInput(context, inputs, 1);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", 0), x.dim(), context.op);
    const at::Tensor flat = wrapped(indices, x.size(axis), context.op).reshape({-1});
    std::vector<std::int64_t> shape(x.sizes().begin(), x.sizes().begin() + axis);
    shape.insert(shape.end(), indices.sizes().begin(), indices.sizes().end());
    shape.insert(shape.end(), x.sizes().begin() + axis + 1, x.sizes().end());
    checkElements(context.op, shape, x.element_size());
    return {at::index_select(x, axis, flat).reshape(shape)};
}

std::vector<at::Tensor> gatherElements(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", 0), x.dim(), context.op);
    return {at::gather(x, axis, wrapped(requiredInput(context, inputs, 1), x.size(axis), context.op))};
}

/// Types held in wider ones (uint16 as int32, uint32 as int64, 4 bits as 8) wrap around as they would at their own
/// width; floats are truncated first.
at::Tensor castTo(const at::Tensor &x, std::int64_t type, const Operation &op)
{
    // Numbers of TensorProto.DataType
    constexpr std::int64_t uint16 = 4, string = 8, uint32 = 12, uint64 = 13, uint4 = 21, int4 = 22;
    if (isStrings(x)) {
        if (type == string) return x;
        return numbersFromText(x, typeOfOnnxCode(type, op), op);
    }
    if (isSmallFloat(type)) return roundedToSmallFloat(x.to(at::kFloat), type, op.intAttribute("saturate", 1) != 0);
    switch (type) {
    case uint4: return at::bitwise_and(x.to(at::kLong), 0xf).to(at::kByte);
    case int4: return (at::bitwise_and(x.to(at::kLong) + 8, 0xf) - 8).to(at::kChar);
    case string: return textFromNumbers(x);
    case uint16: return at::bitwise_and(x.to(at::kLong), 0xffff).to(at::kInt);
    case uint32: return at::bitwise_and(x.to(at::kLong), std::int64_t{0xffffffff});
    case uint64: return x.to(at::kLong);
    default: return x.to(typeOfOnnxCode(type, op));
    }
}

std::vector<at::Tensor> cast(const KernelContext &context, Inputs inputs)
{
    return {castTo(requiredInput(context, inputs, 0), context.op.intAttribute("to", 1), context.op)};
}

Text castRefusal(const Operation &op)
{
    const std::int64_t type = op.intAttribute("to", 1);
    return type >= 1 && type <= 22 ? Text() : QL_TEXT("data type number %1 is not implemented").with(type);
}

std::vector<at::Tensor> castLike(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &like = requiredInput(context, inputs, 1);
    if (isStrings(like)) return {isStrings(x) ? x : textFromNumbers(x)};
    return {isStrings(x) ? numbersFromText(x, like.scalar_type(), context.op) : x.to(like.scalar_type())};
}

std::vector<at::Tensor> nonZero(const KernelContext &context, Inputs inputs)
{
    return {at::nonzero(requiredInput(context, inputs, 0)).transpose(0, 1).contiguous()};
}

template <at::Tensor (*Function)(const at::Tensor &, std::int64_t)>
std::vector<at::Tensor> arg(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", 0), x.dim(), context.op);
    const bool last = context.op.intAttribute("select_last_index", 0) != 0;
    if (last) x = x.flip({axis});
    at::Tensor y = Function(x, axis);
    if (last) y = x.size(axis) - 1 - y;
    return {context.op.intAttribute("keepdims", 1) != 0 ? y.unsqueeze(axis) : y};
}
at::Tensor argMaxOf(const at::Tensor &x, std::int64_t axis)
{
    return at::argmax(x, axis);
}
at::Tensor argMinOf(const at::Tensor &x, std::int64_t axis)
{
    return at::argmin(x, axis);
}

const KernelRegistrar constantKernel{
    {"Constant"}, {.run = constant, .family = "index", .refusal = constantRefusal, .takesShortFloats = true}};
const KernelRegistrar constantOfShapeKernel{
    {"ConstantOfShape"},
    {.run = constantOfShape, .minOpset = 9, .family = "index", .takesShortFloats = true},
    {.inputs = {{"shape", SlotKind::ShapeOrIndex}}, .source = ValueSource::Fill}};
const KernelRegistrar shapeKernel{{"Shape"},
                                  {.run = shape, .family = "index", .takesShortFloats = true},
                                  {.inputs = {{"data"}},
                                   .outputs = {{"shape", SlotKind::ShapeOrIndex}},
                                   .valuesFlow = false,
                                   .source = ValueSource::Shape,
                                   .shapes = {.inputs = allInputs}}};
const KernelRegistrar sizeKernel{{"Size"},
                                 {.run = size, .family = "index", .takesShortFloats = true},
                                 {.inputs = {{"data"}},
                                  .outputs = {{"size", SlotKind::ShapeOrIndex}},
                                  .valuesFlow = false,
                                  .source = ValueSource::Shape,
                                  .shapes = {.inputs = allInputs}}};
OpTraits rangeTraits()
{
    return {.inputs = {{"start", SlotKind::ShapeOrIndex},
                       {"limit", SlotKind::ShapeOrIndex},
                       {"delta", SlotKind::ShapeOrIndex}}};
}
const KernelRegistrar rangeKernel{
    {"Range"}, {.run = range, .minOpset = 11, .family = "index", .takesShortFloats = true}, rangeTraits()};
const KernelRegistrar contribRange{
    {"com.microsoft:Range"}, {.run = range, .maxOpset = 1, .family = "index", .takesShortFloats = true}, rangeTraits()};
const KernelRegistrar gatherKernel{
    {"Gather"},
    {.run = gather, .family = "index", .takesShortFloats = true, .strings = StringOutputs::All, .onDevice = always},
    {.inputs = {{"data"}, {"indices", SlotKind::Float}},
     .regionsFollowValues = true,
     .shapes = {.inputs = 1, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar gatherElementsKernel{
    {"GatherElements"},
    {.run = gatherElements,
     .minOpset = 11,
     .family = "index",
     .takesShortFloats = true,
     .strings = StringOutputs::All,
     .onDevice = always},
    {.inputs = {{"data"}, {"indices", SlotKind::Float}}, .shapes = {.inputs = 1}}};
const KernelRegistrar castKernel{
    {"Cast"},
    {.run = cast,
     .minOpset = 6,
     .family = "index",
     .refusal = castRefusal,
     .takesShortFloats = true,
     .onDevice = always},
    {.shapes = {.inputs = 1, .rank = RankRule::OfInput0, .elementType = ElementTypeRule::NamedByTo}}};
const KernelRegistrar castLikeKernel{
    {"CastLike"}, {.run = castLike, .minOpset = 15, .family = "index", .takesShortFloats = true, .onDevice = always}};
const KernelRegistrar nonZeroKernel{{"NonZero"},
                                    {.run = nonZero, .minOpset = 9, .family = "index", .takesShortFloats = true},
                                    {.inputs = {{"X"}},
                                     .outputs = {{.name = "Y", .kind = SlotKind::Float, .isIndex = true}},
                                     .valuesFlow = false,
                                     .shapes = {.dependsOnValues = true}}};
const KernelRegistrar argMaxKernel{
    {"ArgMax"},
    {.run = arg<argMaxOf>, .family = "index", .takesShortFloats = true, .onDevice = always},
    {.outputs = {{.name = "reduced", .isIndex = true}}, .shapes = {.inputs = 1}}};
const KernelRegistrar argMinKernel{
    {"ArgMin"},
    {.run = arg<argMinOf>, .family = "index", .takesShortFloats = true, .onDevice = always},
    {.outputs = {{.name = "reduced", .isIndex = true}}, .shapes = {.inputs = 1}}};

} // namespace

} // namespace ql
