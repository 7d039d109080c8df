// MNN: a float model and a flat JSON of scales, "TENSOR input_tensor_0" and "TENSOR output_tensor_0", where TENSOR is
// the output of the operation; "shape" is that of the graph input.
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"

#include <ATen/core/Tensor.h>
#include <algorithm>
#include <limits>
#include <vector>

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

/// Negative pads, which MNN 3.6.1 computes wrongly or crashes for, become a Slice before the Pad.
static void cropWithSlices(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        const Operation op = graph.operation(id);
        const at::Tensor given = op.type == "Pad" ? parameterOf(graph, op, 1) : at::Tensor();
        if (!given.defined() || op.stringAttribute("mode", "constant") != "constant") continue;
        const at::Tensor pads = given.to(at::kLong).contiguous();
        const std::size_t axes = std::size_t(pads.numel()) / 2;
        std::vector<std::int64_t> left(pads.data_ptr<std::int64_t>(), pads.data_ptr<std::int64_t>() + 2 * axes);
        std::vector<std::int64_t> starts(axes, 0), ends(axes, std::numeric_limits<std::int64_t>::max());
        for (std::size_t axis = 0; axis < axes; ++axis) {
            if (left[axis] < 0) starts[axis] = -left[axis];
            if (left[axes + axis] < 0) ends[axis] = left[axes + axis];
        }
        if (std::none_of(left.begin(), left.end(), [](std::int64_t pad) { return pad < 0; })) continue;
        for (std::int64_t &pad : left) pad = std::max<std::int64_t>(pad, 0);
        std::vector<VarId> inputs{op.inputs[0],
                                  graph.addParameter(graph.freshName(op.name + "_starts"), int64List(starts)),
                                  graph.addParameter(graph.freshName(op.name + "_ends"), int64List(ends))};
        if (op.hasInput(3)) inputs.push_back(op.inputs[3]); // the axes
        const VarId cropped = addCopy(graph, "Slice", inputs, "_cropped");
        graph.edit(cropped).type.shape.reset();
        graph.setInput(id, 0, cropped);
        setParameterInput(graph, id, 1, int64List(left), "pads");
    }
}

static ExportResult writeMnnJson(const ExportRequest &request)
{
    QuantModel model = request.model;
    nameRecurrentOutputs(model.graph);
    cropWithSlices(model.graph);
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
    return writeModelWith(request, model, [&](FileSet &files) { files.addJson(".json", scales); });
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
