#pragma once

#include "core/api/recipe.h"
#include "core/base/file.h"

#include <cstdint>
#include <filesystem>

namespace ql::test {

/// The bundled sample: its model, data and recipe.
inline const std::filesystem::path sampleFolder = QL_SOURCE_DIR "/resources/sample";

/// The recipe of the sample, on so many samples and one thread. folder: the sample or a copy; paths are relative to it.
inline api::Recipe sampleRecipe(std::int64_t calibration, std::int64_t evaluation,
                                const std::filesystem::path &folder = sampleFolder)
{
    const char *const name = "sample.quantloupe";
    api::Recipe recipe = api::recipeFromJson(api::JsonText::parse(readFile(folder / name), name));
    recipe.calibration.samples = calibration;
    recipe.evaluation.samples = evaluation;
    recipe.threads = 1;
    return recipe;
}

} // namespace ql::test
