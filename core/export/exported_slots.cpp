#include "core/export/exported_slots.h"

#include "core/base/error.h"

namespace ql {

std::optional<ExportedSlot> slotWithScale(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig *config = model.plan.find(slot);
    const VarId variable = variableOf(model.graph, slot);
    if (!config || variable == noVar || config->dynamic || !model.plan.hasScale(slot)) return {};
    if (config->isGrouped())
        throw Error(ErrorKind::BadConfig, QL_TEXT("this format has no scales for groups of channels"),
                    model.graph.operation(slot.op).name, model.graph.variable(variable).name)
            .withRemedy(QL_TEXT("Choose the granularity output_channel, or an ONNX or native file."));
    return ExportedSlot{.slot = slot,
                        .variable = variable,
                        .config = config,
                        .scale = model.plan.scale(slot),
                        .zeroPoint = model.plan.zeroPoint(slot),
                        .isParameter = model.graph.isParameter(variable)};
}

static bool isListed(const TensorQuantConfig &config, ListOverlapped overlapped)
{
    if (config.visibility == Visibility::Internal) return false;
    return config.isApplied() || config.state == QuantState::Baked || config.visibility == Visibility::Always ||
           (config.state == QuantState::Overlapped && overlapped == ListOverlapped::Yes);
}

std::vector<ExportedSlot> exportedSlots(const QuantModel &model, OpId id, ListOverlapped overlapped)
{
    std::vector<ExportedSlot> slots;
    for (const Slot slot : model.plan.slotsOf(id)) {
        if (!isListed(*model.plan.find(slot), overlapped)) continue;
        if (auto exported = slotWithScale(model, slot)) slots.push_back(std::move(*exported));
    }
    return slots;
}

} // namespace ql
