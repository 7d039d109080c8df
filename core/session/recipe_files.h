#pragma once

#include "core/api/recipe.h"

#include <filesystem>
#include <vector>

namespace ql {

/// Files and folders that a run of the recipe reads: model, weights, other model files (external data, the other file
/// of a Caffe net), data, and the files listed in a manifest. base: of relative paths.
std::vector<std::filesystem::path> filesRead(const api::Recipe &recipe, const std::filesystem::path &base);

/// @throws Error (BadConfig) if an output written to file would replace one of the inputs, or would be read as a sample
/// of an input folder.
void refuseInput(const std::filesystem::path &file, const std::vector<std::filesystem::path> &inputs);

} // namespace ql
