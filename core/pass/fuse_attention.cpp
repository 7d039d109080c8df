// Before: MatMul(Q, K^T) [-> Mul or Div] [-> Add mask] -> Softmax -> MatMul(., V)        After: Attention
//
// The scaled dot product as exporters write it: the factor after the product (Hugging Face, optimum), or its root on Q
// and on K, before or after the Transpose of K (PyTorch's scaled_dot_product_attention); com.microsoft FusedMatMul
// with alpha and transB (ONNX Runtime's optimizer). The Transpose that ends in K^T keeps its other axes, so that K
// arrives as [N, heads, T, d]; one that only exchanges the last two axes is removed. PyTorch's exporter for dynamo
// writes K^T as Reshape to [N heads, T, d] -> Transpose -> Reshape to [N, heads, d, T], and after Softmax a Where that
// gives 0 if a mask hides all keys, which is part of Attention. Scores and shares then are values inside one operation,
// which a target computes without rounding them. Conditions: all tensors have rank 4 and, where their sizes are known,
// the same batch and heads; the factor is a constant; a mask has 2 to 4 axes and an entry for each key; no tensor in
// between has other consumers or is a graph output. Exporting then needs opset 23. Not part of the default formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <optional>

namespace ql {

namespace {

struct FoundAttention
{
    VarId query = noVar, key = noVar, value = noVar, mask = noVar;
    double scale = 1;
    OpId turned = noOp;               ///< Transpose or Reshape that makes the key; noOp: key is [N, heads, T, d]
    std::vector<std::int64_t> change; ///< what turned needs to make [N, heads, T, d]: axes, or sizes
    VarId rows = noVar;               ///< what turned has to read then; noVar: the same
    std::vector<OpId> inner;          ///< consumers first
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
        if (!softmax || (axis != -1 && axis != 3)) return std::nullopt;
        found.value = last.inputs[1];
        found.inner.push_back(softmax->id);
        const Operation *add = owner(softmax->inputs[0], "Add");
        if (!add) return isUsual(found, softmax->inputs[0]) ? std::optional(found) : std::nullopt;
        found.inner.push_back(add->id);
        for (const std::size_t side : {std::size_t(0), std::size_t(1)}) {
            FoundAttention masked = found;
            masked.mask = add->inputs[1 - side];
            if (isMask(masked.mask) && isUsual(masked, add->inputs[side])) return masked;
        }
        return std::nullopt;
    }

private:
    /// The operation that computes tensor, if only `readers` inputs read it.
    const Operation *owner(VarId tensor, std::string_view type, std::string_view domain = {},
                           std::size_t readers = 1) const
    {
        if (tensor == noVar) return nullptr;
        const Variable &variable = m_graph.variable(tensor);
        if (variable.producer == noOp || variable.uses.size() != readers || m_graph.isGraphOutput(tensor))
            return nullptr;
        const Operation &op = m_graph.operation(variable.producer);
        return op.type == type && op.domain == domain && onlyFirstOutputUsed(m_graph, op) ? &op : nullptr;
    }

    /// The Softmax, or the one before the Where that replaces NaN by 0, which becomes an inner operation.
    const Operation *sharesOf(VarId tensor, FoundAttention &found) const
    {
        const Operation *where = owner(tensor, "Where");
        if (!where) return owner(tensor, "Softmax");
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
    bool isMask(VarId mask) const
    {
        const int axes = mask == noVar ? -1 : rank(mask);
        return axes >= 2 && axes <= 4 && size(mask, 1) != 1;
    }

    /// The tensor before multiplications by constants, which it collects.
    VarId unscaled(VarId tensor, FoundAttention &found) const
    {
        while (true) {
            const Operation *mul = owner(tensor, "Mul"), *op = mul ? mul : owner(tensor, "Div");
            if (!op || op->inputs.size() != 2) return tensor;
            const std::size_t constant = mul && m_graph.isParameter(op->inputs[0]) ? 0 : 1;
            const at::Tensor factor = parameterOf(m_graph, *op, constant);
            if (!factor.defined() || factor.numel() != 1 || factor.dim() > 4) return tensor;
            const double number = factor.to(at::kDouble).item<double>();
            found.scale *= mul ? number : 1 / number;
            found.inner.push_back(op->id);
            tensor = op->inputs[1 - constant];
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
            found.scale *= fused->floatAttribute("alpha", 1);
            product = fused;
        }
        if (!product) return false;
        found.inner.push_back(product->id);
        found.query = unscaled(product->inputs[0], found);
        found.key = unscaled(product->inputs[1], found);
        if (!isTransposed && !findTranspose(found)) return false;
        if (m_graph.isParameter(found.query) || m_graph.isParameter(found.key)) return false;
        for (const VarId tensor : {found.query, found.key, found.value})
            if (rank(tensor) != 4) return false;
        return isAlike(found.query, found.value) && (found.turned != noOp || isAlike(found.query, found.key)) &&
               found.scale > 0;
    }

    bool findTranspose(FoundAttention &found) const
    {
        if (const Operation *reshape = owner(found.key, "Reshape")) return findReshapedKey(found, *reshape);
        const Operation *transpose = owner(found.key, "Transpose");
        if (!transpose) return false;
        std::vector<std::int64_t> axes = transpose->intsAttribute("perm");
        if (axes.size() != 4) return false;
        std::swap(axes[2], axes[3]);
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

void replaceByAttention(Graph &graph, OpId last, const FoundAttention &found)
{
    for (std::size_t i = 2; i-- > 0;) graph.setInput(last, i, noVar);
    std::vector<VarId> between;
    if (found.rows != noVar) graph.setInput(found.turned, 0, found.rows);
    for (const OpId inner : found.inner) {
        between.push_back(graph.operation(inner).outputs[0]);
        graph.removeOperation(inner);
    }
    for (const VarId tensor : between) graph.removeVariable(tensor);
    if (found.turned != noOp) {
        if (found.rows != noVar)
            setParameterInput(graph, found.turned, 1, int64List(found.change), "shape");
        else
            graph.edit(found.turned).attributes["perm"] = found.change;
        auto &shape = graph.edit(found.key).type.shape;
        if (shape && shape->size() == 4) std::swap((*shape)[2], (*shape)[3]);
    }
    graph.setInput(last, 0, found.query);
    graph.setInput(last, 1, found.key);
    graph.setInput(last, 2, found.value);
    if (found.mask != noVar) graph.setInput(last, 3, found.mask);
    Operation &attention = graph.edit(last);
    attention.type = "Attention";
    attention.opset = std::max<std::int64_t>(attention.opset, 23);
    attention.attributes = {{"scale", float(found.scale)}};
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
            replaceByAttention(model.graph, id, *found);
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
