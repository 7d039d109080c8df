#include "core/export/onnx/operators.h"

#include "core/base/error.h"

#include <map>
#include <utility>

namespace ql {

void addBiasAfter(Graph &graph, OpId id, VarId bias)
{
    const Operation &op = graph.operation(id);
    const std::string name = op.name;
    const VarId result = op.outputs[0];
    const VarId product = graph.addVariable(graph.freshName(name + "_product"), graph.variable(result).type);
    graph.setOutput(id, 0, product);
    Operation add;
    add.name = graph.freshName(name + "_bias");
    add.type = "Add";
    add.opset = 13;
    add.inputs = {product, bias};
    add.outputs = {result};
    graph.addOperation(std::move(add));
}

void splitBiasedMatMul(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        if (graph.operation(id).type != "BiasedMatMul") continue;
        const Operation op = graph.operation(id);
        graph.edit(id).type = "MatMul";
        graph.edit(id).domain.clear();
        graph.edit(id).opset = 13;
        if (!op.hasInput(2)) continue;
        graph.resizeInputs(id, 2);
        addBiasAfter(graph, id, op.inputs[2]);
    }
    graph.opsets.erase("quantloupe");
}

api::ParamSpec foreignOperatorsParam()
{
    return {.name = "foreign_operators",
            .type = "bool",
            .fallback = false,
            .meaning =
                QL_TEXT("Write operators that ONNX does not have, such as Caffe's DetectionOutput; a runtime needs a "
                        "plug-in for them.")};
}

/// What computes the same with operators of ONNX.
static Text equivalentOf(const std::string &type)
{
    static const std::map<std::string, Text> equivalents{
        {"DetectionOutput",
         QL_TEXT("Exp, Mul and Add to decode the boxes, NonMaxSuppression and GatherND to select them")},
        {"PriorBox", QL_TEXT("a constant, because it depends only on the input shape")},
        {"Normalize", QL_TEXT("LpNormalization and Mul")}};
    const auto known = equivalents.find(type);
    return known == equivalents.end() ? Text() : QL_TEXT("%1 instead of %2").with(known->second, type);
}

void checkForeignOperators(const Graph &graph, const nlohmann::json &params, std::vector<Text> &notes)
{
    std::map<std::string, std::string> types; // -> the first operation
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (op.domain == "caffe") types.emplace(op.type, op.name);
    }
    if (types.empty()) return;
    std::vector<std::string> names;
    std::vector<Text> equivalents;
    for (const auto &[type, first] : types) {
        names.push_back(type);
        if (Text text = equivalentOf(type); !text.isEmpty()) equivalents.push_back(std::move(text));
    }
    if (!params.value(foreignOperatorsParam().name, false)) {
        const Text cut = QL_TEXT("Cut the model before them, or write them for a runtime with a plug-in (the export's "
                                 "parameter '%1', %2).")
                             .with(foreignOperatorsParam().name, Text::option("--export-foreign-operators"));
        throw Error(ErrorKind::UnsupportedOp,
                    QL_TEXT("ONNX has no operator %1: no runtime could load the file").with(Text::list(names)),
                    types.begin()->second)
            .withRemedy(equivalents.empty()
                            ? cut
                            : Text::sentences({QL_TEXT("ONNX has %1.").with(Text::list(equivalents)), cut}));
    }
    notes.push_back(
        QL_TEXT("The file has operators of domain 'caffe' (%1): a runtime needs a plug-in for them; otherwise "
                "cut the model before them.")
            .with(Text::list(names)));
}

} // namespace ql
