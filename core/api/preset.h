#pragma once

#include "core/api/catalogue.h"
#include "core/api/json_text.h"
#include "core/api/recipe.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql::api {

/// Reads a file of resources/presets: {"id", "title", "description", "params", "set": [{"when", "path", "value"} or
/// {"float": "$names"}]}.
/// @throws Error (BadConfig) with the place of what is wrong.
Preset presetFromJson(const JsonText &text);

/// Applies the preset to the recipe, on top of its platform.
/// @param given values of the preset's parameters
/// @param known all passes of the engine
/// @param usual those of the recipe's platform
/// @returns what the engine does not have, such as a pass
/// @throws Error (BadConfig) for an unknown or illegal parameter
std::vector<Problem> applyPreset(Recipe &recipe, const Preset &preset, const nlohmann::json &given,
                                 const std::vector<PassItem> &known, const std::vector<StepRequest> &usual);

} // namespace ql::api
