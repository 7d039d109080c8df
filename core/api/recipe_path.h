#pragma once

#include "core/api/catalogue.h"
#include "core/api/recipe.h"

#include <string>
#include <vector>

namespace ql::api {

/// Id of the pass that a path of a recipe is about ("passes.calibrate.observer"); empty for other paths.
std::string passOfField(const std::string &path);

/// As withField(), and for `passes.ID...` the platform's list of passes becomes the recipe's own. A pass that the list
/// lacks is added, switched off: a float pass before the others, a quantization pass at the last position at which
/// every pass still has its effect.
/// @param known all passes of the engine
/// @param usual those of the recipe's platform
/// @throws Error (BadConfig) for an unknown field, pass or parameter
void setRecipeField(Recipe &recipe, const std::string &path, const std::string &value,
                    const std::vector<PassItem> &known, const std::vector<StepRequest> &usual);

} // namespace ql::api
