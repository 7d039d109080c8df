// Before: scales from observers, weights rounded to nearest        After: roundings of weights and scales of
// activations
//                                                                         trained together, block by block
//
// Adaptive rounding of weights (see adaround.cpp) for a block of layers, together with the scales of its activations
// (Li et al., "BRECQ", 2021). With drop above 0 the values of activations are left in float at random during a step,
// one by one (Wei et al., "QDrop", 2022): the result then depends less on the few calibration samples.
//
// Held-out samples, without drops, decide whether a block keeps the result. Conditions: those of adaround and
// learned_step_size.
#include "core/pass/training_pass.h"

namespace ql {

class BlockReconstruction final : public TrainingPass
{
public:
    explicit BlockReconstruction(const nlohmann::json &params) : TrainingPass("block_reconstruction", params)
    {
        options.rounding = RoundingRule::Soft;
        options.weightRate = rateOf(params, "rounding_rate");
        options.activationScaleRate = rateOf(params, "scale_rate");
        options.biasRate = rateOf(params, "bias_rate");
        options.refineScales = params["refine_scales"];
        options.penalty = params["penalty"];
        options.dropRate = params["drop"];
    }
};

static const PassRegistrar blockReconstructionRegistrar{
    {.info = {.id = "block_reconstruction",
              .title = QL_TEXT("Blockwise reconstruction (BRECQ)"),
              .meaning = QL_TEXT("Before: scales come from observers, weights are rounded to nearest. After: roundings "
                                 "of weights and scales of activations are trained together for each block."),
              .params = trainingParams(
                  {rateParam("rounding_rate", 1e-2, QL_TEXT("Learning rate of roundings.")),
                   rateParam("scale_rate", 1e-3,
                             QL_TEXT("Learning rate of scales, relative to their first value; 0: not trained.")),
                   rateParam("bias_rate", 0, QL_TEXT("Learning rate of biases; 0: not trained.")),
                   penaltyParam(),
                   refineScalesParam(),
                   {.name = "drop",
                    .type = "float",
                    .fallback = 0,
                    .meaning = QL_TEXT("Probability that the value of an activation stays in float in a step (QDrop)."),
                    .min = 0,
                    .max = 1}},
                  1000)},
     .traits = trainingTraits(),
     .make = makePassOf<BlockReconstruction>}};

} // namespace ql
