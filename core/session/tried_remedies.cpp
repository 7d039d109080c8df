// The analysis "remedies": which remedy of a problem helps most depends on the network, so they are tried.
#include "core/session/tried_remedies.h"

#include "core/analysis/analyser.h"
#include "core/base/error.h"
#include "core/session/output_errors.h"
#include "core/session/recipe_fields.h"

#include <algorithm>

namespace ql {

namespace {

constexpr const char *analysisId = "remedies";

const api::ParamSpec problemsParam{.name = "problems",
                                   .type = "int",
                                   .fallback = 1,
                                   .meaning = QL_TEXT("Number of problems whose remedies are tried, the worst ones."),
                                   .min = 1};

std::size_t problemsOf(const nlohmann::json &params)
{
    return api::paramOf(params, problemsParam).get<std::size_t>();
}

/// Of the worst output.
struct Quality
{
    std::optional<double> decibels, equal;
};

Quality qualityOf(const std::vector<api::OutputRow> &outputs)
{
    constexpr double exact = 150; // dB: rounding of float32
    Quality worst;
    const auto take = [](std::optional<double> &least, double value) {
        least = std::min(least.value_or(value), value);
    };
    for (const api::OutputRow &row : outputs) {
        if (row.sqnrDb) take(worst.decibels, *row.sqnrDb);
        if (!row.sqnrDb && row.noiseRatio == 0.0) take(worst.decibels, exact);
        if (row.equalShare) take(worst.equal, *row.equalShare);
    }
    return worst;
}

/// Whether the action changes how the model is quantized, not what is measured.
bool isRemedy(const api::Action &action)
{
    return !action.dispatch.empty() || !action.overrides.empty() || !action.pass.empty();
}

api::Recipe withRemedy(api::Recipe recipe, const api::Action &action)
{
    if (!action.pass.empty()) setRecipeField(recipe, "passes." + action.pass + ".enabled", "true");
    recipe.dispatch.insert(recipe.dispatch.end(), action.dispatch.begin(), action.dispatch.end());
    recipe.overrides.insert(recipe.overrides.end(), action.overrides.begin(), action.overrides.end());
    recipe.analyses.clear();
    recipe.exports.clear();
    return recipe;
}

std::vector<api::Action> remediesOf(const std::vector<api::Problem> &problems, std::size_t most)
{
    std::vector<api::Action> actions;
    std::size_t count = 0;
    for (const api::Problem &problem : problems) {
        bool isCounted = false;
        for (const api::Action &action : problem.actions) {
            if (!isRemedy(action)) continue;
            isCounted = true;
            if (std::find(actions.begin(), actions.end(), action) == actions.end()) actions.push_back(action);
        }
        count += isCounted;
        if (count == most) break;
    }
    return actions;
}

std::vector<api::OutputRow> outputsWith(const RunState &state, const api::Action &action, const JobContext &job)
{
    RunOptions options;
    options.base = state.options.base;
    options.recipeFile = state.options.recipeFile;
    options.cache = state.options.cache;
    options.memory = state.options.memory;
    RunState trial = startRun(withRemedy(state.recipe, action), options);
    trial.options.recent = state.options.recent; // its activations stay those of the recipe itself
    importStages(trial, job.part(0, 0.05), true);
    dispatchStage(trial);
    configureStages(trial, job.part(0.05, 0.1));
    quantizeStages(trial, job.part(0.1, 0.8));
    return outputErrors(trial, trial.model, trial.stages.back().key, job.part(0.8, 1));
}

} // namespace

const api::StepRequest *remedyTrials(const api::Recipe &recipe)
{
    const auto it = std::find_if(recipe.analyses.begin(), recipe.analyses.end(),
                                 [](const api::StepRequest &step) { return step.id == analysisId; });
    return it == recipe.analyses.end() ? nullptr : &*it;
}

std::vector<TriedRemedy> tryRemedies(const RunState &state, const api::StepRequest &step,
                                     const std::vector<api::Problem> &problems,
                                     const std::vector<api::OutputRow> &outputs, const JobContext &job)
{
    const Quality before = qualityOf(outputs);
    const std::vector<api::Action> actions = remediesOf(problems, problemsOf(step.params));
    std::vector<TriedRemedy> tried;
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const double all = double(actions.size());
        const JobContext part = job.part(double(i) / all, double(i + 1) / all);
        part.checkpoint(0, QL_TEXT("remedy %1 of %2").with(i + 1, actions.size()));
        try {
            const Quality after = qualityOf(outputsWith(state, actions[i], part));
            if (before.decibels && after.decibels)
                tried.push_back({actions[i], *after.decibels - *before.decibels, true});
            else if (before.equal && after.equal)
                tried.push_back({actions[i], 100 * (*after.equal - *before.equal), false});
        } catch (const Error &) {
            // The platform or the model refuses it
        }
    }
    return tried;
}

static const AnalyserRegistrar remediesRegistrar{
    analysisId,
    {.info = {.id = analysisId,
              .title = QL_TEXT("Gains of remedies"),
              .meaning = QL_TEXT("Runs the model with each remedy of the worst problems and lists first the one that "
                                 "improves the output most. Each takes a calibration and an evaluation."),
              .params = {problemsParam}},
     .run = {},
     .passes = [](const QuantModel &, const nlohmann::json &params) {
         constexpr double remediesOfProblem = 4, passesOfRemedy = 10;
         return double(problemsOf(params)) * remediesOfProblem * passesOfRemedy;
     }}};

} // namespace ql
