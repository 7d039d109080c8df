#include "core/api/recipe_ids.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ql::api {

using nlohmann::json;

/// The ids of a list of steps: texts, or objects with the id under idKey.
static void addSteps(const json &recipe, const char *key, const char *idKey, std::vector<std::string> &ids)
{
    const auto list = recipe.find(key);
    if (list == recipe.end() || !list->is_array()) return;
    for (const json &step : *list) {
        const json *id = &step;
        if (step.is_object()) id = step.contains(idKey) ? &step[idKey] : nullptr;
        if (id && id->is_string()) ids.push_back(id->get<std::string>());
    }
}

static void addText(const json &recipe, const char *key, std::vector<std::string> &ids)
{
    if (const auto text = recipe.find(key);
        text != recipe.end() && text->is_string() && !text->get<std::string>().empty())
        ids.push_back(text->get<std::string>());
}

/// The texts under key, at any depth.
static void addNested(const json &value, const char *key, std::vector<std::string> &ids)
{
    if (value.is_object()) addText(value, key, ids);
    if (value.is_structured())
        for (const json &member : value) addNested(member, key, ids);
}

/// Those that the recipe carries itself need nothing but the platforms that they extend.
static void addPlatforms(const json &recipe, std::vector<std::string> &ids)
{
    std::vector<std::string> carried;
    addSteps(recipe, "platforms", "id", carried);
    addSteps(recipe, "platforms", "extends", ids);
    addText(recipe, "platform", ids);
    if (recipe.contains("dispatch")) addNested(recipe["dispatch"], "platform", ids);
    std::erase_if(
        ids, [&](const std::string &id) { return std::find(carried.begin(), carried.end(), id) != carried.end(); });
}

RecipeIds idsIn(const json &recipe)
{
    RecipeIds ids;
    if (!recipe.is_object()) return ids;
    addSteps(recipe, "plugins", "", ids.plugins);
    addSteps(recipe, "passes", "id", ids.passes);
    addSteps(recipe, "analyses", "id", ids.analyses);
    addSteps(recipe, "exports", "format", ids.exporters);
    addText(recipe, "dispatcher", ids.dispatchers);
    addPlatforms(recipe, ids.platforms);
    for (const char *key : {"passes", "overrides"})
        if (recipe.contains(key)) addNested(recipe[key], "observer", ids.observers);
    return ids;
}

const json *recipeIn(const json &request, std::string &base)
{
    if (!request.is_object() || !request.contains("recipe")) return nullptr;
    const auto folder = request.find("base");
    base = folder != request.end() && folder->is_string() ? folder->get<std::string>() : ".";
    return &request["recipe"];
}

} // namespace ql::api
