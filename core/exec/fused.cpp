// Operators that ONNX Runtime's optimizer and transformer exporters fuse. Sources: com.microsoft FusedMatMul-1,
// FusedGemm-1, FusedConv-1, BiasGelu-1, FastGelu-1, SkipLayerNormalization-1, SkipSimplifiedLayerNormalization-1,
// EmbedLayerNormalization-1, MatMulNBits-1, GatherBlockQuantized-1 (operator documentation of ONNX Runtime),
// SimplifiedLayerNormalization, ONNX RMSNormalization-23.
#include "core/exec/convolution.h"
#include "core/exec/matmul.h"
#include "core/exec/runtime_kernels.h"
#include "core/quant/groups.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/max.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/round.h>
#include <ATen/ops/rsqrt.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <limits>

namespace ql {

namespace {

/// The attribute activation with its parameters, as FusedConv and FusedGemm have it.
at::Tensor activated(const Operation &op, const at::Tensor &x)
{
    const std::string name = op.stringAttribute("activation", "");
    const std::vector<double> given = op.floatsAttribute("activation_params");
    const auto parameter = [&](std::size_t i, const char *key, double fallback) {
        return i < given.size() ? given[i] : op.floatAttribute(key, fallback);
    };
    if (name.empty()) return x;
    if (name == "Relu") return at::relu(x);
    if (name == "Sigmoid") return at::sigmoid(x);
    if (name == "Tanh") return at::tanh(x);
    if (name == "LeakyRelu") return at::leaky_relu(x, parameter(0, "activation_alpha", 0.01));
    if (name == "Clip")
        return at::clamp(x, parameter(0, "activation_alpha", std::numeric_limits<float>::lowest()),
                         parameter(1, "activation_beta", std::numeric_limits<float>::max()));
    // HardSigmoid; others are refused
    return at::clamp(x * parameter(0, "activation_alpha", 0.2) + parameter(1, "activation_beta", 0.5), 0, 1);
}

/// alpha * A' B'. transBatch moves the first axis to the position after the batch, trans swaps the last two axes after
/// that.
std::vector<at::Tensor> fusedMatMul(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    at::Tensor a = requiredInput(context, inputs, 0), b = requiredInput(context, inputs, 1);
    if (op.intAttribute("transBatchA", 0) != 0 && a.dim() > 2) a = a.movedim(0, -2);
    if (op.intAttribute("transBatchB", 0) != 0 && b.dim() > 2) b = b.movedim(0, -2);
    if (op.intAttribute("transA", 0) != 0 && a.dim() > 1) a = a.transpose(-1, -2);
    if (op.intAttribute("transB", 0) != 0 && b.dim() > 1) b = b.transpose(-1, -2);
    const double alpha = op.floatAttribute("alpha", 1);
    const at::Tensor y = matrixProduct(a, b);
    return {alpha == 1 ? y : y * alpha};
}

std::vector<at::Tensor> fusedGemm(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &a = requiredInput(context, inputs, 0);
    const at::Tensor &b = requiredInput(context, inputs, 1);
    at::Tensor y = matrixProduct(op.intAttribute("transA", 0) != 0 ? a.transpose(0, 1) : a,
                                 op.intAttribute("transB", 0) != 0 ? b.transpose(0, 1) : b) *
                   op.floatAttribute("alpha", 1);
    if (inputOr(inputs, 2).defined()) y = y + inputs[2] * op.floatAttribute("beta", 1);
    return {activated(op, y)};
}

/// Inputs: x, w, bias, z; z is added before the activation.
std::vector<at::Tensor> fusedConv(const KernelContext &context, Inputs inputs)
{
    at::Tensor y =
        convolve(context.op, requiredInput(context, inputs, 0), requiredInput(context, inputs, 1), inputOr(inputs, 2));
    if (inputOr(inputs, 3).defined()) y = y + inputs[3];
    return {activated(context.op, y)};
}

std::vector<at::Tensor> biasGelu(const KernelContext &context, Inputs inputs)
{
    return {at::gelu(requiredInput(context, inputs, 0) + requiredInput(context, inputs, 1))};
}

std::vector<at::Tensor> fastGelu(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    return {at::gelu(inputOr(inputs, 1).defined() ? x + inputs[1] : x, "tanh")};
}

struct Normalized
{
    at::Tensor y, mean, inverse;
};

/// Over the axes from axis on. centred: subtract the mean first; otherwise use only the root mean square.
Normalized normalize(const at::Tensor &x, std::int64_t axis, double epsilon, bool centred)
{
    std::vector<std::int64_t> axes;
    for (std::int64_t i = axis; i < x.dim(); ++i) axes.push_back(i);
    Normalized out;
    at::Tensor wide = x.scalar_type() == at::kDouble ? x : x.to(at::kFloat);
    if (centred) {
        out.mean = at::mean(wide, axes, true);
        wide = wide - out.mean;
    }
    out.inverse = at::rsqrt(at::mean(wide * wide, axes, true) + epsilon);
    out.y = (wide * out.inverse).to(x.scalar_type());
    return out;
}

/// Inputs: x, scale. Outputs: y, inverse.
std::vector<at::Tensor> rootMeanSquare(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", -1), x.dim(), op);
    const Normalized n = normalize(x, axis, op.floatAttribute("epsilon", 1e-5), false);
    return {n.y * requiredInput(context, inputs, 1), n.inverse};
}

std::vector<at::Tensor> rootMeanSquareOfRuntime(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const auto n = runtimeNormalization({.x = x,
                                         .scale = requiredInput(context, inputs, 1),
                                         .bias = {},
                                         .axis = normalizeAxis(op.intAttribute("axis", -1), x.dim(), op),
                                         .epsilon = op.floatAttribute("epsilon", 1e-5),
                                         .isCentred = false});
    return n ? std::vector<at::Tensor>{n->y, n->inverse} : rootMeanSquare(context, inputs);
}

/// Inputs: x, skip, gamma, beta, bias (simplified: x, skip, gamma, bias). Outputs: y, mean, inverse, x + skip + bias.
std::vector<at::Tensor> skipNormalization(const KernelContext &context, Inputs inputs, bool asRuntime)
{
    const Operation &op = context.op;
    const bool simplified = op.type == "SkipSimplifiedLayerNormalization";
    at::Tensor sum = requiredInput(context, inputs, 0) + requiredInput(context, inputs, 1);
    const at::Tensor bias = inputOr(inputs, simplified ? 3 : 4);
    if (bias.defined()) sum = sum + bias;
    const double epsilon = op.floatAttribute("epsilon", 1e-12);
    const at::Tensor &scale = requiredInput(context, inputs, 2), shift = simplified ? at::Tensor() : inputOr(inputs, 3);
    if (asRuntime)
        if (const auto n = runtimeNormalization({.x = sum,
                                                 .scale = scale,
                                                 .bias = shift,
                                                 .axis = sum.dim() - 1,
                                                 .epsilon = epsilon,
                                                 .isCentred = !simplified,
                                                 .isSum = true}))
            return {n->y, n->mean, n->inverse, sum};
    const Normalized n = normalize(sum, sum.dim() - 1, epsilon, !simplified);
    at::Tensor y = n.y * scale;
    if (shift.defined()) y = y + shift;
    return {y, n.mean, n.inverse, sum};
}

/// Inputs: ids, segments, words, positions, segment table, gamma, beta, mask, position ids. Outputs: y, number of
/// unmasked tokens of each sequence, sum of the embeddings.
std::vector<at::Tensor> embedNormalization(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor ids = requiredInput(context, inputs, 0).to(at::kLong);
    if (ids.dim() != 2) throw Error(ErrorKind::Kernel, QL_TEXT("%1: expected ids [N, S]").with(op.type), op.name);
    const auto rows = [&](const at::Tensor &table, const at::Tensor &index) {
        return at::index_select(table, 0, index.to(at::kLong).reshape({-1}))
            .reshape({index.size(0), index.size(1), table.size(1)});
    };
    at::Tensor sum = rows(requiredInput(context, inputs, 2), ids);
    const at::Tensor positions = inputOr(inputs, 8);
    const at::Tensor places = positions.defined() ? positions : at::arange(ids.size(1), ids.options()).unsqueeze(0);
    sum = sum + rows(requiredInput(context, inputs, 3), places);
    if (inputOr(inputs, 4).defined() && inputOr(inputs, 1).defined()) sum = sum + rows(inputs[4], inputs[1]);
    const Normalized n = normalize(sum, 2, op.floatAttribute("epsilon", 1e-12), true);
    const at::Tensor y = n.y * requiredInput(context, inputs, 5) + requiredInput(context, inputs, 6);
    const at::Tensor mask = inputOr(inputs, 7);
    const at::Tensor counts = mask.defined() ? mask.to(at::kLong).sum(1).to(at::kInt)
                                             : at::zeros({ids.size(0)}, ids.options().dtype(at::kInt));
    return {y, counts, sum};
}

/// x, whose last axis is divided into blocks, in symmetric codes of 8 bits with one scale per block.
at::Tensor roundedInBlocks(const at::Tensor &x, std::int64_t block)
{
    constexpr float largestCode = 127;
    const std::int64_t depth = x.size(-1), missing = (block - depth % block) % block;
    const at::Tensor blocks = at::constant_pad_nd(x.to(at::kFloat), {0, missing}, 0).unflatten(-1, {-1, block});
    const at::Tensor scale = blocks.abs().amax(-1, true) / largestCode;
    const at::Tensor codes = at::round(blocks * at::where(scale == 0, 0, scale.reciprocal()));
    return (codes * scale).flatten(-2).narrow(-1, 0, depth).to(x.scalar_type());
}

/// A [..., K] times weights stored in blocks of 2, 4 or 8 bits: B [N, blocks, block_size * bits / 8], lowest bits
/// first, w = (code - zero) * scale. Inputs: A, B, scales, zero points (packed like B, or real), g_idx, bias. With
/// accuracy_level 4, A is rounded like the weights, as ONNX Runtime does (MLAS, QuantizeARow of SQNBIT_CompInt8).
std::vector<at::Tensor> matMulBits(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &a = requiredInput(context, inputs, 0);
    const std::int64_t rows = op.intAttribute("N", 0), depth = op.intAttribute("K", 0);
    const std::int64_t bits = op.intAttribute("bits", 4), block = op.intAttribute("block_size", 0);
    if (rows < 1 || depth < 1 || block < 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("MatMulNBits: N, K and block_size must be 1 or more"), op.name);
    const std::int64_t blocks = (depth + block - 1) / block;
    checkElements(op, {rows, blocks, block}, 8);
    const at::Tensor codes =
        unpackedCodes(requiredInput(context, inputs, 1).reshape({rows, -1}), bits).reshape({rows, blocks, block});
    const at::Tensor scale = requiredInput(context, inputs, 2).reshape({rows, blocks, 1}).to(at::kFloat);
    at::Tensor zero = inputOr(inputs, 3);
    if (!zero.defined())
        zero = at::full({rows, blocks, 1}, std::int64_t{1} << (bits - 1), at::TensorOptions(at::kInt));
    else if (zero.scalar_type() == at::kByte)
        zero = unpackedCodes(zero.reshape({rows, -1}), bits).narrow(1, 0, blocks).unsqueeze(-1);
    else
        zero = zero.reshape({rows, blocks, 1}).to(at::kFloat);
    const at::Tensor weights = ((codes - zero) * scale).flatten(1).narrow(1, 0, depth);
    constexpr std::int64_t roundsToInt8 = 4;
    const bool isRounded = bits > 2 && op.intAttribute("accuracy_level", 0) == roundsToInt8 && a.numel() > 0;
    const at::Tensor left = isRounded ? roundedInBlocks(a, block) : a;
    const at::Tensor y = matrixProduct(left, weights.to(a.scalar_type()).transpose(0, 1));
    return {inputOr(inputs, 5).defined() ? y + inputs[5] : y};
}

/// Entries of a table of codes, each with the scale (and zero point) of its block along quantize_axis. Inputs: codes (a
/// byte of uint8 has 8 / bits of them along the last axis), indices, scales, zero points.
std::vector<at::Tensor> gatherBlocks(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &stored = requiredInput(context, inputs, 0), &scales = requiredInput(context, inputs, 2);
    const std::int64_t bits = op.intAttribute("bits", 4), block = op.intAttribute("block_size", 128);
    const std::int64_t axis = normalizeAxis(op.intAttribute("quantize_axis", 1), stored.dim(), op);
    const std::int64_t along = normalizeAxis(op.intAttribute("gather_axis", 0), stored.dim(), op);
    if (block < 1 || axis == along || scales.dim() != stored.dim())
        throw Error(
            ErrorKind::Kernel,
            QL_TEXT("%1: expected a block_size of 1 or more, two different axes, and scales of the rank of the codes")
                .with(op.type),
            op.name);
    const auto blocks = [&](std::int64_t codes) { return (codes + block - 1) / block; };
    // In memory, uint4 has a byte for each code, too.
    const std::int64_t perByte = 8 / bits, found = scales.size(axis), width = stored.size(axis);
    const bool isPacked = perByte > 1 && stored.scalar_type() == at::kByte && axis == stored.dim() - 1 &&
                          found == blocks(width * perByte) &&
                          (found != blocks(width) || at::max(stored).item<std::int64_t>() >> bits != 0);
    const std::int64_t codes = isPacked ? width * perByte : width;
    if (found != blocks(codes))
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: %2 scales for %3 codes in blocks of %4").with(op.type, found, codes, block), op.name);

    const at::Tensor &indices = requiredInput(context, inputs, 1);
    const at::Tensor flat = indices.to(at::kLong).reshape({-1});
    const at::Tensor index = at::where(flat < 0, flat + stored.size(along), flat);
    const auto taken = [&](const at::Tensor &table) { return at::index_select(table, along, index); };
    std::vector<std::int64_t> shape = stored.sizes().vec();
    shape[std::size_t(axis)] = codes;
    const auto place = shape.erase(shape.begin() + along);
    shape.insert(place, indices.sizes().begin(), indices.sizes().end());
    checkElements(op, shape);
    const auto perCode = [&](const at::Tensor &perBlock) {
        return at::repeat_interleave(perBlock, block, axis).narrow(axis, 0, codes);
    };
    const auto whole = [&](const at::Tensor &x) { return isPacked ? unpackedCodes(x, bits) : x.to(at::kInt); };
    at::Tensor centred = whole(taken(stored));
    if (inputOr(inputs, 3).defined())
        centred = centred - perCode(whole(taken(inputs[3])).narrow(axis, 0, found));
    else if (isPacked || bits == 8)
        centred = centred - (std::int64_t{1} << (bits - 1));
    return {(centred * perCode(taken(scales))).reshape(shape)};
}

Text bitsRefusal(const Operation &op)
{
    const std::int64_t bits = op.intAttribute("bits", 4);
    if (bits != 2 && bits != 4 && bits != 8) return QL_TEXT("%1 bits are not implemented").with(bits);
    return op.inputs.size() > 4 && op.inputs[4] != noVar ? QL_TEXT("g_idx is not implemented") : Text();
}

const RefusalFunction onlyActivations =
    acceptsOnly({{"activation", {"", "Relu", "Sigmoid", "Tanh", "LeakyRelu", "Clip", "HardSigmoid"}}});
const char *const activationLimits = "activations Relu, Sigmoid, Tanh, LeakyRelu, Clip and HardSigmoid";
const KernelRegistrar bitsKernel{
    {"com.microsoft:MatMulNBits"},
    {.run = matMulBits, .family = "fused", .limits = "2, 4 or 8 bits, no g_idx", .refusal = bitsRefusal},
    {.handlesCodes = true}};
const KernelRegistrar gatherBlocksKernel{
    {"com.microsoft:GatherBlockQuantized"},
    {.run = gatherBlocks, .family = "fused", .limits = "2, 4 or 8 bits", .refusal = bitsRefusal},
    {.inputs = {{"data"}, {"indices", SlotKind::ShapeOrIndex}}, .handlesCodes = true}};
const KernelRegistrar fusedMatMulKernel{{"com.microsoft:FusedMatMul"},
                                        {.run = fusedMatMul, .family = "fused", .onDevice = always}};
const KernelRegistrar transposeMatMulKernel{{"com.microsoft:TransposeMatMul"}, {.run = fusedMatMul, .family = "fused"}};
const KernelRegistrar fusedGemmKernel{
    {"com.microsoft:FusedGemm"},
    {.run = fusedGemm, .family = "fused", .limits = activationLimits, .refusal = onlyActivations, .onDevice = always}};
const KernelRegistrar fusedConvKernel{
    {"com.microsoft:FusedConv"},
    {.run = fusedConv, .family = "fused", .limits = activationLimits, .refusal = onlyActivations, .onDevice = always}};
const KernelRegistrar biasGeluKernel{{"com.microsoft:BiasGelu"},
                                     {.run = biasGelu, .family = "fused", .onDevice = always}};
const KernelRegistrar fastGeluKernel{{"com.microsoft:FastGelu"},
                                     {.run = fastGelu, .family = "fused", .onDevice = always}};
const KernelRegistrar rmsKernel{
    {"SimplifiedLayerNormalization", "com.microsoft:SimplifiedLayerNormalization"},
    {.run = rootMeanSquare, .family = "fused", .onDevice = always, .asRuntime = rootMeanSquareOfRuntime}};
const KernelRegistrar onnxRmsKernel{
    {"RMSNormalization"},
    {.run = rootMeanSquare, .minOpset = 23, .family = "fused", .asRuntime = rootMeanSquareOfRuntime}};
const KernelRegistrar skipKernel{
    {"com.microsoft:SkipLayerNormalization", "com.microsoft:SkipSimplifiedLayerNormalization"},
    {.run = [](const KernelContext &context, Inputs inputs) { return skipNormalization(context, inputs, false); },
     .family = "fused",
     .onDevice = always,
     .asRuntime = [](const KernelContext &context,
                     Inputs inputs) { return skipNormalization(context, inputs, true); }}};
const KernelRegistrar embedKernel{{"com.microsoft:EmbedLayerNormalization"},
                                  {.run = embedNormalization, .family = "fused"}};

} // namespace

} // namespace ql
