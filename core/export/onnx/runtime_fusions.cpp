#include "core/export/onnx/runtime_fusions.h"

#include <algorithm>
#include <string>
#include <utility>

namespace ql {

namespace {

bool isNormalization(const Operation &op)
{
    return op.type == "LayerNormalization" || op.type == "SimplifiedLayerNormalization" ||
           op.type == "RMSNormalization";
}

/// Whether the sum of op is normalized, or is the variance and epsilon of a normalization in single operations.
bool isOfNormalization(const Graph &graph, const Operation &op)
{
    const auto readBy = [&](auto matches) {
        const auto &uses = graph.variable(op.outputs[0]).uses;
        return std::any_of(uses.begin(), uses.end(), [&](const Use &use) {
            return use.op != noOp && use.index == 0 && matches(graph.operation(use.op));
        });
    };
    const auto isMean = [&](VarId id) {
        const OpId producer = id == noVar ? noOp : graph.variable(id).producer;
        return producer != noOp && graph.operation(producer).type == "ReduceMean";
    };
    return readBy(isNormalization) || (std::any_of(op.inputs.begin(), op.inputs.end(), isMean) &&
                                       readBy([](const Operation &reader) { return reader.type == "Sqrt"; }));
}

} // namespace

VarId sumOf(Graph &graph, VarId read, const char *suffix)
{
    const std::string base = graph.variable(read).name;
    const VarId copy = graph.addVariable(graph.freshName(base + suffix), graph.variable(read).type);
    Operation node;
    node.name = graph.freshName(base + "_Sum");
    node.type = "Sum";
    node.opset = 13;
    node.inputs = {read};
    node.outputs = {copy};
    graph.addOperation(std::move(node));
    return copy;
}

void preventFusions(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (!op.domain.empty()) continue;
        if (op.type == "MaxPool") {
            const OpId pad = graph.variable(op.inputs[0]).producer;
            if (pad != noOp && graph.operation(pad).type == "Pad")
                graph.setInput(id, 0, sumOf(graph, op.inputs[0], "_separate"));
        } else if (op.type == "Add" && isOfNormalization(graph, op)) {
            graph.edit(id).type = "Sum";
        }
    }
}

} // namespace ql
