#include "core/api/platform.h"

#include "core/api/param_file.h"
#include "core/api/word_check.h"
#include "core/base/strings.h"

#include <set>

namespace ql::api {

using nlohmann::json;

const std::vector<std::string> &platformKeys()
{
    static const std::vector<std::string> keys = {"$schema", "id",     "title",     "description", "aliases",
                                                  "extends", "params", "quantable", "rules",       "fuse_activations",
                                                  "passive", "passes", "exporters", "dispatcher",  "arithmetic"};
    return keys;
}

bool definesMember(const PlatformFile &file, const std::string &key)
{
    return toJson(file).contains(key);
}

static std::vector<std::string> uniqueWords(const JsonNode &node)
{
    std::set<std::string> seen;
    std::vector<std::string> out;
    for (const JsonNode &element : node.elements()) {
        out.push_back(element.string());
        if (out.back().empty()) element.fail(QL_TEXT("must not be empty"));
        if (!seen.insert(out.back()).second) element.fail(QL_TEXT("'%1' is listed twice").with(out.back()));
    }
    return out;
}

/// One word of letters, digits and a few signs.
static std::string platformId(const JsonNode &node)
{
    const std::string id = node.string();
    const bool isWord = !id.empty() && id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                                            "0123456789_-.") == std::string::npos;
    if (!isWord) node.fail(QL_TEXT("an id is one word of letters, digits, '_', '-' and '.', got '%1'").with(id));
    if (id == "FP32" || id == "SOI")
        node.fail(QL_TEXT("the id %1 is reserved for operations that are not quantized").with(id));
    return id;
}

static std::string notEmpty(const JsonNode &node, const Text &message)
{
    std::string text = node.string();
    if (text.empty()) node.fail(message);
    return text;
}

PlatformFile platformFileFromJson(const JsonText &text)
{
    return platformFileFromJson(JsonNode(text));
}

PlatformFile platformFileFromJson(const JsonNode &root)
{
    root.expectKeys(platformKeys());
    PlatformFile file;
    file.id = platformId(root.at("id"));
    if (const auto n = root.find("extends")) {
        file.extends = notEmpty(*n, QL_TEXT("must not be empty"));
        checkWord("base", *n);
        if (file.extends == file.id) n->fail(QL_TEXT("a platform cannot extend itself"));
    }
    if (const auto n = root.find("$schema")) file.schema = n->string();
    file.title = notEmpty(root.at("title"), QL_TEXT("must not be empty"));
    if (const auto n = root.find("description")) file.description = n->string();
    if (const auto n = root.find("aliases")) {
        uniqueWords(*n);
        for (const JsonNode &element : n->elements()) file.aliases.push_back(platformId(element));
    }
    if (const auto n = root.find("params")) file.params = paramsFromJson(*n);
    if (const auto n = root.find("quantable")) {
        file.quantizable = uniqueWords(*n);
        if (file.quantizable->empty()) n->fail(QL_TEXT("must list at least one operator type"));
    }
    if (const auto n = root.find("rules")) file.rules = rulesFromJson(*n, RuleKind::Platform);
    if (const auto n = root.find("fuse_activations")) file.fuseActivations = uniqueWords(*n);
    if (const auto n = root.find("passive")) file.passiveTypes = uniqueWords(*n);
    if (const auto n = root.find("passes")) {
        file.passes = stepsFromJson(*n, StepKind::Pass);
        for (const JsonNode &element : n->elements()) checkWord("pass", element);
    }
    if (const auto n = root.find("exporters")) {
        file.exporters = uniqueWords(*n);
        for (const JsonNode &element : n->elements()) checkWord("exporter", element);
    }
    if (const auto n = root.find("dispatcher")) {
        file.dispatcher = notEmpty(*n, QL_TEXT("must name a dispatcher"));
        checkWord("dispatcher", *n);
    }
    if (const auto n = root.find("arithmetic")) {
        const std::string word = n->string();
        if (word != "float" && word != "integer")
            n->fail(QL_TEXT("must be \"float\" or \"integer\", got '%1'").with(word));
        file.integerArithmetic = word == "integer";
    }
    if (file.extends.empty())
        for (const char *key : {"quantable", "rules", "passes"}) root.at(key);
    return file;
}

JsonNode placeOfId(const JsonText &text)
{
    return JsonNode(text).at("id");
}

JsonNode placeOfSet(const JsonText &text, std::size_t index)
{
    return JsonNode(text).at("rules").elements().at(index).at("set");
}

void checkParams(const PlatformDefinition &definition, std::size_t first, const JsonText &text)
{
    std::vector<std::string> names;
    for (const ParamSpec &spec : definition.params) names.push_back(spec.name);
    const auto require = [&](const std::string &name, const JsonNode &place) -> const ParamSpec & {
        for (const ParamSpec &spec : definition.params)
            if (spec.name == name) return spec;
        place.fail(
            Text::sentences({QL_TEXT("the platform has no parameter '%1'.").with(name), suggestion(name, names)}),
            QL_TEXT("Declare it in \"params\"."));
    };
    for (std::size_t i = first; i < definition.rules.size(); ++i) {
        const Rule &rule = definition.rules[i];
        const JsonNode place = JsonNode(text).at("rules").elements().at(i - first);
        for (const auto &[key, name] : rule.set.params) require(name, place.at("set").at(key));
        for (const auto &[name, value] : rule.when) {
            const JsonNode condition = place.at("when").at(name);
            if (!isLegal(require(name, condition), value))
                condition.fail(QL_TEXT("not a legal value of the parameter '%1'").with(name));
        }
    }
}

json toJson(const PlatformFile &file)
{
    json out = {{"id", file.id}, {"title", file.title}};
    const auto put = [&](const char *key, const auto &value) {
        if (value) out[key] = *value;
    };
    if (!file.schema.empty()) out["$schema"] = file.schema;
    if (!file.extends.empty()) out["extends"] = file.extends;
    put("description", file.description);
    if (!file.aliases.empty()) out["aliases"] = file.aliases;
    if (!file.params.empty()) out["params"] = paramsToJson(file.params);
    put("quantable", file.quantizable);
    if (file.rules) out["rules"] = toJson(*file.rules, RuleKind::Platform);
    put("fuse_activations", file.fuseActivations);
    put("passive", file.passiveTypes);
    if (file.passes) out["passes"] = toJson(*file.passes, StepKind::Pass);
    put("exporters", file.exporters);
    put("dispatcher", file.dispatcher);
    if (file.integerArithmetic) out["arithmetic"] = *file.integerArithmetic ? "integer" : "float";
    return out;
}

PlatformDefinition resolved(const PlatformFile &file, const PlatformDefinition *base)
{
    PlatformDefinition out = base ? *base : PlatformDefinition();
    const auto take = [](auto &member, const auto &given) {
        if (given) member = *given;
    };
    out.id = file.id;
    out.title = file.title;
    take(out.description, file.description);
    out.aliases = file.aliases;
    for (const ParamSpec &own : file.params) {
        std::erase_if(out.params, [&](const ParamSpec &inherited) { return inherited.name == own.name; });
        out.params.push_back(own);
    }
    take(out.quantizable, file.quantizable);
    if (file.rules) out.rules.insert(out.rules.end(), file.rules->begin(), file.rules->end());
    take(out.fuseActivations, file.fuseActivations);
    take(out.passiveTypes, file.passiveTypes);
    take(out.passes, file.passes);
    take(out.exporters, file.exporters);
    take(out.dispatcher, file.dispatcher);
    take(out.integerArithmetic, file.integerArithmetic);
    return withParams(std::move(out), nullptr);
}

PlatformDefinition withParams(PlatformDefinition definition, const json &given)
{
    definition.values = completeParams(definition.params, given, QL_TEXT("platform '%1'").with(definition.id));
    for (Rule &rule : definition.rules) bindParams(rule.set, definition.values);
    return definition;
}

PlatformFile wholeFile(const PlatformDefinition &definition)
{
    PlatformFile file;
    file.id = definition.id;
    file.title = definition.title;
    file.description = definition.description;
    file.aliases = definition.aliases;
    file.params = definition.params;
    file.quantizable = definition.quantizable;
    file.rules = definition.rules;
    for (Rule &rule : *file.rules) { // the values are no part of the file
        const std::map<std::string, std::string> params = rule.set.params;
        for (const auto &[key, name] : params) removeField(rule.set, *ruleFieldFromString(key));
        rule.set.params = params;
    }
    file.fuseActivations = definition.fuseActivations;
    if (!definition.passiveTypes.empty()) file.passiveTypes = definition.passiveTypes;
    file.passes = definition.passes;
    file.exporters = definition.exporters;
    file.dispatcher = definition.dispatcher;
    file.integerArithmetic = definition.integerArithmetic;
    return file;
}

json toJson(const PlatformDefinition &definition)
{
    return toJson(wholeFile(definition));
}

void to_json(json &written, const PlatformDefinition &definition)
{
    written = toJson(definition);
}

void from_json(const json &written, PlatformDefinition &definition)
{
    definition = resolved(platformFileFromJson(JsonText::wrap(written, "definition")), nullptr);
}

} // namespace ql::api
