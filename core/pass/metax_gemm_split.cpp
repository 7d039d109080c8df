// Before: Gemm (x, w, b)        After: MatMul (x, w') -> Add (., b')
//
// MetaX's compiler accepts MatMul and Add. alpha and transB are applied to the weight, beta to the bias; MatMul keeps
// the name of the Gemm and Add the name of its output. Conditions: weight and bias are float parameters, transA is 0;
// otherwise the Gemm stays, with a problem.
#include "core/pass/slots.h"

#include <ATen/ops/mul.h>

namespace ql {

class MetaxGemmSplit final : public Pass
{
public:
    explicit MetaxGemmSplit(const nlohmann::json &) {}

    std::string_view id() const override { return "metax_gemm_split"; }

    int run(QuantModel &model, const PassContext &context) const override
    {
        Graph &graph = model.graph;
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.type != "Gemm") continue;
            const auto isFloat = [&](std::size_t i) {
                return op.hasInput(i) && graph.isParameter(op.inputs[i]) &&
                       graph.variable(op.inputs[i]).value.is_floating_point();
            };
            if (op.intAttribute("transA", 0) != 0 || !isFloat(1) || (op.hasInput(2) && !isFloat(2))) {
                context.report(
                    {.severity = api::Severity::Warning,
                     .op = op.name,
                     .message =
                         QL_TEXT("Gemm was not split: its input is transposed, or weight or bias is not constant"),
                     .remedy =
                         QL_TEXT("Export the model with a Linear layer of constant weights, or dispatch it to FP32.")});
                continue;
            }
            split(model, id);
            ++changed;
        }
        return changed;
    }

private:
    static void split(QuantModel &model, OpId id)
    {
        Graph &graph = model.graph;
        const Operation op = graph.operation(id);
        const auto number = [&](const char *key) { return op.floatAttribute(key, 1); };
        at::Tensor weight = graph.variable(op.inputs[1]).value;
        if (op.intAttribute("transB", 0) != 0) weight = weight.t().contiguous();
        if (number("alpha") != 1) weight = at::mul(weight, number("alpha"));
        graph.setInput(id, 1, parameter(graph, op.inputs[1], weight));
        graph.edit(id).type = "MatMul";
        graph.edit(id).attributes.clear();
        if (!op.hasInput(2)) return;
        at::Tensor bias = graph.variable(op.inputs[2]).value;
        if (number("beta") != 1) bias = at::mul(bias, number("beta"));
        const VarId biasId = parameter(graph, op.inputs[2], bias);
        graph.resizeInputs(id, 2);
        const VarId result = op.outputs[0];
        const VarId product = graph.addVariable(graph.freshName(op.name + "_product"), graph.variable(result).type);
        graph.setOutput(id, 0, product);
        Operation add;
        add.name = graph.freshName(op.name + "_add");
        add.type = "Add";
        add.opset = op.opset;
        add.inputs = {product, biasId};
        add.outputs = {result};
        const OpId addId = graph.addOperation(std::move(add));
        const auto place = model.dispatch.find(id);
        if (place != model.dispatch.end())
            model.dispatch[addId] = {place->second.platform, QL_TEXT("split from Gemm '%1'").with(op.name)};
    }

    /// The parameter with a new value: itself, or a copy if it has other consumers.
    static VarId parameter(Graph &graph, VarId id, const at::Tensor &value)
    {
        const Variable &variable = graph.variable(id);
        if (value.is_same(variable.value)) return id;
        if (variable.uses.size() == 1 && !graph.isGraphOutput(id)) {
            graph.setValue(id, value);
            return id;
        }
        return graph.addParameter(graph.freshName(variable.name), value);
    }
};

static const PassRegistrar metaxGemmSplitRegistrar{
    {.info = {.id = "metax_gemm_split",
              .title = QL_TEXT("MetaX Gemm split"),
              .meaning = QL_TEXT("Before: Gemm. After: MatMul and Add, which MetaX's compiler accepts.")},
     .traits = {.kind = PassKind::Float},
     .make = makePassOf<MetaxGemmSplit>}};

} // namespace ql
