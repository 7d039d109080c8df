// Before: scales from observers, weights of the float network        After: scales (and weights, biases) trained for
//                                                                           the smallest error of each block
//
// Block by block (4 levels deep by default), on the block's inputs as computed by the network quantized and trained so
// far: Adam minimizes the mean squared error of the block's outputs against the float network's. A scale's gradient is
// that of Esser et al., "Learned Step Size Quantization" (2020); rounding is straight-through for the tensor, with no
// gradient outside the range of the grid. Scales are trained relative to their first value, so that one learning rate
// suits all. The rate of weights doubles with each bit less, as the step of their grid does: at the rate of 8 bits,
// weights of 4 bits would move by a hundredth of a step (4 bits per channel on resnet20: 13.9 instead of 16.4 dB).
//
// Weights of 3 to 7 bits first get the scales with the smallest rounding errors (refine_scales): gradients move a scale
// by a few per cent, which is too little where the largest weight is far from the others.
//
// With the loss `classes`, the whole network is trained as one more block afterwards, by the divergence of its classes
// from the float network's (knowledge distillation; no labels are read). One sample per step is too noisy for this
// loss: squeezenet1.1 with weights of 4 bits does not improve then, but does with 4.
//
// A part of the calibration samples is held out: a block keeps the state with the smallest error on it. New weights and
// biases are the plan's own (QuantPlan::parameterValues). Conditions: slots that own a static linear scale which is not
// a power of two and is not fixed by the recipe; parameters in float32 that only the block reads and that are not
// baked. Zero points stay.
#include "core/pass/training_pass.h"

namespace ql {

class LearnedStepSize final : public TrainingPass
{
public:
    explicit LearnedStepSize(const nlohmann::json &params) : TrainingPass("learned_step_size", params)
    {
        options.loss = params["loss"] == "classes" ? Loss::Classes : Loss::Outputs;
        options.weightScaleRate = options.activationScaleRate = rateOf(params, "scale_rate");
        options.refineScales = options.weightScaleRate && params["refine_scales"];
        options.classSteps = params["class_steps"];
        options.classBatchSize = params["class_batch"];
        if (!params["weights"]) return;
        options.weightRate = options.biasRate = rateOf(params, "weight_rate");
    }
};

static const PassRegistrar learnedStepSizeRegistrar{
    {.info = {.id = "learned_step_size",
              .title = QL_TEXT("Learned step size (LSQ)"),
              .meaning = QL_TEXT("Before: scales come from observers, one tensor at a time. After: scales, and weights "
                                 "with them, are trained so that each block's output is close to the float network's."),
              .params = trainingParams(
                  {{.name = "weights",
                    .type = "bool",
                    .fallback = true,
                    .meaning = QL_TEXT("Also train weights and biases; otherwise only scales.")},
                   rateParam("scale_rate", 2e-3,
                             QL_TEXT("Learning rate of scales, relative to their first value; 0: not trained.")),
                   refineScalesParam(),
                   {.name = "loss",
                    .type = "enum",
                    .fallback = "outputs",
                    .meaning =
                        QL_TEXT("outputs: blocks are trained by the squared error of their outputs. classes: then "
                                "the whole network is trained to predict the float network's classes (axis 1 of "
                                "its outputs)."),
                    .choices = {"outputs", "classes"}},
                   {.name = "class_steps",
                    .type = "int",
                    .fallback = 0,
                    .meaning = QL_TEXT("With the loss classes: steps of the whole network; 0: as many as of a block."),
                    .min = 0,
                    .max = 1000000},
                   {.name = "class_batch",
                    .type = "int",
                    .fallback = 4,
                    .meaning = QL_TEXT("With the loss classes: number of samples for each step of the whole network."),
                    .min = 1,
                    .max = 1024},
                   rateParam("weight_rate", 1e-5,
                             QL_TEXT("Learning rate of weights and biases for weights of 8 bits, doubled for each bit "
                                     "less; 0: not trained."))},
                  500)},
     .traits = trainingTraits(),
     .make = makePassOf<LearnedStepSize>}};

} // namespace ql
