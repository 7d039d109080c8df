#include "core/export/ppq_config.h"

#include "core/export/exported_slots.h"
#include "core/export/file_set.h"

#include <map>

namespace ql {

/// PPQ's names of states.
static const char *ppqState(const QuantModel &model, Slot slot)
{
    const QuantState state = model.plan.find(slot)->state;
    const bool isParameter = model.graph.isParameter(variableOf(model.graph, slot));
    switch (state) {
    case QuantState::Initial: return "INITIAL";
    case QuantState::Active: return "ACTIVATED";
    case QuantState::Passive: return model.plan.hasScale(slot) ? "PASSIVE" : "PASSIVE_INIT";
    case QuantState::Overlapped: return "OVERLAPPED";
    case QuantState::Baked: return isParameter && model.plan.find(slot)->bits > 8 ? "PASSIVE_BAKED" : "BAKED";
    case QuantState::Off: return "FP32";
    }
    return "";
}

static nlohmann::ordered_json ppqEntry(const QuantModel &model, Slot slot, int number, int root)
{
    const TensorQuantConfig &config = *model.plan.find(slot);
    return {{"bit_width", config.bits},
            {"policy",
             {{"PER_TENSOR", !config.isPerChannel()},
              {"PER_CHANNEL", config.isPerChannel()},
              {"LINEAR", !config.isFloating()},
              {"FLOATING", config.isFloating()},
              {"SYMMETRICAL", config.symmetric},
              {"ASYMMETRICAL", !config.symmetric},
              {"POWER_OF_2", config.powerOfTwo},
              {"DYNAMIC", config.dynamic}}},
            {"state", ppqState(model, slot)},
            {"quant_min", config.quantMin},
            {"quant_max", config.quantMax},
            {"hash", number},
            {"dominator", root}};
}

nlohmann::ordered_json ppqConfig(const QuantModel &model)
{
    std::map<Slot, int> numbers;
    for (const auto &[slot, config] : model.plan.configs()) numbers.emplace(slot, int(numbers.size()) + 1);
    nlohmann::ordered_json configs = nlohmann::ordered_json::object(), dispatchings = configs, values = configs;
    for (const OpId id : model.graph.operations()) {
        if (!model.isQuantized(id)) continue;
        const std::string &name = model.graph.operation(id).name;
        dispatchings[name] = model.platformOf(id);
        nlohmann::ordered_json &entries = configs[name] = nlohmann::ordered_json::object();
        for (const Slot slot : model.plan.slotsOf(id)) {
            const VarId variable = variableOf(model.graph, slot);
            if (variable == noVar) continue;
            const Slot root = model.plan.root(slot);
            const int number = numbers.at(slot);
            entries[model.graph.variable(variable).name] = ppqEntry(model, slot, number, numbers.at(root));
            if (root != slot || model.plan.find(slot)->state == QuantState::Off) continue;
            nlohmann::ordered_json &value =
                values[std::to_string(number)] = {{"scale", nullptr}, {"zero_point", nullptr}};
            if (const auto own = slotWithScale(model, slot)) {
                const std::vector<float> zeroPoint(own->zeroPoint.begin(), own->zeroPoint.end());
                value = {{"scale", numberOrList(own->scale, own->isPerChannel())},
                         {"zero_point", numberOrList(zeroPoint, own->isPerChannel())}};
            }
        }
    }
    return {{"configs", configs}, {"dispatchings", dispatchings}, {"values", values}};
}

} // namespace ql
