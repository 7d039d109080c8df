#include "core/platform/definition.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/platform/dispatcher.h"
#include "core/platform/platform_params.h"
#include "core/platform/word_check.h"

#include <algorithm>
#include <set>

namespace ql {

using api::JsonNode;
using api::JsonText;
using nlohmann::json;

bool PlatformDefinition::isQuantizable(std::string_view type) const
{
    return std::find(quantizable.begin(), quantizable.end(), type) != quantizable.end();
}

std::string PlatformDefinition::origin(std::size_t index) const
{
    const PlatformRule &rule = rules.at(index);
    return "platform " + id + ": rule " + std::to_string(index + 1) + (rule.name.empty() ? "" : " (" + rule.name + ")");
}

bool operator==(const PlatformDefinition &a, const PlatformDefinition &b)
{
    return a.id == b.id && a.title == b.title && a.description == b.description && a.quantizable == b.quantizable &&
           a.rules == b.rules && a.fuseActivations == b.fuseActivations && a.passiveTypes == b.passiveTypes &&
           a.passes == b.passes && a.exporters == b.exporters && a.dispatcher == b.dispatcher &&
           a.integerArithmetic == b.integerArithmetic;
}

const std::vector<std::string> &platformKeys()
{
    static const std::vector<std::string> keys = {
        "$schema",          "id",      "title",  "description", "extends",    "quantable", "rules",
        "fuse_activations", "passive", "passes", "exporters",   "dispatcher", "arithmetic"};
    return keys;
}

const std::vector<std::string> &platformRuleKeys()
{
    static const std::vector<std::string> keys = {"name", "match", "set"};
    return keys;
}

const std::vector<std::string> &platformPassKeys()
{
    static const std::vector<std::string> keys = {"id", "params", "enabled"};
    return keys;
}

namespace {

std::vector<std::string> uniqueWords(const JsonNode &node)
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

void checkId(const JsonNode &node, const std::string &id)
{
    const bool isWord = !id.empty() && id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                                            "0123456789_-.") == std::string::npos;
    if (!isWord) node.fail(QL_TEXT("an id is one word of letters, digits, '_', '-' and '.', got '%1'").with(id));
    if (id == "FP32" || id == "SOI")
        node.fail(QL_TEXT("the id %1 is reserved for operations that are not quantized").with(id));
}

/// A rule whose numbers contradict each other is refused where it stands, not at the first model that meets it: on top
/// of the rules that apply to every slot it must give a legal config.
void checkRule(const std::vector<PlatformRule> &before, const PlatformRule &rule, const JsonNode &node)
{
    TensorQuantConfig config;
    for (const PlatformRule &earlier : before)
        if (earlier.match.empty()) applyScheme(earlier.set, config);
    applyScheme(rule.set, config);
    try {
        config.validate();
    } catch (const Error &e) {
        node.at("set").fail(e.message);
    }
}

PlatformRule ruleFromJson(const JsonNode &node)
{
    node.expectKeys(platformRuleKeys());
    PlatformRule rule;
    if (const auto n = node.find("name")) rule.name = n->string();
    if (const auto n = node.find("match")) rule.match = matchFromJson(*n, RuleKind::Platform);
    rule.set = setFromJson(node.at("set"), RuleKind::Platform);
    if (rule.set == ConfigSet{}) node.at("set").fail(QL_TEXT("the rule sets nothing"));
    return rule;
}

PlatformPass passFromJson(const JsonNode &node)
{
    PlatformPass pass;
    if (node.value().is_string()) {
        pass.id = node.string();
    } else {
        node.expectKeys(platformPassKeys());
        pass.id = node.at("id").string();
        if (const auto n = node.find("params")) {
            if (!n->isObject()) n->fail(QL_TEXT("must be an object of parameters"));
            pass.params = n->value();
        }
        if (const auto n = node.find("enabled")) pass.enabled = n->boolean();
    }
    if (pass.id.empty()) node.fail(QL_TEXT("a pass needs an id"));
    checkWord("pass", node);
    return pass;
}

/// Parameters that a pass takes from the platform, unless the platform gives them itself.
void completePasses(PlatformDefinition &definition)
{
    for (PlatformPass &pass : definition.passes) {
        const PlatformParams *own = Registry<PlatformParams>::instance().find(pass.id);
        if (!own) continue;
        const json values = own->values(definition);
        for (const auto &[key, value] : values.items())
            if (!pass.params.contains(key)) pass.params[key] = value;
    }
}

/// Passes of the platform that root extends: parameters that follow what root gives itself are not inherited.
void dropFollowing(std::vector<PlatformPass> &passes, const JsonNode &root)
{
    for (PlatformPass &pass : passes)
        if (const PlatformParams *own = Registry<PlatformParams>::instance().find(pass.id))
            for (const auto &[param, member] : own->follows)
                if (root.has(member)) pass.params.erase(param);
}

} // namespace

PlatformDefinition platformFromJson(const JsonText &text)
{
    const JsonNode root(text);
    root.expectKeys(platformKeys());
    PlatformDefinition out;
    const JsonNode idNode = root.at("id");
    const std::string id = idNode.string();
    checkId(idNode, id);
    bool isDerived = false;
    if (const auto n = root.find("extends")) {
        const PlatformDefinition *base = findPlatform(n->string());
        if (!base) {
            std::vector<std::string> ids;
            for (const PlatformDefinition *known : platforms()) ids.push_back(known->id);
            n->fail(Text::sentences({QL_TEXT("there is no platform '%1' to extend.").with(n->string()),
                                     suggestion(n->string(), ids)}),
                    QL_TEXT("Known: %1.").with(Text::list(ids)));
        }
        if (base->id == id) n->fail(QL_TEXT("a platform cannot extend itself"));
        out = *base;
        isDerived = true;
    }
    out.id = id;
    out.file = text.file();
    out.title = root.at("title").string();
    if (out.title.empty()) root.at("title").fail(QL_TEXT("must not be empty"));
    if (const auto n = root.find("description")) out.description = n->string();
    if (const auto n = root.find("quantable"))
        out.quantizable = uniqueWords(*n);
    else if (!isDerived)
        root.at("quantable");
    if (out.quantizable.empty()) root.at("quantable").fail(QL_TEXT("must list at least one operator type"));
    if (const auto n = root.find("rules")) {
        for (const JsonNode &element : n->elements()) {
            PlatformRule rule = ruleFromJson(element);
            checkRule(out.rules, rule, element);
            out.rules.push_back(std::move(rule));
        }
    } else if (!isDerived) {
        root.at("rules");
    }
    if (const auto n = root.find("fuse_activations")) out.fuseActivations = uniqueWords(*n);
    if (const auto n = root.find("passive")) out.passiveTypes = uniqueWords(*n);
    if (const auto n = root.find("passes")) {
        out.passes.clear();
        for (const JsonNode &element : n->elements()) out.passes.push_back(passFromJson(element));
    } else if (!isDerived) {
        root.at("passes");
    } else {
        dropFollowing(out.passes, root);
    }
    if (const auto n = root.find("exporters")) {
        out.exporters = uniqueWords(*n);
        for (const JsonNode &element : n->elements()) checkWord("exporter", element);
    }
    if (const auto n = root.find("dispatcher")) {
        out.dispatcher = n->string();
        if (out.dispatcher.empty()) n->fail(QL_TEXT("must name a dispatcher"));
        try {
            dispatcherNamed(out.dispatcher);
        } catch (const Error &error) {
            n->fail(error.message, error.remedy);
        }
    }
    if (const auto n = root.find("arithmetic")) {
        const std::string word = n->string();
        if (word != "float" && word != "integer")
            n->fail(QL_TEXT("must be \"float\" or \"integer\", got '%1'").with(word));
        out.integerArithmetic = word == "integer";
    }
    completePasses(out);
    return out;
}

PlatformDefinition platformFromText(std::string_view text, const std::string &file)
{
    return platformFromJson(JsonText::parse(text, file));
}

json definitionToJson(const PlatformDefinition &definition)
{
    json rules = json::array();
    for (const PlatformRule &rule : definition.rules) {
        json entry = {{"set", toJson(rule.set)}};
        if (!rule.name.empty()) entry["name"] = rule.name;
        if (!rule.match.empty()) entry["match"] = toJson(rule.match);
        rules.push_back(std::move(entry));
    }
    json passes = json::array();
    for (const PlatformPass &pass : definition.passes)
        passes.push_back({{"id", pass.id}, {"params", pass.params}, {"enabled", pass.enabled}});
    json out = {{"id", definition.id},
                {"title", definition.title},
                {"description", definition.description},
                {"quantable", definition.quantizable},
                {"rules", rules},
                {"fuse_activations", definition.fuseActivations},
                {"passes", passes},
                {"exporters", definition.exporters},
                {"dispatcher", definition.dispatcher},
                {"arithmetic", definition.integerArithmetic ? "integer" : "float"}};
    if (!definition.passiveTypes.empty()) out["passive"] = definition.passiveTypes;
    return out;
}

} // namespace ql
