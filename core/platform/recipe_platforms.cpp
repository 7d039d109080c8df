#include "core/platform/recipe_platforms.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/strings.h"

#include <algorithm>

namespace ql {

/// @throws Error (BadConfig) if the definition is not the user's to make
static void refuseBuiltInId(const PlatformDefinition &definition)
{
    for (const PlatformDefinition *known : platforms())
        if (known->isBuiltIn() && lower(known->id) == lower(definition.id))
            throw Error(ErrorKind::BadConfig, QL_TEXT("'%1' is a built-in platform").with(known->id))
                .inFile(definition.file)
                .withRemedy(QL_TEXT("Choose another id; \"extends\" inherits its settings."));
}

RecipePlatforms::RecipePlatforms(const api::Recipe &recipe)
{
    for (const api::PlatformFile &file : recipe.platforms) {
        const api::JsonText text = api::JsonText::wrap(api::toJson(file));
        PlatformDefinition definition;
        try {
            definition = platformFromJson(text);
            refuseBuiltInId(definition);
        } catch (const Error &error) {
            throw Error(error.kind, QL_TEXT("platform '%1' of the recipe: %2").with(file.id, error.message))
                .withRemedy(error.remedy);
        }
        definition.file = "recipe";
        m_carried.push_back(std::make_unique<PlatformDefinition>(std::move(definition)));
    }
    const PlatformDefinition *own = find(recipe.platform);
    if (!own) own = &platform(recipe.platform);
    m_main = std::make_unique<PlatformDefinition>(
        PlatformDefinition{api::withParams(*own, recipe.platformParams), own->file});
}

const PlatformDefinition *RecipePlatforms::find(std::string_view id) const
{
    for (const auto &definition : m_carried)
        if (definition->id == id) return definition.get();
    return findPlatform(id);
}

api::Recipe withPlatforms(api::Recipe recipe)
{
    std::vector<std::string> ids{recipe.platform};
    for (const api::Rule &rule : recipe.dispatch) ids.push_back(rule.set.platform);
    for (const std::string &id : ids) {
        const auto isIt = [&](const api::PlatformFile &file) { return file.id == id; };
        if (std::any_of(recipe.platforms.begin(), recipe.platforms.end(), isIt)) continue;
        const PlatformDefinition *definition = findPlatform(id);
        if (definition && !definition->isBuiltIn()) recipe.platforms.push_back(api::wholeFile(*definition));
    }
    return recipe;
}

void usePlatformFile(api::Recipe &recipe, const std::filesystem::path &file)
{
    const PlatformDefinition definition = platformFromText(readFile(file), file.string());
    refuseBuiltInId(definition);
    std::erase_if(recipe.platforms, [&](const api::PlatformFile &known) { return known.id == definition.id; });
    recipe.platforms.push_back(api::wholeFile(definition));
    recipe.platform = definition.id;
}

} // namespace ql
