#include "core/session/tune_trials.h"

#include "core/analysis/divergence.h"
#include "core/analysis/error_measure.h"
#include "core/analysis/slot_noise.h"
#include "core/analysis/work_estimate.h"
#include "core/base/error.h"
#include "core/metric/metric.h"
#include "core/pass/pass.h"
#include "core/pass/slots.h"
#include "core/platform/dispatcher.h"
#include "core/session/prepare.h"
#include "core/session/tune_goals.h"
#include "core/session/tune_notes.h"
#include "core/tune/cost.h"
#include "core/tune/move.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <limits>

namespace ql {

/// Samples that compare moves: as many as take some seconds, but enough to mean something; and the fraction of them
/// that ranks tensors and finds ranges.
static std::size_t screenSamples(double work)
{
    constexpr double affordable = 3e10;
    return std::size_t(std::clamp(affordable / std::max(work, 1.0), 32.0, 256.0));
}
static constexpr std::size_t probePart = 4;
/// Seconds of a search, in years 30.
static constexpr double longest = 1e9;
/// The metric of data with classes, and the one that a recipe can name.
static constexpr const char *topOne = "top1", *topK = "topk";

static const char *nameOf(TunePart part)
{
    switch (part) {
    case TunePart::Probe: return "probe";
    case TunePart::Screen: return "screen";
    case TunePart::Search: return "search";
    case TunePart::Confirm: return "confirm";
    }
    return "";
}

std::vector<Lock> locksOf(const TuneOptions &options)
{
    std::vector<Lock> locks;
    for (const std::string &text : options.locks) locks.push_back(parseLock(text));
    return locks;
}

api::Recipe searchedRecipe(api::Recipe recipe)
{
    constexpr std::int64_t enough = 200; // the default is for reports
    std::int64_t &samples = recipe.evaluation.samples;
    if (samples == api::Recipe{}.evaluation.samples) samples = enough;
    recipe.exports.clear();
    return recipe;
}

api::Recipe searchStart(const api::Recipe &recipe, const std::vector<Lock> &locks)
{
    api::Recipe start = completeRecipe(recipe);
    for (api::StepRequest &step : *start.passes) {
        const PassEntry &pass = Registry<PassEntry>::instance().at(step.id, QL_TEXT("pass"));
        if (!pass.traits.doesWrite(PassAspect::ActivationScales)) continue;
        for (const api::ParamSpec &spec : pass.info.params) {
            if (spec.type != "observer" || step.params.at(spec.name) == nlohmann::json("")) continue;
            start.overrides.insert(start.overrides.begin(),
                                   {.match = {.op = "*", .roles = {api::SlotRole::Input, api::SlotRole::Output}},
                                    .set = {.observer = step.params.at(spec.name).get<std::string>()}});
            step.params[spec.name] = "";
        }
    }
    for (const Lock &lock : locks)
        if (lock.kind == LockKind::Float)
            start.dispatch.push_back({.match = {.op = lock.pattern}, .set = {.platform = fp32Platform}});
    return start;
}

TuneTrials::TuneTrials(const api::Recipe &start, const TuneOptions &options, const RunOptions &runOptions,
                       const JobContext &job)
    : m_options(runOptions), m_caller(job),
      m_end(std::make_shared<TimeLimit>(std::chrono::steady_clock::time_point::max())), m_job(job.withTimeLimit(m_end)),
      m_budget(std::min(options.seconds, longest))
{
    if (!options.times.empty()) m_times = CostTable(options.times);
    m_options.recent = &m_recent;
    m_options.cache = nullptr; // hundreds of plans
    m_options.section = {};
    m_options.passDone = {};
    m_options.quantized = {};
    for (const std::string &goal : options.goals) m_goals.push_back(FailIf::parse(goal, FailIf::Use::Goal));
    if (!options.metric.empty()) m_metric.emplace(options.metric, options.allowCommands);
    RunState state = startRun(start, m_options);
    m_exec = state.exec();
    m_labelled = openMetric(start, m_options.base);
    importStages(state, m_job, true);
    if (!state.evaluation || state.evaluation->size() == 0)
        throw Error(ErrorKind::BadData, QL_TEXT("a search needs data to measure on, and none was given"))
            .withFix(Fix::ChooseData)
            .withRemedy(QL_TEXT("Give data with %1.").with(Text::option("--calib PATH")));
    if (m_labelled)
        m_classAxis = m_labelled->classAxis;
    else if (!m_metric && !state.evaluation->labels().empty())
        m_classAxis = Registry<MetricEntry>::instance().at(topK, QL_TEXT("metric")).classAxis;
    if (std::any_of(m_goals.begin(), m_goals.end(), [](const FailIf &goal) { return goal.isAboutOutputs(); }))
        m_classAxis = {}; // the user asks for the outputs' error itself
    if (state.evaluation->labels().empty() && !m_metric && !m_labelled)
        for (const FailIf &goal : m_goals)
            if (goal.isAboutMetric()) goal.worstOf(api::Report(), api::TuneCost()); // says what is missing
    for (const VarId id : state.model.graph.outputs()) m_outputs.push_back(state.model.graph.variable(id).name);
    m_tensors = goalTensors(m_goals, state.model.graph, !m_times.isEmpty());
    for (const FailIf &goal : m_goals) goal.refuseImpossible(metricValues());
    m_hasMoreToCalibrate =
        state.calibration && std::int64_t(state.calibration->sampleCount()) >= start.calibration.samples;
    split(state.evaluation, options.seed, workOf(state.model.graph));
    if (options.journal.empty()) return;
    const std::string data = state.evaluation->contentHash() + " " +
                             (state.calibration ? state.calibration->contentHash() : "") + " " +
                             std::to_string(options.seed) + " " + options.metric.string() + options.times.string() +
                             (m_labelled ? m_labelled->key : std::string()) + (m_classAxis ? " divergence" : "");
    m_journal = TuneJournal(options.journal, {api::recipeHash(start), data}, options.resume);
}

void TuneTrials::split(const std::shared_ptr<const Dataset> &data, std::uint64_t seed, double work)
{
    m_batchSize = data->batchSize();
    auto halves = splitInHalves(data->size(), seed);
    std::vector<std::size_t> &search = halves.first, &confirm = halves.second;
    if (confirm.empty())
        m_notes.push_back(QL_TEXT("There is only one batch of data, so nothing was confirmed on other data: the goals "
                                  "were tested on the samples that were searched."));
    const auto add = [&](TunePart part, std::vector<std::size_t> batches) {
        m_parts[part] = std::make_unique<DataPart>(data, std::move(batches), data->labels(), m_batchSize);
    };
    const auto firstOf = [&](std::size_t samples) {
        const std::size_t count = std::min(search.size(), (samples + m_batchSize - 1) / m_batchSize);
        return std::vector<std::size_t>(search.begin(), search.begin() + std::ptrdiff_t(count));
    };
    const std::size_t screened = screenSamples(work);
    add(TunePart::Probe, firstOf(screened / probePart));
    add(TunePart::Screen, firstOf(screened));
    add(TunePart::Search, search);
    if (!confirm.empty()) add(TunePart::Confirm, confirm);
    if (m_classAxis) m_imageSize = imageSizeOf(m_parts.at(TunePart::Probe)->batch(0));
}

double TuneTrials::seconds() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
}

void TuneTrials::limit(double end)
{
    *m_end = m_begin + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                           std::chrono::duration<double>(std::min(end, longest)));
}

bool TuneTrials::hasGoalAboutMetric() const
{
    return std::any_of(m_goals.begin(), m_goals.end(), [](const FailIf &goal) { return goal.isAboutMetric(); });
}

bool TuneTrials::hasGoalAboutCost() const
{
    return std::any_of(m_goals.begin(), m_goals.end(), [](const FailIf &goal) { return goal.isAboutCost(); });
}

MetricValues TuneTrials::metricValues() const
{
    if (m_metric) return {}; // of a user's command: any number
    if (m_labelled) return {m_labelled->range.least, m_labelled->range.most, m_labelled->isLoss, {}};
    return {0, 1, false, {}}; // top-1
}

void TuneTrials::refuseImpossible(const api::TuneScore &measured) const
{
    MetricValues values = metricValues();
    values.fp32 = measured.fp32;
    for (const FailIf &goal : m_goals) goal.refuseImpossible(values);
}

bool TuneTrials::areMet(const api::TuneScore &score, double times) const
{
    return std::all_of(m_goals.begin(), m_goals.end(), [&](const FailIf &goal) {
        const std::optional<double> value = score.goals.at(goal.text());
        return goal.isMetBy(value && times != 1 ? goal.withNoise(*value, times, score.fp32) : value);
    });
}

bool TuneTrials::mayMiss(const api::TuneScore &score) const
{
    if (!areMet(score) || mayMissOutputs(score)) return true;
    const double range = score.uncertainty.value_or(0);
    return std::any_of(m_goals.begin(), m_goals.end(), [&](const FailIf &goal) {
        const std::optional<double> value = score.goals.at(goal.text());
        return goal.isAboutMetric() && value && !(goal.isMetBy(*value - range) && goal.isMetBy(*value + range));
    });
}

bool TuneTrials::mayMissOutputs(const api::TuneScore &score) const
{
    if (!score.noiseUncertainty || !(score.noise() > 0)) return false;
    const double times = 1 + *score.noiseUncertainty / score.noise();
    return std::any_of(m_goals.begin(), m_goals.end(), [&](const FailIf &goal) {
        const std::optional<double> value = score.goals.at(goal.text());
        return goal.isAboutOutputs() && value && !goal.isMetBy(goal.withNoise(*value, times));
    });
}

bool TuneTrials::isUncertain(const api::TuneScore &screen, const api::TuneScore &search) const
{
    constexpr double certain = 1e-4;
    return (hasGoalAboutMetric() && screen.noise() > certain) || mayMissOutputs(search);
}

bool TuneTrials::mayMissGoals(const api::TuneScore &screen, const api::TuneScore &search) const
{
    return mayMiss(search) || (!search.uncertainty && isUncertain(screen, search));
}

/// Times the noise. The spread of a metric over the samples is hardly known.
static constexpr double margin = 1.5;

bool TuneTrials::areMetEasily(const api::TuneScore &score) const
{
    return areMet(score) && areMet(score, hasGoalAboutMetric() ? margin : 1) && !mayMissOutputs(score);
}

bool TuneTrials::areStillMet(const SearchedScores &now, const SearchedScores &before) const
{
    if (!areMetEasily(now.search)) return false;
    if (!mayMissGoals(before.screen, before.search)) return !mayMissGoals(now.screen, now.search);
    return !hasGoalAboutMetric() || now.screen.noise() <= margin * before.screen.noise();
}

std::size_t TuneTrials::samplesOf(TunePart part) const
{
    const auto found = m_parts.find(part);
    return found == m_parts.end() ? 0 : found->second->size() * m_batchSize;
}

bool TuneTrials::costsTooMuch(const api::TuneCost &cost, const api::TuneCost &than) const
{
    return std::any_of(m_goals.begin(), m_goals.end(), [&](const FailIf &goal) {
        if (!goal.isAboutCost()) return false;
        const double now = goal.valueIn(cost);
        return !goal.isMetBy(now) && goal.shortBy(now) > goal.shortBy(goal.valueIn(than));
    });
}

std::vector<FloatStep> TuneTrials::affordable(const std::vector<FloatStep> &steps, const api::TuneCost &cost,
                                              std::size_t &at, std::size_t most) const
{
    std::vector<FloatStep> chosen;
    double share = 0, bytes = 0;
    for (; at < steps.size() && chosen.size() < most; ++at) {
        api::TuneCost changed = cost;
        changed.int8Macs = std::max(0.0, changed.int8Macs - share - steps[at].share);
        changed.weightBytes += bytes + steps[at].bytes;
        if (costsTooMuch(changed, cost)) continue;
        share += steps[at].share;
        bytes += steps[at].bytes;
        chosen.push_back(steps[at]);
    }
    return chosen;
}

bool TuneTrials::mayMoveToFloat(TuneCandidate &candidate, const Locks &locks)
{
    if (!hasGoalAboutCost()) return false;
    quantize(candidate);
    const Graph &graph = candidate.model->graph;
    std::vector<FloatStep> steps;
    for (const auto &[id, share] : shareOfMacs(graph))
        if (share > 0 && candidate.model->isQuantized(id) && locks.mayBeFloat(graph.operation(id).name))
            steps.emplace_back().share = share;
    std::size_t at = 0;
    return !affordable(steps, candidate.cost, at, 1).empty();
}

TuneCandidate TuneTrials::candidate(api::Recipe recipe) const
{
    TuneCandidate candidate;
    candidate.hash = api::recipeHash(recipe);
    candidate.recipe = std::move(recipe);
    return candidate;
}

void TuneTrials::quantize(TuneCandidate &candidate)
{
    if (candidate.model) return;
    RunState state = startRun(candidate.recipe, m_options);
    importStages(state, m_job, true);
    dispatchStage(state);
    configureStages(state, m_job);
    quantizeStages(state, m_job);
    candidate.cacheKey = state.cacheKey();
    candidate.model = std::make_shared<const QuantModel>(std::move(state.model));
    candidate.cost = costOf(*candidate.model);
    if (!m_times.isEmpty()) candidate.cost.time = m_times.timeOf(*candidate.model);
}

std::shared_ptr<GraphwiseCache> TuneTrials::cacheFor(TunePart part) const
{
    const auto base = m_caches.find(part);
    return base == m_caches.end() ? std::make_shared<GraphwiseCache>()
                                  : std::make_shared<GraphwiseCache>(*base->second); // tensors are shared
}

AnalysisContext TuneTrials::contextOf(const QuantModel &model, TunePart part) const
{
    const DataPart &data = *m_parts.at(part);
    AnalysisContext context(model);
    context.data = &data;
    context.batches = data.size();
    context.labels = data.labels();
    context.metric = m_labelled;
    context.exec = m_exec;
    context.memory = m_options.memory;
    context.job = m_job;
    return context;
}

TuneTrials::Outputs TuneTrials::outputsOf(const QuantModel &given, const std::string &cacheKey, TunePart part,
                                          const std::shared_ptr<GraphwiseCache> &cache) const
{
    std::optional<QuantModel> more;
    const QuantModel &model = m_tensors.empty() ? given : more.emplace(withTensors(given, m_tensors));
    AnalysisContext context = contextOf(model, part);
    if (part == TunePart::Probe) context.metric = nullptr; // its noise or divergence is what is needed
    if (!cacheKey.empty()) {
        context.cacheKey = cacheKey + " " + nameOf(part);
        context.graphwise = cache.get();
    }
    Outputs found;
    double sum = 0, count = 0;
    bool isClassified = bool(m_classAxis);
    std::map<std::size_t, ErrorMeasure> errors; // of the outputs that goals are about
    for (std::size_t o = 0; o < model.graph.outputs().size(); ++o)
        if (std::any_of(m_goals.begin(), m_goals.end(), [&](const FailIf &goal) {
                return goal.isAboutOutput(model.graph.variable(model.graph.outputs()[o]).name);
            }))
            errors.emplace(o, ErrorMeasure());
    context.compared = [&](const auto &fp, const auto &quantized, std::int64_t samples) {
        for (auto &[o, measure] : errors) {
            const at::Tensor floating = numbersOf(fp[o]), rounded = numbersOf(quantized[o]);
            if (floating.defined() && rounded.defined() && floating.is_floating_point())
                measure.add(floating, rounded, rowsOf(floating, samples));
        }
        if (!isClassified) return;
        const at::Tensor floating = numbersOf(fp.front()), rounded = numbersOf(quantized.front());
        const auto divergence =
            divergenceOf(floating, rounded, floating.defined() ? m_classAxis(floating, m_imageSize) : -1);
        isClassified = divergence.has_value();
        sum += divergence.value_or(0) * double(samples);
        count += double(samples);
    };
    found.measures = analyse("outputs", context, nlohmann::json::object());
    if (isClassified && count > 0) found.divergence = ifFinite(sum / count);
    const auto noisiest = std::max_element(errors.begin(), errors.end(), [](const auto &a, const auto &b) {
        return a.second.noiseRatio() < b.second.noiseRatio();
    });
    if (noisiest != errors.end()) found.noiseUncertainty = noisiest->second.noiseUncertainty();
    return found;
}

std::map<Slot, double> TuneTrials::estimatedNoise(const TuneCandidate &candidate) const
{
    constexpr std::size_t enough = 8; // samples
    const QuantModel model = withTensors(*candidate.model, m_tensors);
    AnalysisContext context = contextOf(model, TunePart::Probe);
    context.batches = std::min(context.batches, (enough + m_batchSize - 1) / m_batchSize);
    std::map<Slot, double> noise = slotNoise(context);
    std::erase_if(noise, [](const auto &entry) { return !std::isfinite(entry.second); });
    return noise;
}

std::map<Slot, double> TuneTrials::measuredNoise(const TuneCandidate &candidate, bool withWeights,
                                                 const std::function<bool(const Operation &)> &goOn)
{
    const QuantModel &quantized = *candidate.model;
    std::map<Slot, double> noise;
    const double all = probe(candidate).noise();
    const auto measure = [&](Slot slot, const QuantPlan &without) {
        const double gain = all - probe(candidate, without).noise();
        if (std::isfinite(gain)) noise[slot] = gain;
    };
    for (const ScaleGroup &group : scaleGroups(quantized)) {
        if (!goOn(quantized.graph.operation(group.root.op))) return noise;
        measure(group.root, withoutGroup(quantized.plan, group));
    }
    for (const OpId id : quantized.graph.topological()) {
        std::vector<Slot> weights = quantized.plan.slotsOf(id);
        std::erase_if(weights, [&](Slot slot) { return !isParameterSlot(quantized.graph, slot); });
        if (weights.empty() || !withWeights) continue;
        if (!goOn(quantized.graph.operation(id))) return noise;
        QuantPlan without = quantized.plan;
        for (const Slot slot : weights) without.setState(slot, QuantState::Off, {});
        measure(weights.front(), without);
    }
    return noise;
}

double noiseOf(const std::vector<api::OutputRow> &rows, const std::vector<FailIf> &goals)
{
    double sum = 0, most = 0;
    bool isAbout = false;
    for (const api::OutputRow &row : rows) {
        const double noise =
            row.equalShare ? 1 - *row.equalShare : row.noiseRatio.value_or(std::numeric_limits<double>::infinity());
        sum += noise;
        if (std::none_of(goals.begin(), goals.end(), [&](const FailIf &g) { return g.isAboutOutput(row.variable); }))
            continue;
        isAbout = true;
        most = std::max(most, noise);
    }
    if (isAbout) return most;
    return rows.empty() ? std::numeric_limits<double>::infinity() : sum / double(rows.size());
}

api::TuneScore TuneTrials::measure(TuneCandidate &candidate, TunePart part)
{
    const auto hasGoals = [&](const api::TuneScore &score) {
        return std::all_of(m_goals.begin(), m_goals.end(),
                           [&](const FailIf &goal) { return score.goals.contains(goal.text()); });
    };
    if (const api::TuneRecord *known = m_journal.find(candidate.hash, nameOf(part)); known && hasGoals(known->score)) {
        candidate.cost = known->cost;
        if (part == TunePart::Screen) candidate.score = known->score;
        m_seconds[part] = known->seconds;
        noteLabels(part, known->score);
        return known->score;
    }
    quantize(candidate);
    const auto begin = std::chrono::steady_clock::now();
    const auto cache = cacheFor(part);
    api::Report report;
    const Outputs outputs = outputsOf(*candidate.model, candidate.cacheKey, part, cache);
    report.measures = outputs.measures;
    candidate.caches[part] = cache;
    std::vector<api::OutputRow> rows = report.measures.outputs.value_or(std::vector<api::OutputRow>());
    const bool isWhole = part == TunePart::Search || part == TunePart::Confirm;
    if (m_metric && !rows.empty()) {
        rows.front().metric.reset();
        if (isWhole) rows.front().metric = metricOf(*candidate.model, part);
        report.measures.outputs = rows;
    }
    if (m_labelled && isWhole && !rows.empty() &&
        std::none_of(rows.begin(), rows.end(), [](const api::OutputRow &row) { return row.metric.has_value(); }))
        throw Error(
            ErrorKind::BadData,
            QL_TEXT("the metric %1 found no label for any of %2 samples").with(m_labelled->name, samplesOf(part)))
            .inFile(m_labelled->labels)
            .withRemedy(QL_TEXT("Labels belong to samples of the same file name, such as '%1'. Check --labels and the "
                                "kind of the metric.")
                            .with(m_parts.at(part)->name(0)));
    api::TuneScore score;
    score.samples = std::int64_t(samplesOf(part));
    score.divergence = outputs.divergence;
    score.noiseUncertainty = outputs.noiseUncertainty;
    score.noiseRatio = ifFinite(noiseOf(rows, m_goals));
    const api::Report whole = report; // with inner tensors
    std::erase_if(rows, [&](const api::OutputRow &row) {
        return std::find(m_outputs.begin(), m_outputs.end(), row.variable) == m_outputs.end();
    });
    report.measures.outputs = rows;
    for (const api::OutputRow &row : rows) {
        if (row.metric) {
            score.metric = row.metric->quantized;
            score.fp32 = row.metric->fp32;
            constexpr std::int64_t enough = 20;
            if (row.metric->samples >= enough) score.uncertainty = row.metric->uncertainty;
            if (isWhole && row.metric->samples < score.samples) score.labelled = row.metric->samples;
        }
        if (row.sqnrDb && (!score.sqnrDb || *row.sqnrDb < *score.sqnrDb)) score.sqnrDb = row.sqnrDb;
    }
    for (const FailIf &goal : m_goals) {
        // With few samples labels may not fit the outputs by chance
        const bool isFew = part == TunePart::Probe || part == TunePart::Screen;
        try {
            score.goals[goal.text()] = goal.worstOf(goal.isAboutNoneOf(m_outputs) ? whole : report, candidate.cost);
        } catch (const Error &) {
            if (!isFew || !goal.isAboutMetric()) throw;
            score.goals[goal.text()] = std::nullopt;
        }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    m_seconds[part] = seconds;
    m_journal.add({candidate.hash, nameOf(part), candidate.cost, score, seconds});
    noteLabels(part, score);
    if (part == TunePart::Screen) candidate.score = score;
    return score;
}

void TuneTrials::noteLabels(TunePart part, const api::TuneScore &score)
{
    if (score.labelled && m_isPartlyLabelled.insert(part).second)
        m_notes.push_back(fewLabels(part == TunePart::Search, *score.labelled, score.samples));
}

double TuneTrials::commandMetric(const Graph &graph, const QuantPlan *plan, TunePart part) const
{
    const DataPart &data = *m_parts.at(part);
    const Executor executor(graph, m_exec);
    ProgramSpec spec;
    spec.plan = plan;
    const Program program = executor.compile(spec);
    std::vector<std::vector<at::Tensor>> parts(graph.outputs().size());
    std::vector<std::string> names;
    for (std::size_t i = 0; i < data.size(); ++i) {
        names.push_back(data.name(i));
        const std::vector<at::Tensor> outputs = program.run(data.batch(i), m_job, data.name(i));
        for (std::size_t o = 0; o < outputs.size(); ++o) parts[o].push_back(numbersOf(outputs[o]));
    }
    std::vector<std::pair<std::string, at::Tensor>> arrays;
    for (std::size_t o = 0; o < parts.size(); ++o) {
        const std::vector<at::Tensor> &batches = parts[o];
        if (!batches.front().defined()) continue; // indices
        const bool isBatch = batches.front().dim() > 0 && batches.front().size(0) == std::int64_t(m_batchSize);
        arrays.emplace_back(graph.variable(graph.outputs()[o]).name,
                            (isBatch ? at::cat(batches, 0) : at::stack(batches, 0)).contiguous());
    }
    // One that has not printed a number yet may never do so
    return m_metric->valueOf(arrays, names, m_budget, m_floatMetric.empty() ? m_caller : m_job);
}

api::Metric TuneTrials::metricOf(const QuantModel &model, TunePart part)
{
    if (!m_floatMetric.contains(part)) m_floatMetric[part] = commandMetric(model.graph, nullptr, part);
    return {"command", m_floatMetric.at(part), commandMetric(model.graph, &model.plan, part),
            std::int64_t(samplesOf(part))};
}

api::TuneScore TuneTrials::probe(const QuantModel &model, const std::string &cacheKey,
                                 const std::shared_ptr<GraphwiseCache> &cache) const
{
    const Outputs found = outputsOf(model, cacheKey, TunePart::Probe, cache);
    api::TuneScore score;
    score.divergence = found.divergence;
    score.noiseRatio = ifFinite(noiseOf(found.measures.outputs.value_or(std::vector<api::OutputRow>()), m_goals));
    return score;
}

api::TuneScore TuneTrials::probe(const TuneCandidate &candidate)
{
    const auto cache = cacheFor(TunePart::Probe);
    const api::TuneScore score = probe(*candidate.model, candidate.cacheKey, cache);
    m_caches[TunePart::Probe] = cache;
    return score;
}

api::TuneScore TuneTrials::probe(const TuneCandidate &candidate, const QuantPlan &plan) const
{
    QuantModel changed = *candidate.model;
    changed.plan = plan;
    return probe(changed, candidate.cacheKey, cacheFor(TunePart::Probe));
}

double TuneTrials::bestFactor(const TuneCandidate &candidate, const ScaleGroup &group, double error,
                              const std::function<bool()> &goOn) const
{
    constexpr double wider = 1.25, narrower = 0.8;
    constexpr int mostSteps = 6;
    double best = 1;
    for (const double step : {narrower, wider}) {
        double factor = step;
        for (int i = 0; i < mostSteps && goOn(); ++i, factor *= step) {
            const double found = probe(candidate, withRange(candidate.model->plan, group, factor)).error();
            if (!(found < error)) break;
            error = found;
            best = factor;
        }
        if (best != 1) break; // the other direction is worse
    }
    return best;
}

void TuneTrials::startFrom(const TuneCandidate &candidate)
{
    for (const auto &[part, cache] : candidate.caches)
        if (!cache->key.empty()) m_caches[part] = cache;
}

} // namespace ql
