// Huawei Ascend (AMCT): a float model and a record text with the scale of the input ("scale_d", "offset_d") and of the
// weights ("scale_w", "offset_w") of each quantized layer, and the sizes of its input.
#include "core/base/error.h"
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/ir/op_traits.h"

#include <algorithm>
#include <limits>

namespace ql {

/// A scale between FLT_EPSILON and its reciprocal, as AMCT wants it.
static std::string recordScale(float scale)
{
    constexpr float least = std::numeric_limits<float>::epsilon();
    return nlohmann::json(std::clamp(scale, least, 1 / least)).dump();
}

static Error unfitForAscend(const ExportRequest &request, const Operation &op, Text why)
{
    return Error(ErrorKind::UnsupportedOp, QL_TEXT("export 'ascend_record': %1").with(std::move(why)), op.name)
        .inFile(request.target.string())
        .withRemedy(QL_TEXT("Quantize for ASC_INT8, or run this operation in FP32."));
}

/// channels, height and width of a tensor [N, C] or [N, C, H, W].
static std::string recordSizes(const ExportRequest &request, const Operation &op, const Variable &input)
{
    const auto &shape = input.type.shape;
    if (!shape || (shape->size() != 2 && shape->size() != 4))
        throw unfitForAscend(request, op, QL_TEXT("the input must have 2 or 4 dimensions"));
    const auto size = [&](std::size_t i) { return std::to_string(i < shape->size() ? (*shape)[i].size : 1); };
    return "    channels: " + size(1) + "\n    height: " + size(2) + "\n    width: " + size(3) + "\n";
}

static std::string recordOf(const ExportRequest &request, const Operation &op)
{
    const QuantModel &model = request.model;
    const ExportedSlot *input = nullptr, *weight = nullptr;
    const std::vector<ExportedSlot> slots = exportedSlots(model, op.id, ListOverlapped::Yes);
    for (const ExportedSlot &slot : slots) {
        if (!slot.slot.output && slot.slot.index == 0) input = &slot;
        if (isWeight(op, slot.slot)) weight = &slot;
    }
    if (!input || input->isPerChannel() || input->config->bits != 8 || input->config->isFloating())
        throw unfitForAscend(request, op, QL_TEXT("the input must have 8 bits and one scale"));
    if (isComputing(op) && (!weight || !weight->config->symmetric))
        throw unfitForAscend(request, op, QL_TEXT("the weight must be quantized symmetrically"));
    const int offset = input->zeroPoint.front() - (input->config->quantMin < 0 ? 0 : 128);
    std::string text = "record {\n  key: \"" + op.name +
                       "\"\n  value {\n    scale_d: " + recordScale(input->scale.front()) +
                       "\n    offset_d: " + std::to_string(offset) + "\n";
    if (weight) {
        for (const float scale : weight->scale) text += "    scale_w: " + recordScale(scale) + "\n";
        for (std::size_t i = 0; i < weight->scale.size(); ++i) text += "    offset_w: 0\n";
    }
    return text + recordSizes(request, op, model.graph.variable(input->variable)) + "  }\n}\n";
}

/// The layers that AMCT's records describe.
static bool hasRecord(const Operation &op)
{
    return isLayer(op) || op.type == "AveragePool";
}

static ExportResult writeAscendRecord(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    std::string records;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (hasRecord(op) && model.isQuantized(id)) records += recordOf(request, op);
    }
    return writeModelWith(request, [&](FileSet &files) { files.addText(".txt", records); });
}

static const ExporterRegistrar ascendRecord{
    "ascend_record",
    {.info = {.id = "ascend_record",
              .title = QL_TEXT("Ascend record"),
              .meaning = QL_TEXT("ONNX model with the record of scales that Ascend's AMCT reads."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".txt"},
     .run = writeAscendRecord}};

} // namespace ql
