// Element-wise functions of one tensor. Sources: ONNX operator specifications; com.microsoft QuickGelu-1 (operator
// documentation of ONNX Runtime).
#include "core/exec/kernel.h"
#include "core/exec/runtime_kernels.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/abs.h>
#include <ATen/ops/acos.h>
#include <ATen/ops/acosh.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/asin.h>
#include <ATen/ops/asinh.h>
#include <ATen/ops/atan.h>
#include <ATen/ops/atanh.h>
#include <ATen/ops/bitwise_not.h>
#include <ATen/ops/ceil.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/clamp_max.h>
#include <ATen/ops/clamp_min.h>
#include <ATen/ops/cos.h>
#include <ATen/ops/cosh.h>
#include <ATen/ops/elu.h>
#include <ATen/ops/erf.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/expm1.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/hardtanh.h>
#include <ATen/ops/isinf.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/log.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logical_not.h>
#include <ATen/ops/max.h>
#include <ATen/ops/min.h>
#include <ATen/ops/mish.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/neg.h>
#include <ATen/ops/reciprocal.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/round.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/sign.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/sinh.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/sqrt.h>
#include <ATen/ops/tan.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros_like.h>

#include <limits>
#include <optional>
#include <utility>

namespace ql {

namespace {

using Unary = at::Tensor (*)(const at::Tensor &);

KernelEntry unary(Unary function, const char *family = "activation")
{
    return {.run =
                [function](const KernelContext &context, Inputs inputs) {
                    return std::vector<at::Tensor>{function(requiredInput(context, inputs, 0))};
                },
            .family = family,
            .onDevice = always};
}

/// entry, for an operator that a producer's kernel can apply to its own result.
KernelEntry fusable(KernelEntry entry, EpilogueRule rule)
{
    entry.epilogue = std::move(rule);
    return entry;
}
KernelEntry fusable(KernelEntry entry, Epilogue::Kind kind)
{
    return fusable(std::move(entry), [kind](const Operation &, Inputs) { return std::optional(Epilogue{kind}); });
}

at::Tensor hardSwish(const at::Tensor &x)
{
    return applyEpilogue(x, {Epilogue::Kind::HardSwish});
}
at::Tensor softsign(const at::Tensor &x)
{
    return x / (at::abs(x) + 1);
}
at::Tensor logicalNot(const at::Tensor &x)
{
    return at::logical_not(x);
}

/// entry, with the function of ONNX Runtime for float32.
KernelEntry withRuntime(KernelEntry entry, Unary function)
{
    entry.asRuntime = [function, general = entry.run](const KernelContext &context, Inputs inputs) {
        const at::Tensor &x = requiredInput(context, inputs, 0);
        return x.scalar_type() == at::kFloat ? std::vector<at::Tensor>{function(x)} : general(context, inputs);
    };
    return entry;
}

const KernelRegistrar relu{{"Relu"},
                           fusable(unary(at::relu), Epilogue::Kind::Relu),
                           {.activation = Activation::Linear, .isHomogeneous = true, .shapes = sameAsInput0()}};
const KernelRegistrar sigmoid{{"Sigmoid"},
                              withRuntime(fusable(unary(at::sigmoid), Epilogue::Kind::Sigmoid), runtimeSigmoid),
                              {.activation = Activation::Other, .shapes = sameAsInput0()}};
const KernelRegistrar tanhKernel{{"Tanh"},
                                 withRuntime(fusable(unary(at::tanh), Epilogue::Kind::Tanh), runtimeTanh),
                                 {.activation = Activation::Other, .shapes = sameAsInput0()}};
const KernelRegistrar hardSwishKernel{
    {"HardSwish"},
    withRuntime(fusable(unary(hardSwish), Epilogue::Kind::HardSwish), runtimeHardSwish),
    {.activation = Activation::Other, .shapes = sameAsInput0()}};
const KernelRegistrar mish{{"Mish"}, unary(at::mish), {.activation = Activation::Other, .shapes = sameAsInput0()}};
const KernelRegistrar softsignKernel{{"Softsign"}, unary(softsign), {.shapes = sameAsInput0()}};
const KernelRegistrar absKernel{{"Abs"}, unary(at::abs, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar negKernel{{"Neg"}, unary(at::neg, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar expKernel{{"Exp"}, oftenUndefined(unary(at::exp, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar logKernel{{"Log"}, oftenUndefined(unary(at::log, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar sqrtKernel{{"Sqrt"}, oftenUndefined(unary(at::sqrt, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar floorKernel{{"Floor"}, unary(at::floor, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar ceilKernel{{"Ceil"}, unary(at::ceil, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar roundKernel{
    {"Round"}, unary(at::round, "elementwise"), {.shapes = sameAsInput0()}}; // half to even, as ONNX
const KernelRegistrar reciprocalKernel{
    {"Reciprocal"}, unary(at::reciprocal, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar erfKernel{
    {"Erf"}, withRuntime(unary(at::erf, "elementwise"), runtimeErf), {.shapes = sameAsInput0()}};
const KernelRegistrar sinKernel{{"Sin"}, unary(at::sin, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar cosKernel{{"Cos"}, unary(at::cos, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar tanKernel{{"Tan"}, oftenUndefined(unary(at::tan, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar asinKernel{{"Asin"}, oftenUndefined(unary(at::asin, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar acosKernel{{"Acos"}, oftenUndefined(unary(at::acos, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar atanKernel{{"Atan"}, unary(at::atan, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar sinhKernel{{"Sinh"}, oftenUndefined(unary(at::sinh, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar coshKernel{{"Cosh"}, oftenUndefined(unary(at::cosh, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar asinhKernel{{"Asinh"}, unary(at::asinh, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar acoshKernel{
    {"Acosh"}, oftenUndefined(unary(at::acosh, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar atanhKernel{
    {"Atanh"}, oftenUndefined(unary(at::atanh, "elementwise")), {.shapes = sameAsInput0()}};
const KernelRegistrar bitwiseNot{{"BitwiseNot"}, unary(at::bitwise_not, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar signKernel{{"Sign"}, unary(at::sign, "elementwise"), {.shapes = sameAsInput0()}};
const KernelRegistrar isNan{{"IsNaN"}, unary(at::isnan, "elementwise")};
const KernelEntry logicalNotEntry = [] {
    KernelEntry entry = unary(logicalNot, "logic");
    entry.takesShortFloats = true;
    return entry;
}();
const KernelRegistrar notKernel{{"Not"}, logicalNotEntry, {.shapes = {.inputs = 1}}};

std::vector<at::Tensor> leakyRelu(const KernelContext &context, Inputs inputs)
{
    return {at::leaky_relu(requiredInput(context, inputs, 0), context.op.floatAttribute("alpha", 0.01))};
}
const KernelRegistrar leaky{
    {"LeakyRelu"},
    fusable({.run = leakyRelu, .family = "activation", .onDevice = always},
            [](const Operation &op, Inputs) {
                return std::optional(Epilogue{Epilogue::Kind::LeakyRelu, float(op.floatAttribute("alpha", 0.01))});
            }),
    {.activation = Activation::Other, .isHomogeneous = true, .shapes = sameAsInput0()}};

/// x * sigmoid(alpha * x)
std::vector<at::Tensor> swish(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const double usual = context.op.domain.empty() ? 1.0 : 1.702; // of QuickGelu
    return {x * at::sigmoid(x * context.op.floatAttribute("alpha", usual))};
}
const KernelRegistrar swishKernel{{"Swish"},
                                  {.run = swish, .minOpset = 24, .family = "activation"},
                                  {.activation = Activation::Other, .shapes = sameAsInput0()}};
const KernelRegistrar quickGeluKernel{
    {"com.microsoft:QuickGelu"}, {.run = swish, .family = "fused", .onDevice = always}, {.shapes = sameAsInput0()}};

std::vector<at::Tensor> elu(const KernelContext &context, Inputs inputs)
{
    return {at::elu(requiredInput(context, inputs, 0), context.op.floatAttribute("alpha", 1.0))};
}
const KernelRegistrar eluKernel{{"Elu"},
                                {.run = elu, .family = "activation", .onDevice = always},
                                {.activation = Activation::Other, .shapes = sameAsInput0()}};

std::vector<at::Tensor> selu(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const double alpha = context.op.floatAttribute("alpha", 1.67326319217681884765625);
    const double gamma = context.op.floatAttribute("gamma", 1.05070102214813232421875);
    return {at::where(x > 0, x * gamma, (at::exp(x) - 1) * (alpha * gamma))};
}
const KernelRegistrar seluKernel{{"Selu"},
                                 {.run = selu, .family = "activation", .onDevice = always},
                                 {.activation = Activation::Other, .shapes = sameAsInput0()}};

/// max(0, min(1, alpha x + beta))
std::vector<at::Tensor> hardSigmoid(const KernelContext &context, Inputs inputs)
{
    const double alpha = context.op.floatAttribute("alpha", 0.2);
    const double beta = context.op.floatAttribute("beta", 0.5);
    at::Tensor y = requiredInput(context, inputs, 0) * alpha;
    return {y.add_(beta).clamp_(0, 1)};
}
std::vector<at::Tensor> hardSigmoidOfRuntime(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (x.scalar_type() != at::kFloat) return hardSigmoid(context, inputs);
    return {runtimeHardSigmoid(x, float(context.op.floatAttribute("alpha", 0.2)),
                               float(context.op.floatAttribute("beta", 0.5)))};
}
const KernelRegistrar hardSigmoidKernel{
    {"HardSigmoid"},
    {.run = hardSigmoid, .family = "activation", .onDevice = always, .asRuntime = hardSigmoidOfRuntime},
    {.activation = Activation::Other, .shapes = sameAsInput0()}};

/// slope broadcasts to x (unidirectional).
std::vector<at::Tensor> prelu(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    at::Tensor slope = requiredInput(context, inputs, 1);
    // Before opset 7 a plain [C] slope belonged to the channels, and later models still have it where it does not
    // broadcast from the last axis.
    if (slope.dim() == 1 && x.dim() > 2 && slope.numel() == x.size(1) && slope.numel() != 1 &&
        (context.op.opset < 7 || slope.numel() != x.size(-1))) {
        std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
        shape[1] = -1;
        slope = slope.reshape(shape);
    }
    checkBroadcast(context.op, x, slope);
    return {at::clamp_min(x, 0) + at::clamp_max(x, 0) * slope};
}
const KernelRegistrar preluKernel{{"PRelu"},
                                  {.run = prelu, .family = "activation", .onDevice = always},
                                  {.inputs = {{"X"}, {"slope"}},
                                   .activation = Activation::Other,
                                   .isHomogeneous = true,
                                   .shapes = typeOfInput0(allInputs)}};

std::vector<at::Tensor> softplus(const KernelContext &context, Inputs inputs)
{
    return {at::softplus(requiredInput(context, inputs, 0), 1, 20)};
}
const KernelRegistrar softplusKernel{{"Softplus"},
                                     {.run = softplus, .family = "activation", .onDevice = always},
                                     {.activation = Activation::Other, .shapes = sameAsInput0()}};

std::vector<at::Tensor> thresholdedRelu(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    // Not x * (x > alpha), which is NaN for -infinity
    return {at::where(x > context.op.floatAttribute("alpha", 1.0), x, at::zeros_like(x))};
}
const KernelRegistrar thresholded{{"ThresholdedRelu"},
                                  {.run = thresholdedRelu, .family = "activation", .onDevice = always},
                                  {.shapes = sameAsInput0()}};

std::vector<at::Tensor> gelu(const KernelContext &context, Inputs inputs)
{
    return {at::gelu(requiredInput(context, inputs, 0), context.op.stringAttribute("approximate", "none"))};
}
const KernelRegistrar geluKernel{{"Gelu", "com.microsoft:Gelu"},
                                 {.run = gelu,
                                  .family = "activation",
                                  .refusal = acceptsOnly({{"approximate", {"none", "tanh"}}}),
                                  .onDevice = always},
                                 {.activation = Activation::Other, .shapes = sameAsInput0()}};

/// Bounds that are not constant cannot be fused into another kernel.
std::optional<Epilogue> clipEpilogue(const Operation &op, Inputs constants)
{
    Epilogue clip{Epilogue::Kind::Clip, float(op.floatAttribute("min", std::numeric_limits<float>::lowest())),
                  float(op.floatAttribute("max", std::numeric_limits<float>::max()))};
    for (std::size_t i = 1; i < op.inputs.size() && i < 3; ++i) {
        if (!op.hasInput(i)) continue;
        const at::Tensor bound = inputOr(constants, i);
        if (!bound.defined() || bound.numel() != 1) return std::nullopt;
        (i == 1 ? clip.alpha : clip.beta) = bound.item().toFloat();
    }
    // ONNX: min > max gives max everywhere, as min(max(x, min), max) does
    return clip;
}
/// Limits as attributes (before opset 11) or as inputs; NaN stays NaN.
std::vector<at::Tensor> clip(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor low = inputOr(inputs, 1);
    const at::Tensor high = inputOr(inputs, 2);
    if (at::GradMode::is_enabled() && x.requires_grad()) { // the same with one pass for the gradient instead of eight
        const auto limits = clipEpilogue(context.op, inputs);
        if (limits && limits->alpha < limits->beta) return {at::hardtanh(x, limits->alpha, limits->beta)};
    }
    at::Tensor y = x;
    if (low.defined())
        y = at::max(y, low.reshape({}).to(x.scalar_type()));
    else if (context.op.hasAttribute("min"))
        y = at::clamp_min(y, context.op.floatAttribute("min", 0));
    if (high.defined())
        y = at::min(y, high.reshape({}).to(x.scalar_type()));
    else if (context.op.hasAttribute("max"))
        y = at::clamp_max(y, context.op.floatAttribute("max", 0));
    return {y};
}
const KernelRegistrar clipKernel{{"Clip"},
                                 fusable({.run = clip, .family = "activation", .onDevice = always}, clipEpilogue),
                                 {.inputs = {{"input"},
                                             {.name = "min", .kind = SlotKind::Float, .isOnInputGrid = true},
                                             {.name = "max", .kind = SlotKind::Float, .isOnInputGrid = true}},
                                  .activation = Activation::Linear,
                                  .shapes = sameAsInput0()}};

/// Before opset 13 the input is flattened to a matrix at axis (default 1); from 13 on the function applies along one
/// axis (default -1).
template <at::Tensor (*Function)(const at::Tensor &, std::int64_t)>
std::vector<at::Tensor> softmax(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const bool flat = context.op.opset < 13;
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", flat ? 1 : -1), x.dim(), context.op);
    if (!flat || axis == x.dim() - 1) return {Function(x, axis)};
    const at::Tensor matrix = x.contiguous().flatten(axis);
    return {Function(matrix, axis).reshape(x.sizes())};
}
template <at::Tensor (*Function)(const at::Tensor &, std::int64_t),
          at::Tensor (*OfRuntime)(const at::Tensor &, std::int64_t)>
KernelEntry softmaxEntry()
{
    return {.run = softmax<Function>,
            .family = "activation",
            .onDevice = always,
            .asRuntime = [](const KernelContext &context, Inputs inputs) {
                const bool isFloat = requiredInput(context, inputs, 0).scalar_type() == at::kFloat;
                return isFloat ? softmax<OfRuntime>(context, inputs) : softmax<Function>(context, inputs);
            }};
}
at::Tensor softmaxOf(const at::Tensor &x, std::int64_t axis)
{
    return at::softmax(x, axis);
}
at::Tensor logSoftmaxOf(const at::Tensor &x, std::int64_t axis)
{
    return at::log_softmax(x, axis);
}
const KernelRegistrar softmaxKernel{{"Softmax"}, softmaxEntry<softmaxOf, runtimeSoftmax>(), {.shapes = typeOfInput0()}};
const KernelRegistrar logSoftmaxKernel{
    {"LogSoftmax"}, softmaxEntry<logSoftmaxOf, runtimeLogSoftmax>(), {.shapes = typeOfInput0()}};

/// 1 at the first largest element along axis, 0 elsewhere; before opset 13 over all axes from axis on.
at::Tensor hardmaxOf(const at::Tensor &x, std::int64_t axis)
{
    return at::zeros_like(x).scatter_(axis, at::argmax(x, axis, true), 1);
}
const KernelRegistrar hardmaxKernel{
    {"Hardmax"}, {.run = softmax<hardmaxOf>, .family = "activation", .onDevice = always}, {.shapes = typeOfInput0()}};

/// max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
std::vector<at::Tensor> celu(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const double alpha = context.op.floatAttribute("alpha", 1.0);
    return {at::clamp_min(x, 0) + at::clamp_max(at::expm1(x / alpha) * alpha, 0)};
}
const KernelRegistrar celuKernel{{"Celu"},
                                 {.run = celu, .minOpset = 12, .family = "activation", .onDevice = always},
                                 {.activation = Activation::Other, .shapes = sameAsInput0()}};

/// x < -lambd: x + bias; x > lambd: x - bias; else 0
std::vector<at::Tensor> shrink(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const double lambda = context.op.floatAttribute("lambd", 0.5);
    const double bias = context.op.floatAttribute("bias", 0);
    const at::Tensor zero = at::zeros_like(x);
    return {at::where(x < -lambda, x + bias, at::where(x > lambda, x - bias, zero)).to(x.scalar_type())};
}
const KernelRegistrar shrinkKernel{
    {"Shrink"}, {.run = shrink, .minOpset = 9, .family = "activation", .onDevice = always}, {.shapes = sameAsInput0()}};

std::vector<at::Tensor> isInf(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    at::Tensor y = at::isinf(x);
    if (context.op.intAttribute("detect_positive", 1) == 0) y = y & (x < 0);
    if (context.op.intAttribute("detect_negative", 1) == 0) y = y & (x > 0);
    return {y};
}
const KernelRegistrar isInfKernel{{"IsInf"}, {.run = isInf, .family = "elementwise", .onDevice = always}};

} // namespace

} // namespace ql
