// Before: ReduceMean -> Sub -> Pow -> ReduceMean -> Add -> Sqrt -> Div [-> Mul [-> Add]]    After: LayerNormalization
//
// Exporters below opset 17 write a layer normalization as these operations, whose squares and means have ranges that 8
// bits cannot represent. Also recognized: Mul of a tensor with itself for the square, and Reciprocal, or 1 / x, and Mul
// for the division. Conditions: both means along the same last axes, which are kept, a positive constant as epsilon,
// weight and bias parameters of the shape of these axes or with ones before it; without a weight, the size of the axes
// must be known. No tensor in between has other consumers or is a graph output. Exporting then needs opset 17. Not part
// of the default formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ql {

namespace {

/// The operation of this type that computes tensor, which nothing but `readers` uses reads; nullptr if there is none.
const Operation *innerProducer(const Graph &graph, VarId tensor, std::initializer_list<const char *> types,
                               std::size_t readers = 1)
{
    if (tensor == noVar) return nullptr;
    const Variable &variable = graph.variable(tensor);
    if (variable.producer == noOp || variable.uses.size() != readers || graph.isGraphOutput(tensor)) return nullptr;
    const Operation &op = graph.operation(variable.producer);
    const bool isOne = std::any_of(types.begin(), types.end(), [&](const char *type) { return op.type == type; });
    return isOne && op.domain.empty() && onlyFirstOutputUsed(graph, op) ? &op : nullptr;
}

std::optional<double> scalarInput(const Graph &graph, const Operation &op, std::size_t input)
{
    const at::Tensor value = parameterOf(graph, op, input);
    if (!value.defined() || value.numel() != 1) return std::nullopt;
    return value.to(at::kDouble).item<double>();
}

/// Axes counted from the end, in order; nothing if they are unknown.
std::optional<std::vector<std::int64_t>> meanAxes(const Graph &graph, const Operation &op, int rank)
{
    if (op.intAttribute("keepdims", 1) != 1) return std::nullopt;
    std::vector<std::int64_t> axes = op.intsAttribute("axes");
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
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] != std::int64_t(i) - std::int64_t(axes.size())) return std::nullopt; // not the last ones
    return axes;
}

/// The operations of a normalization without weight and bias.
struct Normalization
{
    VarId data = noVar;
    std::int64_t axis = -1; ///< the first one
    double epsilon = 0;
    std::vector<OpId> inner; ///< all but the last
};

std::optional<Normalization> normalizationAt(const Graph &graph, const Operation &last, const std::vector<int> &ranks)
{
    if (!last.domain.empty() || last.inputs.size() != 2 || (last.type != "Div" && last.type != "Mul"))
        return std::nullopt;
    for (const std::size_t side : {std::size_t(0), std::size_t(1)}) {
        if (last.type == "Div" && side == 1) break;
        VarId deviation = last.inputs[1 - side];
        const Operation *reciprocal = nullptr;
        if (last.type == "Mul") {
            reciprocal = innerProducer(graph, deviation, {"Reciprocal", "Div"});
            if (!reciprocal || (reciprocal->type == "Div" && scalarInput(graph, *reciprocal, 0) != 1.0)) continue;
            deviation = reciprocal->inputs.back();
        }
        const Operation *root = innerProducer(graph, deviation, {"Sqrt"});
        const Operation *sum = root ? innerProducer(graph, root->inputs[0], {"Add"}) : nullptr;
        if (!sum) continue;
        const std::size_t constant = graph.isParameter(sum->inputs[1]) ? 1 : 0;
        const std::optional<double> epsilon = scalarInput(graph, *sum, constant);
        const Operation *variance = innerProducer(graph, sum->inputs[1 - constant], {"ReduceMean"});
        const Operation *square = variance ? innerProducer(graph, variance->inputs[0], {"Pow", "Mul"}) : nullptr;
        if (!square || !epsilon || !(*epsilon > 0)) continue;
        const bool isPower = square->type == "Pow";
        if (isPower ? scalarInput(graph, *square, 1) != 2.0 : square->inputs[0] != square->inputs[1]) continue;
        const VarId centred = last.inputs[side];
        if (square->inputs[0] != centred) continue;
        const Operation *difference = innerProducer(graph, centred, {"Sub"}, isPower ? 2 : 3);
        const Operation *mean = difference ? innerProducer(graph, difference->inputs[1], {"ReduceMean"}) : nullptr;
        if (!mean || mean->inputs[0] != difference->inputs[0]) continue;
        const int rank = ranks[std::size_t(index(difference->inputs[0]))];
        const auto axes = meanAxes(graph, *mean, rank);
        if (!axes || meanAxes(graph, *variance, rank) != axes) continue;
        Normalization found{difference->inputs[0], axes->front(), *epsilon, {}};
        if (reciprocal) found.inner.push_back(reciprocal->id);
        for (const Operation *op : {root, sum, variance, square, difference, mean}) found.inner.push_back(op->id);
        return found;
    }
    return std::nullopt;
}

/// The parameter that the only consumer of op multiplies (Mul) or adds (Add) along the last axes; undefined: none.
at::Tensor affineOperand(const Graph &graph, OpId op, const char *type, std::int64_t axes)
{
    const OpId next = graph.soleConsumer(op);
    if (next == noOp || graph.operation(next).type != type || !graph.operation(next).domain.empty()) return {};
    const VarId constant = constantOperand(graph, graph.operation(next), graph.operation(op).outputs[0]);
    if (constant == noVar) return {};
    const at::Tensor value = graph.variable(constant).value;
    if (value.scalar_type() != at::kFloat || value.dim() < axes) return {};
    const auto sizes = value.sizes();
    const bool onesBefore = std::all_of(sizes.begin(), sizes.end() - axes, [](std::int64_t s) { return s == 1; });
    return onesBefore ? value.reshape(sizes.slice(std::size_t(value.dim() - axes))) : at::Tensor();
}

bool fuseLayerNorm(Graph &graph, OpId id, const std::vector<int> &ranks)
{
    const std::optional<Normalization> found = normalizationAt(graph, graph.operation(id), ranks);
    if (!found) return false;
    const std::int64_t axes = -found->axis;
    const auto &shape = graph.variable(found->data).type.shape;
    std::vector<std::int64_t> sizes; // of the normalized axes, if they are known
    if (shape && std::int64_t(shape->size()) >= axes)
        for (auto dim = shape->end() - axes; dim != shape->end(); ++dim) sizes.push_back(dim->size);
    const bool isKnown =
        !sizes.empty() && std::all_of(sizes.begin(), sizes.end(), [](std::int64_t s) { return s > 0; });
    at::Tensor weight = affineOperand(graph, id, "Mul", axes), bias;
    if (weight.defined() && isKnown && weight.sizes() != at::IntArrayRef(sizes)) weight = at::Tensor(); // broadcast
    if (!weight.defined() && !isKnown) return false;
    if (weight.defined())
        absorbConsumer(graph, id, graph.soleConsumer(id));
    else
        weight = at::ones(sizes);
    bias = affineOperand(graph, id, "Add", axes);
    if (bias.defined() && bias.sizes() == weight.sizes())
        absorbConsumer(graph, id, graph.soleConsumer(id));
    else
        bias = at::Tensor();
    const Operation old = graph.operation(id);
    for (std::size_t i = old.inputs.size(); i-- > 0;) graph.setInput(id, i, noVar);
    graph.resizeInputs(id, 0);
    graph.setInput(id, 0, found->data);
    addParameterInput(graph, id, 1, weight.contiguous(), "weight");
    if (bias.defined()) addParameterInput(graph, id, 2, bias.contiguous(), "bias");
    Operation &fused = graph.edit(id);
    fused.type = "LayerNormalization";
    fused.opset = std::max<std::int64_t>(fused.opset, 17);
    fused.attributes = {{"axis", found->axis}, {"epsilon", float(found->epsilon)}};
    for (const OpId inner : found->inner) {
        const VarId output = graph.operation(inner).outputs[0];
        graph.removeOperation(inner);
        graph.removeVariable(output);
    }
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
            if (model.graph.contains(id) && fuseLayerNorm(model.graph, id, ranks)) ++changed;
        if (changed > 0) model.graph.removeUnreachable(); // constants
        return changed;
    }
};

const PassRegistrar fuseLayernormRegistrar{
    {.info = {.id = "fuse_layernorm",
              .title = QL_TEXT("Fuse layer normalization"),
              .meaning = QL_TEXT("Before: the means, squares and quotient of a layer normalization. After: one "
                                 "LayerNormalization.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseLayernorm>}};

} // namespace
} // namespace ql
