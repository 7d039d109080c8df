#pragma once

#include "core/api/tune.h"
#include "core/session/run.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace ql {

/// What a search is for, and its limits.
struct TuneOptions
{
    std::vector<std::string> goals; ///< expressions of FailIf, the most important first
    std::vector<std::string> locks; ///< GLOB=int8|float|keep
    double seconds = 600;
    std::size_t trials = 0;        ///< at most, a limit that does not depend on the machine; 0: none
    std::uint64_t seed = 0;        ///< of the split of the data
    std::filesystem::path metric;  ///< a user's command (core/metric/command.h) instead of labels; empty: none
    bool allowCommands = false;    ///< the user agrees to start it
    std::filesystem::path journal; ///< empty: none
    std::filesystem::path times;   ///< of operations on the target (core/tune/cost_table.h); empty: none
    bool resume = false;           ///< continue from the journal
    /// Called with each trial when it is measured.
    std::function<void(const api::TuneTrial &trial, const api::Recipe &recipe)> tried = [](const api::TuneTrial &,
                                                                                           const api::Recipe &) {};
    /// Called with the best recipe so far, first with the one that the search starts with.
    std::function<void(const api::Recipe &best)> improved = [](const api::Recipe &) {};
    /// Called with the trials so far, if there are any, before an Error or Cancelled ends the search.
    std::function<void(const api::TuneReport &soFar)> ended = [](const api::TuneReport &) {};
};

/// The recipe of a user for a search: nothing is exported, and there are enough samples to decide on, unless the recipe
/// has a number of its own.
api::Recipe searchedRecipe(api::Recipe recipe);

/// Searches for a recipe that meets the goals. The evaluation data is split: one part is searched, the best recipes are
/// measured again on the other. Without time limits, equal recipe, data, options and threads give equal trials.
/// @throws Error (BadConfig) for a goal or lock that cannot be read, a budget of zero, locks that leave nothing to
/// change, (BadData) without data; Cancelled: the last call of `improved` had the best recipe
api::TuneReport tuneRecipe(const api::Recipe &recipe, const TuneOptions &options, const RunOptions &runOptions,
                           const JobContext &job);

} // namespace ql
