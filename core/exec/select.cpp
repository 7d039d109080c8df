// Operators that pick and place elements by index: the N-dimensional gathers and scatters, selection, one-hot. Negative
// indices count from the end. Source: ONNX GatherND-13, ScatterND-18, ScatterElements-18, TensorScatter-24,
// Compress-11, OneHot-11, ReverseSequence-10, Unique-11, TopK-11, Trilu-14, EyeLike-9.
#include "core/exec/kernel.h"

#include <ATen/Dispatch.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/argsort.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/triu.h>
#include <ATen/ops/unique_dim.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <numeric>

namespace ql {

namespace {

std::int64_t product(at::IntArrayRef sizes, std::int64_t from, std::int64_t to)
{
    std::int64_t result = 1;
    for (std::int64_t i = from; i < to; ++i) result *= sizes[std::size_t(i)];
    return result;
}

/// indices [..., k] into dimensions first .. first + k - 1 of x as positions in their row-major product. Shape [...].
/// @throws Error (Kernel) for an index outside its dimension.
at::Tensor linearIndex(const Operation &op, const at::Tensor &indices, const at::Tensor &x, std::int64_t first)
{
    const std::int64_t depth = indices.size(-1);
    if (first + depth > x.dim())
        throw Error(
            ErrorKind::Kernel,
            QL_TEXT("%1: index tuples of length %2 are too long for a tensor of rank %3").with(op.type, depth, x.dim()),
            op.name);
    const at::Tensor wide = indices.to(at::kLong);
    std::vector<std::int64_t> shape(wide.sizes().begin(), wide.sizes().end() - 1);
    at::Tensor result = at::zeros(shape, wide.options());
    for (std::int64_t d = 0; d < depth; ++d) {
        const at::Tensor column = wide.select(-1, d);
        const std::int64_t size = x.size(first + d);
        if (column.numel() > 0 && (column.min().item().toLong() < -size || column.max().item().toLong() >= size))
            throw Error(ErrorKind::Kernel,
                        QL_TEXT("%1: an index is outside dimension %2 of size %3").with(op.type, first + d, size),
                        op.name);
        result = result * size + at::where(column < 0, column + size, column);
    }
    return result;
}

std::vector<at::Tensor> gatherNd(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &indices = requiredInput(context, inputs, 1);
    const std::int64_t batchDims = op.intAttribute("batch_dims", 0);
    if (indices.dim() < 1 || batchDims < 0 || batchDims >= std::min(x.dim(), indices.dim()) ||
        x.sizes().slice(0, std::size_t(batchDims)) != indices.sizes().slice(0, std::size_t(batchDims)))
        throw Error(ErrorKind::Kernel, QL_TEXT("GatherND: batch_dims does not match the shapes of data and indices"),
                    op.name);
    const std::int64_t depth = indices.size(-1);
    at::Tensor index = linearIndex(op, indices, x, batchDims);
    const std::int64_t batch = product(x.sizes(), 0, batchDims);
    const std::int64_t picked = product(x.sizes(), batchDims, batchDims + depth);
    const std::int64_t rest = product(x.sizes(), batchDims + depth, x.dim());
    std::vector<std::int64_t> shape(index.sizes().begin(), index.sizes().end());
    shape.insert(shape.end(), x.sizes().begin() + batchDims + depth, x.sizes().end());
    checkElements(op, shape, x.element_size());
    index = index.reshape({batch, index.numel() / std::max<std::int64_t>(batch, 1)}) +
            at::arange(batch, index.options()).reshape({-1, 1}) * picked;
    return {at::index_select(x.reshape({batch * picked, rest}), 0, index.reshape({-1})).reshape(shape)};
}

/// x with updates written at positions (row-major, as many as updates) one after the other, by op's reduction.
at::Tensor scatterInto(const Operation &op, const at::Tensor &x, const at::Tensor &positions, const at::Tensor &updates)
{
    if (x.scalar_type() == at::kBool)
        return scatterInto(op, x.to(at::kByte), positions, updates.to(at::kByte)).to(at::kBool);
    const std::string reduction = op.stringAttribute("reduction", "none");
    // On a device, duplicate positions, which ONNX leaves undefined, get any of their values
    if (!x.is_cpu() && reduction == "none")
        return x.reshape({-1})
            .scatter(0, positions.reshape({-1}), updates.to(x.scalar_type()).reshape({-1}))
            .reshape(x.sizes());
    at::Tensor y = x.to(at::kCPU).clone(at::MemoryFormat::Contiguous);
    const at::Tensor index = positions.to(at::kCPU).contiguous();
    const at::Tensor values = updates.to(at::kCPU, x.scalar_type()).contiguous();
    const std::int64_t *const to = index.data_ptr<std::int64_t>();
    const auto apply = [&]<class T>(T *out, auto &&combine) {
        const T *const from = values.data_ptr<T>();
        for (std::int64_t i = 0; i < index.numel(); ++i) out[to[i]] = combine(out[to[i]], from[i]);
    };
    AT_DISPATCH_ALL_TYPES_AND2(at::kHalf, at::kBFloat16, x.scalar_type(), "scatter", [&] {
        using T = scalar_t;
        T *const out = y.data_ptr<T>();
        if (reduction == "none")
            apply(out, [](T, T b) { return b; });
        else if (reduction == "add")
            apply(out, [](T a, T b) { return T(a + b); });
        else if (reduction == "mul")
            apply(out, [](T a, T b) { return T(a * b); });
        else if (reduction == "max")
            apply(out, [](T a, T b) { return a < b ? b : a; });
        else // min; others are refused
            apply(out, [](T a, T b) { return b < a ? b : a; });
    });
    return y.to(x.device());
}

std::vector<at::Tensor> scatterNd(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor &indices = requiredInput(context, inputs, 1);
    const at::Tensor &updates = requiredInput(context, inputs, 2);
    if (indices.dim() < 1) throw Error(ErrorKind::Kernel, QL_TEXT("ScatterND: indices are a scalar"), op.name);
    const at::Tensor index = linearIndex(op, indices, x, 0).reshape({-1, 1});
    const std::int64_t rest = product(x.sizes(), indices.size(-1), x.dim());
    if (updates.numel() != index.numel() * rest)
        throw Error(
            ErrorKind::Kernel,
            QL_TEXT("ScatterND: the indices need %2 updates, got %1").with(updates.numel(), index.numel() * rest),
            op.name);
    return {scatterInto(op, x, index * rest + at::arange(rest, index.options()), updates)};
}

std::vector<at::Tensor> scatterElements(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", 0), x.dim(), op);
    at::Tensor index = requiredInput(context, inputs, 1).to(at::kLong);
    const at::Tensor &updates = requiredInput(context, inputs, 2);
    const std::int64_t size = x.size(axis);
    bool fits = index.dim() == x.dim() && index.sizes() == updates.sizes();
    for (std::int64_t d = 0; fits && d < x.dim(); ++d) fits = d == axis || index.size(d) <= x.size(d);
    if (!fits)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: the shapes of indices and updates do not match").with(op.type),
                    op.name);
    if (index.numel() == 0) return {x};
    if (index.min().item().toLong() < -size || index.max().item().toLong() >= size)
        throw Error(ErrorKind::Kernel, QL_TEXT("%1: an index is outside an axis of size %2").with(op.type, size),
                    op.name);
    index = at::where(index < 0, index + size, index);
    // The position of each update: its own coordinates, but the index along axis
    std::int64_t stride = 1;
    at::Tensor position = at::zeros({}, index.options());
    for (std::int64_t d = x.dim() - 1; d >= 0; --d) {
        std::vector<std::int64_t> shape(std::size_t(x.dim()), 1);
        shape[std::size_t(d)] = index.size(d);
        position = position + (d == axis ? index : at::arange(index.size(d), index.options()).reshape(shape)) * stride;
        stride *= x.size(d);
    }
    return {scatterInto(op, x, position, updates)};
}

/// A cache of keys or values with new entries: along axis, those of sample b start at write_indices[b] (default 0). In
/// mode circular they continue at the start of the cache.
std::vector<at::Tensor> tensorScatter(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &past = requiredInput(context, inputs, 0);
    const at::Tensor &update = requiredInput(context, inputs, 1);
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", -2), past.dim(), op);
    const std::int64_t samples = past.size(0), size = past.size(axis);
    std::vector<std::int64_t> starts = toInts(inputOr(inputs, 2));
    if (!inputOr(inputs, 2).defined()) starts.resize(std::size_t(samples));
    bool fits = axis > 0 && update.dim() == past.dim() && std::int64_t(starts.size()) == samples;
    for (std::int64_t d = 0; fits && d < past.dim(); ++d)
        fits = d == axis ? update.size(d) <= size : update.size(d) == past.size(d);
    if (!fits) throw IncompatibleInputs(QL_TEXT("the shapes of cache, update and write indices do not match"));
    const std::int64_t length = update.size(axis);
    const bool wraps = op.stringAttribute("mode", "linear") == "circular";
    const at::Tensor steps = at::arange(length, past.options().dtype(at::kLong));
    at::Tensor present = past.clone();
    for (std::int64_t b = 0; b < samples && length > 0; ++b) {
        const std::int64_t start = starts[std::size_t(b)];
        if (start < 0 || (!wraps && start > size - length))
            throw IncompatibleInputs(
                QL_TEXT("%1 entries at index %2 do not fit into a cache of %3").with(length, start, size));
        present.select(0, b).index_copy_(axis - 1, (steps + start).remainder(size), update.select(0, b));
    }
    return {present};
}

/// Slices along axis where condition is true; without axis, elements of the flattened tensor.
std::vector<at::Tensor> compress(const KernelContext &context, Inputs inputs)
{
    at::Tensor x = requiredInput(context, inputs, 0);
    const at::Tensor picked = at::nonzero(requiredInput(context, inputs, 1).reshape({-1})).reshape({-1});
    const bool flat = !context.op.hasAttribute("axis");
    const std::int64_t axis = flat ? 0 : normalizeAxis(context.op.intAttribute("axis", 0), x.dim(), context.op);
    if (flat) x = x.reshape({-1});
    return {at::index_select(x, axis, picked)};
}

/// values: [off, on]. An index outside [-depth, depth) gives off everywhere.
std::vector<at::Tensor> oneHot(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor indices = requiredInput(context, inputs, 0).to(at::kLong);
    const std::int64_t depth = toInts(requiredInput(context, inputs, 1)).at(0);
    const at::Tensor values = requiredInput(context, inputs, 2);
    if (values.numel() != 2) throw Error(ErrorKind::Kernel, QL_TEXT("OneHot: values must be [off, on]"), op.name);
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", -1), indices.dim() + 1, op);
    std::vector<std::int64_t> shape = indices.sizes().vec();
    shape.insert(shape.begin() + axis, depth);
    checkElements(op, shape, 16); // a condition, an index and the result
    std::vector<std::int64_t> along(shape.size(), 1);
    along[std::size_t(axis)] = depth;
    const at::Tensor wrapped = at::where(indices < 0, indices + depth, indices).unsqueeze(axis);
    const at::Tensor hit = wrapped == at::arange(depth, indices.options()).reshape(along);
    return {at::where(hit, values.reshape({-1})[1], values.reshape({-1})[0])};
}

std::vector<at::Tensor> reverseSequence(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor lengths = requiredInput(context, inputs, 1).to(at::kLong);
    const std::int64_t time = op.intAttribute("time_axis", 0), batch = op.intAttribute("batch_axis", 1);
    if (x.dim() < 2 || time == batch || time < 0 || time > 1 || batch < 0 || batch > 1)
        throw Error(ErrorKind::Kernel, QL_TEXT("ReverseSequence: batch_axis and time_axis must be 0 and 1 or 1 and 0"),
                    op.name);
    const at::Tensor rows = time == 0 ? x : x.transpose(0, 1); // [time, batch, ...]
    const at::Tensor position = at::arange(rows.size(0), lengths.options()).unsqueeze(1);
    const at::Tensor length = lengths.reshape({1, -1});
    at::Tensor index = at::where(position < length, length - 1 - position, position);
    for (std::int64_t i = 2; i < rows.dim(); ++i) index = index.unsqueeze(-1);
    const at::Tensor y = at::gather(rows, 0, index.expand(rows.sizes()));
    return {time == 0 ? y : y.transpose(0, 1)};
}

/// Outputs: unique values (or slices along axis), index of the first occurrence, inverse, counts. Sorted, or in order
/// of first occurrence.
std::vector<at::Tensor> unique(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    at::Tensor x = requiredInput(context, inputs, 0);
    const bool flat = !op.hasAttribute("axis");
    const std::int64_t axis = flat ? 0 : normalizeAxis(op.intAttribute("axis", 0), x.dim(), op);
    if (flat) x = x.reshape({-1});
    // LibTorch has no gradient of it, and would say so in its own words
    auto [values, inverse, counts] = at::unique_dim(x.detach(), axis, true, true, true);
    const std::int64_t count = counts.numel();
    at::Tensor first = at::full({count}, 0, counts.options());
    inverse = inverse.contiguous();
    for (std::int64_t i = inverse.numel(); i-- > 0;)
        first.data_ptr<std::int64_t>()[inverse.data_ptr<std::int64_t>()[i]] = i;
    if (op.intAttribute("sorted", 1) == 0) {
        const at::Tensor order = at::argsort(first);
        values = at::index_select(values, axis, order);
        counts = at::index_select(counts, 0, order);
        first = at::index_select(first, 0, order);
        inverse = at::index_select(at::argsort(order), 0, inverse);
    }
    return {values, first, inverse, counts};
}

/// Equal values: the lower index first.
std::vector<at::Tensor> topK(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const std::int64_t axis = normalizeAxis(op.intAttribute("axis", -1), x.dim(), op);
    const at::Tensor count = inputOr(inputs, 1);
    const std::int64_t k = count.defined() ? toInts(count).at(0) : op.intAttribute("k", 1);
    if (k < 0 || k > x.size(axis))
        throw Error(ErrorKind::Kernel, QL_TEXT("TopK: k is %1, but axis %2 has size %3").with(k, axis, x.size(axis)),
                    op.name);
    const auto [values, indices] = at::sort(x, true, axis, op.intAttribute("largest", 1) != 0);
    return {values.narrow(axis, 0, k), indices.narrow(axis, 0, k)};
}

std::vector<at::Tensor> trilu(const KernelContext &context, Inputs inputs)
{
    const at::Tensor &x = requiredInput(context, inputs, 0);
    const at::Tensor diagonal = inputOr(inputs, 1);
    const std::int64_t k = diagonal.defined() ? toInts(diagonal).at(0) : 0;
    if (x.dim() < 2) throw Error(ErrorKind::Kernel, QL_TEXT("Trilu: expected matrices"), context.op.name);
    if (x.numel() == 0) return {x};
    const std::int64_t bound = x.size(-1) + x.size(-2);
    const std::int64_t clamped = std::clamp(k, -bound, bound);
    return {context.op.intAttribute("upper", 1) != 0 ? at::triu(x, clamped) : at::tril(x, clamped)};
}

std::vector<at::Tensor> eyeLike(const KernelContext &context, Inputs inputs)
{
    const Operation &op = context.op;
    const at::Tensor &x = requiredInput(context, inputs, 0);
    if (x.dim() != 2) throw Error(ErrorKind::Kernel, QL_TEXT("EyeLike: expected a matrix"), op.name);
    const at::ScalarType type =
        op.hasAttribute("dtype") ? typeOfOnnxCode(op.intAttribute("dtype", 1), op) : x.scalar_type();
    const std::int64_t k = op.intAttribute("k", 0);
    at::Tensor y = at::zeros(x.sizes(), x.options().dtype(type));
    if (k < x.size(1) && -k < x.size(0)) y.diagonal(k).fill_(1);
    return {y};
}

const KernelRegistrar gatherNdKernel{{"GatherND"},
                                     {.run = gatherNd,
                                      .minOpset = 11,
                                      .family = "index",
                                      .takesShortFloats = true,
                                      .strings = StringOutputs::All,
                                      .onDevice = always},
                                     {.inputs = {{"data"}, {"indices", SlotKind::Float}}, .shapes = {.inputs = 1}}};
const KernelRegistrar contribGatherNd{{"com.microsoft:GatherND"},
                                      {.run = gatherNd, .maxOpset = 1, .family = "index", .takesShortFloats = true},
                                      {.inputs = {{"data"}, {"indices", SlotKind::Float}}, .shapes = {.inputs = 1}}};
const RefusalFunction onlyScatterReductions = acceptsOnly({{"reduction", {"none", "add", "mul", "max", "min"}}});
/// Not for updates that are combined one after the other: on a device, sums would differ between runs.
bool scattersOnDevice(const Operation &op)
{
    return op.stringAttribute("reduction", "none") == "none";
}
OpTraits scatterTraits()
{
    return {.inputs = {{"data"}, {"indices", SlotKind::Float}, {"updates"}}, .regionsFollowValues = true};
}
const KernelRegistrar scatterNdKernel{{"ScatterND"},
                                      {.run = scatterNd,
                                       .minOpset = 11,
                                       .family = "index",
                                       .refusal = onlyScatterReductions,
                                       .takesShortFloats = true,
                                       .strings = StringOutputs::All,
                                       .onDevice = scattersOnDevice},
                                      scatterTraits()};
const KernelRegistrar scatterElementsKernel{{"ScatterElements", "Scatter"},
                                            {.run = scatterElements,
                                             .minOpset = 9,
                                             .family = "index",
                                             .refusal = onlyScatterReductions,
                                             .takesShortFloats = true,
                                             .strings = StringOutputs::All,
                                             .onDevice = scattersOnDevice},
                                            scatterTraits()};
const KernelRegistrar tensorScatterKernel{
    {"TensorScatter"},
    {.run = tensorScatter,
     .minOpset = 24,
     .family = "index",
     .refusal = acceptsOnly({{"mode", {"linear", "circular"}}}),
     .takesShortFloats = true,
     .onDevice = always},
    {.inputs = {{"past_cache"}, {"update"}, {"write_indices", SlotKind::ShapeOrIndex}},
     .regionsFollowValues = true,
     .shapes = sameAsInput0()}};
const KernelRegistrar compressKernel{
    {"Compress"},
    {.run = compress, .minOpset = 9, .family = "index", .takesShortFloats = true, .strings = StringOutputs::All},
    {.inputs = {{"input"}, {"condition", SlotKind::Float}}, .shapes = {.dependsOnValues = true}}};
const KernelRegistrar oneHotKernel{
    {"OneHot"},
    {.run = oneHot,
     .minOpset = 9,
     .family = "index",
     .takesShortFloats = true,
     .strings = StringOutputs::All,
     .onDevice = always},
    {.inputs = {{"indices", SlotKind::Float}, {"depth", SlotKind::ShapeOrIndex}, {"values", SlotKind::Float}},
     .outputs = {{"output", SlotKind::Float}}}};
const KernelRegistrar reverseKernel{{"ReverseSequence"},
                                    {.run = reverseSequence,
                                     .minOpset = 10,
                                     .family = "index",
                                     .takesShortFloats = true,
                                     .strings = StringOutputs::All},
                                    {.inputs = {{"input"}, {"sequence_lens", SlotKind::ShapeOrIndex}}}};
const KernelRegistrar uniqueKernel{
    {"Unique"},
    {.run = unique, .minOpset = 11, .family = "index", .takesShortFloats = true, .strings = StringOutputs::First},
    {.shapes = {.dependsOnValues = true}}};
const KernelRegistrar topKKernel{
    {"TopK"},
    {.run = topK, .family = "index", .takesShortFloats = true, .onDevice = always},
    {.inputs = {{"X"}, {"K", SlotKind::ShapeOrIndex}},
     .outputs = {{.name = "Values"}, {.name = "Indices", .kind = SlotKind::Float, .isIndex = true}},
     .regionsFollowValues = true,
     .source = ValueSource::Selection,
     .shapes = {.inputs = 1}}};
const KernelRegistrar triluKernel{
    {"Trilu"},
    {.run = trilu, .minOpset = 14, .family = "index", .takesShortFloats = true, .onDevice = always},
    {.inputs = {{"input"}, {"k", SlotKind::ShapeOrIndex}},
     .shapes = {.inputs = 1, .rank = RankRule::OfInput0, .elementType = ElementTypeRule::OfInput0}}};
const KernelRegistrar contribTrilu{{"com.microsoft:Trilu"},
                                   {.run = trilu, .maxOpset = 1, .family = "index", .takesShortFloats = true},
                                   {.inputs = {{"input"}, {"k", SlotKind::ShapeOrIndex}}, .shapes = {.inputs = 1}}};
const KernelRegistrar eyeKernel{{"EyeLike"},
                                {.run = eyeLike, .minOpset = 9, .family = "index", .takesShortFloats = true}};

} // namespace

} // namespace ql
