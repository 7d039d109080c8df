#pragma once

#include "core/session/prepare.h"
#include "core/session/remedy_list.h"

#include <optional>
#include <vector>

namespace ql {

/// The analysis that tries remedies, if the recipe asks for it; nullptr if not.
const api::StepRequest *remedyTrials(const api::Recipe &recipe);
/// Whether a run tries remedies: if the recipe asks for it, or measures what each operation costs.
bool triesRemedies(const api::Recipe &recipe);

struct RemedyTrials
{
    std::vector<TriedRemedy> tried;
    std::size_t remedies = 0; ///< of the worst problem
    std::size_t left = 0;     ///< of these, not tried because of their cost
};

/// Runs the recipe with each remedy of the worst problems: of as many as the recipe asks for, or as many remedies as
/// add a small share to the run, whose Schedule::passes() is passes, so that equal recipes try equal remedies. outputs:
/// the errors without them. state.options.recent, if any, provides model and data.
/// @throws Cancelled
RemedyTrials tryRemedies(const RunState &state, const std::vector<api::Problem> &problems,
                         const std::vector<api::OutputRow> &outputs, double passes, const JobContext &job);
/// A notice if not all remedies of the worst problem were tried.
std::optional<api::Problem> untriedNotice(const RemedyTrials &trials);

} // namespace ql
