// Quantizes a model for a platform and lists the scales of its operations' outputs. A recipe is what `quantloupe-cli
// run` and the window edit, too: all of its fields can be set here.
#include "examples.h"

#include <core/session/run.h>

#include <cstdio>

void quantize(const std::filesystem::path &model, const std::filesystem::path &data)
{
    ql::api::Recipe recipe;
    recipe.model = model.string();
    recipe.platform = "TRT_INT8";
    recipe.calibration.path = data.string();
    recipe.analyses.clear();
    const ql::RunResult result = ql::runRecipe(recipe, {}, ql::JobContext());
    for (const auto &[slot, config] : result.model.plan.configs())
        if (slot.output && !config.scale.empty())
            std::printf("quantize: %s %g\n", result.model.graph.operation(slot.op).name.c_str(), config.scale[0]);
}
