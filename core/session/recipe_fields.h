#pragma once

#include "core/api/recipe_path.h"

#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// The passes of the engine's registry.
std::vector<api::PassItem> passItems();
/// The pipeline of the recipe's platform.
std::vector<api::StepRequest> platformPasses(const api::Recipe &recipe);
/// The analysis of the recipe with this id; nullptr: there is none.
const api::StepRequest *requestOf(const api::Recipe &recipe, std::string_view analysis);
bool asksFor(const api::Recipe &recipe, std::string_view analysis);
/// api::setRecipeField() with these.
void setRecipeField(api::Recipe &recipe, const std::string &path, const std::string &value);

} // namespace ql
