// The tensors and parameters that cost most at the outputs, each rounded alone. One backward pass per sample estimates
// all of them (core/analysis/slot_noise.h); the worst ones are then measured exactly. Both use the samples with most
// noise: what clipping costs in a few of them decides the mean, and the first samples need not show it.
#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/slot_noise.h"
#include "core/analysis/work_estimate.h"

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

/// Enough to find the worst ones, which are then measured; see docs/tune.md for how well they rank the others.
constexpr std::int64_t defaultSamples = 4, defaultMeasured = 5;

/// The plan with nothing rounded but the slots that have the scale of root.
QuantPlan onlyScaleOf(const QuantPlan &plan, Slot root)
{
    QuantPlan only = plan;
    for (const auto &[slot, config] : plan.configs())
        if (plan.root(slot) != root) only.setState(slot, QuantState::Off, {});
    return only;
}

/// Noise / signal that the slots with the scale of root add, sum over the outputs.
double measuredNoise(const AnalysisContext &context, const Executor &executor, Slot root,
                     const std::vector<std::size_t> &batches, const std::vector<std::vector<at::Tensor>> &originals)
{
    const QuantPlan plan = onlyScaleOf(context.model.plan, root);
    ProgramSpec spec;
    spec.plan = &plan;
    spec.outputs = outputsOf(context);
    const Program program = executor.compile(spec);
    std::vector<ErrorMeasure> measures(spec.outputs.size());
    for (std::size_t i = 0; i < originals.size(); ++i) {
        const Feed feed = context.data->batch(batches[i]);
        const std::vector<at::Tensor> outputs = program.run(feed, context.job, context.data->name(batches[i]));
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const at::Tensor fp = numbersOf(originals[i][o]), q = numbersOf(outputs[o]);
            if (fp.defined() && q.defined()) measures[o].add(fp, q, rowsOf(fp, samplesPerBatch(feed)));
        }
    }
    double sum = 0;
    for (const ErrorMeasure &measure : measures)
        if (!measure.empty()) sum += measure.noiseRatio();
    return sum;
}

/// originals: the float outputs of the batches.
void measureWorst(const AnalysisContext &context, const std::vector<std::size_t> &batches,
                  const std::vector<std::vector<at::Tensor>> &originals, std::vector<std::pair<double, Slot>> &ranked,
                  std::size_t count, std::vector<api::NoiseRow> &rows)
{
    const Executor executor(context.model.graph, context.exec);
    for (std::size_t r = 0; r < std::min(count, rows.size()); ++r) {
        context.job.checkpoint(0.5 + 0.5 * double(r) / double(count), QL_TEXT("noise of each tensor"));
        const double noise = measuredNoise(context, executor, ranked[r].second, batches, originals);
        rows[r].noiseRatio = ifFinite(noise);
        rows[r].isEstimated = false;
    }
    std::stable_sort(rows.begin(), rows.end(), [](const api::NoiseRow &a, const api::NoiseRow &b) {
        return a.noiseRatio.value_or(INFINITY) > b.noiseRatio.value_or(INFINITY);
    });
}

api::NoiseRow noiseRowOf(const Graph &graph, Slot slot, double noise)
{
    const Operation &op = graph.operation(slot.op);
    const VarId variable = variableOf(op, slot);
    api::NoiseRow row;
    row.slot = {op.name, roleOf(graph, slot), slot.index};
    row.variable = graph.variable(variable).name;
    row.noiseRatio = ifFinite(noise);
    return row;
}

api::Measures noiseRanking(const AnalysisContext &given, const nlohmann::json &params)
{
    api::Measures result;
    result.noise.emplace();
    if (given.model.plan.empty() || !given.data || given.data->size() == 0) return result;
    AnalysisContext context(given);
    context.job = given.job.part(0, 0.1);
    std::vector<std::vector<at::Tensor>> originals;
    const std::vector<std::size_t> batches = noisiestBatches(context, batchesOf(given, params), &originals);
    context.job = given.job.part(0.1, 0.5);
    const std::map<Slot, double> noise = noiseOfScales(context.model.plan, slotNoise(context, batches));
    if (noise.empty()) return result;
    context.job = given.job;
    std::vector<std::pair<double, Slot>> ranked;
    for (const auto &[slot, value] : noise) ranked.emplace_back(value, slot);
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    for (const auto &[value, slot] : ranked) result.noise->push_back(noiseRowOf(context.model.graph, slot, value));
    measureWorst(context, batches, originals, ranked, params.at("measured").get<std::size_t>(), *result.noise);
    return result;
}

} // namespace

nlohmann::json rankingParams(const Graph &graph, double passes)
{
    constexpr double share = 0.07, leastWork = 1e10; // of the run; multiplications
    // Float passes per sample: of the choice of samples, of the estimate, of each measured tensor
    constexpr double choice = 4, backward = 5, measuring = 1.5;
    const auto passesOf = [](std::int64_t samples, std::int64_t measured) {
        return double(samples) * (choice + backward + measuring * double(measured));
    };
    const double most = std::max(share * passes, leastWork / std::max(workOf(graph), 1.0));
    std::int64_t samples = defaultSamples, measured = defaultMeasured;
    while (samples > 1 && passesOf(samples, measured) > most) --samples;
    while (measured > 0 && passesOf(samples, measured) > most) --measured;
    nlohmann::json params;
    params["samples"] = samples;
    params["measured"] = measured;
    return params;
}

namespace {

const AnalyserRegistrar noiseRegistrar{
    "noise",
    {.info = {.id = "noise",
              .title = QL_TEXT("Noise of each tensor"),
              .meaning = QL_TEXT("The noise that rounding each tensor or parameter alone adds to the outputs. One "
                                 "backward pass per sample estimates all of them; the worst ones are then measured."),
              .params = {{.name = "samples",
                          .type = "int",
                          .fallback = defaultSamples,
                          .meaning = QL_TEXT("Number of evaluation samples to use: of twice as many, spread evenly, "
                                             "those with most noise at the outputs."),
                          .min = 1},
                         {.name = "measured",
                          .type = "int",
                          .fallback = defaultMeasured,
                          .meaning = QL_TEXT("Number of tensors that are measured, the worst ones."),
                          .min = 0}}},
     .run = noiseRanking}};

} // namespace

} // namespace ql
