#pragma once

#include "core/api/tune.h"
#include "core/base/error.h"
#include "core/quant/quant_plan.h"
#include "core/report/fail_if.h"
#include "core/tune/lock.h"
#include "core/tune/move.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// A goal is not met: where the rest of the noise comes from, and what is in float32 already. noise: of each slot.
std::vector<Text> whatItTakes(const QuantModel &model, const std::map<Slot, double> &noise, const Locks &locks);

/// Why multiplications have more than 8 bits.
struct WideOperations
{
    std::vector<std::string> names;    ///< of all such operations
    std::vector<std::string> patterns; ///< of locks that keep operations with multiplications in float32
    double lockedShare = 0;            ///< of these, of all multiplications
};
WideOperations wideOperations(const QuantModel &model, const Locks &locks);

/// @throws Error (BadConfig) if no operation is quantized, not even without locks
void refuseNothingQuantized(const QuantModel &model, const Locks &locks, const std::string &platform);
/// @throws Error (BadConfig) if no quantized operation may change
void refuseFullLocks(const QuantModel &model, const Locks &locks);
/// Changes of a search add bits and never remove any. @throws Error (BadConfig) for a goal about bits that the recipe
/// at its start, with this cost, does not meet, and no costlier one either
void refuseCheaper(const std::vector<FailIf> &goals, const api::TuneCost &cost, const WideOperations &wide);

/// For each goal that is not met the reason: a time that the search did not lower, or what ofErrors() says.
/// @pre report.goals are those of goals
void addNotesOnGoals(api::TuneReport &report, const std::vector<FailIf> &goals,
                     const std::function<std::vector<Text>()> &ofErrors);

/// What to know about the best recipe's scores: an undefined error, and how certain the drop of the metric is if a goal
/// is about it. confirm: unset if there is no other data.
std::vector<Text> notesOn(const api::TuneScore &search, const std::optional<api::TuneScore> &confirm,
                          bool isAboutMetric);

/// The search found nothing that helps on other data.
Text startIsBetter();
/// Of the samples that were searched, or of the others, only some count for the metric.
Text fewLabels(bool isSearched, std::int64_t labelled, std::int64_t samples);
/// The first of the ranked tensors.
std::vector<api::TuneCause> worstCauses(const Graph &graph, const std::vector<NoisyGroup> &ranked);
Error noBudget();
/// @pre an exception is being handled, which ended the search
Text whyEnded();
/// No time is left, and the goals were not measured on all of the data, or are not met. wasTried: at least one change;
/// seconds: of the search.
Text budgetEnded(bool isMeasured, bool wasTried, double seconds, double budget);

} // namespace ql
