#include "core/export/onnx/normalize_codes.h"

#include "core/quant/integer_arithmetic.h"

#include <ATen/ops/full.h>

#include <utility>

namespace ql {

namespace {

/// Adds nodes that belong to one operation, and are named after it.
class NodeMaker
{
public:
    NodeMaker(Graph &graph, std::string base) : m_graph(graph), m_base(std::move(base)) {}

    VarId operator()(const char *type, const std::vector<VarId> &inputs,
                     std::map<std::string, Attribute, std::less<>> attributes = {})
    {
        Operation node;
        node.name = m_graph.freshName(m_base + "_" + type);
        node.type = type;
        node.opset = 13;
        node.inputs = inputs;
        node.attributes = std::move(attributes);
        const VarId output = m_graph.addVariable(m_graph.freshName(node.name + "_out"));
        node.outputs = {output};
        m_graph.addOperation(std::move(node));
        return output;
    }

private:
    Graph &m_graph;
    std::string m_base;
};

} // namespace

void normalizeCodes(Graph &graph, OpId id, VarId codes, float scale, std::int64_t rank)
{
    constexpr std::int64_t float32 = 1, float64 = 11; // TensorProto.DataType
    const Operation op = graph.operation(id);
    NodeMaker make(graph, op.name);
    const auto constant = [&](const char *name, const at::Tensor &value) {
        return graph.addParameter(graph.freshName(op.name + name), value);
    };
    const auto factor = [&](std::size_t i) {
        if (op.type != "InstanceNormalization") return op.inputs[i];
        const at::Tensor value = graph.variable(op.inputs[i]).value;
        std::vector<std::int64_t> shape(std::size_t(rank) - 1, 1); // [C, 1, 1]
        shape[0] = value.numel();
        return constant(i == 1 ? "_scale" : "_bias", value.reshape(shape));
    };
    const auto meanOf = [&](VarId x) {
        return make("ReduceMean", {make("Cast", {x}, {{"to", float64}})},
                    {{"axes", normalizedAxes(op, rank)}, {"keepdims", std::int64_t(1)}});
    };
    const VarId mean = meanOf(codes);
    const VarId square = meanOf(make("Mul", {codes, codes}));
    const VarId variance = make("Sub", {square, make("Mul", {mean, mean})});
    const VarId epsilon = constant("_epsilon", at::full({}, epsilonOfCodes(op, scale), at::TensorOptions(at::kDouble)));
    const VarId inverse = make("Reciprocal", {make("Sqrt", {make("Add", {variance, epsilon})})});
    const VarId scaled = make("Mul", {codes, make("Cast", {inverse}, {{"to", float32}})});
    const VarId offset = make("Cast", {make("Mul", {mean, inverse})}, {{"to", float32}});
    VarId left = make("Sub", {scaled, offset});
    const bool hasBias = op.hasInput(2);
    if (hasBias) left = make("Mul", {left, factor(1)});
    Operation &last = graph.edit(id);
    last.type = hasBias ? "Add" : "Mul";
    last.opset = 13;
    last.attributes.clear();
    graph.resizeInputs(id, 2);
    graph.setInput(id, 0, left);
    graph.setInput(id, 1, factor(hasBias ? 2 : 1));
}

} // namespace ql
