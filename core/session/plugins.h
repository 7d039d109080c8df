#pragma once

#include "core/api/plugins.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

namespace ql {

/// Loads the plug-ins of a recipe; base: folder of its relative paths. recipe: as JSON, because the plug-ins define
/// words that the recipe is checked for.
/// @throws Error (BadConfig) with Fix::AllowPrograms unless the user allows them (core/base/trust.h); as loadPlugin(),
/// naming what the recipe needs and does not exist without the plug-in
void useRecipePlugins(const nlohmann::json &recipe, const std::filesystem::path &base);

/// Whether the file of a recipe does not exist, but a plug-in from a file of that name elsewhere is loaded.
bool hasMovedPlugin(const std::filesystem::path &file);

/// Of this process.
api::PluginList pluginList();
/// The programs that a run of the recipe starts, and its plug-ins.
api::ProgramList programsOf(const api::RecipeRequest &request);

} // namespace ql
