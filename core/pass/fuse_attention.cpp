// Before: MatMul(Q, K^T) [-> Mul or Div] [-> Add mask] -> Softmax -> MatMul(., V)        After: Attention
//
// The scaled dot product as exporters write it: the factor after the product (Hugging Face, optimum), or its root on Q
// and on K, before or after the Transpose of K (PyTorch's scaled_dot_product_attention); com.microsoft FusedMatMul
// with alpha and transB (ONNX Runtime's optimizer). The factor is a constant, or computed from the last size of Q by
// Shape, Slice, Cast, Sqrt and Div (TorchScript), which is Attention's default scale. The Transpose that ends in K^T
// keeps its other axes, so that K arrives as [N, heads, T, d]; one that only exchanges the last two axes is removed.
// PyTorch's exporter for dynamo writes K^T as Reshape to [N heads, T, d] -> Transpose -> Reshape to [N, heads, d, T],
// and after Softmax a Where that gives 0 if a mask hides all keys by -infinity, which is part of Attention (also in
// ONNX Runtime, which takes the lowest float32 number for -infinity). Scores and shares then are values inside one
// operation, which a target computes without rounding them. Tensors of rank 3, [N heads, T, d] (MultiheadAttention that
// returns its weights), are one head each. Shares that others read become output 3 of Attention. A mask with one row
// for all queries is expanded, because ONNX Runtime refuses it. Conditions: all tensors have the same rank, 3 or 4,
// and, where their sizes are known, the same batch and heads; a mask has 2 axes up to that rank and an entry for each
// key; no other tensor in between has other consumers or is a graph output. Exporting then needs opset 23. Not part
// of the default formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ql {

namespace {

/// number * d^power
struct Factor
{
    double number = 1, power = 0;
    VarId source = noVar; ///< d is its last size

    /// False if the two depend on different sizes.
    bool multiply(const Factor &other, double exponent)
    {
        if (source != noVar && other.source != noVar && source != other.source) return false;
        number *= std::pow(other.number, exponent);
        power += other.power * exponent;
        if (source == noVar) source = other.source;
        return true;
    }
    Factor toPower(double exponent) const { return {std::pow(number, exponent), power * exponent, source}; }
};

struct FoundAttention
{
    VarId query = noVar, key = noVar, value = noVar, mask = noVar;
    VarId shares = noVar; ///< result of Softmax if others read it
    int rank = 4;         ///< of query, key and value
    Factor scale;
    OpId turned = noOp;               ///< Transpose or Reshape that makes the key; noOp: key is [N, heads, T, d]
    std::vector<std::int64_t> change; ///< what turned needs to make [N, heads, T, d]: axes, or sizes
    VarId rows = noVar;               ///< what turned has to read then; noVar: the same
    std::vector<OpId> inner;          ///< consumers first

    /// The scale is 1 / sqrt(d), which Attention has by default.
    bool hasUsualScale() const
    {
        return scale.source == query && scale.power == -0.5 && std::abs(scale.number - 1) < 1e-9;
    }
};

/// Follows one attention upwards from its last product.
class AttentionSearch
{
public:
    AttentionSearch(const Graph &graph, const std::vector<int> &ranks) : m_graph(graph), m_ranks(ranks) {}

    std::optional<FoundAttention> at(const Operation &last) const
    {
        if (last.type != "MatMul" || !last.domain.empty()) return std::nullopt;
        FoundAttention found;
        const Operation *softmax = sharesOf(last.inputs[0], found);
        const std::int64_t axis = softmax ? softmax->intAttribute("axis", softmax->opset < 13 ? 1 : -1) : 0;
        found.value = last.inputs[1];
        found.rank = rank(found.value);
        if (!softmax || (found.rank != 3 && found.rank != 4) || (axis != -1 && axis != found.rank - 1))
            return std::nullopt;
        found.inner.push_back(softmax->id);
        const Operation *add = owner(softmax->inputs[0], "Add");
        if (!add) return isUsual(found, softmax->inputs[0]) ? std::optional(found) : std::nullopt;
        found.inner.push_back(add->id);
        for (const std::size_t side : {std::size_t(0), std::size_t(1)}) {
            FoundAttention masked = found;
            masked.mask = add->inputs[1 - side];
            if (isMask(masked.mask, found.rank) && isUsual(masked, add->inputs[side])) return masked;
        }
        return std::nullopt;
    }

private:
    const Operation *producer(VarId tensor) const
    {
        const OpId op = tensor == noVar ? noOp : m_graph.variable(tensor).producer;
        return op == noOp ? nullptr : &m_graph.operation(op);
    }
    bool isReadBy(VarId tensor, std::size_t readers) const
    {
        return m_graph.variable(tensor).uses.size() == readers && !m_graph.isGraphOutput(tensor);
    }
    /// The operation that computes tensor, if only `readers` inputs read it.
    const Operation *owner(VarId tensor, std::string_view type, std::string_view domain = {},
                           std::size_t readers = 1) const
    {
        const Operation *op = producer(tensor);
        const bool isIt = op && op->type == type && op->domain == domain && isReadBy(tensor, readers);
        return isIt && onlyFirstOutputUsed(m_graph, *op) ? op : nullptr;
    }

    /// The Softmax, or the one before the Where that replaces NaN by 0, which becomes an inner operation.
    const Operation *sharesOf(VarId tensor, FoundAttention &found) const
    {
        const Operation *where = owner(tensor, "Where");
        if (!where) {
            const Operation *softmax = producer(tensor);
            if (!softmax || softmax->type != "Softmax" || !softmax->domain.empty()) return nullptr;
            if (!isReadBy(tensor, 1)) found.shares = tensor;
            return softmax;
        }
        const Operation *isNan = owner(where->inputs[0], "IsNaN");
        const at::Tensor other = parameterOf(m_graph, *where, 1);
        if (!isNan || !other.defined() || other.numel() != 1 || other.item<double>() != 0) return nullptr;
        const VarId shares = where->inputs[2];
        const Operation *softmax = isNan->inputs[0] == shares ? owner(shares, "Softmax", {}, 2) : nullptr;
        if (softmax) found.inner = {where->id, isNan->id};
        return softmax;
    }

    int rank(VarId tensor) const
    {
        return m_graph.isParameter(tensor) ? int(m_graph.variable(tensor).value.dim())
                                           : m_ranks[std::size_t(index(tensor))];
    }
    /// The size of one axis, counted from the end; 0 if it is unknown.
    std::int64_t size(VarId tensor, int fromEnd) const
    {
        if (m_graph.isParameter(tensor)) return m_graph.variable(tensor).value.size(-fromEnd);
        const auto &shape = m_graph.variable(tensor).type.shape;
        return shape && int(shape->size()) >= fromEnd ? (*shape)[shape->size() - std::size_t(fromEnd)].size : 0;
    }
    bool isMask(VarId mask, int most) const
    {
        const int axes = mask == noVar ? -1 : rank(mask);
        return axes >= 2 && axes <= most && size(mask, 1) != 1;
    }

    /// A constant, or 1 / sqrt(d) in the steps of TorchScript: Shape, Slice from -1, Cast, Sqrt, Div.
    std::optional<Factor> factorOf(VarId tensor, int depth = 0) const
    {
        if (m_graph.isParameter(tensor)) {
            const at::Tensor value = m_graph.variable(tensor).value;
            if (value.numel() != 1 || value.dim() > 4) return std::nullopt;
            return Factor{value.to(at::kDouble).item<double>()};
        }
        const Operation *op = producer(tensor);
        if (!op || !op->domain.empty() || depth > 8) return std::nullopt;
        if (op->type == "Slice") return lastSize(*op);
        const auto first = op->type == "Cast" || op->type == "Sqrt" || op->type == "Div"
                               ? factorOf(op->inputs[0], depth + 1)
                               : std::nullopt;
        if (!first || op->type == "Cast") return first;
        if (op->type == "Sqrt") return first->toPower(0.5);
        const auto second = factorOf(op->inputs[1], depth + 1);
        Factor quotient = *first;
        return second && quotient.multiply(*second, -1) ? std::optional(quotient) : std::nullopt;
    }

    /// Slice of Shape(x) that takes its last entry.
    std::optional<Factor> lastSize(const Operation &slice) const
    {
        const Operation *shape = producer(slice.inputs[0]);
        const at::Tensor start = parameterOf(m_graph, slice, 1), end = parameterOf(m_graph, slice, 2);
        const bool isLast = start.defined() && start.numel() == 1 && start.item<double>() == -1 && end.defined() &&
                            end.numel() == 1 && end.item<double>() >= std::numeric_limits<std::int32_t>::max();
        if (!isLast || slice.hasInput(4) || !shape || shape->type != "Shape" || !shape->domain.empty() ||
            shape->hasAttribute("end"))
            return std::nullopt;
        return Factor{1, 1, shape->inputs[0]};
    }

    /// The tensor before multiplications by factors, which it collects.
    VarId unscaled(VarId tensor, FoundAttention &found) const
    {
        while (true) {
            const Operation *mul = owner(tensor, "Mul"), *op = mul ? mul : owner(tensor, "Div");
            if (!op || op->inputs.size() != 2) return tensor;
            std::size_t place = mul && m_graph.isParameter(op->inputs[0]) ? 0 : 1;
            auto factor = factorOf(op->inputs[place]);
            if (!factor && mul) factor = factorOf(op->inputs[place = 0]);
            if (!factor || !found.scale.multiply(*factor, mul ? 1 : -1)) return tensor;
            found.inner.push_back(op->id);
            tensor = op->inputs[1 - place];
        }
    }

    /// From the scores to query and key.
    bool isUsual(FoundAttention &found, VarId scores) const
    {
        scores = unscaled(scores, found);
        const Operation *product = owner(scores, "MatMul"), *fused = owner(scores, "FusedMatMul", "com.microsoft");
        bool isTransposed = false;
        if (fused) {
            if (fused->intAttribute("transA", 0) != 0 || fused->intAttribute("transBatchA", 0) != 0 ||
                fused->intAttribute("transBatchB", 0) != 0)
                return false;
            isTransposed = fused->intAttribute("transB", 0) != 0;
            found.scale.number *= fused->floatAttribute("alpha", 1);
            product = fused;
        }
        if (!product) return false;
        found.inner.push_back(product->id);
        found.query = unscaled(product->inputs[0], found);
        found.key = unscaled(product->inputs[1], found);
        if (!isTransposed && !findTranspose(found)) return false;
        if (m_graph.isParameter(found.query) || m_graph.isParameter(found.key)) return false;
        for (const VarId tensor : {found.query, found.key, found.value})
            if (rank(tensor) != found.rank) return false;
        return isAlike(found.query, found.value) && (found.turned != noOp || isAlike(found.query, found.key)) &&
               found.scale.number > 0 && (found.scale.power == 0 || found.hasUsualScale());
    }

    bool findTranspose(FoundAttention &found) const
    {
        if (const Operation *reshape = owner(found.key, "Reshape"))
            return found.rank == 4 && findReshapedKey(found, *reshape);
        const Operation *transpose = owner(found.key, "Transpose");
        if (!transpose) return false;
        std::vector<std::int64_t> axes = transpose->intsAttribute("perm");
        if (int(axes.size()) != found.rank) return false;
        std::swap(axes.end()[-1], axes.end()[-2]);
        const bool isNone = std::is_sorted(axes.begin(), axes.end());
        if (isNone) found.inner.push_back(transpose->id);
        found.key = isNone ? unscaled(transpose->inputs[0], found) : found.key;
        if (isNone) return true;
        found.turned = transpose->id;
        found.change = axes;
        return true;
    }

    /// The key [N, heads, d, T] is a Reshape of the Transpose of rows [N heads, T, d].
    bool findReshapedKey(FoundAttention &found, const Operation &reshape) const
    {
        const Operation *transpose = owner(reshape.inputs[0], "Transpose");
        if (!transpose || transpose->intsAttribute("perm") != std::vector<std::int64_t>{0, 2, 1}) return false;
        const VarId rows = transpose->inputs[0];
        const std::int64_t keys = size(rows, 2), width = size(rows, 1), heads = size(found.key, 3);
        if (keys <= 0 || width <= 0 || size(found.key, 1) != keys || size(found.key, 2) != width) return false;
        const Operation *joined = owner(rows, "Reshape");
        const VarId source = joined ? joined->inputs[0] : noVar;
        if (source != noVar && rank(source) == 4 && size(source, 1) == width && size(source, 2) == keys && heads > 0 &&
            size(source, 3) == heads) {
            for (const OpId id : {reshape.id, transpose->id, joined->id}) found.inner.push_back(id);
            found.key = unscaled(source, found);
            return true;
        }
        const at::Tensor shape = parameterOf(m_graph, reshape, 1);
        if (!shape.defined() || shape.scalar_type() != at::kLong || shape.numel() != 4) return false;
        const std::int64_t *sizes = shape.data_ptr<std::int64_t>();
        if (sizes[0] == 0 || sizes[1] == 0) return false; // a size of the input
        found.inner.push_back(transpose->id);
        found.turned = reshape.id;
        found.change = {sizes[0], sizes[1], keys, width};
        found.rows = rows;
        return true;
    }

    /// Batch and heads are equal, or at least one of them is unknown.
    bool isAlike(VarId a, VarId b) const
    {
        return std::all_of(std::begin(leading), std::end(leading), [&](int axis) {
            const std::int64_t left = size(a, axis), right = size(b, axis);
            return left <= 0 || right <= 0 || left == right;
        });
    }
    static constexpr int leading[] = {4, 3};

    const Graph &m_graph;
    const std::vector<int> &m_ranks;
};

/// Adds an operation with one result.
VarId addNode(Graph &graph, OpId attention, const char *type, std::string_view suffix, std::vector<VarId> inputs)
{
    Operation node;
    node.name = graph.freshName(graph.operation(attention).name + "_" + std::string(suffix));
    node.type = type;
    node.opset = graph.operation(attention).opset;
    const VarId result = graph.addVariable(graph.freshName(node.name + "_output"));
    node.inputs = std::move(inputs);
    node.outputs = {result};
    graph.addOperation(std::move(node));
    return result;
}

VarId addList(Graph &graph, OpId attention, std::string_view suffix, const std::vector<std::int64_t> &entries)
{
    return graph.addParameter(graph.freshName(graph.operation(attention).name + "_" + std::string(suffix)),
                              int64List(entries));
}

/// The size of one axis, counted from the end; unknown (no size, no symbol) if it is not declared.
Dim dimOf(const Graph &graph, VarId tensor, std::size_t fromEnd)
{
    const Variable &variable = graph.variable(tensor);
    if (variable.isParameter()) return {variable.value.size(-std::int64_t(fromEnd)), {}};
    const auto &shape = variable.type.shape;
    return shape && shape->size() >= fromEnd ? (*shape)[shape->size() - fromEnd] : Dim{};
}

/// The mask with a row for each query, and an axis for the heads if these are not an axis of query.
VarId formattedMask(Graph &graph, OpId attention, const FoundAttention &found, int maskRank)
{
    VarId mask = found.mask;
    const Dim rows = dimOf(graph, mask, 2), queries = dimOf(graph, found.query, 2);
    const bool isKnown = queries.size > 0 || !queries.symbol.empty();
    if (!isKnown || !(rows == queries)) {
        VarId count = noVar;
        if (queries.size <= 0) {
            const VarId shape = addNode(graph, attention, "Shape", "query_shape", {found.query});
            const VarId start = addList(graph, attention, "query_axis", {-2});
            const VarId size = addNode(graph, attention, "Slice", "queries",
                                       {shape, start, addList(graph, attention, "query_axis_end", {-1})});
            count = addNode(graph, attention, "Concat", "mask_rows",
                            {size, addList(graph, attention, "mask_columns", {1})});
            graph.edit(graph.variable(count).producer).attributes["axis"] = std::int64_t{0};
        } else {
            count = addList(graph, attention, "mask_rows", {queries.size, 1});
        }
        mask = addNode(graph, attention, "Expand", "mask", {mask, count});
    }
    if (found.rank == 3 && maskRank == 3)
        mask = addNode(graph, attention, "Unsqueeze", "mask_heads",
                       {mask, addList(graph, attention, "mask_heads_axis", {1})});
    return mask;
}

/// Makes the shares an output of attention. Those of one head each lack the axis of heads.
void showShares(Graph &graph, OpId attention, const FoundAttention &found)
{
    VarId shares = found.shares;
    if (found.rank == 3) {
        shares = graph.addVariable(graph.freshName(graph.variable(found.shares).name + "_heads"));
        Operation squeeze;
        squeeze.name = graph.freshName(graph.operation(attention).name + "_shares");
        squeeze.type = "Squeeze";
        squeeze.opset = graph.operation(attention).opset;
        squeeze.inputs = {shares, addList(graph, attention, "shares_axis", {1})};
        squeeze.outputs = {found.shares};
        graph.addOperation(std::move(squeeze));
    }
    graph.edit(attention).outputs.resize(4, noVar);
    graph.setOutput(attention, 3, shares);
    graph.edit(attention).attributes["qk_matmul_output_mode"] = std::int64_t{3};
}

void replaceByAttention(Graph &graph, OpId last, const FoundAttention &found, int maskRank)
{
    for (std::size_t i = 2; i-- > 0;) graph.setInput(last, i, noVar);
    std::vector<VarId> between;
    if (found.rows != noVar) graph.setInput(found.turned, 0, found.rows);
    for (const OpId inner : found.inner) {
        const VarId output = graph.operation(inner).outputs[0];
        if (output != found.shares) between.push_back(output);
        graph.removeOperation(inner);
    }
    for (const VarId tensor : between) graph.removeVariable(tensor);
    if (found.turned != noOp) {
        if (found.rows != noVar)
            setParameterInput(graph, found.turned, 1, int64List(found.change), "shape");
        else
            graph.edit(found.turned).attributes["perm"] = found.change;
        auto &shape = graph.edit(found.key).type.shape;
        if (shape && int(shape->size()) == found.rank) std::swap(shape->end()[-1], shape->end()[-2]);
    }
    Operation &attention = graph.edit(last);
    attention.type = "Attention";
    attention.opset = std::max<std::int64_t>(attention.opset, 23);
    attention.attributes.clear();
    if (found.scale.power == 0) attention.attributes["scale"] = float(found.scale.number);
    if (found.rank == 3) attention.attributes["q_num_heads"] = attention.attributes["kv_num_heads"] = std::int64_t{1};
    graph.setInput(last, 0, found.query);
    graph.setInput(last, 1, found.key);
    graph.setInput(last, 2, found.value);
    if (found.mask != noVar) graph.setInput(last, 3, formattedMask(graph, last, found, maskRank));
    if (found.shares != noVar) showShares(graph, last, found);
}

class FuseAttention final : public Pass
{
public:
    std::string_view id() const override { return "fuse_attention"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        const std::vector<int> ranks = inferRanks(model.graph);
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            if (!model.graph.contains(id)) continue;
            const auto found = AttentionSearch(model.graph, ranks).at(model.graph.operation(id));
            if (!found) continue;
            const int maskRank = found->mask == noVar ? -1 : ranks[std::size_t(index(found->mask))];
            replaceByAttention(model.graph, id, *found, maskRank);
            ++changed;
        }
        if (changed > 0) model.graph.removeUnreachable(); // constants
        return changed;
    }
};

const PassRegistrar fuseAttentionRegistrar{
    {.info = {.id = "fuse_attention",
              .title = QL_TEXT("Fuse attention"),
              .meaning = QL_TEXT("Before: the two products of an attention with its scale, mask and Softmax between "
                                 "them. After: one Attention.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseAttention>}};

} // namespace
} // namespace ql
