// Quantizes a model and writes it for a runtime.
#include "examples.h"

#include <core/export/exporter.h>
#include <core/session/run.h>

#include <cstdio>

void exportModel(const std::filesystem::path &model, const std::filesystem::path &data,
                 const std::filesystem::path &target)
{
    ql::api::Recipe recipe;
    recipe.model = model.string();
    recipe.platform = "ONNXRUNTIME";
    recipe.calibration.path = data.string();
    recipe.analyses.clear();
    ql::api::StepRequest step;
    step.id = "onnx_qdq";
    step.path = target.string();
    recipe.exports.push_back(step);
    const ql::RunResult result = ql::runRecipe(recipe, {}, ql::JobContext());
    for (const auto &written : result.report.exports)
        for (const auto &file : written.files) std::printf("export: %s\n", file.path.c_str());
}
