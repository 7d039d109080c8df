#include "core/session/ppq_setting.h"

#include "core/base/error.h"
#include "core/base/resources.h"
#include "core/base/strings.h"
#include "core/pass/pass.h"
#include "core/platform/definition.h"
#include "core/session/preset.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

namespace ql {

using api::JsonNode;
using api::JsonText;
using api::SettingField;
using nlohmann::json;

namespace {

const api::SettingTable &settingTable()
{
    static const api::SettingTable table = [] {
        const char *name = "settings/ppq.json";
        return api::settingTableFromJson(JsonText::parse(resources::resource(name), name));
    }();
    return table;
}

/// The member of a file, as far as it is given.
std::optional<JsonNode> memberOf(const JsonNode &root, const std::string &path)
{
    const std::size_t dot = path.find('.');
    if (dot == path.npos) return root.find(path);
    const auto parent = root.find(path.substr(0, dot));
    return parent ? parent->find(path.substr(dot + 1)) : std::nullopt;
}

void refuseUnknown(const JsonNode &root)
{
    std::vector<std::string> top;
    std::map<std::string, std::vector<std::string>> inside;
    for (const SettingField &field : ppqSettingFields()) {
        const std::size_t dot = field.field.find('.');
        const std::string first = field.field.substr(0, dot);
        if (std::find(top.begin(), top.end(), first) == top.end()) top.push_back(first);
        if (dot != field.field.npos) inside[first].push_back(field.field.substr(dot + 1));
    }
    root.expectKeys(top);
    for (const auto &[key, known] : inside)
        if (const auto part = root.find(key)) part->expectKeys(known);
}

/// Converts one file.
class Conversion
{
public:
    Conversion(const JsonNode &root, ConvertedSetting &result) : m_root(root), m_result(result) {}

    void run()
    {
        refuseUnknown(m_root);
        for (const SettingField &field : ppqSettingFields()) convert(field);
    }

private:
    json valueOf(const SettingField &field) const
    {
        const auto given = memberOf(m_root, field.field);
        if (!given) return field.fallback;
        const bool isNumber = given->value().is_number() && field.fallback.is_number();
        const bool isSame = isNumber || field.fallback.is_null() || given->value().type() == field.fallback.type();
        if (!isSame)
            given->fail(QL_TEXT("must be of type %1, got %2").with(field.fallback.type_name(), given->value().dump()));
        return given->value();
    }
    bool isTrue(const std::string &name) const
    {
        for (const SettingField &field : ppqSettingFields())
            if (field.field == name) return valueOf(field) == json(true);
        return false;
    }
    void report(const SettingField &field, const json &value, const Text &why)
    {
        m_result.problems.push_back(
            {.severity = value == field.fallback ? api::Severity::Info : api::Severity::Warning,
             .message = QL_TEXT("%1 (%2) is not converted: %3").with(field.field, value.dump(), why)});
    }
    void set(const SettingField &field, const std::string &path, const json &value)
    {
        const std::string pass = api::passOfField(path);
        if (!pass.empty() && !Registry<PassEntry>::instance().find(pass)) {
            if (value != json(false)) report(field, value, QL_TEXT("this version has no pass '%1'").with(pass));
            return;
        }
        // A pass that the platform does not list is not added to be switched off
        const auto isListed = [&](const api::StepRequest &step) { return step.id == pass; };
        const std::vector<api::StepRequest> &steps =
            m_result.recipe.passes ? *m_result.recipe.passes : platform(m_result.recipe.platform).passes;
        if (!pass.empty() && value == json(false) && path.ends_with(".enabled") &&
            std::none_of(steps.begin(), steps.end(), isListed))
            return;
        try {
            setRecipeField(m_result.recipe, path, value.is_string() ? value.get<std::string>() : value.dump());
            completeRecipe(m_result.recipe); // refuses values now, with their place
        } catch (const Error &error) {
            if (const auto given = memberOf(m_root, field.field)) given->fail(error.message, error.remedy);
            throw;
        }
    }
    void convert(const SettingField &field)
    {
        if (field.isQuiet) return;
        const json value = valueOf(field);
        if (!field.onlyIf.empty() && !isTrue(field.onlyIf)) return;
        if (field.isDispatch) return dispatch(field);
        if (!field.none.empty()) {
            const bool isReported = !field.isOtherOnly || value != field.fallback;
            if (isReported && memberOf(m_root, field.field)) report(field, value, field.none);
            return;
        }
        if (value == json(false))
            for (const auto &[path, off] : field.fieldsIfOff) set(field, path, off);
        if (field.path.empty() || value.is_null()) return; // null: the platform's choice
        json converted = value;
        if (value.is_string()) {
            std::string word = field.isLowerCase ? lower(value.get<std::string>()) : value.get<std::string>();
            if (const auto other = field.words.find(word); other != field.words.end()) word = other->second;
            converted = word;
        }
        if (!field.both.empty()) converted = value == json(true) && isTrue(field.both);
        set(field, field.path, converted);
    }
    void dispatch(const SettingField &field)
    {
        const auto table = memberOf(m_root, field.field);
        if (!table) return;
        for (const auto &[op, entry] : table->members()) {
            if (settingTable().samples.contains(op)) continue; // of PPQ's explanation
            const json &value = entry.value();
            const std::string key =
                value.is_string() ? value.get<std::string>() : std::to_string(entry.integer(INT32_MIN, INT32_MAX));
            const Text name = QL_TEXT("%1: operation '%2'").with(field.field, op);
            const std::map<std::string, std::string> &platforms = settingTable().platforms;
            const auto known = platforms.find(key);
            const std::string id = known != platforms.end() ? known->second : key;
            const std::string target = counterpartOf(id);
            if (target.empty()) {
                m_result.problems.push_back({.severity = api::Severity::Warning,
                                             .message = QL_TEXT("%1 (%2) is not converted: %3")
                                                            .with(name, value.dump(), QL_TEXT("unknown platform"))});
                continue;
            }
            if (isHalfFloat(id))
                m_result.problems.push_back(
                    {.severity = api::Severity::Info,
                     .message = QL_TEXT("%1 (%2): 16-bit floats become float32").with(name, value.dump())});
            m_result.recipe.dispatch.push_back({.match = {.op = globEscaped(op)}, .set = {.platform = target}});
        }
    }
    /// What a platform of PPQ becomes; empty: it has no counterpart.
    static std::string counterpartOf(const std::string &id)
    {
        if (isHalfFloat(id)) return fp32Platform;
        if (id == fp32Platform || id == soiPlatform) return id;
        const PlatformDefinition *definition = findPlatform(id);
        return definition ? definition->id : "";
    }

    JsonNode m_root;
    ConvertedSetting &m_result;
};

/// The simple setting: a preset with parameters.
void convertSimple(const api::SimpleSetting &setting, ConvertedSetting &result)
{
    if (setting.hasOutputs)
        result.problems.push_back(
            {.severity = api::Severity::Info,
             .message =
                 QL_TEXT("%1 is not converted: %2").with("interested_outputs", QL_TEXT("PPQ does not read it"))});
    applyPreset(result.recipe, "beginner", setting.params,
                [&](const api::Problem &problem) { result.problems.push_back(problem); });
}

} // namespace

const std::vector<SettingField> &ppqSettingFields()
{
    return settingTable().fields;
}

ConvertedSetting convertPpqSetting(const JsonText &text, const std::string &platformId)
{
    const JsonNode root(text);
    if (!root.isObject()) root.fail(QL_TEXT("must be an object, got %1").with(root.value().type_name()));
    ConvertedSetting result;
    const std::optional<api::SimpleSetting> simple = api::simpleSettingFromJson(text);
    const std::string target = platformId.empty() && simple ? simple->platform : platformId;
    if (!target.empty()) result.recipe.platform = platform(target).id;
    if (simple)
        convertSimple(*simple, result);
    else
        Conversion(root, result).run();
    return result;
}

} // namespace ql
