// Measures the error of each operation.
#include "examples.h"

#include <core/session/run.h>

#include <cstdio>

void analyse(const std::filesystem::path &model, const std::filesystem::path &data)
{
    ql::api::Recipe recipe;
    recipe.model = model.string();
    recipe.calibration.path = data.string();
    const ql::RunResult result = ql::runRecipe(recipe, {}, ql::JobContext()); // graphwise and layerwise
    const ql::api::Measures &measures = result.report.measures;
    for (const ql::api::ErrorRow &row : measures.graphwise.value())
        std::printf("analyse: %s %.1f dB\n", row.op.c_str(), row.sqnrDb.value_or(0));
    for (const ql::api::Problem &problem : result.report.problems)
        std::printf("analyse: %s\n", problem.message.english().c_str());
}
