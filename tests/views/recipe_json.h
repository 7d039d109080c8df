#pragma once

// Edits of a document's recipe in the form of its file, as tests write them down.
#include "views/commands/recipe_command.h"

namespace ql {

inline api::Recipe recipeOf(const nlohmann::json &recipe)
{
    return api::recipeFromJson(api::JsonText::wrap(recipe, "recipe"));
}

inline void replaceRecipe(Document &document, const QString &text, const nlohmann::json &recipe,
                          const QString &mergeKey = {})
{
    replaceRecipe(document, text, recipeOf(recipe), mergeKey);
}

/// Sets the value at a JSON pointer: "/calibration/samples"; "/overrides/-" appends.
inline void editRecipe(Document &document, const QString &text, const std::string &pointer, const nlohmann::json &value,
                       const QString &mergeKey = {})
{
    nlohmann::json recipe = document.recipeJson();
    recipe[nlohmann::json::json_pointer(pointer)] = value;
    replaceRecipe(document, text, recipe, mergeKey);
}

/// What an override sets.
inline api::RuleSet setOf(const nlohmann::json &values)
{
    const api::JsonText text = api::JsonText::wrap(values);
    return api::setFromJson(api::JsonNode(text), api::RuleKind::Override);
}

} // namespace ql
