// Tengine: a float model, a text of scales ("NAME SCALE ZERO_POINT", one tensor a line) and PPQ's config JSON.
#include "core/export/exported_slots.h"
#include "core/export/onnx/side_files.h"
#include "core/export/ppq_config.h"

#include <map>

namespace ql {

static ExportResult writeTengine(const ExportRequest &request)
{
    const QuantModel &model = request.model;
    std::vector<std::string> order;
    std::map<std::string, std::string> lines;
    for (const OpId id : model.graph.operations())
        for (const ExportedSlot &slot : exportedSlots(model, id, ListOverlapped::Yes)) {
            const std::string &name = model.graph.variable(slot.variable).name;
            requireOneScale(request, slot, "tengine", "TENGINE_INT8");
            if (slot.config->state == QuantState::Baked) continue; // the weights in the file are rounded
            requireWord(request, name, slot.slot, "tengine");
            if (!lines.contains(name)) order.push_back(name);
            lines[name] = name + " " + nlohmann::json(slot.scale.front()).dump() + " " +
                          std::to_string(slot.zeroPoint.front()) + "\n";
        }
    std::string text;
    for (const std::string &name : order) text += lines[name];
    return writeModelWith(request, [&](FileSet &files) {
        files.addText(".scale", text);
        files.addJson(".json", ppqConfig(model));
    });
}

static const ExporterRegistrar tengine{
    "tengine",
    {.info = {.id = "tengine",
              .title = QL_TEXT("Tengine"),
              .meaning = QL_TEXT("ONNX model with Tengine's table of scales and zero points."),
              .params = modelParams()},
     .extensions = {".onnx"},
     .beside = {".scale", ".json"},
     .run = writeTengine}};

} // namespace ql
