// Which remedy of a problem helps most depends on the network, so they are tried: as many as add a small share to the
// run, on few samples, or, by the analysis "remedies", all of the worst problems on all samples.
#include "core/session/tried_remedies.h"

#include "core/analysis/analyser.h"
#include "core/analysis/work_estimate.h"
#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/session/output_errors.h"
#include "core/session/recipe_fields.h"

#include <algorithm>
#include <limits>
#include <set>
#include <string>

namespace ql {

namespace {

constexpr const char *analysisId = "remedies";

/// Of the run: all trials together, unless the recipe asks for them.
constexpr double shareOfTrials = 0.15;
/// Multiplications: those of trials that are made in any run, a few tenths of a second; and as many as take as long as
/// preparing a trial of a small network.
constexpr double leastWork = 1e10, preparation = 1e9;
/// Batches on which remedies are compared, unless the recipe asks for it: noise on 32 photos ranks recipes well
/// (docs/tune.md).
constexpr std::size_t fewBatches = 32;

const api::ParamSpec problemsParam{.name = "problems",
                                   .type = "int",
                                   .fallback = 1,
                                   .meaning = QL_TEXT("Number of problems whose remedies are tried, the worst ones."),
                                   .min = 0};

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

api::Recipe withRemedy(api::Recipe recipe, const api::Action &action)
{
    if (!action.pass.empty()) setRecipeField(recipe, "passes." + action.pass + ".enabled", "true");
    for (const auto &[path, value] : action.fields) setRecipeField(recipe, path, value.dump());
    recipe.dispatch.insert(recipe.dispatch.end(), action.dispatch.begin(), action.dispatch.end());
    recipe.overrides.insert(recipe.overrides.end(), action.overrides.begin(), action.overrides.end());
    recipe.analyses.clear();
    recipe.exports.clear();
    return recipe;
}

/// Of the first problems that have any.
std::vector<api::Action> remediesOf(const std::vector<api::Problem> &problems, std::size_t most)
{
    std::vector<api::Action> actions;
    for (const api::Problem &problem : problems) {
        if (most == 0) break;
        if (std::none_of(problem.actions.begin(), problem.actions.end(), canBeTried)) continue;
        --most;
        for (const api::Action &action : problem.actions)
            if (canBeTried(action) && std::find(actions.begin(), actions.end(), action) == actions.end())
                actions.push_back(action);
    }
    return actions;
}

/// How often calibration shows its data to the observers of the plan.
int phasesOfObservers(const QuantPlan &plan)
{
    int phases = 1;
    for (const auto &[slot, config] : plan.configs())
        if (config.state == QuantState::Active || config.state == QuantState::Initial)
            phases = std::max(phases, phasesOf(config));
    return phases;
}

/// Float passes over one batch that take as long as a trial, estimated; infinite if it trains.
double passesOfTrial(const RunState &state, const api::Action &action, std::size_t batches)
{
    constexpr double passesOfEvaluation = 2;
    const double passesOfObservation = phasesOfObservers(state.model.plan);
    const Graph &graph = state.model.graph;
    const std::vector<OpId> operations = graph.operations();
    const auto layers =
        std::count_if(operations.begin(), operations.end(), [&](OpId id) { return isComputing(graph.operation(id)); });
    std::set<std::string> ids{action.pass};
    for (const api::StepRequest &step : *state.recipe.passes)
        if (step.enabled) ids.insert(step.id);
    ids.erase(std::string());
    double passes = passesOfEvaluation * double(batches);
    for (const std::string &id : ids) {
        const api::PassTraits &traits = passTraits(id);
        if (traits.doesWrite(PassAspect::TrainedValues)) return std::numeric_limits<double>::infinity();
        if (!traits.needsData || !state.calibration) continue;
        // Others go through the network block by block
        const double each = traits.doesWrite(PassAspect::ActivationScales) ? passesOfObservation : double(layers);
        passes += each * double(state.calibration->size());
    }
    return passes + preparation / std::max(workOf(graph), 1.0);
}

std::vector<api::OutputRow> outputsWith(const RunState &state, const api::Action &action, std::size_t batches,
                                        const JobContext &job)
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
    return outputErrors(trial, trial.model, trial.stages.back().key, job.part(0.8, 1), batches);
}

std::optional<TriedRemedy> resultOf(const RunState &state, const api::Action &action, const Quality &before,
                                    std::size_t batches, const JobContext &job)
{
    try {
        const Quality after = qualityOf(outputsWith(state, action, batches, job));
        if (before.decibels && after.decibels) return TriedRemedy{action, *after.decibels - *before.decibels, true};
        if (before.equal && after.equal) return TriedRemedy{action, 100 * (*after.equal - *before.equal), false};
        return std::nullopt;
    } catch (const Error &) {
        return TriedRemedy{action, std::nullopt}; // the platform or the model refuses it
    }
}

} // namespace

const api::StepRequest *remedyTrials(const api::Recipe &recipe)
{
    return requestOf(recipe, analysisId);
}

bool triesRemedies(const api::Recipe &recipe)
{
    return remedyTrials(recipe) || requestOf(recipe, "layerwise");
}

RemedyTrials tryRemedies(const RunState &state, const std::vector<api::Problem> &problems,
                         const std::vector<api::OutputRow> &outputs, double passes, const JobContext &job)
{
    const api::StepRequest *request = remedyTrials(state.recipe);
    RemedyTrials trials;
    trials.remedies = remediesOf(problems, 1).size();
    const std::vector<api::Action> all = remediesOf(problems, request ? problemsOf(request->params) : problems.size());
    const std::size_t batches = request ? state.evaluation->size() : std::min(state.evaluation->size(), fewBatches);
    std::vector<api::Action> actions;
    double room = std::max(shareOfTrials * passes, leastWork / std::max(workOf(state.model.graph), 1.0));
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double needed = request ? 0 : passesOfTrial(state, all[i], batches);
        if (needed <= room) {
            actions.push_back(all[i]);
            room -= needed;
        } else if (i < trials.remedies) {
            ++trials.left;
        }
    }
    if (actions.empty()) return trials;
    const Quality before = qualityOf(batches == state.evaluation->size()
                                         ? outputs
                                         : outputErrors(state, state.model, planKey(state), job.part(0, 0), batches));
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const double count = double(actions.size());
        const JobContext part = job.part(double(i) / count, double(i + 1) / count);
        const Text step = QL_TEXT("remedy %1 of %2").with(i + 1, actions.size());
        part.checkpoint(0, step);
        // The trial's own stages are not reported: they would fill the log
        const JobContext trial([&](const Progress &progress) { part.checkpoint(progress.fraction, step); });
        if (auto result = resultOf(state, actions[i], before, batches, trial))
            trials.tried.push_back(std::move(*result));
    }
    return trials;
}

std::optional<api::Problem> untriedNotice(const RemedyTrials &trials)
{
    if (trials.left == 0) return std::nullopt;
    return api::Problem{.severity = api::Severity::Info,
                        .message = QL_TEXT("Tried %1 of the %2 remedies of the worst problem, to keep the run short.")
                                       .with(trials.remedies - trials.left, trials.remedies),
                        .remedy =
                            QL_TEXT("Try them all: %1.").with(Text::option("--analyse graphwise,layerwise,remedies"))};
}

static const AnalyserRegistrar remediesRegistrar{
    analysisId,
    {.info = {.id = analysisId,
              .title = QL_TEXT("Gains of remedies"),
              .meaning = QL_TEXT("Runs the model with each remedy of the worst problems and lists first the one that "
                                 "improves the output most. Each takes a calibration and an evaluation. Without this "
                                 "analysis, a run that measures layerwise errors tries as many as add at most about "
                                 "15 % to its time, on at most 32 batches."),
              .params = {problemsParam}},
     .run = {},
     .passes = [](const QuantModel &, const nlohmann::json &params) {
         constexpr double remediesOfProblem = 4, passesOfRemedy = 10;
         return double(problemsOf(params)) * remediesOfProblem * passesOfRemedy;
     }}};

} // namespace ql
