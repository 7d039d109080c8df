// Attention of transformer exporters. Sources: ONNX Attention-25, RotaryEmbedding-23; com.microsoft Attention-1,
// GroupQueryAttention-1, MultiHeadAttention-1, QAttention-1, RotaryEmbedding-1 (operator documentation of ONNX
// Runtime).
#include "core/exec/matmul.h"

#include <ATen/ops/amax.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tanh.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cmath>
#include <limits>
#include <optional>

namespace ql {

namespace {

/// Scaled dot-product attention on split heads.
struct AttentionInputs
{
    at::Tensor query;      ///< [N, heads, S, d]
    at::Tensor key, value; ///< [N, heads, T, d] and [N, heads, T, dv]; T includes the past
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
            throw Error(ErrorKind::Kernel, QL_TEXT("%1: the mask must have one length per sequence").with(op.type),
                        op.name);
        at::Tensor seen = position < wide.narrow(0, 0, batch).unsqueeze(1);
        if (both) seen = at::where(position >= wide.narrow(0, batch, batch).unsqueeze(1), seen, at::zeros_like(seen));
        wide = seen.to(at::kLong);
    }
    if (wide.dim() == 4) wide = wide.narrow(2, keys - queries, queries).narrow(3, 0, keys);
    if (wide.dim() == 2) wide = wide.unsqueeze(1);
    if (wide.dim() == 3) wide = wide.unsqueeze(1);
    if (wide.size(-1) != keys)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: the mask covers %2 keys, expected %3").with(op.type, wide.size(-1), keys), op.name);
    return at::where(wide == 0, at::full({}, maskValue, options), at::zeros({}, options));
}

/// [N, S, heads * d] -> [N, heads, S, d]
at::Tensor splitHeads(const Operation &op, const at::Tensor &x, std::int64_t heads)
{
    if (x.dim() != 3 || heads < 1 || x.size(2) % heads != 0)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: the hidden size is not divisible by num_heads").with(op.type),
                    op.name);
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

Text attentionRefusal(const Operation &op)
{
    if (op.intAttribute("do_rotary", 0) != 0) return QL_TEXT("do_rotary is not implemented");
    if (op.intAttribute("past_present_share_buffer", 0) != 0)
        return QL_TEXT("a shared buffer of past and present is not implemented");
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
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: qkv_hidden_sizes do not match the weights").with(op.type), op.name);
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
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: key and value are missing").with(op.type), op.name);
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

/// x [N, S, hidden] or [N, heads, S, d]; position ids [1] (of the first) or [N, S]; caches [M, r / 2], or without
/// position ids [N, S, r / 2]. The first r elements of each head are rotated in pairs (i, i + r / 2), or (2 i, 2 i +
/// 1) if interleaved.
at::Tensor rotated(const Operation &op, const at::Tensor &given, at::Tensor position, const at::Tensor &cosines,
                   const at::Tensor &sines, bool interleaved)
{
    const std::int64_t half = cosines.size(-1), turned = 2 * half;
    const std::int64_t heads = op.intAttribute("num_heads", 0);
    at::Tensor x = given; // [N, heads, S, d]
    if (given.dim() == 3) x = splitHeads(op, given, heads > 0 ? heads : given.size(2) / turned);
    const std::int64_t batch = x.size(0), length = x.size(2);
    if (x.size(3) < turned)
        throw Error(
            ErrorKind::Kernel,
            QL_TEXT("%1: the caches rotate %2 elements, but a head has only %3").with(op.type, turned, x.size(3)),
            op.name);
    if (position.defined() && position.numel() == 1)
        position = (at::arange(length, position.options()) + position.reshape({})).expand({batch, length});
    const auto rows = [&](const at::Tensor &cache) {
        const at::Tensor all = position.defined() ? at::index_select(cache, 0, position.reshape({-1})) : cache;
        return all.reshape({batch, 1, length, half});
    };
    const at::Tensor c = rows(cosines), s = rows(sines);
    const at::Tensor part = x.narrow(-1, 0, turned);
    const at::Tensor a = interleaved ? part.slice(-1, 0, turned, 2) : part.narrow(-1, 0, half);
    const at::Tensor b = interleaved ? part.slice(-1, 1, turned, 2) : part.narrow(-1, half, half);
    const at::Tensor left = a * c - b * s, right = b * c + a * s;
    at::Tensor y = interleaved ? at::stack({left, right}, -1).flatten(-2) : at::cat({left, right}, -1);
    if (x.size(-1) > turned) y = at::cat({y, x.narrow(-1, turned, x.size(-1) - turned)}, -1);
    return given.dim() == 3 ? joinHeads(y) : y;
}

bool isInterleaved(const Operation &op)
{
    return op.intAttribute("interleaved", 0) != 0;
}

/// Inputs: x, position ids, cosines, sines.
std::vector<at::Tensor> contribRotaryEmbedding(const KernelContext &context, Inputs inputs)
{
    return {rotated(context.op, requiredInput(context, inputs, 0), requiredInput(context, inputs, 1).to(at::kLong),
                    requiredInput(context, inputs, 2), requiredInput(context, inputs, 3), isInterleaved(context.op))};
}

/// Inputs: x, cosines, sines, position ids.
std::vector<at::Tensor> rotaryEmbedding(const KernelContext &context, Inputs inputs)
{
    const at::Tensor position = inputOr(inputs, 3);
    return {rotated(context.op, requiredInput(context, inputs, 0),
                    position.defined() ? position.to(at::kLong) : position, requiredInput(context, inputs, 1),
                    requiredInput(context, inputs, 2), isInterleaved(context.op))};
}

/// The cache of GroupQueryAttention after its new entries: those of the past, the new ones, zeros.
/// past [N, heads, P, d] or undefined; fresh [N, heads, S, d]; before: valid entries of the past of each sequence.
/// @returns [N, heads, length, d]
at::Tensor extended(const Operation &op, const at::Tensor &past, const at::Tensor &fresh,
                    const std::vector<std::int64_t> &before, std::int64_t length)
{
    std::vector<at::Tensor> caches;
    for (std::size_t n = 0; n < before.size(); ++n) {
        const std::int64_t kept = before[n], known = past.defined() ? past.size(2) : 0, added = fresh.size(2);
        if (kept < 0 || kept > known || kept + added > length)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: sequence %2 has %3 earlier and %4 new entries, the past has %5, the cache %6")
                            .with(op.type, n, kept, added, known, length),
                        op.name);
        std::vector<at::Tensor> parts;
        if (kept > 0) parts.push_back(past[std::int64_t(n)].narrow(1, 0, kept));
        parts.push_back(fresh[std::int64_t(n)]);
        parts.push_back(at::zeros({fresh.size(1), length - kept - added, fresh.size(3)}, fresh.options()));
        caches.push_back(at::cat(parts, 1));
    }
    return at::stack(caches, 0);
}

/// Inputs: query [N, S, heads * d] (or packed with keys and values), key, value, past key [N, kv heads, P, d], past
/// value, last valid key of each sequence [N], number of keys of the longest one, cosines, sines, position ids [N, S],
/// attention bias, a score per head that only takes part in the sum of softmax [heads]. Outputs: y, present key,
/// present value.
std::vector<at::Tensor> groupQueryAttention(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const std::int64_t heads = op.intAttribute("num_heads", 0), keyHeads = op.intAttribute("kv_num_heads", 0);
    if (heads < 1 || keyHeads < 1 || heads % keyHeads != 0)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: num_heads (%2) is not divisible by kv_num_heads (%3)").with(op.type, heads, keyHeads),
                    op.name);
    at::Tensor query, key, value;
    if (inputOr(inputs, 1).defined()) {
        query = splitHeads(op, requiredInput(context, inputs, 0), heads);
        key = splitHeads(op, inputs[1], keyHeads);
        value = splitHeads(op, requiredInput(context, inputs, 2), keyHeads);
    } else {
        const at::Tensor all = splitHeads(op, requiredInput(context, inputs, 0), heads + 2 * keyHeads);
        query = all.narrow(1, 0, heads);
        key = all.narrow(1, heads, keyHeads);
        value = all.narrow(1, heads + keyHeads, keyHeads);
    }
    const std::int64_t batch = query.size(0), queries = query.size(2);
    const std::int64_t total = requiredInput(context, inputs, 6).to(at::kLong).reshape({-1})[0].item<std::int64_t>();
    const at::Tensor last = requiredInput(context, inputs, 5).to(at::kLong).reshape({-1});
    if (last.size(0) != batch || total < queries)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("%1: seqlens_k needs an entry per sequence, and total_sequence_length at least %2")
                        .with(op.type, queries),
                    op.name);
    // A prompt fills the cache from its start, also if it is padded at its end.
    const at::Tensor offsets = total == queries ? at::zeros_like(last) : last + 1 - queries;
    const at::Tensor place = offsets.unsqueeze(1) + at::arange(queries, last.options()); // [N, S]
    if (op.intAttribute("do_rotary", 0) != 0) {
        const at::Tensor position = inputOr(inputs, 9).defined() ? inputs[9].to(at::kLong) : place;
        const auto turn = [&](const at::Tensor &x) {
            return rotated(op, x, position.reshape({batch, queries}), requiredInput(context, inputs, 7),
                           requiredInput(context, inputs, 8), op.intAttribute("rotary_interleaved", 0) != 0);
        };
        query = turn(query);
        key = turn(key);
    }
    const at::Tensor pastKey = inputOr(inputs, 3), pastValue = inputOr(inputs, 4);
    const std::int64_t length = std::max(total, pastKey.defined() ? pastKey.size(2) : 0);
    const std::vector<std::int64_t> before(offsets.data_ptr<std::int64_t>(), offsets.data_ptr<std::int64_t>() + batch);
    const at::Tensor presentKey = extended(op, pastKey, key, before, length);
    const at::Tensor presentValue = extended(op, pastValue, value, before, length);

    const auto used = [&](const at::Tensor &cache) {
        return at::repeat_interleave(cache.narrow(2, 0, total), heads / keyHeads, 1);
    };
    checkElements(op, {batch, heads, queries, total});
    at::Tensor scores = matrixProduct(query, used(presentKey).transpose(2, 3)) *
                        scaleOf(op).value_or(1 / std::sqrt(double(query.size(3))));
    if (const double cap = op.floatAttribute("softcap", 0); cap > 0) scores = at::tanh(scores / cap) * cap;
    if (inputOr(inputs, 10).defined()) scores = scores + inputs[10].narrow(-1, 0, total);
    const at::Tensor ahead = at::arange(total, last.options()) - place.unsqueeze(-1); // [N, S, T]
    const std::int64_t window = op.intAttribute("local_window_size", -1);
    const at::Tensor hidden = window < 0 ? ahead > 0 : (ahead > 0).logical_or(ahead <= -window);
    scores = at::where(hidden.unsqueeze(1), at::full({}, -std::numeric_limits<double>::infinity(), scores.options()),
                       scores);
    const at::Tensor sink = inputOr(inputs, 11);
    if (sink.defined() || op.intAttribute("smooth_softmax", 0) > 0) {
        const at::Tensor extra = sink.defined() ? sink.reshape({1, heads, 1, 1}).to(scores.scalar_type())
                                                : at::zeros({1, heads, 1, 1}, scores.options());
        scores = at::cat({scores, extra.expand({batch, heads, queries, 1})}, -1);
    }
    const at::Tensor shares = at::softmax(scores, -1).narrow(-1, 0, total);
    return {joinHeads(matrixProduct(shares, used(presentValue))), presentKey, presentValue};
}

Text groupQueryRefusal(const Operation &op)
{
    if (op.intAttribute("qk_output", 0) != 0) return QL_TEXT("the scores as output (qk_output) are not implemented");
    for (const char *type : {"k_quant_type", "v_quant_type"})
        if (const std::string given = op.stringAttribute(type, "NONE"); given != "NONE")
            return QL_TEXT("caches of codes (%1) are not implemented").with(type);
    return {};
}

/// The bias that ai.onnx Attention adds to its scores: 0 where a query sees a key, -infinity where it does not, plus a
/// float mask. Query i is at position offset + i, after the past or, if the number of valid keys of each sequence is
/// given, at their end.
/// @returns a bias that broadcasts to [N, heads, queries, keys]
at::Tensor onnxBias(const KernelContext &context, Inputs inputs, std::int64_t queries, std::int64_t keys,
                    const at::TensorOptions &options)
{
    const Operation &op = context.op;
    const double never = -std::numeric_limits<double>::infinity();
    const at::Tensor mask = inputOr(inputs, 3), past = inputOr(inputs, 4), valid = inputOr(inputs, 6);
    const at::Tensor zero = at::zeros({}, options), hidden = at::full({}, never, options);
    at::Tensor bias = at::zeros({queries, keys}, options);
    if (mask.defined()) {
        const std::int64_t missing = keys - mask.size(-1);
        if (missing < 0)
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("Attention: the mask covers %1 keys, expected %2").with(mask.size(-1), keys), op.name);
        const at::Tensor added = mask.scalar_type() == at::kBool ? at::where(mask, zero, hidden) : mask;
        bias = bias + at::constant_pad_nd(added, {0, missing}, never);
    }
    const at::TensorOptions whole = options.dtype(at::kLong);
    at::Tensor offset = at::full({}, past.defined() ? past.size(2) : 0, whole);
    at::Tensor counts;
    if (valid.defined()) {
        counts = valid.to(at::kLong).reshape({-1, 1, 1, 1});
        offset = counts - queries;
    }
    // Position of each key minus that of each query
    const at::Tensor key = at::arange(keys, whole);
    const at::Tensor ahead = key - (at::arange(queries, whole).unsqueeze(1) + offset);
    const std::int64_t left = op.intAttribute("left_window_size", -1), right = op.intAttribute("right_window_size", -1);
    if (op.intAttribute("is_causal", 0) != 0) bias = bias + at::where(ahead > 0, hidden, zero);
    if (left >= 0) bias = bias + at::where(ahead < -left, hidden, zero);
    if (right >= 0) bias = bias + at::where(ahead > right, hidden, zero);
    if (counts.defined()) bias = bias + at::where(key < counts, zero, hidden);
    return bias;
}

/// Inputs: query, key, value ([N, S, heads * d] or [N, heads, S, d]; fewer heads of keys and values serve groups of
/// queries), mask, past key, past value, number of valid keys [N]. Outputs: y, present key, present value, scores. A
/// query that sees no key gives zeros. least: a mask of at most that hides a key.
std::vector<at::Tensor> onnxAttention(const KernelContext &context, Inputs inputs, double least)
{
    const Operation &op = context.op;
    const at::Tensor &given = requiredInput(context, inputs, 0);
    const auto split = [&](const at::Tensor &x, const char *heads) {
        return x.dim() == 4 ? x : splitHeads(op, x, op.intAttribute(heads, 0));
    };
    const at::Tensor query = split(given, "q_num_heads");
    at::Tensor key = split(requiredInput(context, inputs, 1), "kv_num_heads");
    at::Tensor value = split(requiredInput(context, inputs, 2), "kv_num_heads");
    if (inputOr(inputs, 4).defined()) key = at::cat({inputs[4], key}, 2);
    if (inputOr(inputs, 5).defined()) value = at::cat({inputs[5], value}, 2);
    const at::Tensor presentKey = key, presentValue = value;
    if (key.size(1) == 0 || value.size(1) != key.size(1) || query.size(1) % key.size(1) != 0)
        throw Error(ErrorKind::Kernel,
                    QL_TEXT("Attention: %1 query heads do not match %2 key heads and %3 value heads")
                        .with(query.size(1), key.size(1), value.size(1)),
                    op.name);
    const std::int64_t groups = query.size(1) / key.size(1);
    if (groups > 1) {
        key = at::repeat_interleave(key, groups, 1);
        value = at::repeat_interleave(value, groups, 1);
    }
    checkElements(op, {query.size(0), query.size(1), query.size(2), key.size(2)});
    const double scale =
        op.attributes.contains("scale") ? op.floatAttribute("scale", 1) : 1 / std::sqrt(double(query.size(3)));
    at::Tensor scores = matrixProduct(query, key.transpose(2, 3)) * scale;
    const double cap = op.floatAttribute("softcap", 0);
    if (cap > 0) scores = at::tanh(scores / cap) * cap;
    const at::Tensor capped = scores;
    const at::Tensor bias = onnxBias(context, inputs, query.size(2), key.size(2), scores.options());
    scores = scores + bias;
    const at::Tensor biased = scores;
    const at::Tensor blind = bias.amax(-1, true) <= least;
    at::Tensor shares = at::softmax(scores, -1);
    shares = at::where(blind, at::zeros({}, shares.options()), shares);
    const at::Tensor y = matrixProduct(shares, value);
    const std::int64_t shown = op.intAttribute("qk_matmul_output_mode", 0);
    return {given.dim() == 4 ? y : joinHeads(y), presentKey, presentValue,
            shown < 2    ? capped
            : shown == 2 ? biased
                         : shares};
}

const char *const attentionLimits = "do_rotary and a shared buffer of past and present are not supported";
OpTraits attentionTraits()
{
    return {.inputs = {{"input"}, {"weights"}, {"bias"}}, .weights = WeightTraits{.axis = lastWeightAxis}};
}

const KernelRegistrar attentionKernel{{"com.microsoft:Attention"},
                                      {.run = attention,
                                       .family = "attention",
                                       .limits = attentionLimits,
                                       .refusal = attentionRefusal,
                                       .onDevice = always},
                                      attentionTraits()};
const KernelRegistrar quantizedKernel{
    {"com.microsoft:QAttention"},
    {.run = qAttention, .family = "attention", .limits = attentionLimits, .refusal = attentionRefusal},
    {.handlesCodes = true}};
const KernelRegistrar multiHead{{"com.microsoft:MultiHeadAttention"},
                                {.run = multiHeadAttention, .family = "attention", .onDevice = always}};
const KernelRegistrar groupQuery{{"com.microsoft:GroupQueryAttention"},
                                 {.run = groupQueryAttention,
                                  .family = "attention",
                                  .limits = "no output of scores, no caches of codes",
                                  .refusal = groupQueryRefusal},
                                 {.inputs = {{"query"},
                                             {"key"},
                                             {"value"},
                                             {"past_key"},
                                             {"past_value"},
                                             {"seqlens_k", SlotKind::ShapeOrIndex},
                                             {"total_sequence_length", SlotKind::ShapeOrIndex},
                                             {"cos_cache", SlotKind::Float},
                                             {"sin_cache", SlotKind::Float},
                                             {"position_ids", SlotKind::ShapeOrIndex},
                                             {"attention_bias", SlotKind::Float},
                                             {"head_sink", SlotKind::Float}}}};
const KernelRegistrar contribRotary{{"com.microsoft:RotaryEmbedding"},
                                    {.run = contribRotaryEmbedding, .family = "attention"}};
const KernelRegistrar rotary{{"RotaryEmbedding"}, {.run = rotaryEmbedding, .minOpset = 23, .family = "attention"}};
// K is at the weight position of the fused operator: a matrix product, so quantizing it pays off, too.
const KernelRegistrar onnxKernel{
    {"Attention"},
    {.run = [](const KernelContext &context,
               Inputs inputs) { return onnxAttention(context, inputs, -std::numeric_limits<double>::infinity()); },
     .minOpset = 23,
     .family = "attention",
     // ONNX Runtime 1.32 takes the lowest float32 number for -infinity
     .asRuntime = [](const KernelContext &context,
                     Inputs inputs) { return onnxAttention(context, inputs, std::numeric_limits<float>::lowest()); }},
    {.inputs = {{"Q"}, {"K"}, {"V"}}, .weights = WeightTraits{.axis = lastWeightAxis}}};

} // namespace

} // namespace ql
