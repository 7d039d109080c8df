// Operators of com.microsoft on integer codes, as written by ONNX Runtime's static quantization: the inputs are
// dequantized, the float operator computes, the result is quantized. Source: operator documentation of ONNX Runtime
// (QLinearAdd-1 and its family, QGemm-1, DynamicQuantizeMatMul-1, MatMulIntegerToFloat-1); formulas and order of
// operations in float32 as measured with version 1.31 on every pair of codes, ties included:
//   Add                ra = a scale / y scale; f = z - fma(ra, za, rb * zb); round(fma(ra, a, fma(rb, b, f)))
//   Mul                round((a - za) * (b - zb) * (a scale * b scale / y scale) + z)
//   AveragePool        round(mean / y scale + z)
//   GlobalAveragePool  round(sum of (x - zx) * (x scale / (y scale * count))) + z
// Where the zero point is added before rounding, the parity of ties follows the code, not the value.
#include "core/exec/matmul.h"
#include "core/exec/quantized.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/full.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>

namespace ql {

namespace {

/// Inputs i, i + 1, i + 2: codes, scale, zero point.
at::Tensor realInput(const KernelContext &context, Inputs inputs, std::size_t i)
{
    return realValues(requiredInput(context, inputs, i), requiredInput(context, inputs, i + 1), inputOr(inputs, i + 2));
}

/// The type of the codes with zero point inputs[i], if there is one; otherwise that of codes.
at::ScalarType codeType(Inputs inputs, std::size_t i, const at::Tensor &codes)
{
    const at::Tensor zero = inputOr(inputs, i);
    return zero.defined() ? zero.scalar_type() : codes.scalar_type();
}

/// Codes on the grid of inputs i and i + 1 (scale, zero point), with the type of codes if there is no zero point.
std::vector<at::Tensor> codesOf(const KernelContext &context, Inputs inputs, std::size_t i, const at::Tensor &y,
                                const at::Tensor &codes)
{
    const at::Tensor scaled = y / requiredInput(context, inputs, i);
    return {toCodes(scaled, inputOr(inputs, i + 1), codeType(inputs, i + 1, codes), context.op)};
}

/// Codes rounded from y, which includes the zero point (inputs[i]) already.
std::vector<at::Tensor> roundedCodes(const KernelContext &context, Inputs inputs, std::size_t i, const at::Tensor &y,
                                     const at::Tensor &codes)
{
    return {toCodes(y, {}, codeType(inputs, i, codes), context.op)};
}

/// The zero point (inputs[i]) as float32; 0 if omitted.
at::Tensor zeroAsFloat(Inputs inputs, std::size_t i)
{
    const at::Tensor zero = inputOr(inputs, i);
    return zero.defined() ? zero.to(at::kFloat) : at::zeros({}, at::TensorOptions(at::kFloat));
}

/// codes - zero point as float32. Inputs i, i + 2.
at::Tensor centredInput(const KernelContext &context, Inputs inputs, std::size_t i)
{
    return requiredInput(context, inputs, i).to(at::kFloat) - zeroAsFloat(inputs, i + 2);
}

/// The result of the ONNX operator type with op's attributes.
at::Tensor computed(const KernelContext &context, const char *type, std::int64_t opset, const at::Tensor &x)
{
    Operation op = context.op;
    op.type = type;
    op.domain.clear();
    op.opset = opset;
    op.outputs.resize(1);
    const bool channelsLast = op.intAttribute("channels_last", 0) != 0;
    const std::vector<at::Tensor> inputs{channelsLast ? x.movedim(-1, 1) : x};
    const at::Tensor y = findKernel(op)->run(KernelContext{op, context.graph, context.job}, inputs).at(0);
    return channelsLast ? y.movedim(1, -1) : y;
}

/// a * b + c of float32 numbers, rounded to float32 once: their products are exact in float64.
at::Tensor fusedMultiplyAdd(const at::Tensor &a, const at::Tensor &b, const at::Tensor &c)
{
    return (a.to(at::kDouble) * b.to(at::kDouble) + c.to(at::kDouble)).to(at::kFloat);
}

std::vector<at::Tensor> quantizedAdd(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &a = requiredInput(context, inputs, 0), &b = requiredInput(context, inputs, 3);
    checkBroadcast(context.op, a, b);
    const at::Tensor scale = requiredInput(context, inputs, 6);
    const at::Tensor ratioA = requiredInput(context, inputs, 1) / scale;
    const at::Tensor ratioB = requiredInput(context, inputs, 4) / scale;
    const at::Tensor fixed =
        zeroAsFloat(inputs, 7) - fusedMultiplyAdd(ratioA, zeroAsFloat(inputs, 2), ratioB * zeroAsFloat(inputs, 5));
    return roundedCodes(context, inputs, 7, fusedMultiplyAdd(ratioA, a, fusedMultiplyAdd(ratioB, b, fixed)), inputs[0]);
}

std::vector<at::Tensor> quantizedMultiply(const KernelContext &context, Inputs inputs)
{
    const at::Tensor a = centredInput(context, inputs, 0), b = centredInput(context, inputs, 3);
    checkBroadcast(context.op, a, b);
    const at::Tensor ratio =
        requiredInput(context, inputs, 1) * requiredInput(context, inputs, 4) / requiredInput(context, inputs, 6);
    return roundedCodes(context, inputs, 7, a * b * ratio + zeroAsFloat(inputs, 7), inputs[0]);
}

std::vector<at::Tensor> quantizedSigmoid(const KernelContext &context, Inputs inputs)
{
    return codesOf(context, inputs, 3, at::sigmoid(realInput(context, inputs, 0)), inputs[0]);
}

std::vector<at::Tensor> quantizedLeakyRelu(const KernelContext &context, Inputs inputs)
{
    const double alpha = context.op.floatAttribute("alpha", 0.01);
    return codesOf(context, inputs, 3, at::leaky_relu(realInput(context, inputs, 0), alpha), inputs[0]);
}

std::vector<at::Tensor> quantizedSoftmax(const KernelContext &context, Inputs inputs)
{
    const std::int64_t opset = context.op.intAttribute("opset", 13);
    return codesOf(context, inputs, 3, computed(context, "Softmax", opset, realInput(context, inputs, 0)), inputs[0]);
}

std::vector<at::Tensor> quantizedAveragePool(const KernelContext &context, Inputs inputs)
{
    const at::Tensor mean = computed(context, "AveragePool", 11, realInput(context, inputs, 0));
    const at::Tensor scaled = mean / requiredInput(context, inputs, 3);
    return roundedCodes(context, inputs, 4, scaled + zeroAsFloat(inputs, 4), inputs[0]);
}

std::vector<at::Tensor> quantizedGlobalAveragePool(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = centredInput(context, inputs, 0);
    if (context.op.intAttribute("channels_last", 0) != 0) x = x.movedim(-1, 1);
    std::vector<std::int64_t> axes(std::size_t(std::max<std::int64_t>(x.dim() - 2, 0)));
    std::iota(axes.begin(), axes.end(), 2);
    std::int64_t count = 1;
    for (const std::int64_t axis : axes) count *= x.size(axis);
    at::Tensor sum = axes.empty() ? x : x.to(at::kDouble).sum(axes, true).to(at::kFloat);
    if (context.op.intAttribute("channels_last", 0) != 0) sum = sum.movedim(1, -1);
    const at::Tensor &scale = requiredInput(context, inputs, 3);
    const at::Tensor step = requiredInput(context, inputs, 1) / (scale * at::full_like(scale, double(count)));
    return {toCodes(sum * step, inputOr(inputs, 4), codeType(inputs, 4, inputs[0]), context.op)};
}

std::vector<at::Tensor> quantizedReduceMean(const KernelContext &context, Inputs inputs)
{
    return codesOf(context, inputs, 3, computed(context, "ReduceMean", 13, realInput(context, inputs, 0)), inputs[0]);
}

/// Inputs: y scale, y zero, then codes, scale and zero of each part.
std::vector<at::Tensor> quantizedConcat(const KernelContext &context, Inputs inputs)
{
    std::vector<at::Tensor> parts;
    for (std::size_t i = 2; i < inputs.size(); i += 3) parts.push_back(realInput(context, inputs, i));
    if (parts.empty()) throw Error(ErrorKind::Kernel, QL_TEXT("QLinearConcat: no input"), context.op.name);
    const std::int64_t axis = normalizeAxis(context.op.intAttribute("axis", 0), parts[0].dim(), context.op);
    return codesOf(context, inputs, 0, joined(context.op, parts, axis), inputs[2]);
}

std::vector<at::Tensor> quantizedWhere(const KernelContext &context, Inputs inputs)
{
    const at::Tensor y = at::where(requiredInput(context, inputs, 0).to(at::kBool), realInput(context, inputs, 1),
                                   realInput(context, inputs, 4));
    return codesOf(context, inputs, 7, y, inputs[1]);
}

/// Inputs: a, a scale, a zero, b, b scale, b zero, c (int32 in steps of alpha * a scale * b scale), y scale, y zero.
/// Without y scale the result stays real. b may have one scale per column.
std::vector<at::Tensor> quantizedGemm(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const auto centred = [&](std::size_t i) {
        const at::Tensor x = requiredInput(context, inputs, i).to(at::kDouble);
        return inputOr(inputs, i + 2).defined() ? x - inputs[i + 2].to(at::kDouble) : x;
    };
    at::Tensor a = centred(0), b = requiredInput(context, inputs, 3).to(at::kDouble);
    if (op.intAttribute("transA", 0) != 0) a = a.transpose(0, 1);
    if (op.intAttribute("transB", 0) != 0) b = b.transpose(0, 1);
    if (inputOr(inputs, 5).defined()) b = b - inputs[5].to(at::kDouble); // [N]: per column
    at::Tensor sum = matrixProduct(a, b);
    if (inputOr(inputs, 6).defined()) sum = sum + inputs[6].to(at::kDouble);
    const at::Tensor steps = requiredInput(context, inputs, 1) * requiredInput(context, inputs, 4);
    const at::Tensor factor = steps * at::full({}, op.floatAttribute("alpha", 1), steps.options());
    if (!inputOr(inputs, 7).defined()) return {sum.to(at::kFloat) * factor};
    const at::Tensor scaled = sum.to(at::kFloat) * (factor / inputs[7]);
    return {toCodes(scaled, inputOr(inputs, 8), codeType(inputs, 8, inputs[0]), op)};
}

/// float(exact sum of centred codes) * (a scale * b scale) + bias, in float32.
at::Tensor scaledProduct(const at::Tensor &a, const at::Tensor &b, const at::Tensor &scale, const at::Tensor &bias)
{
    const at::Tensor y = matrixProduct(a.to(at::kDouble), b.to(at::kDouble)).to(at::kFloat) * scale;
    return bias.defined() ? y + bias : y;
}

/// codes - zero point (inputs[zero], if given) as float32.
at::Tensor centredBy(const at::Tensor &codes, Inputs inputs, std::size_t zero)
{
    return codes.to(at::kFloat) - zeroAsFloat(inputs, zero);
}

/// Inputs: a (float), b, b scale, b zero, bias. a is quantized to uint8 on its own range, as by DynamicQuantizeLinear.
std::vector<at::Tensor> dynamicMatMul(const KernelContext &context, Inputs inputs)
{
    const std::vector<at::Tensor> a = codesOfOwnRange(requiredInput(context, inputs, 0), context.op);
    return {scaledProduct(a[0].to(at::kFloat) - a[2].to(at::kFloat),
                          centredBy(requiredInput(context, inputs, 1), inputs, 3),
                          a[1] * requiredInput(context, inputs, 2), inputOr(inputs, 4))};
}

/// Inputs: a, b, a scale, b scale, a zero, b zero, bias.
std::vector<at::Tensor> integerToFloat(const KernelContext &context, Inputs inputs)
{
    return {scaledProduct(centredBy(requiredInput(context, inputs, 0), inputs, 4),
                          centredBy(requiredInput(context, inputs, 1), inputs, 5),
                          requiredInput(context, inputs, 2) * requiredInput(context, inputs, 3), inputOr(inputs, 6))};
}

KernelEntry quantizedEntry(KernelFunction run)
{
    return {.run = std::move(run), .family = "quantized", .takesShortFloats = true};
}
OpTraits codesOnly()
{
    return {.handlesCodes = true};
}

const KernelRegistrar quantizedAddKernel{{"com.microsoft:QLinearAdd"}, quantizedEntry(quantizedAdd), codesOnly()};
const KernelRegistrar quantizedMulKernel{{"com.microsoft:QLinearMul"}, quantizedEntry(quantizedMultiply), codesOnly()};
const KernelRegistrar sigmoidKernel{{"com.microsoft:QLinearSigmoid"}, quantizedEntry(quantizedSigmoid), codesOnly()};
const KernelRegistrar leakyKernel{{"com.microsoft:QLinearLeakyRelu"}, quantizedEntry(quantizedLeakyRelu), codesOnly()};
const KernelRegistrar quantizedSoftmaxKernel{
    {"com.microsoft:QLinearSoftmax"}, quantizedEntry(quantizedSoftmax), codesOnly()};
const KernelRegistrar averageKernel{
    {"com.microsoft:QLinearAveragePool"}, quantizedEntry(quantizedAveragePool), codesOnly()};
const KernelRegistrar globalKernel{
    {"com.microsoft:QLinearGlobalAveragePool"}, quantizedEntry(quantizedGlobalAveragePool), codesOnly()};
const KernelRegistrar quantizedMeanKernel{
    {"com.microsoft:QLinearReduceMean"}, quantizedEntry(quantizedReduceMean), codesOnly()};
const KernelRegistrar quantizedConcatKernel{
    {"com.microsoft:QLinearConcat"}, quantizedEntry(quantizedConcat), codesOnly()};
const KernelRegistrar quantizedWhereKernel{{"com.microsoft:QLinearWhere"}, quantizedEntry(quantizedWhere), codesOnly()};
const KernelRegistrar quantizedGemmKernel{{"com.microsoft:QGemm"}, quantizedEntry(quantizedGemm), codesOnly()};
const KernelRegistrar dynamicKernel{
    {"com.microsoft:DynamicQuantizeMatMul"}, quantizedEntry(dynamicMatMul), codesOnly()};
const KernelRegistrar integerToFloatKernel{
    {"com.microsoft:MatMulIntegerToFloat"}, quantizedEntry(integerToFloat), codesOnly()};

} // namespace

} // namespace ql
