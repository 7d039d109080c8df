// MNN: a float model and a flat JSON of scales, "TENSOR input_tensor_0" and "TENSOR output_tensor_0", where TENSOR is
// the output of the operation; "shape" is that of the graph input.
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/ir/op_traits.h"

namespace ql {

/// Height, width and channels of the last graph input of rank 4; empty if there is none.
static nlohmann::ordered_json mnnShape(const Graph &graph)
{
    nlohmann::ordered_json shape = nlohmann::ordered_json::object();
    for (const VarId input : graph.inputs()) {
        const auto &dims = graph.variable(input).type.shape;
        if (!dims || dims->size() != 4) continue;
        shape = {{"channels", (*dims)[1].size}, {"height", (*dims)[2].size}, {"width", (*dims)[3].size}};
    }
    return shape;
}

/// MNN's converter 3.6.1 writes to all results of a recurrent operation: to those that a model leaves out, past the end
/// of a list.
static void nameRecurrentOutputs(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        const std::string type = graph.operation(id).type;
        const std::size_t count = type == "LSTM" ? 3 : type == "GRU" || type == "RNN" ? 2 : 0;
        for (std::size_t i = 0; i < count; ++i) {
            const std::vector<VarId> &outputs = graph.operation(id).outputs;
            if (i < outputs.size() && outputs[i] != noVar) continue;
            graph.setOutput(id, i, graph.addVariable(graph.freshName(graph.operation(id).name + "_unread")));
        }
    }
}

static ExportResult writeMnnJson(const ExportRequest &request)
{
    QuantModel model = request.model;
    nameRecurrentOutputs(model.graph);
    nlohmann::ordered_json scales = {{"shape", mnnShape(model.graph)}};
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (!model.isQuantized(id) || op.outputs.empty()) continue;
        const std::string &tensor = model.graph.variable(op.outputs.front()).name;
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::Yes)) {
            if (slot.isParameter || slot.slot.index != 0 || slot.config->isFloating()) continue;
            if (!slot.slot.output && !isComputing(op)) continue; // Add is described by its output
            const bool isList = slot.isPerChannel();
            scales[tensor + (slot.slot.output ? " output_tensor_0" : " input_tensor_0")] =
                numberOrList(slot.scale, isList);
        }
    }
    if (scales.size() == 1) // only the shape
        throw Error(ErrorKind::BadConfig, QL_TEXT("export 'mnn_json': no layer of the model has scales in MNN"))
            .inFile(request.target.string())
            .withRemedy(QL_TEXT("Quantize for MNN_INT8, which quantizes Conv; MNN computes other layers in float."));
    const ExportRequest named{model, request.target, request.params, request.report, request.errors};
    return writeModelWith(named, [&](FileSet &files) { files.addJson(".json", scales); });
}

static const ExporterRegistrar mnnJson{
    "mnn_json",
    {.info = {.id = "mnn_json",
              .title = QL_TEXT("MNN scales"),
              .meaning = QL_TEXT("ONNX model with MNN's JSON of input and output scales."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".json"},
     .run = writeMnnJson}};

} // namespace ql
