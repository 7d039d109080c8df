// Plain ONNX: the float graph with the simulator's rounded parameters instead of the originals.
#include "core/export/exporter.h"
#include "core/export/onnx/open_shapes.h"
#include "core/export/onnx/operators.h"
#include "core/export/onnx/opset.h"
#include "core/export/onnx/side_files.h"
#include "core/export/onnx/written_operations.h"
#include "core/io/onnx/write.h"
#include "core/quant/quantize.h"

#include <algorithm>

namespace ql {

Graph plainGraph(const QuantModel &model, const nlohmann::json &params, ExportResult &result)
{
    checkForeignOperators(model.graph, params, result.notes);
    Graph graph = model.graph;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i) {
            if (!model.graph.isParameter(op.inputs[i])) continue;
            const at::Tensor value = simulatedParameter(model.graph, model.plan, inputSlot(id, i));
            const Variable &original = model.graph.variable(op.inputs[i]);
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
    openShapes(graph, params);
    result.operations = writtenOperations(graph);
    return graph;
}

ExportResult writePlainOnnx(const QuantModel &model, const std::filesystem::path &file, const nlohmann::json &params)
{
    ExportResult result;
    result.files = writeOnnx(plainGraph(model, params, result), file, {});
    result.notes.push_back(
        QL_TEXT("Parameters are rounded to their grid; activations are not quantized in this file."));
    return result;
}

static ExportResult writePlain(const ExportRequest &request)
{
    return writePlainOnnx(request.model, request.target, request.params);
}

static const ExporterRegistrar plain{
    "onnx",
    {.info = {.id = "onnx",
              .title = QL_TEXT("Plain ONNX"),
              .meaning = QL_TEXT("The float graph with quantized parameters rounded to their grid."),
              .params = {uncalibratedParam(), fixedShapesParam(), foreignOperatorsParam()}},
     .extensions = {".onnx"},
     .isForAllPlatforms = true,
     .run = writePlain}};

} // namespace ql
