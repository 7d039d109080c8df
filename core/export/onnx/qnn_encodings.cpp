// Qualcomm QNN (--quantization_overrides) and SNPE: a float model and a JSON of encodings.
// QNN: "activation_encodings" and "param_encodings", by tensor, as AIMET 0.6.1 writes them. As in QNN's
// Qnn_ScaleOffset_t, value = scale * (code + offset) with unsigned codes; PPQ writes the zero point instead, the
// negative of the offset. SNPE: by tensor "tensor_min" and "tensor_max".
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/ir/op_traits.h"

#include <algorithm>

namespace ql {

/// The scale of a tensor whose values end at 1 is at most one code of that range: QNN fixes the encoding of Softmax and
/// Sigmoid to 0 .. 1.
static void limitToOne(const Graph &graph, ExportedSlot &slot)
{
    const OpId producer = graph.variable(slot.variable).producer;
    if (producer == noOp) return;
    const std::string &type = graph.operation(producer).type;
    if (type != "Softmax" && type != "Sigmoid") return;
    const float most = 1.f / float(slot.config->quantMax - slot.config->quantMin);
    slot.scale.front() = std::min(slot.scale.front(), most);
}

static nlohmann::ordered_json qnnEncoding(const ExportedSlot &slot, bool asPpq)
{
    nlohmann::ordered_json encoding = {{"bitwidth", slot.config->bits}};
    if (!asPpq) {
        encoding["dtype"] = "int";
        encoding["is_symmetric"] = slot.config->symmetric ? "True" : "False";
    }
    encoding["max"] = double(float(slot.highest()));
    encoding["min"] = double(float(slot.lowest()));
    encoding["offset"] = asPpq ? slot.zeroPoint.front() : encodingOffset(slot, 0);
    encoding["scale"] = slot.scale.front();
    return nlohmann::ordered_json::array({std::move(encoding)});
}

static ExportResult writeQnnEncodings(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    const bool asPpq = request.params.at("as_ppq");
    nlohmann::ordered_json activations = nlohmann::ordered_json::object(), parameters = activations;
    for (const OpId id : model.graph.topological())
        for (ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::Yes)) {
            requireOneScale(request, slot, "qnn_encodings", "QNN_DSP_INT8");
            limitToOne(model.graph, slot);
            setEntry(slot.isParameter ? parameters : activations, model.graph.variable(slot.variable).name, slot,
                     qnnEncoding(slot, asPpq));
        }
    return writeModelWith(request, [&](FileSet &files) {
        nlohmann::ordered_json all;
        if (!asPpq) all["version"] = "0.6.1";
        all["activation_encodings"] = activations;
        all["param_encodings"] = parameters;
        files.addJson(".encodings", all);
    });
}

static std::vector<api::ParamSpec> qnnParams()
{
    std::vector<api::ParamSpec> params = modelParams();
    params.push_back({.name = "as_ppq",
                      .type = "bool",
                      .fallback = false,
                      .meaning = QL_TEXT("Write the fields of PPQ's exporter: \"offset\" is the zero point, which QNN "
                                         "and AIMET take with the opposite sign.")});
    return params;
}

static ExportResult writeSnpeRanges(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    nlohmann::ordered_json ranges = nlohmann::ordered_json::object();
    for (const OpId id : model.graph.topological())
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::Yes)) {
            if (slot.config->bits > 8) continue;
            std::vector<float> least, most;
            for (std::size_t i = 0; i < slot.scale.size(); ++i) {
                least.push_back(float(slot.lowest(i)));
                most.push_back(float(slot.highest(i)));
            }
            setEntry(ranges, model.graph.variable(slot.variable).name, slot,
                     {{"tensor_min", numberOrList(least, slot.isPerChannel())},
                      {"tensor_max", numberOrList(most, slot.isPerChannel())}});
        }
    return writeModelWith(request, [&](FileSet &files) { files.addJson(".json", ranges); });
}

static const ExporterRegistrar qnnEncodings{
    "qnn_encodings",
    {.info = {.id = "qnn_encodings",
              .title = QL_TEXT("QNN encodings"),
              .meaning =
                  QL_TEXT("ONNX model with the encodings that QNN's converter takes by --quantization_overrides."),
              .params = qnnParams()},
     .extensions = {".onnx"},
     .beside = {".encodings"},
     .run = writeQnnEncodings}};

static const ExporterRegistrar snpeRanges{
    "snpe_ranges",
    {.info = {.id = "snpe_ranges",
              .title = QL_TEXT("SNPE ranges"),
              .meaning = QL_TEXT("ONNX model with the smallest and largest value of each tensor."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".json"},
     .run = writeSnpeRanges}};

} // namespace ql
