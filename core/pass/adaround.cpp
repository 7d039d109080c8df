// Before: weights rounded to the nearest grid point        After: each rounded down or up, whichever suits the block
//
// The rounding of each weight is a trained number between 0 (down) and 1 (up); it begins where the weight is, and a
// penalty drives it to 0 or 1 (Nagel et al., "Up or Down? Adaptive Rounding for Post-Training Quantization", 2020, here
// for a block of layers instead of one, as in PPQ). Scales stay, except that weights of 3 to 7 bits first get those
// with the smallest rounding errors (refine_scales). Written are weights on their grid (QuantPlan::parameterValues), so
// exporters and runtimes round them to the same codes.
//
// Held-out samples decide whether a block keeps its new roundings. Conditions: weights with a static linear scale, in
// float32, read by one operation and not baked.
#include "core/pass/training_pass.h"

namespace ql {

class Adaround final : public TrainingPass
{
public:
    explicit Adaround(const nlohmann::json &params) : TrainingPass("adaround", params)
    {
        options.rounding = RoundingRule::Soft;
        options.weightRate = rateOf(params, "rounding_rate");
        options.biasRate = rateOf(params, "bias_rate");
        options.refineScales = params["refine_scales"];
        options.penalty = params["penalty"];
    }
};

static const PassRegistrar adaroundRegistrar{
    {.info = {.id = "adaround",
              .title = QL_TEXT("Adaptive rounding (AdaRound)"),
              .meaning = QL_TEXT("Before: every weight is rounded to the nearest grid point. After: each is rounded up "
                                 "or down so that the block's output is close to the float network's."),
              .params = trainingParams({rateParam("rounding_rate", 1e-2, QL_TEXT("Learning rate of roundings.")),
                                        rateParam("bias_rate", 0, QL_TEXT("Learning rate of biases; 0: not trained.")),
                                        penaltyParam(), refineScalesParam()},
                                       1000)},
     .traits = trainingTraits(),
     .make = makePassOf<Adaround>}};

} // namespace ql
