// Arithmetic, comparison and logic with NumPy broadcasting. Source: ONNX operator specifications.
#include "core/exec/kernel.h"

#include <ATen/ExpandUtils.h>
#include <ATen/ops/add.h>
#include <ATen/ops/any.h>
#include <ATen/ops/bitwise_and.h>
#include <ATen/ops/bitwise_left_shift.h>
#include <ATen/ops/bitwise_or.h>
#include <ATen/ops/bitwise_right_shift.h>
#include <ATen/ops/bitwise_xor.h>
#include <ATen/ops/div.h>
#include <ATen/ops/eq.h>
#include <ATen/ops/fmod.h>
#include <ATen/ops/ge.h>
#include <ATen/ops/gt.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/le.h>
#include <ATen/ops/logical_and.h>
#include <ATen/ops/logical_or.h>
#include <ATen/ops/logical_xor.h>
#include <ATen/ops/lt.h>
#include <ATen/ops/masked_fill.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/minimum.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/remainder.h>
#include <ATen/ops/sub.h>
#include <ATen/ops/where.h>

#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

namespace ql {

namespace {

using Binary = at::Tensor (*)(const at::Tensor &, const at::Tensor &);

/// Before opset 7 operands broadcast only on request, and b may align with any axes of a: its first axis at axis.
at::Tensor oldOperand(const Operation &op, const at::Tensor &a, const at::Tensor &b)
{
    if (op.intAttribute("broadcast", 0) == 0 || !op.hasAttribute("axis")) return b;
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", 0), a.dim(), op);
    std::vector<std::int64_t> shape(b.sizes().begin(), b.sizes().end());
    while (axis + std::int64_t(shape.size()) < a.dim()) shape.push_back(1);
    return b.reshape(shape);
}

KernelEntry binary(Binary function)
{
    return {.run =
                [function](const KernelContext &context, Inputs inputs) {
                    const at::Tensor &a = requiredInput(context, inputs, 0);
                    at::Tensor b = requiredInput(context, inputs, 1);
                    if (context.op.opset < 7) b = oldOperand(context.op, a, b);
                    checkBroadcast(context.op, a, b);
                    return std::vector<at::Tensor>{function(a, b)};
                },
            .family = "elementwise",
            .onDevice = always};
}

KernelEntry comparison(Binary function)
{
    KernelEntry entry = binary(function);
    entry.family = "logic";
    entry.takesShortFloats = true;
    return entry;
}

/// f(f(a, b), c) ... over one or more inputs.
KernelEntry variadic(Binary function)
{
    return {.run =
                [function](const KernelContext &context, Inputs inputs) {
                    at::Tensor y = requiredInput(context, inputs, 0);
                    for (std::size_t i = 1; i < inputs.size(); ++i) {
                        checkBroadcast(context.op, y, requiredInput(context, inputs, i));
                        y = function(y, inputs[i]);
                    }
                    return std::vector<at::Tensor>{y};
                },
            .family = "elementwise",
            .onDevice = always};
}

std::optional<std::vector<std::int64_t>> broadcastSizes(const Operation &op, Inputs inputs)
{
    if (op.opset < 7 || !hasFloat(inputs, 1)) return std::nullopt; // with other broadcasting rules
    checkBroadcast(op, inputs[0], inputs[1]);
    return at::infer_size(inputs[0].sizes(), inputs[1].sizes());
}
ShapeTraits broadcasting(SizesRule sizes = {})
{
    return {.inputs = allInputs,
            .sizes = std::move(sizes),
            .rank = RankRule::Broadcast,
            .elementType = ElementTypeRule::OfInput0};
}
OpTraits sumOf()
{
    return {.inputs = {{"A"}, {"B"}},
            .alignment = Alignment::Elementwise,
            .channels = ChannelUse::Carries,
            .shapes = broadcasting(broadcastSizes)};
}
/// A comparison or a function of booleans: its result has no scale.
OpTraits truthOf()
{
    return {.inputs = {{"A"}, {"B"}},
            .outputs = {{"C", SlotKind::Float}},
            .valuesFlow = false,
            .shapes = {.inputs = allInputs}};
}

at::Tensor add(const at::Tensor &a, const at::Tensor &b)
{
    return at::add(a, b);
}
at::Tensor sub(const at::Tensor &a, const at::Tensor &b)
{
    return at::sub(a, b);
}
at::Tensor mul(const at::Tensor &a, const at::Tensor &b)
{
    return at::mul(a, b);
}
at::Tensor maximum(const at::Tensor &a, const at::Tensor &b)
{
    return at::maximum(a, b);
}
at::Tensor minimum(const at::Tensor &a, const at::Tensor &b)
{
    return at::minimum(a, b);
}
/// b with -1 replaced by 1, and a mask of the replaced elements: the processor traps when the smallest integer is
/// divided by -1.
/// @throws IncompatibleInputs for a division by 0
std::pair<at::Tensor, at::Tensor> safeDivisor(const at::Tensor &b)
{
    if (at::eq(b, 0).any().item().toBool()) throw IncompatibleInputs(QL_TEXT("integer division by 0"));
    const at::Tensor isMinusOne = at::eq(b, -1);
    return {at::where(isMinusOne, at::ones({}, b.options()), b), isMinusOne};
}

/// Integers are divided towards zero and wrap around.
at::Tensor divide(const at::Tensor &a, const at::Tensor &b)
{
    if (!at::isIntegralType(a.scalar_type(), false)) return at::div(a, b);
    const auto [divisor, isMinusOne] = safeDivisor(b);
    return at::where(isMinusOne, at::neg(a), at::div(a, divisor, "trunc"));
}
/// The result has the type of the base.
at::Tensor power(const at::Tensor &a, const at::Tensor &b)
{
    if (b.numel() == 1 && b.item().toDouble() == 2 && at::isFloatingType(a.scalar_type()) && b.dim() <= a.dim())
        return at::mul(a, a);
    if (!a.is_cpu() && b.is_cpu() && b.numel() == 1) return at::pow(a, b.item()).to(a.scalar_type());
    return at::pow(a, b).to(a.scalar_type());
}
at::Tensor equal(const at::Tensor &a, const at::Tensor &b)
{
    return at::eq(a, b);
}
at::Tensor greater(const at::Tensor &a, const at::Tensor &b)
{
    return at::gt(a, b);
}
at::Tensor less(const at::Tensor &a, const at::Tensor &b)
{
    return at::lt(a, b);
}
at::Tensor greaterEqual(const at::Tensor &a, const at::Tensor &b)
{
    return at::ge(a, b);
}
at::Tensor lessEqual(const at::Tensor &a, const at::Tensor &b)
{
    return at::le(a, b);
}

const KernelRegistrar addKernel{{"Add"}, binary(add), sumOf()};
const KernelRegistrar subKernel{{"Sub"}, binary(sub), sumOf()};
const KernelRegistrar mulKernel{
    {"Mul"},
    binary(mul),
    {.inputs = {{"A"}, {"B"}}, .channels = ChannelUse::Carries, .shapes = broadcasting(broadcastSizes)}};
/// By a constant without zeros, the result is as finite as the dividend.
KernelEntry dividing(KernelEntry entry)
{
    entry.canBeUndefined = [](Inputs constants) {
        return constants.size() < 2 || !constants[1].defined() || at::any(at::eq(constants[1], 0)).item<bool>();
    };
    return entry;
}
/// ONNX Runtime's QuantizeLinear gives 0 / 0 the lowest code (MlasQuantizeLinear: the maximum of NaN and the lowest
/// is the latter), as it does with -infinity.
KernelEntry quotient()
{
    KernelEntry entry = dividing(binary(divide));
    entry.asRuntime = [general = entry.run](const KernelContext &context, Inputs inputs) {
        std::vector<at::Tensor> out = general(context, inputs);
        if (out[0].scalar_type() == at::kFloat)
            out[0].masked_fill_(out[0].isnan(), -std::numeric_limits<float>::infinity());
        return out;
    };
    return entry;
}
const KernelRegistrar divKernel{
    {"Div"}, quotient(), {.inputs = {{"A"}, {"B"}}, .shapes = broadcasting(broadcastSizes)}};
const KernelRegistrar powKernel{
    {"Pow"}, oftenUndefined(binary(power)), {.inputs = {{"X"}, {"Y"}}, .shapes = broadcasting()}};
const KernelRegistrar sumKernel{
    {"Sum"}, variadic(add), {.alignment = Alignment::Elementwise, .shapes = broadcasting()}};
const KernelRegistrar maxKernel{{"Max"}, variadic(maximum), {.shapes = broadcasting()}};
const KernelRegistrar minKernel{{"Min"}, variadic(minimum), {.shapes = broadcasting()}};
const KernelRegistrar equalKernel{{"Equal"},
                                  [] {
                                      KernelEntry entry = comparison(equal);
                                      entry.strings = StringOutputs::None;
                                      return entry;
                                  }(),
                                  truthOf()};
const KernelRegistrar greaterKernel{{"Greater"}, comparison(greater), truthOf()};
const KernelRegistrar lessKernel{{"Less"}, comparison(less), truthOf()};
const KernelRegistrar greaterEqualKernel{{"GreaterOrEqual"}, comparison(greaterEqual), truthOf()};
const KernelRegistrar lessEqualKernel{{"LessOrEqual"}, comparison(lessEqual), truthOf()};
const KernelRegistrar andKernel{{"And"}, comparison(at::logical_and), truthOf()};
const KernelRegistrar orKernel{{"Or"}, comparison(at::logical_or), truthOf()};
const KernelRegistrar xorKernel{{"Xor"}, comparison(at::logical_xor), truthOf()};

std::vector<at::Tensor> mean(const KernelContext &context, Inputs inputs)
{
    at::Tensor y = requiredInput(context, inputs, 0);
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        checkBroadcast(context.op, y, requiredInput(context, inputs, i));
        y = at::add(y, inputs[i]);
    }
    return {at::div(y, double(inputs.size()))};
}
const KernelRegistrar meanKernel{
    {"Mean"}, {.run = mean, .family = "elementwise", .onDevice = always}, {.shapes = broadcasting()}};

/// y positions of x, filled with zeros. Only unsigned (before opset 28) types shift; uint16 is held as int32, uint32
/// and uint64 as int64.
std::vector<at::Tensor> bitShift(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &y = requiredInput(context, inputs, 1);
    checkBroadcast(context.op, x, y);
    const std::string direction = context.op.stringAttribute("direction", "");
    if (direction == "RIGHT") return {at::bitwise_right_shift(x, y)};
    if (direction != "LEFT")
        throw Error(ErrorKind::Kernel, QL_TEXT("BitShift: direction must be LEFT or RIGHT, found '%1'").with(direction),
                    context.op.name);
    const at::Tensor shifted = at::bitwise_left_shift(x, y);
    return {x.scalar_type() == at::kInt ? at::bitwise_and(shifted, 0xffff) : shifted};
}
const KernelRegistrar bitShiftKernel{{"BitShift"},
                                     {.run = bitShift,
                                      .minOpset = 11,
                                      .maxOpset = 27,
                                      .family = "elementwise",
                                      .refusal = acceptsOnly({{"direction", {"LEFT", "RIGHT"}}}),
                                      .onDevice = always}};
const KernelRegistrar bitwiseAnd{{"BitwiseAnd"}, binary(at::bitwise_and)};
const KernelRegistrar bitwiseOr{{"BitwiseOr"}, binary(at::bitwise_or)};
const KernelRegistrar bitwiseXor{{"BitwiseXor"}, binary(at::bitwise_xor)};

/// fmod = 0: sign of the divisor (Python), integers only; fmod = 1: sign of the dividend (C).
std::vector<at::Tensor> mod(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &a = requiredInput(context, inputs, 0);
    const at::Tensor &b = requiredInput(context, inputs, 1);
    checkBroadcast(context.op, a, b);
    const bool isWhole = at::isIntegralType(a.scalar_type(), false);
    const at::Tensor divisor = isWhole ? safeDivisor(b).first : b; // the remainder of a division by -1 or 1 is 0
    return {context.op.intAttribute("fmod", 0) != 0 ? at::fmod(a, divisor) : at::remainder(a, divisor)};
}
const KernelRegistrar modKernel{{"Mod"},
                                dividing({.run = mod, .minOpset = 10, .family = "elementwise", .onDevice = always})};

std::vector<at::Tensor> where(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &condition = requiredInput(context, inputs, 0);
    const at::Tensor &a = requiredInput(context, inputs, 1);
    const at::Tensor &b = requiredInput(context, inputs, 2);
    checkBroadcast(context.op, condition, a);
    checkBroadcast(context.op, condition, b);
    checkBroadcast(context.op, a, b);
    return {at::where(condition.to(at::kBool), a, b)};
}
const KernelRegistrar whereKernel{{"Where"},
                                  {.run = where,
                                   .minOpset = 9,
                                   .family = "logic",
                                   .takesShortFloats = true,
                                   .strings = StringOutputs::All,
                                   .onDevice = always}, // The condition is a bool; the two values are what a scale
                                                        // could describe. No platform quantizes Where.
                                  {.inputs = {{"condition", SlotKind::Float}, {"X"}, {"Y"}},
                                   .shapes = {.inputs = allInputs, .rank = RankRule::Broadcast}}};

} // namespace

} // namespace ql
