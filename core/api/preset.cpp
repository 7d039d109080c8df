#include "core/api/preset.h"

#include "core/api/param_file.h"
#include "core/api/recipe_path.h"
#include "core/base/strings.h"

#include <algorithm>

namespace ql::api {

using nlohmann::json;

static PresetChange changeFromJson(const JsonNode &node)
{
    node.expectKeys({"when", "path", "value", "float"});
    PresetChange change;
    if (const auto when = node.find("when"))
        for (const auto &[name, value] : when->members()) change.when[name] = value.value();
    if (const auto names = node.find("float")) {
        change.floatOperations = names->string().substr(1);
        return change;
    }
    change.path = node.at("path").string();
    change.value = node.at("value").value();
    return change;
}

Preset presetFromJson(const JsonText &text)
{
    const JsonNode root(text);
    root.expectKeys({"id", "title", "description", "params", "set"});
    Preset preset;
    preset.id = root.at("id").string();
    preset.title = root.at("title").string();
    preset.meaning = root.at("description").string();
    if (const auto params = root.find("params")) preset.params = paramsFromJson(*params);
    for (const JsonNode &change : root.at("set").elements()) preset.changes.push_back(changeFromJson(change));
    return preset;
}

static bool isWanted(const PresetChange &change, const Recipe &recipe, const json &values)
{
    return std::all_of(change.when.begin(), change.when.end(), [&](const auto &entry) {
        const auto &wanted = entry.second;
        if (entry.first != "platform") return values.at(entry.first) == wanted;
        return std::find(wanted.begin(), wanted.end(), json(recipe.platform)) != wanted.end();
    });
}

std::vector<Problem> applyPreset(Recipe &recipe, const Preset &preset, const json &given,
                                 const std::vector<PassItem> &known, const std::vector<StepRequest> &usual)
{
    const json values = completeParams(preset.params, given, QL_TEXT("preset '%1'").with(preset.id));
    std::vector<Problem> problems;
    std::string missing; // a pass, reported once
    for (const PresetChange &change : preset.changes) {
        if (!isWanted(change, recipe, values)) continue;
        if (!change.floatOperations.empty()) {
            for (const std::string name : values.at(change.floatOperations))
                recipe.dispatch.push_back({.match = {.op = globEscaped(name)}, .set = {.platform = "FP32"}});
            continue;
        }
        if (const std::string pass = passOfField(change.path); !pass.empty() && !findItem(known, pass)) {
            if (pass != missing)
                problems.push_back({.severity = api::Severity::Warning,
                                    .message = QL_TEXT("preset '%1': this version has no pass '%2', which is left out")
                                                   .with(preset.id, pass)});
            missing = pass;
            continue;
        }
        const bool isParam = change.value.is_string() && change.value.get<std::string>().starts_with('$');
        const json value = isParam ? values.at(change.value.get<std::string>().substr(1)) : change.value;
        setRecipeField(recipe, change.path, value.dump(), known, usual);
    }
    return problems;
}

} // namespace ql::api
