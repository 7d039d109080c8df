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

/// The first recipe of a search, and those that change nothing but its observers. None if no goal is about the metric.
std::vector<TuneRival> plainRivals(TuneTrials &trials, const api::Recipe &first, const Locks &locks,
                                   const std::vector<api::TuneTrial> &tried);

/// Whether a score is better than another: by the metric as far as that is certain, then by the error.
bool isBetterScore(const api::TuneScore &score, const api::TuneScore &other, bool isLoss);

} // namespace ql
