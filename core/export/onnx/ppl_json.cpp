// OpenPPL: a float model and a JSON of scales ("quant_info", by tensor) and of data types ("op_info", by operation).
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"

#include <algorithm>

namespace ql {

/// hash and dominator number tensors: whose scale is used.
static nlohmann::ordered_json quantInfo(const QuantModel &model, const ExportedSlot &slot)
{
    const TensorQuantConfig &config = *slot.config;
    const bool isList = slot.isPerChannel();
    std::vector<double> least, most;
    for (std::size_t i = 0; i < slot.scale.size(); ++i) {
        least.push_back(double(float(slot.lowest(i))));
        most.push_back(double(float(slot.highest(i))));
    }
    const VarId root = variableOf(model.graph, model.plan.root(slot.slot));
    return {{"bit_width", config.bits},
            {"per_channel", isList},
            {"quant_flag", true},
            {"sym", config.symmetric},
            {"scale", numberOrList(slot.scale, isList)},
            {"zero_point", numberOrList(slot.zeroPoint, isList)},
            {"tensor_min", numberOrList(least, isList)},
            {"tensor_max", numberOrList(most, isList)},
            {"q_min", config.quantMin},
            {"q_max", config.quantMax},
            {"hash", std::int32_t(slot.variable)},
            {"dominator", std::int32_t(root)}};
}

static ExportResult writePplJson(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    nlohmann::ordered_json tensors = nlohmann::ordered_json::object(), operations = tensors;
    for (const OpId id : model.graph.operations()) {
        if (!model.isQuantized(id)) continue;
        int bits = 8;
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::No)) {
            if (slot.config->bits > 8 || slot.config->isFloating()) continue;
            bits = std::min(bits, slot.config->bits);
            setEntry(tensors, model.graph.variable(slot.variable).name, slot, quantInfo(model, slot));
        }
        operations[model.graph.operation(id).name] = {{"data_type", bits <= 4 ? "INT4" : "INT8"}};
    }
    return writeModelWith(request, [&](FileSet &files) {
        files.addJson(".json", {{"quant_info", tensors}, {"op_info", operations}});
    });
}

static const ExporterRegistrar pplJson{
    "ppl_json",
    {.info = {.id = "ppl_json",
              .title = QL_TEXT("OpenPPL"),
              .meaning = QL_TEXT("ONNX model with OpenPPL's JSON of scales and data types."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".json"},
     .run = writePplJson}};

} // namespace ql
