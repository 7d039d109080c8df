// Plain ONNX: the float graph with the simulator's rounded parameters instead of the originals.
#include "core/export/exporter.h"
#include "core/export/onnx_operators.h"
#include "core/export/open_shapes.h"
#include "core/export/opset.h"
#include "core/io/onnx/write.h"
#include "core/quant/quantize.h"

#include <algorithm>

namespace ql {

namespace {

ExportResult writePlain(const ExportRequest &request)
{
    ExportResult result;
    Graph graph = request.model.graph;
    for (const OpId id : request.model.graph.topological()) {
        const Operation &op = request.model.graph.operation(id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!request.model.graph.isParameter(op.inputs[i])) continue;
            const at::Tensor value = simulatedParameter(request.model.graph, request.model.plan, inputSlot(id, i));
            const Variable &original = request.model.graph.variable(op.inputs[i]);
            if (value.is_same(original.value)) continue;
            if (original.uses.size() == 1)
                graph.setValue(original.id, value);
            else
                graph.setInput(id, i, graph.addParameter(graph.freshName(original.name + "_rounded"), value));
        }
    }
    graph.removeUnreachable();
    raiseOpset(graph, 13);
    graph.irVersion = std::max<std::int64_t>(graph.irVersion, 8);
    splitBiasedMatMul(graph);
    noteForeignOperators(graph, result.notes);
    forgetTracedShapes(graph);
    writeOnnx(graph, request.target, {});
    result.files.push_back(request.target);
    result.notes.push_back(
        QL_TEXT("Parameters are rounded to their grid; activations are not quantized in this file."));
    return result;
}

const ExporterRegistrar plain{
    "onnx",
    {{"onnx", QL_TEXT("Plain ONNX"), QL_TEXT("The float graph with quantized parameters rounded to their grid."), {}},
     {".onnx"},
     writePlain}};

} // namespace

} // namespace ql
