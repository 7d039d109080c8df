// Before: ReduceMean -> Sub -> Pow -> ReduceMean -> Add -> Sqrt -> Div [-> Mul [-> Add]]    After: LayerNormalization
//         Pow -> ReduceMean -> Add -> Sqrt -> Div [-> Mul]                                         RMSNormalization
//
// Exporters below opset 17 (23 for the root mean square) write a normalization as these operations, whose squares and
// means have ranges that 8 bits cannot represent. Also recognized: Mul of a tensor with itself for the square;
// Reciprocal, or 1 / x, and Mul for the division; the weight before the division; a mean and a difference of its own
// for the variance, whose axes a Reshape restores (torch.var). Other axes than the last ones, such as channels, become
// the last ones by a Transpose before the normalization and another after it. Conditions: both means along the same
// axes, a positive constant as epsilon, weight and bias parameters of the size of these axes or with ones around it;
// without a weight, the size of the axes must be known; for axes that are not the last ones, the rank, too. No tensor
// in between has other consumers or is a graph output. Exporting then needs opset 17 or 23. Not part of the default
// formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ql {

namespace {

/// The operation of one of these types that computes tensor; nullptr if there is none.
const Operation *producerOf(const Graph &graph, VarId tensor, std::initializer_list<const char *> types)
{
    if (tensor == noVar || graph.variable(tensor).producer == noOp) return nullptr;
    const Operation &op = graph.operation(graph.variable(tensor).producer);
    const bool isOne = std::any_of(types.begin(), types.end(), [&](const char *type) { return op.type == type; });
    return isOne && op.domain.empty() && onlyFirstOutputUsed(graph, op) ? &op : nullptr;
}

std::optional<double> scalarInput(const Graph &graph, const Operation &op, std::size_t input)
{
    const at::Tensor value = parameterOf(graph, op, input);
    if (!value.defined() || value.numel() != 1) return std::nullopt;
    return value.to(at::kDouble).item<double>();
}

using Axes = std::vector<std::int64_t>;

/// Axes counted from the end, in order; nothing if they are unknown.
std::optional<Axes> meanAxes(const Graph &graph, const Operation &op, int rank)
{
    Axes axes = op.intsAttribute("axes");
    if (op.hasInput(1)) {
        const at::Tensor list = parameterOf(graph, op, 1);
        if (!list.defined() || list.scalar_type() != at::kLong) return std::nullopt;
        const at::Tensor dense = list.contiguous();
        axes.assign(dense.data_ptr<std::int64_t>(), dense.data_ptr<std::int64_t>() + dense.numel());
    }
    if (axes.empty()) return std::nullopt;
    for (std::int64_t &axis : axes) {
        if (axis >= 0 && rank < 0) return std::nullopt;
        if (axis >= 0) axis -= rank;
    }
    std::sort(axes.begin(), axes.end());
    return axes;
}

/// True for the axes -n, ..., -1.
bool areLast(const Axes &axes)
{
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != std::int64_t(i) - std::int64_t(axes.size())) return false;
    return true;
}

/// A parameter that is multiplied or added along these axes only, without its other axes, whose sizes are 1; undefined
/// if it is not such a parameter.
at::Tensor alongAxes(const at::Tensor &value, const Axes &axes)
{
    if (!value.defined() || value.scalar_type() != at::kFloat || value.dim() < -axes.front()) return {};
    Axes sizes;
    std::int64_t elements = 1;
    for (const std::int64_t axis : axes) {
        sizes.push_back(value.size(axis));
        elements *= sizes.back();
    }
    return elements == value.numel() ? value.reshape(sizes) : at::Tensor();
}

/// The operations of a normalization without its bias, and without a weight after it.
struct Normalization
{
    VarId data = noVar;
    Axes axes;
    double epsilon = 0;
    bool isCentred = false;
    at::Tensor weight;       ///< applied before the division; may be undefined
    std::vector<OpId> inner; ///< all but the last
};

class NormalizationSearch
{
public:
    NormalizationSearch(const Graph &graph, const std::vector<int> &ranks) : m_graph(graph), m_ranks(ranks) {}

    std::optional<Normalization> at(const Operation &last) const
    {
        if (!last.domain.empty() || last.inputs.size() != 2 || (last.type != "Div" && last.type != "Mul"))
            return std::nullopt;
        for (const std::size_t side : {std::size_t(0), std::size_t(1)}) {
            if (last.type == "Div" && side == 1) break;
            Normalization found;
            VarId deviation = last.inputs[1 - side];
            if (last.type == "Mul") {
                const Operation *reciprocal = producerOf(m_graph, deviation, {"Reciprocal", "Div"});
                if (!reciprocal || (reciprocal->type == "Div" && scalarInput(m_graph, *reciprocal, 0) != 1.0)) continue;
                found.inner.push_back(reciprocal->id);
                deviation = reciprocal->inputs.back();
            }
            if (findNorm(found, deviation, last.inputs[side]) && isClosed(found.inner, last.id)) return found;
        }
        return std::nullopt;
    }

private:
    int rank(VarId tensor) const { return m_ranks[std::size_t(index(tensor))]; }

    /// Nothing but these operations and the last one reads the results of these.
    bool isClosed(const std::vector<OpId> &inner, OpId last) const
    {
        return std::all_of(inner.begin(), inner.end(), [&](OpId id) {
            const VarId output = m_graph.operation(id).outputs[0];
            const auto &uses = m_graph.variable(output).uses;
            return !m_graph.isGraphOutput(output) && std::all_of(uses.begin(), uses.end(), [&](const Use &use) {
                return use.op == last || std::find(inner.begin(), inner.end(), use.op) != inner.end();
            });
        });
    }

    /// deviation: sqrt(mean(squared^2) + epsilon). scaled: what it divides
    bool findNorm(Normalization &found, VarId deviation, VarId scaled) const
    {
        const Operation *root = producerOf(m_graph, deviation, {"Sqrt"});
        const Operation *sum = root ? producerOf(m_graph, root->inputs[0], {"Add"}) : nullptr;
        if (!sum) return false;
        const std::size_t constant = m_graph.isParameter(sum->inputs[1]) ? 1 : 0;
        const std::optional<double> epsilon = scalarInput(m_graph, *sum, constant);
        if (!epsilon || !(*epsilon > 0)) return false;
        found.epsilon = *epsilon;
        found.inner.insert(found.inner.end(), {root->id, sum->id});
        const Operation *restored = producerOf(m_graph, sum->inputs[1 - constant], {"Reshape"});
        const Operation *mean =
            producerOf(m_graph, restored ? restored->inputs[0] : sum->inputs[1 - constant], {"ReduceMean"});
        const Operation *square = mean ? producerOf(m_graph, mean->inputs[0], {"Pow", "Mul"}) : nullptr;
        if (!square) return false;
        if (square->type == "Pow" ? scalarInput(m_graph, *square, 1) != 2.0 : square->inputs[0] != square->inputs[1])
            return false;
        const VarId squared = square->inputs[0];
        const Operation *difference = producerOf(m_graph, squared, {"Sub"});
        const VarId data = difference ? difference->inputs[0] : squared; // of the same sizes, which are known sooner
        const std::optional<Axes> axes = meanAxes(m_graph, *mean, rank(data));
        const bool isKept = mean->intAttribute("keepdims", 1) == 1;
        if (!axes || (restored ? isKept || !restores(*restored, data, *axes) : !isKept)) return false;
        found.axes = *axes;
        if (restored) found.inner.push_back(restored->id);
        found.inner.insert(found.inner.end(), {mean->id, square->id});
        if (const Operation *product = producerOf(m_graph, scaled, {"Mul"}); product && scaled != squared) {
            const std::size_t weight = m_graph.isParameter(product->inputs[1]) ? 1 : 0;
            found.weight = alongAxes(parameterOf(m_graph, *product, weight), *axes);
            if (!found.weight.defined()) return false;
            found.inner.push_back(product->id);
            scaled = product->inputs[1 - weight];
        }
        return findCentre(found, squared, scaled);
    }

    /// squared is scaled, or both are the same tensor minus its mean.
    bool findCentre(Normalization &found, VarId squared, VarId scaled) const
    {
        const VarId data = centre(squared, found), same = scaled == squared ? data : centre(scaled, found);
        found.isCentred = data != noVar;
        found.data = found.isCentred ? data : squared;
        return found.isCentred ? same == data : scaled == squared;
    }

    /// The tensor that centred is minus its mean; noVar: centred is another tensor. Adds the operations.
    VarId centre(VarId centred, Normalization &found) const
    {
        const Operation *difference = producerOf(m_graph, centred, {"Sub"});
        const Operation *mean = difference ? producerOf(m_graph, difference->inputs[1], {"ReduceMean"}) : nullptr;
        if (!mean || mean->inputs[0] != difference->inputs[0] || mean->intAttribute("keepdims", 1) != 1) return noVar;
        if (meanAxes(m_graph, *mean, rank(difference->inputs[0])) != found.axes) return noVar;
        for (const OpId id : {difference->id, mean->id})
            if (std::find(found.inner.begin(), found.inner.end(), id) == found.inner.end()) found.inner.push_back(id);
        return difference->inputs[0];
    }

    /// The Reshape gives a mean of data along these axes the rank of data again.
    bool restores(const Operation &reshape, VarId data, const Axes &axes) const
    {
        const at::Tensor list = parameterOf(m_graph, reshape, 1);
        const auto &shape = m_graph.variable(data).type.shape;
        if (!list.defined() || !shape || list.numel() != std::int64_t(shape->size())) return false;
        const at::Tensor dense = list.to(at::kLong).contiguous();
        int inferred = 0;
        for (std::int64_t i = 0; i < dense.numel(); ++i) {
            const std::int64_t wanted = dense.data_ptr<std::int64_t>()[i];
            const bool isMean = std::find(axes.begin(), axes.end(), i - dense.numel()) != axes.end();
            if (isMean ? wanted != 1 : wanted != -1 && (wanted <= 0 || wanted != (*shape)[std::size_t(i)].size))
                return false;
            inferred += wanted == -1;
        }
        return inferred <= 1;
    }

    const Graph &m_graph;
    const std::vector<int> &m_ranks;
};

/// The parameter that the only consumer of op multiplies (Mul) or adds (Add) along these axes; undefined: none.
at::Tensor affineOperand(const Graph &graph, OpId op, const char *type, const Axes &axes)
{
    const OpId next = graph.soleConsumer(op);
    if (next == noOp || graph.operation(next).type != type || !graph.operation(next).domain.empty()) return {};
    const VarId constant = constantOperand(graph, graph.operation(next), graph.operation(op).outputs[0]);
    return constant == noVar ? at::Tensor() : alongAxes(graph.variable(constant).value, axes);
}

/// The sizes of these axes; empty if one is unknown.
Axes sizesOf(const std::optional<std::vector<Dim>> &shape, const Axes &axes)
{
    Axes sizes;
    if (shape && std::int64_t(shape->size()) >= -axes.front())
        for (const std::int64_t axis : axes) sizes.push_back(shape->end()[axis].size);
    const bool isKnown = std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size > 0; });
    return isKnown ? sizes : Axes{};
}

/// Moves axes to the end before op and back after it.
void turn(Graph &graph, OpId op, const Axes &axes, int rank)
{
    Axes there, back(std::size_t(rank), 0);
    for (std::int64_t axis = -rank; axis < 0; ++axis)
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) there.push_back(axis + rank);
    for (const std::int64_t axis : axes) there.push_back(axis + rank);
    for (std::size_t i = 0; i < there.size(); ++i) back[std::size_t(there[i])] = std::int64_t(i);
    const auto moved = [&](const TensorType &type) {
        TensorType out = type;
        if (out.shape && out.shape->size() == there.size())
            for (std::size_t i = 0; i < there.size(); ++i) (*out.shape)[i] = (*type.shape)[std::size_t(there[i])];
        return out;
    };
    const auto add = [&](const char *suffix, VarId from, VarId to, const Axes &order) {
        Operation node;
        node.name = graph.freshName(graph.operation(op).name + suffix);
        node.type = "Transpose";
        node.opset = graph.operation(op).opset;
        node.inputs = {from};
        node.outputs = {to};
        node.attributes["perm"] = order;
        graph.addOperation(std::move(node));
    };
    const VarId data = graph.operation(op).inputs[0], result = graph.operation(op).outputs[0];
    const std::string name = graph.operation(op).name;
    const VarId before = graph.addVariable(graph.freshName(name + "_turned"), moved(graph.variable(data).type));
    const VarId after = graph.addVariable(graph.freshName(name + "_normalized"), moved(graph.variable(result).type));
    graph.setInput(op, 0, before);
    graph.setOutput(op, 0, after);
    add("_turn", data, before, there);
    add("_turn_back", after, result, back);
}

bool fuseNorm(Graph &graph, OpId id, const std::vector<int> &ranks)
{
    const std::optional<Normalization> found = NormalizationSearch(graph, ranks).at(graph.operation(id));
    if (!found) return false;
    const int rank = ranks[std::size_t(index(found->data))];
    if (!areLast(found->axes) && rank < 0) return false;
    const Axes sizes = sizesOf(graph.variable(found->data).type.shape, found->axes);
    const auto fits = [&](const at::Tensor &value) { // otherwise it broadcasts
        return value.defined() && (sizes.empty() || value.sizes() == at::IntArrayRef(sizes));
    };
    at::Tensor weight = found->weight, bias;
    if (weight.defined() ? !fits(weight) : sizes.empty() && !affineOperand(graph, id, "Mul", found->axes).defined())
        return false;
    if (const at::Tensor value = affineOperand(graph, id, "Mul", found->axes); !weight.defined() && fits(value)) {
        weight = value;
        absorbConsumer(graph, id, graph.soleConsumer(id));
    }
    if (!weight.defined()) weight = at::ones(sizes);
    if (found->isCentred) bias = affineOperand(graph, id, "Add", found->axes);
    if (bias.defined() && bias.sizes() == weight.sizes())
        absorbConsumer(graph, id, graph.soleConsumer(id));
    else
        bias = at::Tensor();
    for (std::size_t i = graph.operation(id).inputs.size(); i-- > 0;) graph.setInput(id, i, noVar);
    graph.resizeInputs(id, 0);
    graph.setInput(id, 0, found->data);
    addParameterInput(graph, id, 1, weight.contiguous(), "weight");
    if (bias.defined()) addParameterInput(graph, id, 2, bias.contiguous(), "bias");
    Operation &fused = graph.edit(id);
    fused.type = found->isCentred ? "LayerNormalization" : "RMSNormalization";
    fused.opset = std::max<std::int64_t>(fused.opset, found->isCentred ? 17 : 23);
    fused.attributes = {{"axis", -std::int64_t(found->axes.size())}, {"epsilon", float(found->epsilon)}};
    for (const OpId inner : found->inner) {
        const VarId output = graph.operation(inner).outputs[0];
        graph.removeOperation(inner);
        graph.removeVariable(output);
    }
    if (!areLast(found->axes)) turn(graph, id, found->axes, rank);
    return true;
}

class FuseLayernorm final : public Pass
{
public:
    std::string_view id() const override { return "fuse_layernorm"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        const std::vector<int> ranks = inferRanks(model.graph);
        int changed = 0;
        for (const OpId id : model.graph.operations())
            if (model.graph.contains(id) && fuseNorm(model.graph, id, ranks)) ++changed;
        if (changed > 0) model.graph.removeUnreachable(); // constants
        return changed;
    }
};

const PassRegistrar fuseLayernormRegistrar{
    {.info = {.id = "fuse_layernorm",
              .title = QL_TEXT("Fuse layer normalization"),
              .meaning = QL_TEXT("Before: the means, squares and quotient of a normalization. After: one "
                                 "LayerNormalization, or RMSNormalization without a mean; between two Transpose if it "
                                 "is over channels.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseLayernorm>}};

} // namespace
} // namespace ql
