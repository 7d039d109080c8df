// Before: Softplus -> Tanh -> Mul(x, .)        After: Mish, with or without Where(x > 20, x, .) before Tanh (dynamo)
//         HardSigmoid -> Mul(x, .)                    HardSwish
//         Add 3 -> Clip 0..6 -> Mul(x, .) -> Div 6    HardSwish
//         Mul c -> Sigmoid -> Mul(x, .)               Swish with alpha c (1.702: the quick Gelu of CLIP)
//         Exp -> ReduceSum -> Div                     Softmax, with or without x - ReduceMax(x) before it
//
// Exporters write activations that their opset does not have as several operations, whose intermediate results then get
// scales that the target never computes. Conditions: HardSigmoid has alpha 1/6 and beta 1/2, constants agree to 1e-4,
// ReduceSum and ReduceMax keep their one axis, and no tensor in between has other consumers or is a graph output.
// Exporting then needs opset 18 for Mish, 14 for HardSwish, 13 for Softmax, 24 for Swish. x * Sigmoid(x) remains:
// platforms know these two operations as Swish, and quantize_fusion joins their scales. Not part of the default
// formatting.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>

namespace ql {

namespace {

/// An activation that ends at operation `last`.
struct FoundActivation
{
    const char *type = "";
    std::int64_t opset = 0;
    VarId data = noVar;
    std::vector<OpId> inner; ///< all but the last
    std::optional<std::int64_t> axis = {};
    std::optional<float> alpha = {};
};

class ActivationSearch
{
public:
    explicit ActivationSearch(const Graph &graph) : m_graph(graph) {}

    std::optional<FoundActivation> at(const Operation &last) const
    {
        if (!last.domain.empty() || last.inputs.size() != 2) return std::nullopt;
        if (last.type == "Mul")
            for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
                if (auto found = mish(last.inputs[i], last.inputs[1 - i])) return found;
                if (auto found = hardSwish(last.inputs[i], last.inputs[1 - i])) return found;
                if (auto found = swish(last.inputs[i], last.inputs[1 - i])) return found;
                if (auto found = dividedHardSwish(last.inputs[i], last.inputs[1 - i], 1 / 6.0)) return found;
            }
        if (last.type == "Div") {
            if (auto found = softmax(last)) return found;
            return dividedHardSwish(last.inputs[0], last.inputs[1], 6);
        }
        return std::nullopt;
    }

private:
    /// The operation of this type that computes tensor, if only `readers` inputs read it.
    const Operation *producer(VarId tensor, std::string_view type, std::size_t readers = 1) const
    {
        if (tensor == noVar) return nullptr;
        const Variable &variable = m_graph.variable(tensor);
        if (variable.producer == noOp || variable.uses.size() != readers || m_graph.isGraphOutput(tensor))
            return nullptr;
        const Operation &op = m_graph.operation(variable.producer);
        return op.type == type && op.domain.empty() && op.outputs.size() == 1 ? &op : nullptr;
    }

    bool isConstant(VarId tensor, double wanted) const
    {
        if (!m_graph.isParameter(tensor) || m_graph.variable(tensor).value.numel() != 1) return false;
        const double value = m_graph.variable(tensor).value.to(at::kDouble).item<double>();
        return std::abs(value - wanted) <= 1e-4 * std::max(std::abs(wanted), 1e-3);
    }

    std::optional<FoundActivation> mish(VarId data, VarId factor) const
    {
        const Operation *tanh = producer(factor, "Tanh");
        if (!tanh) return std::nullopt;
        FoundActivation found{"Mish", 18, data, {tanh->id}};
        VarId positive = tanh->inputs[0];
        if (const Operation *where = producer(positive, "Where")) {
            const Operation *greater = producer(where->inputs[0], "Greater");
            if (!greater || greater->inputs[0] != data || !isConstant(greater->inputs[1], 20) ||
                where->inputs[1] != data)
                return std::nullopt;
            found.inner.insert(found.inner.end(), {where->id, greater->id});
            positive = where->inputs[2];
        }
        const Operation *plus = producer(positive, "Softplus");
        if (!plus || plus->inputs[0] != data) return std::nullopt;
        found.inner.push_back(plus->id);
        return found;
    }

    std::optional<FoundActivation> hardSwish(VarId data, VarId factor) const
    {
        const Operation *gate = producer(factor, "HardSigmoid");
        if (!gate || gate->inputs[0] != data || std::abs(gate->floatAttribute("beta", 0.5) - 0.5) > 1e-4 ||
            std::abs(gate->floatAttribute("alpha", 0.2) - 1 / 6.0) > 1e-4)
            return std::nullopt;
        return FoundActivation{"HardSwish", 14, data, {gate->id}};
    }

    std::optional<FoundActivation> swish(VarId data, VarId factor) const
    {
        const Operation *gate = producer(factor, "Sigmoid");
        const Operation *scale = gate ? producer(gate->inputs[0], "Mul") : nullptr;
        if (!scale || scale->inputs.size() != 2) return std::nullopt;
        const std::size_t constant = scale->inputs[0] == data ? 1 : 0;
        const at::Tensor value = parameterOf(m_graph, *scale, constant);
        if (scale->inputs[1 - constant] != data || !value.defined() || value.numel() != 1 || value.dim() > 1)
            return std::nullopt;
        return FoundActivation{
            "Swish", 24, data, {gate->id, scale->id}, std::nullopt, value.to(at::kFloat).item<float>()};
    }

    /// product and constant: the operands of the last operation
    std::optional<FoundActivation> dividedHardSwish(VarId product, VarId constant, double wanted) const
    {
        const Operation *mul = isConstant(constant, wanted) ? producer(product, "Mul") : nullptr;
        if (!mul || mul->inputs.size() != 2) return std::nullopt;
        for (const std::size_t i : {std::size_t(0), std::size_t(1)}) {
            const VarId data = mul->inputs[i];
            const Operation *clip = producer(mul->inputs[1 - i], "Clip");
            if (!clip || !clip->hasInput(1) || !clip->hasInput(2) || !isConstant(clip->inputs[1], 0) ||
                !isConstant(clip->inputs[2], 6))
                continue;
            const Operation *add = producer(clip->inputs[0], "Add");
            if (!add || add->inputs.size() != 2) continue;
            const bool isFirst = add->inputs[0] == data;
            if (add->inputs[isFirst ? 0 : 1] != data || !isConstant(add->inputs[isFirst ? 1 : 0], 3)) continue;
            return FoundActivation{"HardSwish", 14, data, {mul->id, clip->id, add->id}};
        }
        return std::nullopt;
    }

    std::optional<FoundActivation> softmax(const Operation &last) const
    {
        const Operation *sum = producer(last.inputs[1], "ReduceSum");
        const Operation *exp = producer(last.inputs[0], "Exp", 2);
        if (!sum || !exp || sum->inputs[0] != last.inputs[0]) return std::nullopt;
        const std::optional<std::int64_t> axis = oneAxis(*sum);
        if (!axis) return std::nullopt;
        FoundActivation found{"Softmax", 13, exp->inputs[0], {sum->id, exp->id}, axis};
        const Operation *shifted = producer(exp->inputs[0], "Sub");
        const Operation *largest = shifted ? producer(shifted->inputs[1], "ReduceMax") : nullptr;
        if (largest && largest->inputs[0] == shifted->inputs[0] && oneAxis(*largest) == axis) {
            found.data = shifted->inputs[0];
            found.inner.insert(found.inner.end(), {shifted->id, largest->id});
        }
        return found;
    }

    std::optional<std::int64_t> oneAxis(const Operation &reduction) const
    {
        if (reduction.intAttribute("keepdims", 1) != 1) return std::nullopt;
        const at::Tensor list = parameterOf(m_graph, reduction, 1);
        if (list.defined() && list.numel() == 1) return list.to(at::kLong).item<std::int64_t>();
        const std::vector<std::int64_t> axes = reduction.intsAttribute("axes");
        return axes.size() == 1 ? std::optional(axes[0]) : std::nullopt;
    }

    const Graph &m_graph;
};

class FuseActivationOps final : public Pass
{
public:
    std::string_view id() const override { return "fuse_activation_ops"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        int changed = 0;
        for (const OpId id : model.graph.operations()) {
            if (!model.graph.contains(id)) continue;
            const auto found = ActivationSearch(model.graph).at(model.graph.operation(id));
            if (!found) continue;
            replace(model.graph, id, *found);
            ++changed;
        }
        if (changed > 0) model.graph.removeUnreachable(); // constants
        return changed;
    }

private:
    static void replace(Graph &graph, OpId last, const FoundActivation &found)
    {
        graph.setInput(last, 0, found.data);
        graph.resizeInputs(last, 1);
        Operation &fused = graph.edit(last);
        fused.type = found.type;
        fused.opset = std::max(fused.opset, found.opset);
        fused.attributes.clear();
        if (found.axis) fused.attributes["axis"] = *found.axis;
        if (found.alpha) fused.attributes["alpha"] = *found.alpha;
        std::vector<VarId> outputs;
        for (const OpId inner : found.inner) {
            outputs.push_back(graph.operation(inner).outputs[0]);
            graph.removeOperation(inner);
        }
        for (const VarId output : outputs) graph.removeVariable(output);
    }
};

const PassRegistrar fuseActivationOpsRegistrar{
    {.info = {.id = "fuse_activation_ops",
              .title = QL_TEXT("Fuse activations"),
              .meaning = QL_TEXT("Before: Mish, HardSwish, Swish with a factor (quick Gelu) or Softmax as several "
                                 "operations. After: one operation.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FuseActivationOps>}};

} // namespace
} // namespace ql
