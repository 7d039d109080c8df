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
    std::vector<std::int64_t> axes, shape(std::size_t(rank) - 1, 1); // [C, 1, 1]
    for (std::int64_t i = 2; i < rank; ++i) axes.push_back(i);
    const auto constant = [&](const char *name, const at::Tensor &value) {
        return graph.addParameter(graph.freshName(op.name + name), value);
    };
    const auto factor = [&](std::size_t i) {
        const at::Tensor value = graph.variable(op.inputs[i]).value;
        shape[0] = value.numel();
        return constant(i == 1 ? "_scale64" : "_bias64", value.to(at::kDouble).reshape(shape));
    };
    const auto meanOf = [&](VarId x) {
        return make("ReduceMean", {make("Cast", {x}, {{"to", float64}})},
                    {{"axes", axes}, {"keepdims", std::int64_t(1)}});
    };
    const VarId mean = meanOf(codes);
    const VarId square = meanOf(make("Mul", {codes, codes}));
    const VarId variance = make("Sub", {square, make("Mul", {mean, mean})});
    const VarId epsilon = constant("_epsilon", at::full({}, epsilonOfCodes(op, scale), at::TensorOptions(at::kDouble)));
    const VarId a = make("Div", {factor(1), make("Sqrt", {make("Add", {variance, epsilon})})});
    const VarId b = make("Sub", {factor(2), make("Mul", {mean, a})});
    const VarId product = make("Mul", {codes, make("Cast", {a}, {{"to", float32}})});
    const VarId added = make("Cast", {b}, {{"to", float32}});
    Operation &last = graph.edit(id);
    last.type = "Add";
    last.opset = 13;
    last.attributes.clear();
    graph.resizeInputs(id, 2);
    graph.setInput(id, 0, product);
    graph.setInput(id, 1, added);
}

} // namespace ql
