#pragma once

#include "core/api/pass_traits.h"
#include "core/api/recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// Why a pass at its position in a recipe has no or an unexpected effect.
struct PassOrderProblem
{
    enum class Kind {
        FloatAfterQuant, ///< it runs before quantization passes that are listed before it
        ReadsLater,      ///< it reads scales that other sets later
        ReadsMissing,    ///< it reads scales that other would set, which is not among the passes
        ChangedLater,    ///< other, after it, changes its result
        JoinsCalibrated, ///< it joins slots that have been calibrated separately
        Repeated         ///< it already ran with equal parameters and has nothing to do again
    };
    Kind kind;
    std::string other; ///< the id of the other pass, if any
};

/// steps[at] among the passes of a recipe. @returns nothing for disabled steps and valid positions.
std::optional<PassOrderProblem> passOrderProblem(const std::vector<StepRequest> &steps, std::size_t at,
                                                 const PassCatalogue &passes);
/// As a sentence ("It reads scales that 'calibrate' finds later.").
Text text(const PassOrderProblem &problem);

} // namespace ql::api
