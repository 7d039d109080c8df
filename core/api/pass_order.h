#pragma once

#include "core/api/pass_traits.h"
#include "core/api/recipe.h"

#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// Why a pass at its place in a recipe does not do what its name says.
struct PassOrderProblem
{
    enum class Kind {
        FloatAfterQuant, ///< it runs before quantization passes that stand in front of it
        ReadsLater,      ///< it reads scales that other finds behind it
        ReadsMissing,    ///< it reads scales that other would find, which is not among the passes
        ChangedLater,    ///< other, behind it, changes what it has worked on
        JoinsCalibrated, ///< it joins slots that have been calibrated one by one
        Repeated         ///< it stands in front already, with equal parameters and nothing to do again
    };
    Kind kind;
    std::string other; ///< the id of the pass that it is about, else empty
};

/// steps[at] among the passes of a recipe. @returns nothing for steps that are off, and where the place is right.
std::optional<PassOrderProblem> passOrderProblem(const std::vector<StepRequest> &steps, std::size_t at,
                                                 const PassCatalogue &passes);
/// As a sentence ("It reads scales that 'calibrate' finds later.").
Text text(const PassOrderProblem &problem);

} // namespace ql::api
