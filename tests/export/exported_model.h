#pragma once

#include "core/base/file.h"
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/session/run.h"
#include "tests/pass/pass_support.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// Models for tests of exporters.
namespace ql::test {

inline Graph opened(const std::filesystem::path &file)
{
    ImportRequest request;
    request.file = file;
    return importModel(request);
}

/// The model in file, calibrated on 8 normal samples of x for platform.
inline QuantModel quantized(const std::filesystem::path &file, const std::vector<std::int64_t> &shape,
                            const char *platform, std::map<std::string, std::vector<std::int64_t>> inputShapes = {},
                            const char *overrides = "[]")
{
    const std::filesystem::path calibration = file.parent_path() / "calibration.npz";
    std::vector<std::int64_t> all = shape;
    all[0] = 8;
    writeFileAtomically(calibration, [&](std::ostream &out) { writeNpz(out, {{"x", noise(all, 1)}}); });
    api::Recipe recipe;
    recipe.model = file.string();
    recipe.calibration.path = calibration.string();
    recipe.platform = platform;
    recipe.inputShapes = std::move(inputShapes);
    const api::JsonText rules = api::JsonText::wrap(nlohmann::json::parse(overrides));
    recipe.overrides = api::rulesFromJson(api::JsonNode(rules), api::RuleKind::Override);
    recipe.analyses.clear();
    recipe.threads = 1;
    return runRecipe(recipe, {}, {}).model;
}

} // namespace ql::test
