// AIMET's encodings, version 1.0.0, which QNN and others read next to a float model.
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"

#include <set>

namespace ql {

static nlohmann::ordered_json aimetEncoding(const Graph &graph, const ExportedSlot &slot)
{
    const TensorQuantConfig &config = *slot.config;
    nlohmann::ordered_json encoding = {{"name", graph.variable(slot.variable).name},
                                       {"enc_type", slot.isPerChannel() ? "PER_CHANNEL" : "PER_TENSOR"},
                                       {"dtype", config.isFloating() ? "FLOAT" : "INT"},
                                       {"bw", config.bits}};
    if (config.isFloating()) return encoding;
    std::vector<std::int64_t> offsets;
    for (std::size_t i = 0; i < slot.zeroPoint.size(); ++i) offsets.push_back(encodingOffset(slot, i));
    encoding.update({{"is_sym", config.symmetric}, {"scale", slot.scale}, {"offset", offsets}});
    return encoding;
}

static ExportResult writeAimetEncodings(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    nlohmann::ordered_json activations = nlohmann::ordered_json::array(), parameters = activations;
    std::set<VarId> written;
    for (const OpId id : model.graph.topological())
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::No)) {
            if (!written.insert(slot.variable).second) continue;
            (slot.isParameter ? parameters : activations).push_back(aimetEncoding(model.graph, slot));
        }
    return writeModelWith(request, [&](FileSet &files) {
        files.addJson(".encodings", {{"version", "1.0.0"},
                                     {"activation_encodings", activations},
                                     {"param_encodings", parameters},
                                     {"excluded_layers", nlohmann::ordered_json::array()}});
    });
}

static const ExporterRegistrar aimetEncodings{
    "aimet_encodings",
    {.info = {.id = "aimet_encodings",
              .title = QL_TEXT("AIMET encodings"),
              .meaning = QL_TEXT("ONNX model with AIMET's encodings, version 1.0.0."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".encodings"},
     .isForAllPlatforms = true,
     .run = writeAimetEncodings}};

} // namespace ql
