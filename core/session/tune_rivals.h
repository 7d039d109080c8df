#pragma once

#include "core/session/tune_trials.h"
#include "core/tune/lock.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ql {

/// A recipe that may be better by the metric than the one with the smallest error at the outputs.
struct TuneRival
{
    api::Recipe recipe;
    std::optional<std::int64_t> trial; ///< unset: not tried yet
    Text move;
};

/// The recipes kept before the last one, that first. kept: with their trials.
std::vector<TuneRival> earlierRivals(const std::vector<std::pair<api::Recipe, std::int64_t>> &kept);
/// The first recipe of a search, and those that change nothing but its observers. None if no goal is about the metric.
std::vector<TuneRival> plainRivals(TuneTrials &trials, const api::Recipe &first, const Locks &locks,
                                   const std::vector<api::TuneTrial> &tried);

/// Whether a score is better than another: by the metric as far as that is certain, then by the error.
bool isBetterScore(const api::TuneScore &score, const api::TuneScore &other, bool isLoss);

/// What was measured of a recipe on both halves of the data.
struct BothHalves
{
    api::TuneScore search, confirm;
};
/// Whether the recipe that a search started with is the better result on TunePart::Confirm: it meets each goal there
/// that the best recipe meets there, and on both halves if that one does, and is nearer to the goals (of metrics: as
/// far as that is certain, then by the error); if it does not meet them all, by isBetterScore().
bool isStartBetter(const BothHalves &start, const BothHalves &best, const std::vector<FailIf> &goals, bool isLoss);
/// confirm: unset if there is no other data. What was not measured is not met.
std::vector<api::TuneGoal> goalsOf(const api::TuneScore &search, const std::optional<api::TuneScore> &confirm,
                                   const std::vector<FailIf> &goals);

} // namespace ql
