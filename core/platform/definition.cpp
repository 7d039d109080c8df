#include "core/platform/definition.h"

#include "core/api/word_check.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/platform/dispatcher.h"
#include "core/platform/platform_params.h"
#include "core/platform/rule.h"

#include <algorithm>

namespace ql {

using api::JsonText;
using api::Rule;
using nlohmann::json;

bool PlatformDefinition::isQuantizable(std::string_view type) const
{
    return std::find(quantizable.begin(), quantizable.end(), type) != quantizable.end();
}

Origin PlatformDefinition::origin(std::size_t index) const
{
    return {.kind = Origin::Kind::Rule, .id = id, .index = int(index), .name = rules.at(index).name};
}

namespace {

const api::WordCheckRegistrar baseWord{
    "base", {[](const api::JsonNode &node) {
        if (findPlatform(node.string())) return;
        std::vector<std::string> ids;
        for (const PlatformDefinition *known : platforms()) ids.push_back(known->id);
        node.fail(Text::sentences({QL_TEXT("there is no platform '%1' to extend.").with(node.string()),
                                   suggestion(node.string(), ids)}),
                  QL_TEXT("Known: %1.").with(Text::list(ids)));
    }}};

const api::WordCheckRegistrar dispatcherWord{"dispatcher", {[](const api::JsonNode &node) {
                                                 try {
                                                     dispatcherNamed(node.string());
                                                 } catch (const Error &error) {
                                                     node.fail(error.message, error.remedy);
                                                 }
                                             }}};

/// A rule whose numbers contradict each other is refused where it is written, not at the first model that meets it: on
/// top of the rules that apply to every slot it must give a legal config.
void checkRule(const PlatformDefinition &definition, std::size_t index, const api::JsonNode &place)
{
    const std::vector<Rule> &rules = definition.rules;
    TensorQuantConfig config;
    for (std::size_t i = 0; i < index; ++i)
        if (rules[i].match.empty() && definition.applies(rules[i])) applyScheme(rules[i].set, config);
    applyScheme(rules[index].set, config);
    try {
        config.validate();
    } catch (const Error &e) {
        place.fail(e.message);
    }
}

/// Parameters that a pass takes from the platform, unless the platform sets them explicitly.
void completePasses(PlatformDefinition &definition)
{
    for (api::StepRequest &pass : definition.passes) {
        const PlatformParams *own = Registry<PlatformParams>::instance().find(pass.id);
        if (!own) continue;
        const json values = own->values(definition);
        for (const auto &[key, value] : values.items())
            if (!pass.params.contains(key)) pass.params[key] = value;
    }
}

/// Passes of the platform that file extends: parameters that follow what file gives itself are not inherited.
void dropFollowing(std::vector<api::StepRequest> &passes, const api::PlatformFile &file)
{
    for (api::StepRequest &pass : passes)
        if (const PlatformParams *own = Registry<PlatformParams>::instance().find(pass.id))
            for (const auto &[param, member] : own->follows)
                if (api::definesMember(file, member)) pass.params.erase(param);
}

} // namespace

PlatformDefinition platformFromJson(const JsonText &text)
{
    const api::PlatformFile file = api::platformFileFromJson(text);
    const PlatformDefinition *base = file.extends.empty() ? nullptr : findPlatform(file.extends);
    PlatformDefinition out{api::resolved(file, base), text.file()};
    const std::size_t inherited = base ? base->rules.size() : 0;
    api::checkParams(out, inherited, text);
    for (std::size_t i = inherited; i < out.rules.size(); ++i) checkRule(out, i, api::placeOfSet(text, i - inherited));
    if (!file.passes) dropFollowing(out.passes, file);
    completePasses(out);
    return out;
}

PlatformDefinition platformFromText(std::string_view text, const std::string &file)
{
    return platformFromJson(JsonText::parse(text, file));
}

} // namespace ql
