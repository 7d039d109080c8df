#include "core/session/tune_notes.h"

#include "core/session/run_checks.h"
#include "core/tune/cost.h"
#include "core/tune/float_step.h"

#include <algorithm>
#include <cmath>

namespace ql {

std::vector<Text> whatItTakes(const QuantModel &model, const std::map<Slot, double> &noise, const Locks &locks)
{
    constexpr double most = 0.5; // of the noise
    constexpr std::size_t named = 5;
    std::vector<Text> notes;
    std::vector<FloatStep> chosen;
    double all = 0, removed = 0, share = 0;
    for (const auto &[slot, value] : noise) all += value;
    for (const FloatStep &step : floatSteps(model, noise, locks)) {
        if (removed > most * all) break;
        removed += step.gain;
        share += step.share;
        chosen.push_back(step);
    }
    const auto percent = [](double value) { return Text::number(100 * value, 3); };
    if (!chosen.empty()) {
        notes.push_back(QL_TEXT("About %1 % of the noise would be removed if %2 % of the multiplications ran in "
                                "float32 (changes: %3).")
                            .with(percent(removed / all), percent(share), chosen.size()));
        chosen.resize(std::min(chosen.size(), named));
        notes.push_back(QL_TEXT("The first of them: %1.").with(floatMove(model.graph, chosen).text));
    } else if (!noise.empty())
        notes.push_back(locks.isEmpty()
                            ? QL_TEXT("No operation that could still move to float32 would remove more noise.")
                            : QL_TEXT("The locks forbid all changes that would remove more noise."));
    if (locks.keepsAny())
        notes.push_back(QL_TEXT("Passes and platform parameters were not tried: they change the whole model, and "
                                "locks keep parts of it unchanged."));
    std::vector<std::string> inFloat;
    for (const auto &[id, part] : shareOfMacs(model.graph))
        if (!model.isQuantized(id)) inFloat.push_back(model.graph.operation(id).name);
    if (inFloat.empty()) return notes;
    const std::size_t count = inFloat.size();
    inFloat.resize(std::min(count, named));
    notes.push_back(
        QL_TEXT("Operations with weights in float32: %1, for example %2.").with(count, Text::list(inFloat)));
    return notes;
}

WideOperations wideOperations(const QuantModel &model, const Locks &locks)
{
    const Graph &graph = model.graph;
    WideOperations found;
    for (const OpId id : wideOperations(model)) found.names.push_back(graph.operation(id).name);
    for (const auto &[id, share] : shareOfMacs(graph)) {
        const Lock *lock = locks.find(graph.operation(id).name);
        if (!lock || lock->kind != LockKind::Float) continue;
        found.lockedShare += share;
        if (std::find(found.patterns.begin(), found.patterns.end(), lock->pattern) == found.patterns.end())
            found.patterns.push_back(lock->pattern);
    }
    return found;
}

static bool isAnyQuantized(const QuantModel &model, const std::function<bool(const Operation &)> &is)
{
    const std::vector<OpId> ids = model.graph.operations();
    return std::any_of(ids.begin(), ids.end(),
                       [&](OpId id) { return model.isQuantized(id) && is(model.graph.operation(id)); });
}

void refuseNothingQuantized(const QuantModel &model, const Locks &locks, const std::string &platform)
{
    if (!locks.isEmpty() || isAnyQuantized(model, [](const Operation &) { return true; })) return;
    throw Error(ErrorKind::BadConfig, nothingQuantized(platform)).withRemedy(chooseOtherPlatform());
}

void refuseFullLocks(const QuantModel &model, const Locks &locks)
{
    if (isAnyQuantized(model, [&](const Operation &op) { return locks.mayChange(op.name); })) return;
    throw Error(ErrorKind::BadConfig, QL_TEXT("the locks leave nothing that may change"))
        .withRemedy(QL_TEXT("Every quantized operation is kept or in float: remove a lock."));
}

/// The first of them, and how many there are.
static Text someOf(std::vector<std::string> names)
{
    constexpr std::size_t most = 5;
    const std::size_t count = names.size();
    if (count <= most) return Text::list(names);
    names.resize(most);
    return QL_TEXT("%1 and %2 more").with(Text::list(names), count - most);
}

void refuseCheaper(const std::vector<FailIf> &goals, const api::TuneCost &cost, const WideOperations &wide)
{
    constexpr double little = 1e-6;
    api::TuneCost more = cost;
    more.int8Macs *= 1 - little;
    more.macBits *= 1 + little;
    more.weightBytes *= 1 + little;
    for (const FailIf &goal : goals) {
        if (!goal.isAboutCost() || goal.isAboutTime()) continue;
        const double now = goal.valueIn(cost);
        if (goal.isMetBy(now) || goal.shortBy(goal.valueIn(more)) < goal.shortBy(now)) continue;
        const Text option = Text::option("--goal");
        if (!wide.patterns.empty())
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("%1 '%2': the recipe has %3, and the locks %4 keep operations with %5 % of the "
                                "multiplications in float32")
                            .with(option, goal.text(), goal.shown(now), Text::list(wide.patterns),
                                  Text::number(100 * wide.lockedShare, 3)))
                .withRemedy(QL_TEXT("Remove locks, or choose another limit."));
        api::TuneCost narrow = cost;
        narrow.int8Macs = 1;
        if (!wide.names.empty() && goal.isMetBy(goal.valueIn(narrow)))
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("%1 '%2': the recipe has %3, and no change of a search raises it; more than 8 bits: %4")
                            .with(option, goal.text(), goal.shown(now), someOf(wide.names)))
                .withRemedy(QL_TEXT("Choose another limit, or a platform or recipe that quantizes these operations: "
                                    "'inspect' shows why they are not."));
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("%1 '%2': the recipe has %3, and no change of a search lowers this cost")
                        .with(option, goal.text(), goal.shown(now)))
            .withRemedy(QL_TEXT("Choose a platform or a recipe with fewer bits, a smaller model, or another limit."));
    }
}

void addNotesOnGoals(api::TuneReport &report, const std::vector<FailIf> &goals,
                     const std::function<std::vector<Text>()> &ofErrors)
{
    bool isAboutErrors = false;
    for (std::size_t i = 0; i < goals.size(); ++i) {
        if (report.goals[i].met) continue;
        const std::optional<api::TuneCost> &cost = report.trials.front().cost;
        if (goals[i].isAboutTime() && cost && !goals[i].isMetBy(goals[i].valueIn(*cost)))
            report.notes.push_back(QL_TEXT("The recipe that the search started with does not meet %1, and no change "
                                           "lowers it enough: choose a platform or a recipe with fewer bits, or a "
                                           "smaller model.")
                                       .with(goals[i].text()));
        isAboutErrors = isAboutErrors || !goals[i].isAboutCost();
    }
    if (!isAboutErrors) return;
    for (Text &note : ofErrors()) report.notes.push_back(std::move(note));
}

Text startIsBetter()
{
    return QL_TEXT("The recipe that the search started with is the result: on the other half of the data, the best one "
                   "found is not better.");
}

Text fewLabels(bool isSearched, std::int64_t labelled, std::int64_t samples)
{
    return (isSearched
                ? QL_TEXT("The metric counts %1 of %2 samples that were searched: the others have no label.")
                : QL_TEXT("The metric counts %1 of %2 samples that were not searched: the others have no label."))
        .with(labelled, samples);
}

std::vector<api::TuneCause> worstCauses(const Graph &graph, const std::vector<NoisyGroup> &ranked)
{
    constexpr std::size_t most = 10;
    std::vector<api::TuneCause> causes;
    for (const NoisyGroup &r : ranked) {
        if (causes.size() == most) break;
        causes.push_back({graph.operation(r.group.root.op).name, graph.variable(r.group.variable).name, r.noise});
    }
    return causes;
}

Error noBudget()
{
    return Error(ErrorKind::BadConfig, QL_TEXT("the budget is zero: nothing can be tried"))
        .withRemedy(QL_TEXT("Write it like %1.").with(Text::option("--budget 10min")));
}

Text whyEnded()
{
    try {
        throw;
    } catch (const Error &error) {
        return error.message;
    } catch (const Cancelled &) {
        return QL_TEXT("The search was cancelled.");
    } catch (...) {
        return QL_TEXT("An internal error ended the search.");
    }
}

Text budgetEnded(bool isMeasured, bool wasTried, double seconds, double budget)
{
    if (!isMeasured)
        return QL_TEXT("The budget of %1 s ended before the goals were measured on all samples. Give more time, or "
                       "fewer samples.")
            .with(Text::number(budget, 3));
    if (wasTried) return QL_TEXT("The budget ran out before all changes were tried: a larger one may help.");
    return QL_TEXT(
               "No change was tried: measuring the goals takes %1 s of the budget of %2 s. Give more time, or fewer "
               "samples.")
        .with(Text::number(seconds, 3), Text::number(budget, 3));
}

static Text howCertain(const api::TuneScore &search, const api::TuneScore &confirm)
{
    const auto points = [](double share) { return Text::number(100 * share, 2); };
    const auto drop = [&](const api::TuneScore &score) {
        const double difference = score.fp32.value() - score.metric.value();
        // Where no sample has changed, the spread says nothing: 95 % of such draws come from a share up to 3 / n
        constexpr double ruleOfThree = 3;
        return difference == 0 && *score.uncertainty == 0
                   ? QL_TEXT("at most %1 (no sample has changed)").with(points(ruleOfThree / double(score.samples)))
                   : QL_TEXT("%1 ± %2").with(points(difference), points(*score.uncertainty));
    };
    return QL_TEXT("Drop of the metric in points, with 95 % intervals: %1 on the samples that were searched, %2 on the "
                   "others. A smaller difference needs more labelled samples.")
        .with(drop(search), drop(confirm));
}

/// The lower end of the interval in dB, and the upper one.
static Text rangeOfSqnr(const api::TuneScore &score)
{
    const auto decibels = [](double noise) { return Text::number(-10 * std::log10(noise), 3); };
    const double most = score.noise() + *score.noiseUncertainty, least = score.noise() - *score.noiseUncertainty;
    if (!(least > 0)) return QL_TEXT("at least %1").with(decibels(most));
    return QL_TEXT("%1 to %2").with(decibels(most), decibels(least));
}

static bool hasRange(const api::TuneScore &score)
{
    return score.noiseUncertainty && score.noise() > 0 && std::isfinite(score.noise());
}

std::vector<Text> notesOn(const api::TuneScore &search, const std::optional<api::TuneScore> &confirm,
                          bool isAboutMetric)
{
    std::vector<Text> notes;
    if (!search.noiseRatio || (confirm && !confirm->noiseRatio))
        notes.push_back(
            QL_TEXT("The error at the outputs is undefined, because they contain NaN or infinite values: no "
                    "change can be compared with another. Run the analysis graphwise, which names the "
                    "operation."));
    if (!confirm) return notes;
    if (isAboutMetric && search.uncertainty && confirm->uncertainty) notes.push_back(howCertain(search, *confirm));
    if (hasRange(search) && hasRange(*confirm))
        notes.push_back(
            QL_TEXT("SQNR in dB of the noisiest output that goals are about, with 95 % intervals: %1 on the "
                    "samples that were searched, %2 on the others. More samples make it more certain.")
                .with(rangeOfSqnr(search), rangeOfSqnr(*confirm)));
    return notes;
}

} // namespace ql
