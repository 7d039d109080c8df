#pragma once

#include "core/analysis/analyser.h"
#include "core/analysis/graphwise_cache.h"
#include "core/analysis/metric.h"
#include "core/base/job.h"
#include "core/metric/command.h"
#include "core/report/fail_if.h"
#include "core/session/recent_inputs.h"
#include "core/session/run.h"
#include "core/session/tune.h"
#include "core/tune/cost_table.h"
#include "core/tune/data_part.h"
#include "core/tune/float_step.h"
#include "core/tune/journal.h"
#include "core/tune/lock.h"

#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// Parts of the evaluation data of a search: a few samples that rank tensors, those that compare moves, those that
/// goals are tested on, and those that no decision depends on, unless there is only one batch. Each of the first three
/// contains the one before it.
enum class TunePart { Probe, Screen, Search, Confirm };

/// @returns whether a part of a search ended before TuneTrials::limit()
template <typename Part>
bool inTime(const Part &part)
{
    try {
        part();
    } catch (const TimeLimitReached &) {
        return false;
    }
    return true;
}

/// A recipe of a search, its quantized model once it was needed, and what was measured.
struct TuneCandidate
{
    api::Recipe recipe;
    std::string hash;
    std::shared_ptr<const QuantModel> model;
    std::string cacheKey; ///< of its float network
    api::TuneCost cost;
    api::TuneScore score; ///< on TunePart::Screen
    std::map<TunePart, std::shared_ptr<GraphwiseCache>> caches;
};

/// @throws Error (BadConfig): not a lock.
std::vector<Lock> locksOf(const TuneOptions &options);
/// The recipe that a search starts with: complete, observers chosen by overrides only, and the operations that locks
/// keep in float sent there.
api::Recipe searchStart(const api::Recipe &recipe, const std::vector<Lock> &locks);

/// Of the outputs that goals are about the largest noise, because each of them has to meet the goal; without such a
/// goal the mean of all. Of integers: the share that differs.
double noiseOf(const std::vector<api::OutputRow> &rows, const std::vector<FailIf> &goals);

/// What was measured of a recipe on TunePart::Screen and TunePart::Search.
struct SearchedScores
{
    api::TuneScore screen, search;
};

/// Quantizes and measures the recipes of a search. They differ little: model, data, observations and the activations
/// upstream of a change are reused.
class TuneTrials
{
public:
    TuneTrials(const api::Recipe &start, const TuneOptions &options, const RunOptions &runOptions,
               const JobContext &job);

    const std::vector<FailIf> &goals() const { return m_goals; }
    bool hasGoalAboutMetric() const;
    bool hasGoalAboutCost() const;
    /// Of the first measurement: no recipe meets a goal, as the metric is in float32. @throws Error (BadConfig)
    void refuseImpossible(const api::TuneScore &measured) const;
    /// All goals; with so many times the noise, see FailIf::withNoise().
    bool areMet(const api::TuneScore &score, double times = 1) const;
    /// Whether other data may miss a goal: this does, or meets it only within the uncertainty.
    bool mayMiss(const api::TuneScore &score) const;
    /// Goals about outputs: whether other data may miss one, because the noise differs from sample to sample.
    bool mayMissOutputs(const api::TuneScore &score) const;
    /// Whether so much noise is left that labels of other data may give another result, or that other data may miss
    /// goals about outputs. screen, search: scores on these parts.
    bool isUncertain(const api::TuneScore &screen, const api::TuneScore &search) const;
    /// mayMiss(); if the spread of the metric is not known, by isUncertain().
    bool mayMissGoals(const api::TuneScore &screen, const api::TuneScore &search) const;
    /// All goals: on other data, too, if they are about outputs; with half as much noise again if one is about the
    /// metric.
    bool areMetEasily(const api::TuneScore &score) const;
    /// areMetEasily() by a recipe with more noise than another one, and as certainly. If labels of other data may miss
    /// a goal with both, there is at most half as much noise again.
    bool areStillMet(const SearchedScores &now, const SearchedScores &before) const;
    /// Whether a cost is farther from a goal than another one and does not meet it.
    bool costsTooMuch(const api::TuneCost &cost, const api::TuneCost &than) const;
    /// Up to most of the steps from number at on that the goals about the cost allow together; at is moved past them.
    std::vector<FloatStep> affordable(const std::vector<FloatStep> &steps, const api::TuneCost &cost, std::size_t &at,
                                      std::size_t most) const;
    /// Whether a goal limits the cost and allows that an operation with weights moves to float32.
    bool mayMoveToFloat(TuneCandidate &candidate, const Locks &locks);
    bool isLoss() const { return m_labelled && m_labelled->isLoss; } ///< the metric: the smaller the better
    TuneCandidate candidate(api::Recipe recipe) const;
    /// Fills model and cost. @throws as runRecipe
    void quantize(TuneCandidate &candidate);
    /// From the journal, if it has the measurement. Fills cost, and on TunePart::Screen score.
    api::TuneScore measure(TuneCandidate &candidate, TunePart part);
    /// Noise and divergence on TunePart::Probe; with other plans of the same model, after that of its own.
    api::TuneScore probe(const TuneCandidate &candidate);
    api::TuneScore probe(const TuneCandidate &candidate, const QuantPlan &plan) const;
    /// How many times as wide a group's range should be, by TunePart::Probe. error: of the candidate there. goOn: false
    /// ends it.
    double bestFactor(const TuneCandidate &candidate, const ScaleGroup &group, double error,
                      const std::function<bool()> &goOn) const;
    /// The noise that each slot of the candidate adds, estimated; empty if an operation has no gradient.
    std::map<Slot, double> estimatedNoise(const TuneCandidate &candidate) const;
    /// The same, measured: of the slots that own a scale of an activation and, if asked for, of the weights of each
    /// operation together. goOn: called before each measurement; false ends them.
    std::map<Slot, double> measuredNoise(const TuneCandidate &candidate, bool withWeights,
                                         const std::function<bool(const Operation &)> &goOn);
    double seconds() const; ///< since the search began
    /// From now on, measurements throw TimeLimitReached after so many seconds().
    void limit(double end);
    /// Later candidates are similar to this one.
    void startFrom(const TuneCandidate &candidate);
    std::size_t samplesOf(TunePart part) const; ///< 0: there is no such part
    /// Whether there may be more data to calibrate on than the first recipe takes.
    bool hasMoreToCalibrate() const { return m_hasMoreToCalibrate; }
    /// That the last measurement took, without quantizing; of an earlier search if it is from the journal.
    double secondsOf(TunePart part) const { return m_seconds.at(part); }
    std::int64_t resumed() const { return m_journal.used(); }
    /// Notes about the data.
    const std::vector<Text> &notes() const { return m_notes; }

private:
    MetricValues metricValues() const; ///< before it is measured
    AnalysisContext contextOf(const QuantModel &model, TunePart part) const;
    /// work: of the network, for a sample.
    void split(const std::shared_ptr<const Dataset> &data, std::uint64_t seed, double work);
    struct Outputs
    {
        api::Measures measures;
        std::optional<double> divergence, noiseUncertainty; ///< as in TuneScore
    };
    Outputs outputsOf(const QuantModel &model, const std::string &cacheKey, TunePart part,
                      const std::shared_ptr<GraphwiseCache> &cache) const;
    api::TuneScore probe(const QuantModel &model, const std::string &cacheKey,
                         const std::shared_ptr<GraphwiseCache> &cache) const;
    std::shared_ptr<GraphwiseCache> cacheFor(TunePart part) const;
    /// The value of the user's metric command. plan: nullptr for the float model.
    double commandMetric(const Graph &graph, const QuantPlan *plan, TunePart part) const;
    api::Metric metricOf(const QuantModel &model, TunePart part);
    void noteLabels(TunePart part, const api::TuneScore &score); ///< if only some samples have one

    const std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    RunOptions m_options;
    JobContext m_caller;
    std::shared_ptr<TimeLimit> m_end;
    JobContext m_job;    ///< ends with the limit; without progress
    double m_budget = 0; ///< seconds
    ExecOptions m_exec;
    RecentInputs m_recent;
    std::vector<FailIf> m_goals;
    std::vector<std::string> m_outputs; ///< of the model
    std::vector<std::string> m_tensors; ///< inner ones that goals are about
    std::map<TunePart, std::unique_ptr<DataPart>> m_parts;
    std::map<TunePart, std::shared_ptr<GraphwiseCache>> m_caches; ///< of the candidate to start from
    std::optional<MetricCommand> m_metric;
    std::shared_ptr<const MetricSource> m_labelled; ///< the recipe's metric
    ClassAxis m_classAxis;                          ///< empty: goals are not about chosen classes
    ImageSize m_imageSize;
    std::map<TunePart, double> m_floatMetric; ///< of the command
    std::map<TunePart, double> m_seconds;
    TuneJournal m_journal;
    CostTable m_times;
    std::vector<Text> m_notes;
    std::set<TunePart> m_isPartlyLabelled; ///< and a note says so
    std::size_t m_batchSize = 1;
    bool m_hasMoreToCalibrate = false;
};

} // namespace ql
