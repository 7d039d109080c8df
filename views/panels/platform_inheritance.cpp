#include "views/panels/platform_inheritance.h"

#include <algorithm>

namespace ql {

std::vector<api::StepRequest> withoutFollowing(std::vector<api::StepRequest> passes,
                                               const std::vector<api::PassItem> &known)
{
    for (api::StepRequest &pass : passes)
        if (const api::PassItem *item = api::findItem(known, pass.id))
            for (const api::ParamSpec &spec : item->params)
                if (!spec.follows.empty()) pass.params.erase(spec.name);
    return passes;
}

/// Calls visit(member of a, member of b) for each that is inherited as it is: the name of a platform is its own, and
/// rules are added up.
template <class Visit>
static void eachInherited(api::PlatformFile &a, const api::PlatformFile &b, Visit &&visit)
{
    visit(a.description, b.description);
    visit(a.quantizable, b.quantizable);
    visit(a.fuseActivations, b.fuseActivations);
    visit(a.passiveTypes, b.passiveTypes);
    visit(a.passes, b.passes);
    visit(a.exporters, b.exporters);
    visit(a.dispatcher, b.dispatcher);
    visit(a.integerArithmetic, b.integerArithmetic);
}

api::PlatformFile extending(api::PlatformFile file, const api::PlatformDefinition *before,
                            const api::PlatformDefinition *base, const std::vector<api::PassItem> &known)
{
    std::vector<api::Rule> rules = file.rules.value_or(std::vector<api::Rule>());
    if (before) {
        rules.insert(rules.begin(), before->rules.begin(), before->rules.end());
        std::vector<api::ParamSpec> params = before->params; // rules refer to them
        for (const api::ParamSpec &own : file.params) {
            std::erase_if(params, [&](const api::ParamSpec &other) { return other.name == own.name; });
            params.push_back(own);
        }
        file.params = std::move(params);
        api::PlatformFile inherited = api::wholeFile(*before);
        if (file.fuseActivations || file.passiveTypes) inherited.passes = withoutFollowing(before->passes, known);
        eachInherited(file, inherited, [](auto &own, const auto &other) {
            if (!own) own = other;
        });
        file.rules = rules;
    }
    file.extends.clear();
    if (!base) return file;
    file.extends = base->id;
    eachInherited(file, api::wholeFile(*base), [](auto &own, const auto &other) {
        if (own == other) own.reset();
    });
    std::erase_if(file.params, [&](const api::ParamSpec &own) {
        return std::find(base->params.begin(), base->params.end(), own) != base->params.end();
    });
    if (rules.size() >= base->rules.size() && std::equal(base->rules.begin(), base->rules.end(), rules.begin()))
        rules.erase(rules.begin(), rules.begin() + std::ptrdiff_t(base->rules.size()));
    file.rules.reset();
    if (!rules.empty()) file.rules = std::move(rules);
    return file;
}

} // namespace ql
