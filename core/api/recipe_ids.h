#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace ql::api {

/// The names in a recipe that plug-ins may define, and its plug-ins: read before the rest, which is checked against
/// what plug-ins register.
struct RecipeIds
{
    std::vector<std::string> plugins; ///< paths as written
    std::vector<std::string> passes, analyses, exporters, observers, dispatchers, platforms;
};

/// recipe: as JSON, perhaps with mistakes, which are skipped.
RecipeIds idsIn(const nlohmann::json &recipe);
/// A request of a window about a recipe: the recipe and its folder; null if the request is about something else.
const nlohmann::json *recipeIn(const nlohmann::json &request, std::string &base);

} // namespace ql::api
