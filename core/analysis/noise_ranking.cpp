// The tensors and parameters that cost most at the outputs, each rounded alone. One backward pass per sample estimates
// all of them (core/analysis/slot_noise.h); the worst ones are then measured exactly. Both use the samples with most
// noise: what clipping costs in a few of them decides the mean, and the first samples need not show it. Their noise is
// reported in relation to that of all samples that were tried.
#include "core/analysis/analyser.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/only_operation.h"
#include "core/analysis/slot_noise.h"
#include "core/analysis/work_estimate.h"
#include "core/ir/subgraphs.h"
#include "core/quant/networks.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace ql {

namespace {

/// Enough to find the worst ones, which are then measured; see docs/tune.md for how well they rank the others.
constexpr std::int64_t defaultSamples = 4, defaultMeasured = 5;

/// The plan with nothing rounded but the slots that have the scale of root.
QuantPlan onlyScaleOf(const QuantPlan &plan, Slot root)
{
    QuantPlan only = plan;
    only.bodies.clear();
    for (const auto &[slot, config] : plan.configs())
        if (plan.root(slot) != root) only.setState(slot, QuantState::Off, {});
    return only;
}

/// The owner of a scale, and the noise that it adds.
struct Ranked
{
    double noise = 0;
    BodySlot place; ///< without a path: of the graph itself
};

/// Noise / signal that this alone adds, sum over the outputs.
double measuredNoise(const AnalysisContext &context, const Executor &executor, const BodySlot &place,
                     const NoisyBatches &batches)
{
    const Measured inBody = place.path.empty() ? Measured() : withBodyScale(context.model, place);
    const QuantPlan plan = place.path.empty() ? onlyScaleOf(context.model.plan, place.slot) : inBody.plan;
    ProgramSpec spec;
    spec.plan = &plan;
    if (!place.path.empty()) spec.onlyQuantized = &inBody.operations;
    spec.outputs = outputsOf(context);
    const Program program = executor.compile(spec);
    std::vector<ErrorMeasure> measures(spec.outputs.size());
    for (std::size_t i = 0; i < batches.indices.size(); ++i) {
        const std::size_t index = batches.indices[i];
        const Feed feed = context.data->batch(index);
        const std::vector<at::Tensor> outputs = program.run(feed, context.job, context.data->name(index));
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const at::Tensor fp = numbersOf(batches.originals[i][o]), q = numbersOf(outputs[o]);
            if (fp.defined() && q.defined()) measures[o].add(fp, q, rowsOf(fp, samplesPerBatch(feed)));
        }
    }
    double sum = 0;
    for (const ErrorMeasure &measure : measures)
        if (!measure.empty()) sum += measure.noiseRatio();
    return sum * batches.sumOfAll;
}

void measureWorst(const AnalysisContext &context, const NoisyBatches &batches, const std::vector<Ranked> &ranked,
                  std::size_t count, std::vector<api::NoiseRow> &rows)
{
    const Executor executor(context.model.graph, context.exec);
    for (std::size_t r = 0; r < std::min(count, rows.size()); ++r) {
        context.job.checkpoint(0.5 + 0.5 * double(r) / double(count), QL_TEXT("noise of each tensor"));
        const double noise = measuredNoise(context, executor, ranked[r].place, batches);
        rows[r].noiseRatio = ifFinite(noise);
        rows[r].isEstimated = false;
    }
    std::stable_sort(rows.begin(), rows.end(), [](const api::NoiseRow &a, const api::NoiseRow &b) {
        return a.noiseRatio.value_or(INFINITY) > b.noiseRatio.value_or(INFINITY);
    });
}

/// Those of the graph, then those in its bodies. Weights that a quantized body captures are rounded there.
std::vector<Ranked> rankedSlots(const QuantModel &model, const SlotNoise &noise)
{
    std::vector<Ranked> ranked;
    for (const auto &[slot, value] : noiseOfScales(model.plan, noise.slots))
        if (slot.output || !model.plan.bodies.contains(slot.op)) ranked.push_back({value, {{}, slot}});
    forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
        std::map<Slot, double> own;
        for (const auto &[place, value] : noise.inBodies)
            if (place.path == path) own.emplace(place.slot, value);
        for (const auto &[slot, value] : noiseOfScales(body.plan, own)) ranked.push_back({value, {path, slot}});
    });
    std::stable_sort(ranked.begin(), ranked.end(), [](const Ranked &a, const Ranked &b) { return a.noise > b.noise; });
    return ranked;
}

/// What the slots of each operation, by name, add to the noise of a scale.
using Parts = std::map<std::string, double>;

std::map<BodySlot, Parts> partsOfScales(const QuantModel &model, const SlotNoise &noise)
{
    std::map<BodySlot, Parts> parts;
    for (const Network &network : networksOf(model)) {
        const auto add = [&](Slot slot, double value) {
            parts[network.place(network.model->plan.root(slot))][network.nameOf(slot.op)] += value;
        };
        if (network.path.empty())
            for (const auto &[slot, value] : noise.slots) add(slot, value);
        else
            for (const auto &[place, value] : noise.inBodies)
                if (place.path == network.path) add(place.slot, value);
    }
    return parts;
}

/// factor: of the noise
std::vector<api::NoiseRow> rowsOfRanked(const QuantModel &model, const std::vector<Ranked> &ranked,
                                        const SlotNoise &noises, double factor)
{
    std::map<BodyPath, Network> networks;
    for (Network &network : networksOf(model)) networks.emplace(network.path, std::move(network));
    const std::map<BodySlot, Parts> parts = partsOfScales(model, noises);
    std::vector<api::NoiseRow> rows;
    for (const auto &[noise, place] : ranked) {
        const Network &network = networks.at(place.path);
        const Graph &graph = network.graph();
        api::NoiseRow &row = rows.emplace_back();
        row.slot = {network.nameOf(place.slot.op), roleOf(graph, place.slot), place.slot.index};
        row.variable = graph.variable(variableOf(graph, place.slot)).name;
        row.noiseRatio = ifFinite(noise * factor);
        if (const Parts &shared = parts.at(place); shared.size() > 1)
            for (const auto &[op, value] : shared) row.parts.push_back({op, ifFinite(value * factor)});
    }
    return rows;
}

api::Measures noiseRanking(const AnalysisContext &given, const nlohmann::json &params)
{
    api::Measures result;
    result.noise.emplace();
    if (given.model.plan.empty() || !given.data || given.data->size() == 0) return result;
    AnalysisContext context(given);
    context.job = given.job.part(0, 0.1);
    const NoisyBatches batches = noisiestBatches(context, batchesOf(given, params));
    context.job = given.job.part(0.1, 0.5);
    const SlotNoise noises = slotNoise(context, batches.indices);
    const std::vector<Ranked> ranked = rankedSlots(context.model, noises);
    if (ranked.empty()) return result;
    context.job = given.job;
    result.noise = rowsOfRanked(context.model, ranked, noises, batches.sumOfAll);
    measureWorst(context, batches, ranked, params.at("measured").get<std::size_t>(), *result.noise);
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
