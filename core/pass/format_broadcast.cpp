// Before: Add(x, b), attributes broadcast and axis        After: Add(x, b of shape [.., 1, 1])
//
// Before opset 7 the second operand of an elementwise operator could align with any axes of the first, and the slopes
// of PRelu with its channels. Both broadcast from the last axis since, so b gets axes of size 1 after its own: a
// parameter is replaced, a computed tensor is unsqueezed. Operands of unknown rank are left unchanged.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <set>

namespace ql {

namespace {

/// The number of axes to append to the second operand; no value if it is unknown.
std::optional<std::int64_t> missingAxes(const Graph &graph, const Operation &op, const std::vector<int> &ranks)
{
    const bool isPRelu = op.type == "PRelu";
    if (!isPRelu && (op.intAttribute("broadcast", 0) == 0 || !op.hasAttribute("axis"))) return 0;
    const auto rankOf = [&](std::size_t i) { return std::int64_t{ranks[std::size_t(index(op.inputs.at(i)))]}; };
    const std::int64_t rank = rankOf(0), second = rankOf(1);
    const at::Tensor value = parameterOf(graph, op, 1);
    if (second == 0 || (value.defined() && value.numel() == 1)) return 0;
    if (rank < 0 || second < 0) return {};
    const std::int64_t axis = isPRelu ? 1 : op.intAttribute("axis", 0);
    return std::max<std::int64_t>(rank - (axis < 0 ? axis + rank : axis) - second, 0);
}

void appendAxes(Graph &graph, OpId id, std::int64_t count)
{
    const VarId operand = graph.operation(id).inputs[1];
    if (const at::Tensor value = parameterOf(graph, graph.operation(id), 1); value.defined()) {
        std::vector<std::int64_t> shape = value.sizes().vec();
        shape.insert(shape.end(), std::size_t(count), 1);
        setParameterInput(graph, id, 1, value.reshape(shape), "aligned");
        return;
    }
    const std::string name = graph.freshName(graph.operation(id).name + "_align");
    Operation node;
    node.name = name;
    node.type = "Unsqueeze";
    node.opset = 13;
    node.inputs = {operand};
    node.outputs = {graph.addVariable(graph.freshName(graph.variable(operand).name + "_aligned"))};
    graph.setInput(id, 1, node.outputs[0]);
    std::vector<std::int64_t> axes; // counted from the last one, so that the rank of the operand is not needed
    for (std::int64_t i = count; i > 0; --i) axes.push_back(-i);
    addParameterInput(graph, graph.addOperation(std::move(node)), 1, int64List(axes), "axes");
}

class FormatBroadcast final : public Pass
{
public:
    std::string_view id() const override { return "format_broadcast"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        static const std::set<std::string_view> types = {"Add", "Sub", "Mul",   "Div",     "Pow",  "And",
                                                         "Or",  "Xor", "Equal", "Greater", "Less", "PRelu"};
        Graph &graph = model.graph;
        std::vector<int> ranks;
        int changed = 0;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            if (op.opset >= 7 || !op.domain.empty() || !types.contains(op.type)) continue;
            if (ranks.empty()) ranks = inferRanks(graph);
            const std::optional<std::int64_t> count = missingAxes(graph, op, ranks);
            if (!count) continue;
            if (*count > 0) {
                appendAxes(graph, id, *count);
                ++changed;
            }
            Operation &aligned = graph.edit(id);
            for (const char *key : {"broadcast", "axis"}) aligned.attributes.erase(key);
            aligned.opset = 7;
        }
        return changed;
    }
};

const PassRegistrar formatBroadcastRegistrar{
    {.info = {.id = "format_broadcast",
              .title = QL_TEXT("Operands that broadcast from the last axis"),
              .meaning = QL_TEXT("Before: an operation of opset 6 or older whose second operand aligns with the axis "
                                 "that an attribute names. After: the operand ends with axes of size 1, as in "
                                 "newer opsets.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<FormatBroadcast>}};

} // namespace
} // namespace ql
