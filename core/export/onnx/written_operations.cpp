#include "core/export/onnx/written_operations.h"

#include "core/io/onnx/element_type.h"
#include "core/pass/look_up.h"

#include <algorithm>
#include <set>

namespace ql {

namespace {

bool convertsCodes(const Operation &op)
{
    return op.domain.empty() &&
           (op.type == "QuantizeLinear" || op.type == "DequantizeLinear" || op.type == "DynamicQuantizeLinear");
}

std::string typeInFile(const Variable &variable)
{
    if (const onnx_io::ElementType *type = onnx_io::findElementType(variable.fileType)) return std::string(type->name);
    return dtypeName(variable.type.dtype);
}

/// How the codes of a node that converts them are stored.
void describeCodes(const Graph &graph, VarId codes, VarId scale, api::WrittenTensor &tensor)
{
    tensor.type = typeInFile(graph.variable(codes));
    tensor.scales = graph.isParameter(scale) ? std::int64_t(graph.variable(scale).value.numel()) : 1;
}

api::WrittenTensor inputTensor(const Graph &graph, VarId id)
{
    const Variable &variable = graph.variable(id);
    api::WrittenTensor tensor{variable.name, typeInFile(variable)};
    if (variable.producer == noOp) return tensor;
    const Operation &producer = graph.operation(variable.producer);
    if (convertsCodes(producer) && producer.type == "DequantizeLinear")
        describeCodes(graph, producer.inputs[0], producer.inputs[1], tensor);
    if (const std::vector<OpId> nodes = lookUpNodes(graph, id); !nodes.empty())
        describeCodes(graph, graph.operation(nodes[2]).inputs[0],
                      nodes.size() > 3 ? graph.operation(nodes[3]).inputs[0] : producer.inputs[1], tensor);
    return tensor;
}

api::WrittenTensor outputTensor(const Graph &graph, VarId id)
{
    const Variable &variable = graph.variable(id);
    api::WrittenTensor tensor{variable.name, typeInFile(variable)};
    for (const Use &use : variable.uses) {
        const Operation &reader = graph.operation(use.op);
        if (!convertsCodes(reader) || use.index != 0) continue;
        describeCodes(graph, reader.outputs[0],
                      reader.type == "DynamicQuantizeLinear" ? reader.outputs[1] : reader.inputs[1], tensor);
        break;
    }
    return tensor;
}

} // namespace

std::vector<api::WrittenOperation> writtenOperations(const Graph &graph)
{
    std::set<OpId> ofParameters;
    for (const OpId id : graph.operations())
        for (const VarId output : graph.operation(id).outputs)
            for (const OpId node : lookUpNodes(graph, output)) ofParameters.insert(node);
    std::vector<api::WrittenOperation> rows;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        if (convertsCodes(op) || ofParameters.contains(id)) continue;
        api::WrittenOperation &row = rows.emplace_back();
        row.name = op.name;
        row.type = op.domain.empty() ? op.type : op.domain + ":" + op.type;
        for (const VarId input : op.inputs)
            if (input != noVar) row.inputs.push_back(inputTensor(graph, input));
        for (const VarId output : op.outputs)
            if (output != noVar) row.outputs.push_back(outputTensor(graph, output));
    }
    return rows;
}

} // namespace ql
