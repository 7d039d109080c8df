// Before: biases of the float network        After: biases trained for the smallest error of each block
//
// Only biases of quantized layers are trained: few numbers, which cannot overfit much. bias_correction computes them
// from mean outputs instead, without training; this pass continues from its result. Held-out samples decide whether a
// block keeps its new biases, which are the plan's own (QuantPlan::parameterValues).
#include "core/pass/training_pass.h"

namespace ql {

class BiasTuning final : public TrainingPass
{
public:
    explicit BiasTuning(const nlohmann::json &params) : TrainingPass("bias_tuning", params)
    {
        options.biasRate = rateOf(params, "bias_rate");
    }
};

static const PassRegistrar biasTuningRegistrar{
    {.info = {.id = "bias_tuning",
              .title = QL_TEXT("Bias tuning"),
              .meaning = QL_TEXT("Before: biases are those of the float network. After: they are trained so that each "
                                 "block's output is close to the float network's."),
              .params = trainingParams({rateParam("bias_rate", 1e-3, QL_TEXT("Learning rate of biases."))}, 300)},
     .traits = trainingTraits(),
     .make = makePassOf<BiasTuning>}};

} // namespace ql
