#include "views/panels/platform_inheritance.h"

#include "views/bridge/snapshot.h"

#include <algorithm>

namespace ql {

using nlohmann::json;

json withoutFollowing(json passes, const json &catalogue)
{
    if (!passes.is_array()) return passes;
    for (json &pass : passes) {
        if (!pass.is_object() || !pass.contains("params")) continue;
        for (const json &entry : memberOf(catalogue, "passes"))
            if (memberOf(entry, "id") == memberOf(pass, "id"))
                for (const json &spec : memberOf(entry, "params"))
                    if (spec.contains("follows")) pass["params"].erase(spec["name"].get<std::string>());
    }
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

json extending(json definition, const json &before, const json &base, const json &catalogue)
{
    if (before.is_object()) {
        json rules = rulesOf(before);
        for (const json &rule : rulesOf(definition)) rules.push_back(rule);
        const bool hasLists = definition.contains("fuse_activations") || definition.contains("passive");
        for (const auto &[key, value] : before.items())
            if (isInherited(key) && !definition.contains(key))
                definition[key] = key == "passes" && hasLists ? withoutFollowing(value, catalogue) : value;
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
