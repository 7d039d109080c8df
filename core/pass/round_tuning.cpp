// Before: weights rounded to the nearest grid point        After: each rounded down or up, whichever suits the block
//
// Like adaround, but a weight is rounded up as soon as its trained number exceeds a half, with a straight-through
// gradient and no penalty (RoundTuning of PPQ); biases are trained with it. A block whose held-out error did not fall
// keeps its roundings and biases.
#include "core/pass/training_pass.h"

namespace ql {

class RoundTuning final : public TrainingPass
{
public:
    explicit RoundTuning(const nlohmann::json &params) : TrainingPass("round_tuning", params)
    {
        options.rounding = RoundingRule::Step;
        options.weightRate = rateOf(params, "rounding_rate");
        options.biasRate = rateOf(params, "bias_rate");
    }
};

static const PassRegistrar roundTuningRegistrar{
    {.info = {.id = "round_tuning",
              .title = QL_TEXT("Round tuning"),
              .meaning = QL_TEXT("Before: every weight is rounded to the nearest grid point. After: weights near the "
                                 "middle of two grid points are rounded to the one that suits the block."),
              .params =
                  trainingParams({rateParam("rounding_rate", 1e-4, QL_TEXT("Learning rate of roundings.")),
                                  rateParam("bias_rate", 1e-4, QL_TEXT("Learning rate of biases; 0: not trained."))},
                                 500)},
     .traits = trainingTraits(),
     .make = makePassOf<RoundTuning>}};

} // namespace ql
