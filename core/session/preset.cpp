#include "core/session/preset.h"

#include "core/base/error.h"
#include "core/base/resources.h"
#include "core/base/strings.h"
#include "core/session/recipe_fields.h"

#include <algorithm>

namespace ql {

using api::Preset;
using nlohmann::json;

namespace {

const Preset &presetNamed(const std::string &id)
{
    std::vector<std::string> ids;
    for (const Preset &preset : presetCatalogue()) {
        if (preset.id == id) return preset;
        ids.push_back(preset.id);
    }
    throw Error(ErrorKind::BadConfig,
                Text::sentences({QL_TEXT("there is no preset '%1'.").with(id), suggestion(id, ids)}))
        .withRemedy(knownNames(ids));
}

} // namespace

const std::vector<Preset> &presetCatalogue()
{
    static const std::vector<Preset> all = [] {
        std::vector<Preset> read;
        for (const std::string_view name : resources::resourceNames("presets/"))
            read.push_back(api::presetFromJson(api::JsonText::parse(resources::resource(name), std::string(name))));
        return read;
    }();
    return all;
}

void applyPreset(api::Recipe &recipe, const std::string &id, const json &given,
                 const std::function<void(api::Problem)> &report)
{
    for (api::Problem &problem : api::applyPreset(recipe, presetNamed(id), given, passItems(), platformPasses(recipe)))
        report(std::move(problem));
}

void applyPresetText(api::Recipe &recipe, const std::string &text, const std::function<void(api::Problem)> &report)
{
    const std::size_t colon = text.find(':');
    const Preset &preset = presetNamed(text.substr(0, colon));
    json given = json::object();
    for (const std::string &part :
         colon == text.npos ? std::vector<std::string>() : split(text.substr(colon + 1), ',')) {
        const std::size_t equals = part.find('=');
        if (equals == part.npos || equals == 0)
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("preset '%1': expected NAME=VALUE, got '%2'").with(preset.id, part));
        const std::string name = part.substr(0, equals), value = part.substr(equals + 1);
        if (given.contains(name))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("preset '%1': parameter '%2' is given twice").with(preset.id, name))
                .withRemedy(QL_TEXT("Separate the entries of a list by '+'."));
        const auto &specs = preset.params;
        const auto spec = std::find_if(specs.begin(), specs.end(), [&](const auto &s) { return s.name == name; });
        given[name] = api::paramFromText(value, spec == specs.end() ? "string" : spec->type);
    }
    applyPreset(recipe, preset.id, given, report);
}

} // namespace ql
