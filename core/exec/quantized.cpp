// Operators of models that are already quantized. Rounding is half to even and codes saturate at their type's limits:
// q = saturate(round(x / scale) + zero point), x = (q - zero point) * scale. Sums of products of codes are exact.
// Source: ONNX QuantizeLinear-21, DequantizeLinear-21, DynamicQuantizeLinear-11, QLinearConv-10, QLinearMatMul-21,
// ConvInteger-10, MatMulInteger-10.
#include "core/exec/quantized.h"

#include "core/exec/convolution.h"
#include "core/exec/matmul.h"
#include "core/exec/small_float.h"

#include <ATen/ops/clamp.h>
#include <ATen/ops/floor.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/round.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <utility>

namespace ql {

namespace {

/// The codes that a zero point of this type allows. uint16 is held as int32: QuantizeLinear has no int32 codes.
std::pair<std::int64_t, std::int64_t> codeRange(at::ScalarType type, const Operation &op)
{
    switch (type) {
    case at::kByte: return {0, 255};
    case at::kChar: return {-128, 127};
    case at::kShort: return {-32768, 32767};
    case at::kInt: return {0, 65535};
    default:
        throw Error(ErrorKind::UnsupportedOp,
                    QL_TEXT("%1: codes of type %2 are not implemented").with(op.type, dtypeName(type)), op.name)
            .withRemedy(QL_TEXT("Quantize to int8, uint8, int16 or uint16."));
    }
}

} // namespace

at::Tensor toCodes(const at::Tensor &x, const at::Tensor &zero, at::ScalarType type, const Operation &op)
{
    const auto [low, high] = codeRange(type, op);
    at::Tensor y = at::round(x);
    if (zero.defined()) y = y + zero.to(y.scalar_type());
    return at::clamp(y, low, high).to(type);
}

at::Tensor realValues(const at::Tensor &codes, const at::Tensor &scale, const at::Tensor &zero)
{
    at::Tensor x = codes.to(at::kInt);
    if (zero.defined()) x = x - zero.to(at::kInt);
    return x.to(at::kFloat) * scale.to(at::kFloat);
}

namespace {

/// scale or zero point of x in a shape that broadcasts to it: per tensor (one element), per axis ([C]) or in blocks of
/// blockSize along axis (rank of x).
at::Tensor spread(const KernelContext &context, const at::Tensor &parameter, const at::Tensor &x)
{
    const Operation &op = context.op;
    if (!parameter.defined()) return parameter;
    if (parameter.numel() == 1 && parameter.dim() <= 1) return parameter.reshape({});
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", 1), x.dim(), op);
    const std::int64_t block = op.intAttribute("block_size", 0);
    if (block > 0) {
        if (parameter.dim() != x.dim() || parameter.size(axis) * block < x.size(axis))
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: scales for blocks of %2 do not cover axis %3 of size %4")
                            .with(op.type, block, axis, x.size(axis)),
                        op.name);
        return at::repeat_interleave(parameter, block, axis).narrow(axis, 0, x.size(axis));
    }
    if (parameter.dim() != 1 || parameter.size(0) != x.size(axis))
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: scale or zero point has %2 entries, axis %3 has %4")
                        .with(op.type, parameter.numel(), axis, x.size(axis)),
                    op.name);
    std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
    shape[std::size_t(axis)] = -1;
    return parameter.reshape(shape);
}

std::vector<at::Tensor> quantizeLinear(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    at::Tensor x = requiredInput(context, inputs, 0);
    const at::Tensor scale = spread(context, requiredInput(context, inputs, 1), x).to(at::kFloat);
    const at::Tensor zero = spread(context, inputOr(inputs, 2), x);
    const at::Tensor scaled = x.to(at::kFloat) / scale;
    at::ScalarType type = zero.defined() ? zero.scalar_type() : at::kByte;
    // A number of TensorProto.DataType; for types held in wider ones it is also given next to a zero point
    const std::int64_t code = op.intAttribute("output_dtype", 0);
    if (isSmallFloat(code)) return {roundedToSmallFloat(scaled, code, op.intAttribute("saturate", 1) != 0)};
    if (code == 21) return {at::clamp(toCodes(scaled, zero, at::kByte, op), 0, 15)};
    if (code == 22) return {at::clamp(toCodes(scaled, zero, at::kChar, op), -8, 7)};
    if (!zero.defined()) {
        switch (code) {
        case 0:
        case 2: break;
        case 3: type = at::kChar; break;
        case 4: type = at::kInt; break;
        case 5: type = at::kShort; break;
        default:
            throw Error(ErrorKind::UnsupportedOp, QL_TEXT("%1: output_dtype %2 is not implemented").with(op.type, code),
                        op.name);
        }
    }
    return {toCodes(scaled, zero, type, op)};
}

std::vector<at::Tensor> dequantizeLinear(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor scale = spread(context, requiredInput(context, inputs, 1), x);
    const at::Tensor zero = spread(context, inputOr(inputs, 2), x);
    at::Tensor y = x;
    if (zero.defined()) y = at::isFloatingType(x.scalar_type()) ? x - zero : x.to(at::kInt) - zero.to(at::kInt);
    return {(y.to(at::kFloat) * scale.to(at::kFloat)).to(scale.scalar_type())};
}

} // namespace

std::vector<at::Tensor> codesOfOwnRange(const at::Tensor &x, const Operation &op)
{
    const at::Tensor none = at::zeros({}, x.options());
    const at::Tensor low = x.numel() > 0 ? at::clamp(x.min(), {}, 0) : none;
    const at::Tensor high = x.numel() > 0 ? at::clamp(x.max(), 0, {}) : none;
    at::Tensor scale = (high - low) / 255;
    if (scale.item().toDouble() == 0) scale = at::scalar_tensor(1, x.options()); // all zeros: any scale will do
    const at::Tensor zero = at::round(at::clamp(-low / scale, 0, 255)).to(at::kByte);
    return {toCodes(x / scale, zero, at::kByte, op), scale, zero};
}

namespace {

std::vector<at::Tensor> dynamicQuantizeLinear(const KernelContext &context, Inputs inputs)
{
    return codesOfOwnRange(requiredInput(context, inputs, 0), context.op);
}

/// x - zero. zero: one element, or one per entry of axis. float32 for 8-bit codes, otherwise float64; exact in both.
at::Tensor centred(const at::Tensor &x, const at::Tensor &zero, std::int64_t axis)
{
    const at::ScalarType type = x.element_size() == 1 ? at::kFloat : at::kDouble;
    const at::Tensor wide = x.to(type);
    if (!zero.defined()) return wide;
    if (zero.numel() == 1) return wide - zero.reshape({}).to(type);
    if (zero.dim() != 1) return wide - zero.to(type);
    std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
    shape[std::size_t(axis < 0 ? axis + x.dim() : axis)] = -1;
    return wide - zero.to(type).reshape(shape);
}

/// A sum of products of centred codes, exact, in float64. product(x, w) computes it in the type of its operands; each
/// result sums depth products. float32 represents integers up to 2^24: 8-bit codes are split into x = 16 h + l, so
/// that sums of up to 4112 products stay below it, and the two halves are combined in float64.
template <class Product>
at::Tensor exactProduct(const at::Tensor &x, const at::Tensor &w, std::int64_t depth, Product &&product)
{
    constexpr std::int64_t maxProducts = (std::int64_t{1} << 24) / (std::int64_t{16} * 255);
    const bool small = x.scalar_type() == at::kFloat && w.scalar_type() == at::kFloat && depth <= maxProducts;
    if (!small) return product(x.to(at::kDouble), w.to(at::kDouble));
    const at::Tensor high = at::floor(x / 16);
    return product(high, w).to(at::kDouble) * 16 + product(x - high * 16, w).to(at::kDouble);
}

at::Tensor exactConvolution(const Operation &op, const at::Tensor &x, const at::Tensor &w)
{
    const std::int64_t depth = w.numel() / std::max<std::int64_t>(w.size(0), 1);
    return exactProduct(x, w, depth, [&](const at::Tensor &a, const at::Tensor &b) { return convolve(op, a, b, {}); });
}

at::Tensor exactMatrixProduct(const at::Tensor &a, const at::Tensor &b)
{
    return exactProduct(a, b, a.size(-1), matrixProduct);
}

/// A scale or a bias that broadcasts along axis of a tensor of the given rank, in this type.
at::Tensor scaleAlong(const at::Tensor &scale, std::int64_t rank, std::int64_t axis, at::ScalarType type = at::kFloat)
{
    const at::Tensor wide = scale.to(type);
    if (wide.numel() == 1) return wide.reshape({});
    if (wide.dim() != 1) return wide;
    std::vector<std::int64_t> shape(std::size_t(rank), 1);
    shape[std::size_t(axis < 0 ? axis + rank : axis)] = -1;
    return wide.reshape(shape);
}

/// As ONNX Runtime scales an int32: converted to float32, times a float32 (x scale * w scale / y scale, in this order).
at::Tensor requantized(const at::Tensor &sum, const at::Tensor &factor)
{
    return sum.to(at::kFloat) * factor;
}

/// Inputs x, x scale, x zero, w, w scale, w zero, y scale, y zero, bias (int32 in steps of x scale * w scale).
std::vector<at::Tensor> qLinearConv(const KernelContext &context, Inputs inputs)
{
    const at::Tensor x = centred(requiredInput(context, inputs, 0), inputOr(inputs, 2), 1);
    const at::Tensor w = centred(requiredInput(context, inputs, 3), inputOr(inputs, 5), 0);
    const at::Tensor bias = inputOr(inputs, 8);
    at::Tensor sum = exactConvolution(context.op, x, w);
    if (bias.defined()) sum = sum + scaleAlong(bias, sum.dim(), 1, at::kDouble);
    const at::Tensor factor = scaleAlong(requiredInput(context, inputs, 1), sum.dim(), 1) *
                              scaleAlong(requiredInput(context, inputs, 4), sum.dim(), 1) /
                              scaleAlong(requiredInput(context, inputs, 6), sum.dim(), 1);
    const at::Tensor &zero = requiredInput(context, inputs, 7);
    return {toCodes(requantized(sum, factor), zero.reshape({}), zero.scalar_type(), context.op)};
}

/// Inputs a, a scale, a zero, b, b scale, b zero, y scale, y zero; a per row, b per column.
std::vector<at::Tensor> qLinearMatMul(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &a = requiredInput(context, inputs, 0);
    const at::Tensor &b = requiredInput(context, inputs, 3);
    const at::Tensor sum = exactMatrixProduct(centred(a, inputOr(inputs, 2), -2), centred(b, inputOr(inputs, 5), -1));
    const at::Tensor factor = scaleAlong(requiredInput(context, inputs, 1), a.dim(), -2) *
                              scaleAlong(requiredInput(context, inputs, 4), b.dim(), -1) /
                              scaleAlong(requiredInput(context, inputs, 6), a.dim(), -2);
    const at::Tensor &zero = requiredInput(context, inputs, 7);
    const at::Tensor offset = zero.numel() == 1 ? zero.reshape({}) : zero.dim() == 1 ? zero.unsqueeze(-1) : zero;
    return {toCodes(requantized(sum, factor), offset, zero.scalar_type(), context.op)};
}

/// int32 sums; padding has the value of the zero point.
std::vector<at::Tensor> convInteger(const KernelContext &context, Inputs inputs)
{
    const at::Tensor x = centred(requiredInput(context, inputs, 0), inputOr(inputs, 2), 1);
    const at::Tensor w = centred(requiredInput(context, inputs, 1), inputOr(inputs, 3), 0);
    return {exactConvolution(context.op, x, w).to(at::kInt)};
}

std::vector<at::Tensor> matMulInteger(const KernelContext &context, Inputs inputs)
{
    const at::Tensor a = centred(requiredInput(context, inputs, 0), inputOr(inputs, 2), -2);
    const at::Tensor b = centred(requiredInput(context, inputs, 1), inputOr(inputs, 3), -1);
    return {exactMatrixProduct(a, b).to(at::kInt)};
}

const KernelRegistrar quantize{
    {"QuantizeLinear", "com.microsoft:QuantizeLinear"},
    {.run = quantizeLinear, .family = "quantized", .takesShortFloats = true, .onDevice = always},
    {.inputs = {{"x"}, {"y_scale", SlotKind::Float}, {"y_zero_point", SlotKind::Float}},
     .handlesCodes = true,
     .shapes = {.inputs = allInputs}}};
const KernelRegistrar dequantize{
    {"DequantizeLinear", "com.microsoft:DequantizeLinear"},
    {.run = dequantizeLinear, .family = "quantized", .takesShortFloats = true, .onDevice = always},
    {.inputs = {{"x"}, {"x_scale", SlotKind::Float}, {"x_zero_point", SlotKind::Float}},
     .handlesCodes = true,
     .shapes = {.inputs = allInputs}}};
const KernelRegistrar dynamicQuantize{
    {"DynamicQuantizeLinear"},
    {.run = dynamicQuantizeLinear, .minOpset = 11, .family = "quantized", .takesShortFloats = true},
    {.handlesCodes = true}};
const KernelRegistrar linearConv{{"QLinearConv"},
                                 {.run = qLinearConv, .minOpset = 10, .family = "quantized", .takesShortFloats = true},
                                 {.handlesCodes = true}};
const KernelRegistrar linearMatMul{
    {"QLinearMatMul"},
    {.run = qLinearMatMul, .minOpset = 10, .family = "quantized", .takesShortFloats = true},
    {.handlesCodes = true}};
const KernelRegistrar integerConv{{"ConvInteger"},
                                  {.run = convInteger, .minOpset = 10, .family = "quantized", .takesShortFloats = true},
                                  {.handlesCodes = true}};
const KernelRegistrar integerMatMul{
    {"MatMulInteger"},
    {.run = matMulInteger, .minOpset = 10, .family = "quantized", .takesShortFloats = true},
    {.handlesCodes = true}};

} // namespace

at::Tensor roundedToOwnRange(const at::Tensor &x, const Operation &op)
{
    const std::vector<at::Tensor> codes = codesOfOwnRange(x, op);
    return realValues(codes[0], codes[1], codes[2]);
}

} // namespace ql
