#include "core/session/tune_rivals.h"

#include "core/tune/move.h"

#include <algorithm>
#include <cmath>

namespace ql {

std::vector<TuneRival> earlierRivals(const std::vector<std::pair<api::Recipe, std::int64_t>> &kept)
{
    constexpr std::size_t most = 4;
    std::vector<TuneRival> found;
    for (std::size_t back = 2; back <= std::min(most, kept.size()); ++back) {
        const auto &[recipe, trial] = kept[kept.size() - back];
        found.push_back({recipe, trial, {}});
    }
    return found;
}

std::vector<TuneRival> plainRivals(TuneTrials &trials, const api::Recipe &first, const Locks &locks,
                                   const std::vector<api::TuneTrial> &tried)
{
    std::vector<TuneRival> found;
    if (!trials.hasGoalAboutMetric()) return found;
    const auto add = [&](const api::Recipe &recipe, const Text &move) {
        const std::string hash = api::recipeHash(recipe);
        const auto trial =
            std::find_if(tried.begin(), tried.end(), [&](const api::TuneTrial &t) { return t.recipeHash == hash; });
        found.push_back({recipe, trial == tried.end() ? std::nullopt : std::optional(trial->id), move});
    };
    add(first, QL_TEXT("the unchanged recipe"));
    TuneCandidate candidate = trials.candidate(first);
    trials.quantize(candidate);
    for (const Move &move : observerMoves(*candidate.model, locks)) add(withMove(first, move), move.text);
    return found;
}

/// Metrics that differ by less are equal.
static double uncertaintyOf(const api::TuneScore &a, const api::TuneScore &b)
{
    return std::max(a.uncertainty.value_or(0), b.uncertainty.value_or(0));
}

bool isBetterScore(const api::TuneScore &score, const api::TuneScore &other, bool isLoss)
{
    if (score.metric && other.metric) {
        const double gain = isLoss ? *other.metric - *score.metric : *score.metric - *other.metric;
        if (std::abs(gain) > uncertaintyOf(score, other)) return gain > 0;
    }
    return score.error() < other.error();
}

bool isStartBetter(const BothHalves &start, const BothHalves &best, const std::vector<FailIf> &goals, bool isLoss)
{
    const auto isMet = [](const FailIf &goal, const api::TuneScore &score) {
        return goal.isMetBy(score.goals.at(goal.text()));
    };
    bool meetsAll = true;
    for (const FailIf &goal : goals) {
        const bool onSearch = isMet(goal, start.search), onConfirm = isMet(goal, start.confirm);
        if (isMet(goal, best.confirm) && (!onConfirm || (!onSearch && isMet(goal, best.search)))) return false;
        meetsAll = meetsAll && onSearch && onConfirm;
    }
    if (!meetsAll) return isBetterScore(start.confirm, best.confirm, isLoss);
    for (const FailIf &goal : goals) {
        if (goal.isAboutCost()) continue;
        const double ofStart = goal.shortBy(start.confirm.goals.at(goal.text())),
                     ofBest = goal.shortBy(best.confirm.goals.at(goal.text()));
        const double certain = goal.isAboutMetric() ? uncertaintyOf(start.confirm, best.confirm) : 0;
        if (std::abs(ofStart - ofBest) > certain) return ofStart < ofBest;
    }
    return start.confirm.error() < best.confirm.error();
}

std::vector<api::TuneGoal> goalsOf(const api::TuneScore &search, const std::optional<api::TuneScore> &confirm,
                                   const std::vector<FailIf> &goals)
{
    std::vector<api::TuneGoal> rows;
    for (const FailIf &goal : goals) {
        api::TuneGoal &row = rows.emplace_back(api::TuneGoal{goal.text(), true, std::nullopt, std::nullopt});
        const auto add = [&](const api::TuneScore &score, std::optional<double> &value) {
            const auto found = score.goals.find(goal.text());
            if (found != score.goals.end()) value = found->second;
            row.met = row.met && found != score.goals.end() && goal.isMetBy(value);
        };
        add(search, row.value);
        if (confirm) add(*confirm, row.confirmed);
    }
    return rows;
}

} // namespace ql
