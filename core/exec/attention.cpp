// Attention of transformer exporters. Sources: com.microsoft Attention-1, MultiHeadAttention-1, QAttention-1,
// RotaryEmbedding-1 (operator documentation of ONNX Runtime).
#include "core/exec/matmul.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <optional>

namespace ql {

namespace {

/// Scaled dot-product attention on split heads.
struct AttentionInputs
{
    at::Tensor query;      ///< [N, heads, S, d]
    at::Tensor key, value; ///< [N, heads, T, d] and [N, heads, T, dv]; T counts what is past
    at::Tensor bias;       ///< added to the scores before softmax, broadcasts to [N, heads, S, T]; may be undefined
    bool causal = false;   ///< query s sees keys 0 .. T - S + s
    double maskValue = -10000;
    std::optional<double> scale; ///< default 1 / sqrt(d)
};
/// softmax(scale * Q K' + bias) V. @returns [N, heads, S, dv]
at::Tensor attend(const AttentionInputs &in)
{
    const std::int64_t queries = in.query.size(2), keys = in.key.size(2);
    const double scale = in.scale.value_or(1 / std::sqrt(double(in.query.size(3))));
    at::Tensor scores = matrixProduct(in.query, in.key.transpose(2, 3)) * scale;
    if (in.causal) {
        const at::TensorOptions options = scores.options().dtype(at::kLong);
        const at::Tensor last = at::arange(queries, options).unsqueeze(1) + (keys - queries);
        scores = at::where(at::arange(keys, options).unsqueeze(0) > last, at::full({}, in.maskValue, scores.options()),
                           scores);
    }
    if (in.bias.defined()) scores = scores + in.bias;
    return matrixProduct(at::softmax(scores, -1), in.value);
}

/// The optional mask of Attention and MultiHeadAttention as a bias that broadcasts to [N, 1, S, T]: key lengths [N],
/// ends and starts [2 N], 0/1 masks [N, T], [N, S, T] and [N, 1, M, M]. Undefined for an undefined mask.
/// @throws Error (Kernel) for another shape.
at::Tensor maskBias(const Operation &op, const at::Tensor &mask, std::int64_t batch, std::int64_t queries,
                    std::int64_t keys, double maskValue, const at::TensorOptions &options)
{
    if (!mask.defined()) return {};
    at::Tensor wide = mask.to(at::kLong);
    if (wide.dim() == 1) { // right ends, then left ends
        const at::Tensor position = at::arange(keys, wide.options()).unsqueeze(0);
        const bool both = wide.size(0) == 2 * batch;
        if (!both && wide.size(0) != batch)
            throw Error(ErrorKind::Kernel, op.type + ": the mask has not one length for each sequence", op.name);
        at::Tensor seen = position < wide.narrow(0, 0, batch).unsqueeze(1);
        if (both) seen = at::where(position >= wide.narrow(0, batch, batch).unsqueeze(1), seen, at::zeros_like(seen));
        wide = seen.to(at::kLong);
    }
    if (wide.dim() == 4) wide = wide.narrow(2, keys - queries, queries).narrow(3, 0, keys);
    if (wide.dim() == 2) wide = wide.unsqueeze(1);
    if (wide.dim() == 3) wide = wide.unsqueeze(1);
    if (wide.size(-1) != keys)
        throw Error(ErrorKind::Kernel,
                    op.type + ": the mask covers " + std::to_string(wide.size(-1)) + " keys, there are " +
                        std::to_string(keys),
                    op.name);
    return at::where(wide == 0, at::full({}, maskValue, options), at::zeros({}, options));
}

/// [N, S, heads * d] -> [N, heads, S, d]
at::Tensor splitHeads(const Operation &op, const at::Tensor &x, std::int64_t heads)
{
    if (x.dim() != 3 || heads < 1 || x.size(2) % heads != 0)
        throw Error(ErrorKind::Kernel, op.type + ": the hidden size does not divide into num_heads", op.name);
    return x.reshape({x.size(0), x.size(1), heads, x.size(2) / heads}).permute({0, 2, 1, 3});
}

/// [N, heads, S, d] -> [N, S, heads * d]
at::Tensor joinHeads(const at::Tensor &x)
{
    return x.permute({0, 2, 1, 3}).reshape({x.size(0), x.size(2), -1});
}

std::optional<double> scaleOf(const Operation &op)
{
    const double scale = op.floatAttribute("scale", 0);
    return scale == 0 ? std::nullopt : std::optional(scale);
}

std::string attentionRefusal(const Operation &op)
{
    if (op.intAttribute("do_rotary", 0) != 0) return "do_rotary is not implemented";
    if (op.intAttribute("past_present_share_buffer", 0) != 0)
        return "a shared buffer of past and present is not implemented";
    return {};
}

/// The body of com.microsoft Attention after its projection: qkv [N, S, q + k + v]. @returns output, present
std::vector<at::Tensor> packedAttention(const KernelContext &context, const at::Tensor &qkv, const at::Tensor &mask,
                                        const at::Tensor &past, const at::Tensor &bias)
{
    const Operation &op = context.op;
    const std::int64_t heads = op.intAttribute("num_heads", 0);
    const auto third = qkv.size(-1) / 3;
    const std::vector<std::int64_t> sizes = op.intsAttribute("qkv_hidden_sizes", {third, third, third});
    if (sizes.size() != 3 || sizes[0] + sizes[1] + sizes[2] != qkv.size(-1))
        throw Error(ErrorKind::Kernel, op.type + ": qkv_hidden_sizes do not fit the weights", op.name);
    AttentionInputs in;
    in.query = splitHeads(op, qkv.narrow(-1, 0, sizes[0]), heads);
    in.key = splitHeads(op, qkv.narrow(-1, sizes[0], sizes[1]), heads);
    in.value = splitHeads(op, qkv.narrow(-1, sizes[0] + sizes[1], sizes[2]), heads);
    if (past.defined()) { // [2, N, heads, P, d]
        in.key = at::cat({past.select(0, 0), in.key}, 2);
        in.value = at::cat({past.select(0, 1), in.value}, 2);
    }
    in.causal = op.intAttribute("unidirectional", 0) != 0;
    in.maskValue = op.floatAttribute("mask_filter_value", -10000);
    in.scale = scaleOf(op);
    in.bias = maskBias(op, mask, qkv.size(0), in.query.size(2), in.key.size(2), in.maskValue, qkv.options());
    if (bias.defined()) in.bias = in.bias.defined() ? in.bias + bias : bias;
    std::vector<at::Tensor> outputs{joinHeads(attend(in))};
    if (op.outputs.size() > 1 && op.outputs[1] != noVar) outputs.push_back(at::stack({in.key, in.value}, 0));
    return outputs;
}

/// Inputs: x, weights, bias, mask, past, attention bias.
std::vector<at::Tensor> attention(const KernelContext &context, Inputs inputs)
{
    at::Tensor qkv = matrixProduct(requiredInput(context, inputs, 0), requiredInput(context, inputs, 1));
    if (inputOr(inputs, 2).defined()) qkv = qkv + inputs[2];
    return packedAttention(context, qkv, inputOr(inputs, 3), inputOr(inputs, 4), inputOr(inputs, 5));
}

/// Inputs: x, weights, bias, x scale, weight scale, mask, x zero, weight zero, past.
std::vector<at::Tensor> qAttention(const KernelContext &context, Inputs inputs)
{
    const auto real = [&](std::size_t i, std::size_t scale, std::size_t zero) {
        at::Tensor codes = requiredInput(context, inputs, i).to(at::kInt);
        if (inputOr(inputs, zero).defined()) codes = codes - inputs[zero].to(at::kInt);
        return codes.to(at::kFloat) * requiredInput(context, inputs, scale);
    };
    const at::Tensor qkv = matrixProduct(real(0, 3, 6), real(1, 4, 7)) + requiredInput(context, inputs, 2);
    return packedAttention(context, qkv, inputOr(inputs, 5), inputOr(inputs, 8), {});
}

/// Inputs: query, key, value, bias, key padding mask, attention bias, past key, past value. query alone: packed
/// [N, S, heads, 3, d]; key packed [N, T, heads, 2, d]; key and value may be split into heads already.
std::vector<at::Tensor> multiHeadAttention(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const std::int64_t heads = op.intAttribute("num_heads", 0);
    at::Tensor query = requiredInput(context, inputs, 0);
    at::Tensor key = inputOr(inputs, 1), value = inputOr(inputs, 2);
    const at::Tensor bias = inputOr(inputs, 3);
    const auto flat = [](const at::Tensor &packed, std::int64_t i) { return packed.select(3, i).flatten(2); };
    if (query.dim() == 5) {
        key = flat(query, 1);
        value = flat(query, 2);
        query = flat(query, 0);
    } else if (key.defined() && key.dim() == 5) {
        value = flat(key, 1);
        key = flat(key, 0);
    }
    if (!key.defined() || !value.defined())
        throw Error(ErrorKind::Kernel, op.type + ": key and value are missing", op.name);
    if (bias.defined()) {
        const std::int64_t hidden = query.size(2), rest = bias.size(0) - 2 * hidden;
        query = query + bias.narrow(0, 0, hidden);
        if (key.dim() == 3) key = key + bias.narrow(0, hidden, hidden);
        if (value.dim() == 3) value = value + bias.narrow(0, 2 * hidden, rest);
    }
    AttentionInputs in;
    in.query = splitHeads(op, query, heads);
    in.key = key.dim() == 4 ? key : splitHeads(op, key, heads);
    in.value = value.dim() == 4 ? value : splitHeads(op, value, heads);
    if (inputOr(inputs, 6).defined() && inputOr(inputs, 7).defined()) {
        in.key = at::cat({inputs[6], in.key}, 2);
        in.value = at::cat({inputs[7], in.value}, 2);
    }
    in.causal = op.intAttribute("unidirectional", 0) != 0;
    in.maskValue = op.floatAttribute("mask_filter_value", -10000);
    in.scale = scaleOf(op);
    in.bias = maskBias(op, inputOr(inputs, 4), query.size(0), in.query.size(2), in.key.size(2), in.maskValue,
                       query.options());
    if (inputOr(inputs, 5).defined()) in.bias = in.bias.defined() ? in.bias + inputs[5] : inputs[5];
    return {joinHeads(attend(in)), in.key, in.value};
}

/// x [N, S, hidden] or [N, heads, S, d]; position ids [1] (of the first) or [N, S]; caches [M, r / 2]. The first r
/// elements of each head turn, in pairs (i, i + r / 2), or (2 i, 2 i + 1) when interleaved.
std::vector<at::Tensor> rotaryEmbedding(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &given = requiredInput(context, inputs, 0);
    at::Tensor position = requiredInput(context, inputs, 1).to(at::kLong);
    const at::Tensor &cosines = requiredInput(context, inputs, 2);
    const at::Tensor &sines = requiredInput(context, inputs, 3);
    const std::int64_t half = cosines.size(1), turned = 2 * half;
    const std::int64_t heads = op.intAttribute("num_heads", 0);
    at::Tensor x = given; // [N, heads, S, d]
    if (given.dim() == 3) x = splitHeads(op, given, heads > 0 ? heads : given.size(2) / turned);
    const std::int64_t batch = x.size(0), length = x.size(2);
    if (position.numel() == 1)
        position = (at::arange(length, position.options()) + position.reshape({})).expand({batch, length});
    const auto rows = [&](const at::Tensor &cache) {
        return at::index_select(cache, 0, position.reshape({-1})).reshape({batch, 1, length, half});
    };
    const at::Tensor c = rows(cosines), s = rows(sines);
    const bool interleaved = op.intAttribute("interleaved", 0) != 0;
    const at::Tensor part = x.narrow(-1, 0, turned);
    const at::Tensor a = interleaved ? part.slice(-1, 0, turned, 2) : part.narrow(-1, 0, half);
    const at::Tensor b = interleaved ? part.slice(-1, 1, turned, 2) : part.narrow(-1, half, half);
    const at::Tensor left = a * c - b * s, right = b * c + a * s;
    at::Tensor y = interleaved ? at::stack({left, right}, -1).flatten(-2) : at::cat({left, right}, -1);
    if (x.size(-1) > turned) y = at::cat({y, x.narrow(-1, turned, x.size(-1) - turned)}, -1);
    return {given.dim() == 3 ? joinHeads(y) : y};
}

const char *const attentionLimits = "do_rotary and a buffer shared by past and present are refused";
const KernelRegistrar attentionKernel{{"com.microsoft:Attention"},
                                      {attention, 1, 21, "attention", {}, attentionLimits, attentionRefusal}};
const KernelRegistrar quantizedKernel{{"com.microsoft:QAttention"},
                                      {qAttention, 1, 21, "attention", {}, attentionLimits, attentionRefusal}};
const KernelRegistrar multiHead{{"com.microsoft:MultiHeadAttention"}, {multiHeadAttention, 1, 21, "attention"}};
const KernelRegistrar rotary{{"com.microsoft:RotaryEmbedding"}, {rotaryEmbedding, 1, 21, "attention"}};

} // namespace

} // namespace ql
