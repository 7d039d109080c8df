#include "core/export/onnx/operators.h"

#include "core/base/strings.h"

#include <set>

namespace ql {

void splitBiasedMatMul(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        if (graph.operation(id).type != "BiasedMatMul") continue;
        const Operation op = graph.operation(id);
        graph.edit(id).type = "MatMul";
        graph.edit(id).domain.clear();
        graph.edit(id).opset = 13;
        if (!op.hasInput(2)) continue;
        const VarId product =
            graph.addVariable(graph.freshName(op.name + "_product"), graph.variable(op.outputs[0]).type);
        graph.setOutput(id, 0, product);
        Operation add;
        add.name = graph.freshName(op.name + "_bias");
        add.type = "Add";
        add.opset = 13;
        add.inputs = {product, op.inputs[2]};
        add.outputs = {op.outputs[0]};
        graph.resizeInputs(id, 2);
        graph.addOperation(std::move(add));
    }
    graph.opsets.erase("quantloupe");
}

/// Operators of other formats that ONNX does not have.
void noteForeignOperators(const Graph &graph, std::vector<Text> &notes)
{
    std::set<std::string> types;
    for (const OpId id : graph.operations())
        if (graph.operation(id).domain == "caffe") types.insert(graph.operation(id).type);
    if (!types.empty())
        notes.push_back(QL_TEXT("The file has operators of domain 'caffe' (%1): a runtime needs a plug-in for them; "
                                "otherwise cut the model before them.")
                            .with(Text::list(std::vector<std::string>(types.begin(), types.end()))));
}

} // namespace ql
