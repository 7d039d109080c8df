// Overrides the platform's defaults: keeps operations in float, and changes configs and passes. Fields are named as in
// recipe files and with `--set`.
#include "examples.h"

#include <core/session/preset.h>
#include <core/session/recipe_fields.h>
#include <core/session/run.h>

#include <cstdio>

void settings(const std::filesystem::path &model, const std::filesystem::path &data)
{
    ql::api::Recipe recipe;
    recipe.model = model.string();
    recipe.platform = "PPL_DSP_INT8";
    recipe.calibration.path = data.string();
    // As PPQ's dsp_setting(); `quantloupe-cli presets` lists them
    ql::applyPresetText(recipe, "dsp", [](const ql::api::Problem &) {});
    const auto set = [&](const char *field, const char *value) { ql::setRecipeField(recipe, field, value); };
    set("dispatch", R"([{"types": ["Softmax"], "platform": "FP32"}])");
    set("overrides",
        R"([{"match": {"types": ["Conv"], "role": "weight"}, "set": {"bits": 6, "quant_min": 0, "quant_max": 63}}])");
    set("passes.calibrate.observer", "minmax");
    set("passes.learned_step_size.enabled", "true");
    set("passes.learned_step_size.steps", "5");
    const ql::RunResult result = ql::runRecipe(recipe, {}, ql::JobContext());
    const ql::api::Recipe complete = ql::completeRecipe(recipe); // with the platform's passes and all parameters
    for (const ql::api::StepRequest &pass : complete.passes.value())
        std::printf("settings: %s %s\n", pass.id.c_str(), pass.enabled ? "on" : "off");
    std::printf("settings: %zu configs\n", result.model.plan.configs().size());
}
