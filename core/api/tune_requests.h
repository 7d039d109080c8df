#pragma once

#include "core/api/methods.h"
#include "core/api/requests.h"
#include "core/api/tune.h"

/// The request of a window for a better recipe.
namespace ql::api {

struct TuneRequest : RecipeRequest
{
    std::vector<std::string> goals; ///< expressions, the most important first (docs/tune.md)
    std::vector<std::string> locks; ///< GLOB=int8|float|keep
    double seconds = 600;
    std::int64_t trials = 0; ///< at most; 0: no limit
    /// Measurements of an earlier search with this recipe, these goals and locks are used. The engine keeps them.
    bool resume = true;
    std::string metric;         ///< JSON file of a user's program that is the metric; empty: labels are
    bool allowCommands = false; ///< the user agrees to start it
};

/// A part of the answer: a trial, as soon as it is measured.
struct TuneStep
{
    TuneTrial trial;
    Recipe recipe;
    std::vector<std::int64_t> front; ///< of the trials so far, as TuneReport::front
};

namespace method {

/// Trials as they are measured: TuneStep. After a cancel the answer is missing, and the steps are what was found.
inline constexpr MethodOf<TuneRequest, TuneReport> tune{{"tune", Lane::Search}};

} // namespace method

QL_HAS_JSON(TuneRequest)
QL_HAS_JSON(TuneStep)

} // namespace ql::api
