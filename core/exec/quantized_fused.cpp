// Operators of com.microsoft on integer codes, as written by ONNX Runtime's static quantization: the inputs are
// dequantized, the float operator computes, the result is quantized. Source: operator documentation of ONNX Runtime
// (QLinearAdd-1 and its family, QGemm-1, DynamicQuantizeMatMul-1, MatMulIntegerToFloat-1).
#include "core/exec/matmul.h"
#include "core/exec/quantized.h"

#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/where.h>

namespace ql {

namespace {

/// Inputs i, i + 1, i + 2: codes, scale, zero point.
at::Tensor realInput(const KernelContext &context, Inputs inputs, std::size_t i)
{
    return realValues(requiredInput(context, inputs, i), requiredInput(context, inputs, i + 1), inputOr(inputs, i + 2));
}

/// Codes on the grid of inputs i and i + 1 (scale, zero point), with the type of codes if there is no zero point.
std::vector<at::Tensor> codesOf(const KernelContext &context, Inputs inputs, std::size_t i, const at::Tensor &y,
                                const at::Tensor &codes)
{
    const at::Tensor zero = inputOr(inputs, i + 1);
    const at::ScalarType type = zero.defined() ? zero.scalar_type() : codes.scalar_type();
    return {toCodes(y / requiredInput(context, inputs, i), zero, type, context.op)};
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

std::vector<at::Tensor> quantizedAdd(const KernelContext &context, Inputs inputs)
{
    const at::Tensor a = realInput(context, inputs, 0), b = realInput(context, inputs, 3);
    checkBroadcast(context.op, a, b);
    return codesOf(context, inputs, 6, a + b, inputs[0]);
}

std::vector<at::Tensor> quantizedMultiply(const KernelContext &context, Inputs inputs)
{
    const at::Tensor a = realInput(context, inputs, 0), b = realInput(context, inputs, 3);
    checkBroadcast(context.op, a, b);
    return codesOf(context, inputs, 6, a * b, inputs[0]);
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
    return codesOf(context, inputs, 3, computed(context, "AveragePool", 11, realInput(context, inputs, 0)), inputs[0]);
}

std::vector<at::Tensor> quantizedGlobalAveragePool(const KernelContext &context, Inputs inputs)
{
    return codesOf(context, inputs, 3, computed(context, "GlobalAveragePool", 1, realInput(context, inputs, 0)),
                   inputs[0]);
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
    const at::Tensor y = sum * op.floatAttribute("alpha", 1) * requiredInput(context, inputs, 1).to(at::kDouble) *
                         requiredInput(context, inputs, 4).to(at::kDouble);
    if (!inputOr(inputs, 7).defined()) return {y.to(at::kFloat)};
    return codesOf(context, inputs, 7, y, inputs[0]);
}

/// Inputs: a (float), b, b scale, b zero, bias. a is quantized to uint8 on its own range, as by DynamicQuantizeLinear.
std::vector<at::Tensor> dynamicMatMul(const KernelContext &context, Inputs inputs)
{
    const at::Tensor a = roundedToOwnRange(requiredInput(context, inputs, 0), context.op);
    const at::Tensor y = matrixProduct(a, realInput(context, inputs, 1));
    return {inputOr(inputs, 4).defined() ? y + inputs[4] : y};
}

/// Inputs: a, b, a scale, b scale, a zero, b zero, bias.
std::vector<at::Tensor> integerToFloat(const KernelContext &context, Inputs inputs)
{
    const at::Tensor a =
        realValues(requiredInput(context, inputs, 0), requiredInput(context, inputs, 2), inputOr(inputs, 4));
    const at::Tensor b =
        realValues(requiredInput(context, inputs, 1), requiredInput(context, inputs, 3), inputOr(inputs, 5));
    const at::Tensor y = matrixProduct(a, b);
    return {inputOr(inputs, 6).defined() ? y + inputs[6] : y};
}

KernelEntry quantizedEntry(KernelFunction run)
{
    return {.run = std::move(run), .family = "quantized", .takesShortFloats = true};
}
OpTraits codesOnly()
{
    return {.handlesCodes = true};
}

const KernelRegistrar addKernel{{"com.microsoft:QLinearAdd"}, quantizedEntry(quantizedAdd), codesOnly()};
const KernelRegistrar mulKernel{{"com.microsoft:QLinearMul"}, quantizedEntry(quantizedMultiply), codesOnly()};
const KernelRegistrar sigmoidKernel{{"com.microsoft:QLinearSigmoid"}, quantizedEntry(quantizedSigmoid), codesOnly()};
const KernelRegistrar leakyKernel{{"com.microsoft:QLinearLeakyRelu"}, quantizedEntry(quantizedLeakyRelu), codesOnly()};
const KernelRegistrar softmaxKernel{{"com.microsoft:QLinearSoftmax"}, quantizedEntry(quantizedSoftmax), codesOnly()};
const KernelRegistrar averageKernel{
    {"com.microsoft:QLinearAveragePool"}, quantizedEntry(quantizedAveragePool), codesOnly()};
const KernelRegistrar globalKernel{
    {"com.microsoft:QLinearGlobalAveragePool"}, quantizedEntry(quantizedGlobalAveragePool), codesOnly()};
const KernelRegistrar meanKernel{{"com.microsoft:QLinearReduceMean"}, quantizedEntry(quantizedReduceMean), codesOnly()};
const KernelRegistrar concatKernel{{"com.microsoft:QLinearConcat"}, quantizedEntry(quantizedConcat), codesOnly()};
const KernelRegistrar whereKernel{{"com.microsoft:QLinearWhere"}, quantizedEntry(quantizedWhere), codesOnly()};
const KernelRegistrar quantizedGemmKernel{{"com.microsoft:QGemm"}, quantizedEntry(quantizedGemm), codesOnly()};
const KernelRegistrar dynamicKernel{
    {"com.microsoft:DynamicQuantizeMatMul"}, quantizedEntry(dynamicMatMul), codesOnly()};
const KernelRegistrar integerToFloatKernel{
    {"com.microsoft:MatMulIntegerToFloat"}, quantizedEntry(integerToFloat), codesOnly()};

} // namespace

} // namespace ql
