#pragma once

#include "core/api/preset.h"
#include "core/api/recipe.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ql {

/// The presets of resources/presets: named changes of a recipe, each a file, by id (docs/ppq-settings.md).
const std::vector<api::Preset> &presetCatalogue();

/// Applies a preset to the recipe, on top of its platform.
/// @param given values of the preset's parameters
/// @param report receives what this version of the program does not have, such as a pass
/// @throws Error (BadConfig) for an unknown preset or parameter, with the nearest known one
void applyPreset(api::Recipe &recipe, const std::string &id, const nlohmann::json &given,
                 const std::function<void(api::Problem)> &report);

/// The same for "ID:NAME=VALUE,NAME=VALUE"; entries of a list are separated by '+'.
void applyPresetText(api::Recipe &recipe, const std::string &text, const std::function<void(api::Problem)> &report);

} // namespace ql
