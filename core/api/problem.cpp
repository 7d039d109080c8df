#include "core/api/problem_fields.h"
#include "core/api/word_json.h"
#include "core/base/strings.h"

#include <algorithm>

namespace ql::api {

using nlohmann::json;

static constexpr double mostGain = 1e6; // dB

// ---- severity

const std::vector<std::string> &severityWords()
{
    static const std::vector<std::string> words = {"error", "warning", "info"};
    return words;
}

const char *toString(Severity severity)
{
    return severityWords()[std::size_t(severity)].c_str();
}

Severity severityFromString(const std::string &text)
{
    return Severity(wordIndex(severityWords(), text, "severity"));
}

QL_JSON_OF_WORDS(Severity, severityFromString)

// ---- actions

void to_json(json &written, const Action &action)
{
    written = {{"id", action.id}};
    if (!action.option.empty()) written["option"] = action.option;
    if (action.dropOverride) written["drop_override"] = toJson(*action.dropOverride, RuleKind::Override);
    if (!action.dispatch.empty()) written["dispatch"] = toJson(action.dispatch, RuleKind::Dispatch);
    if (!action.overrides.empty()) written["overrides"] = toJson(action.overrides, RuleKind::Override);
    if (!action.fields.empty()) written["fields"] = action.fields;
    if (!action.pass.empty()) written["pass"] = action.pass;
    if (action.gainDb) written["gain_db"] = *action.gainDb;
    if (action.gainPoints) written["gain_points"] = *action.gainPoints;
}

void from_json(const json &written, Action &action)
{
    const JsonText text = JsonText::wrap(written);
    const JsonNode root(text);
    root.expectKeys(
        {"id", "option", "drop_override", "dispatch", "overrides", "fields", "pass", "gain_db", "gain_points"});
    action = {.id = root.at("id").string()};
    if (const auto n = root.find("option")) action.option = n->string();
    if (const auto n = root.find("drop_override")) action.dropOverride = ruleFromJson(*n, RuleKind::Override);
    if (const auto n = root.find("dispatch")) action.dispatch = rulesFromJson(*n, RuleKind::Dispatch);
    if (const auto n = root.find("overrides")) action.overrides = rulesFromJson(*n, RuleKind::Override);
    if (const auto n = root.find("fields"))
        for (const auto &[path, value] : n->members()) action.fields[path] = value.value();
    if (const auto n = root.find("pass")) action.pass = n->string();
    if (const auto n = root.find("gain_db")) action.gainDb = n->number(-mostGain, mostGain);
    if (const auto n = root.find("gain_points")) action.gainPoints = n->number(-100, 100);
}

QL_JSON_PAIR(Problem, "a problem")

} // namespace ql::api
