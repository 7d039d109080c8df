#include "views/panels/platform_inheritance.h"

#include <algorithm>

namespace ql {

using nlohmann::json;

json withFollowingFusion(json passes)
{
    if (!passes.is_array()) return passes;
    for (json &pass : passes)
        if (pass.is_object() && pass.value("id", json()) == "quantize_fusion" && pass.contains("params"))
            for (const char *key : {"activations", "swish", "mish", "passive_types"}) pass["params"].erase(key);
    return passes;
}

/// The name of a platform is its own.
static bool isInherited(const std::string &key)
{
    return key != "id" && key != "title" && key != "rules";
}

static json rulesOf(const json &definition)
{
    const auto rules = definition.find("rules");
    return rules != definition.end() && rules->is_array() ? *rules : json::array();
}

json extending(json definition, const json &before, const json &base)
{
    if (before.is_object()) {
        json rules = rulesOf(before);
        for (const json &rule : rulesOf(definition)) rules.push_back(rule);
        const bool hasLists = definition.contains("fuse_activations") || definition.contains("passive");
        for (const auto &[key, value] : before.items())
            if (isInherited(key) && !definition.contains(key))
                definition[key] = key == "passes" && hasLists ? withFollowingFusion(value) : value;
        definition["rules"] = rules;
    }
    definition.erase("extends");
    if (!base.is_object()) return definition;
    definition["extends"] = base.at("id");
    for (const auto &[key, value] : base.items())
        if (isInherited(key) && definition.contains(key) && definition[key] == value) definition.erase(key);
    const json theirs = rulesOf(base);
    json rules = rulesOf(definition);
    if (rules.size() >= theirs.size() && std::equal(theirs.begin(), theirs.end(), rules.begin()))
        rules.erase(rules.begin(), rules.begin() + std::ptrdiff_t(theirs.size()));
    definition["rules"] = rules;
    if (rules.empty()) definition.erase("rules");
    return definition;
}

} // namespace ql
