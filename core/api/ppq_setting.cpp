#include "core/api/ppq_setting.h"

#include "core/base/strings.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace ql::api {

using nlohmann::json;

static SettingField fieldFromJson(const JsonNode &node)
{
    node.expectKeys(
        {"field", "default", "path", "none", "quiet", "if_other", "dispatch", "lower", "if", "and", "words", "off"});
    SettingField field;
    field.field = node.at("field").string();
    field.fallback = node.at("default").value();
    if (const auto n = node.find("path")) field.path = n->string();
    if (const auto n = node.find("none")) field.none = n->string();
    if (const auto n = node.find("quiet")) field.isQuiet = n->boolean();
    if (const auto n = node.find("if_other")) field.isOtherOnly = n->boolean();
    if (const auto n = node.find("dispatch")) field.isDispatch = n->boolean();
    if (const auto n = node.find("lower")) field.isLowerCase = n->boolean();
    if (const auto n = node.find("if")) field.onlyIf = n->string();
    if (const auto n = node.find("and")) field.both = n->string();
    if (const auto n = node.find("words"))
        for (const auto &[word, ours] : n->members()) field.words[word] = ours.string();
    if (const auto n = node.find("off"))
        for (const auto &[path, value] : n->members()) field.fieldsIfOff[path] = value.value();
    return field;
}

SettingTable settingTableFromJson(const JsonText &text)
{
    const JsonNode root(text);
    root.expectKeys({"title", "fields", "platforms", "samples"});
    SettingTable table;
    for (const JsonNode &row : root.at("fields").elements()) table.fields.push_back(fieldFromJson(row));
    for (const auto &[number, id] : root.at("platforms").members()) table.platforms[number] = id.string();
    for (const std::string &name : root.at("samples").strings()) table.samples.insert(name);
    return table;
}

std::optional<SimpleSetting> simpleSettingFromJson(const JsonText &text)
{
    const JsonNode root(text);
    const std::initializer_list<const char *> ownMembers = {"platform",           "finetune_steps", "finetune_lr",
                                                            "interested_outputs", "calibration",    "non_quantable_op"};
    if (std::none_of(ownMembers.begin(), ownMembers.end(), [&](const char *name) { return root.has(name); }))
        return std::nullopt;
    root.expectKeys({"platform", "finetune_steps", "finetune_lr", "interested_outputs", "calibration", "equalization",
                     "non_quantable_op", "version", "signature"});
    SimpleSetting setting;
    if (const auto n = root.find("platform")) setting.platform = n->string();
    json &params = setting.params;
    if (const auto n = root.find("calibration")) params["calibration"] = lower(n->string());
    if (const auto n = root.find("equalization")) params["equalization"] = n->boolean();
    if (const auto n = root.find("finetune_lr")) params["finetune_rate"] = n->number(0, 1);
    if (const auto n = root.find("finetune_steps")) {
        const std::int64_t steps = n->integer(0, 1000000);
        params["finetune"] = steps > 0;
        if (steps > 0) params["finetune_steps"] = steps;
    }
    if (const auto n = root.find("non_quantable_op"); n && !n->value().is_null())
        params["float_operations"] = n->value().is_string() ? std::vector<std::string>{n->string()} : n->strings();
    if (const auto n = root.find("interested_outputs")) setting.hasOutputs = !n->value().is_null();
    return setting;
}

} // namespace ql::api
