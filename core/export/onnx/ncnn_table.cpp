// ncnn: the calibration table that ncnn2int8 reads next to the converted model. First the scales of the weights, one
// line per layer: "NAME_param_0 SCALE ...", then those of the inputs: "NAME SCALE"; each is codes per unit, 1 / ours.
#include "core/base/error.h"
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/ir/op_traits.h"
#include "core/pass/format_tools.h"

#include <algorithm>
#include <cstdio>

namespace ql {

static std::string tableLine(const std::string &name, const std::vector<float> &scales)
{
    std::string line = name + " ";
    char number[64];
    for (const float scale : scales) {
        std::snprintf(number, sizeof(number), "%.9g ", double(1 / scale)); // ncnn reads the same float32
        line += number;
    }
    return line + "\n";
}

/// One scale per output channel; one per group for a grouped convolution: that of the channel with the largest values.
static std::vector<float> ncnnWeightScales(const QuantModel &model, const Operation &op, const ExportedSlot &weight)
{
    std::vector<float> scales = weight.scale;
    const at::IntArrayRef sizes = model.graph.variable(weight.variable).value.sizes();
    const std::int64_t channels = outputChannelCount(op, sizes), groups = op.intAttribute("group", 1);
    if (scales.size() == 1 && channels > 1) scales.resize(std::size_t(channels), scales.front());
    if (groups <= 1 || scales.size() % std::size_t(groups) != 0) return scales;
    const std::ptrdiff_t perGroup = std::ptrdiff_t(scales.size()) / groups;
    std::vector<float> largest;
    for (auto at = scales.begin(); at != scales.end(); at += perGroup)
        largest.push_back(*std::max_element(at, at + perGroup));
    return largest;
}

/// ncnn 20261020 computes powers from logarithms: 0 to the power of 0.5 is garbage, but its square root is right.
static void writeSquareRoots(Graph &graph)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        const at::Tensor exponent = op.type == "Pow" ? parameterOf(graph, op, 1) : at::Tensor();
        if (!exponent.defined() || exponent.dim() > 1 || exponent.numel() != 1 || exponent.item().toDouble() != 0.5)
            continue;
        graph.resizeInputs(id, 1);
        Operation &root = graph.edit(id);
        root.type = "Sqrt";
        root.opset = root.opset >= 13 ? 13 : 6;
    }
}

static ExportResult writeNcnnTable(const ExportRequest &request)
{
    QuantModel model = request.model;
    writeSquareRoots(model.graph);
    std::string weights, inputs;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (!model.isQuantized(id) || !isComputing(op)) continue;
        const ExportedSlot *weight = nullptr, *input = nullptr;
        const std::vector<ExportedSlot> slots = exportedSlots(model, id, ListOverlapped::Yes);
        for (const ExportedSlot &slot : slots) {
            if (isWeight(op, slot.slot)) weight = &slot;
            if (!slot.slot.output && slot.slot.index == 0) input = &slot;
        }
        const auto isUsable = [](const ExportedSlot *slot) {
            return slot && slot->config->symmetric && !slot->config->isFloating() && slot->config->bits <= 8;
        };
        if (!isUsable(weight) || !isUsable(input) || input->isPerChannel() || !weight->isParameter) {
            request.report(
                {.severity = api::Severity::Warning,
                 .op = op.name,
                 .message = QL_TEXT("not in the table: ncnn needs symmetric scales of 8 bits or fewer, one for the "
                                    "input, and constant weights"),
                 .remedy = QL_TEXT("Quantize for NCNN_INT8.")});
            continue;
        }
        requireWord(request, op.name, weight->slot, "ncnn_table");
        weights += tableLine(op.name + "_param_0", ncnnWeightScales(model, op, *weight));
        inputs += tableLine(op.name, input->scale);
    }
    if (inputs.empty())
        throw Error(ErrorKind::BadConfig, QL_TEXT("export 'ncnn_table': no layer of the model fits the table"))
            .inFile(request.target.string())
            .withRemedy(
                QL_TEXT("Quantize for NCNN_INT8, which quantizes Gemm and Conv with two spatial axes; ncnn computes "
                        "other layers in float."));
    ExportResult result =
        writeModelWith(request, model, [&](FileSet &files) { files.addText(".table", weights + inputs); });
    result.notes.push_back(QL_TEXT(
        "Convert the model with onnx2ncnn, which keeps the names of layers, then run ncnn2int8 with the table."));
    return result;
}

static const ExporterRegistrar ncnnTable{
    "ncnn_table",
    {.info = {.id = "ncnn_table",
              .title = QL_TEXT("ncnn table"),
              .meaning = QL_TEXT("ONNX model with the calibration table that ncnn2int8 reads."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".table"},
     .run = writeNcnnTable}};

} // namespace ql
