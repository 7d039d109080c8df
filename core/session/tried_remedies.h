#pragma once

#include "core/session/prepare.h"
#include "core/session/remedy_list.h"

#include <optional>
#include <vector>

namespace ql {

/// The analysis that tries remedies, if the recipe asks for it.
const api::StepRequest *remedyTrials(const api::Recipe &recipe);

/// Runs the recipe with each remedy of the first problems that have one, as many as step asks for.
/// outputs: the errors without them. state.options.recent, if any, provides model and data.
/// @returns an entry for each remedy that could be run. @throws Cancelled
std::vector<TriedRemedy> tryRemedies(const RunState &state, const api::StepRequest &step,
                                     const std::vector<api::Problem> &problems,
                                     const std::vector<api::OutputRow> &outputs, const JobContext &job);

} // namespace ql
