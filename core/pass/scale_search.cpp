// Before: scales from observers, each by its own tensor        After: scales that suit the output of their block
//
// For each scale of a block, one after the other: multiplied by each factor of a list; the one with the smallest mean
// squared error of the block's outputs against the float network stays. No gradients, so it also serves blocks with
// operations that have none. Held-out samples decide whether a block keeps its new scales. Conditions: those of
// learned_step_size for scales.
#include "core/pass/training_pass.h"

#include <cmath>

namespace ql {

class ScaleSearch final : public TrainingPass
{
public:
    explicit ScaleSearch(const nlohmann::json &params) : TrainingPass("scale_search", params)
    {
        options.weightScaleRate = options.activationScaleRate = 0;
        const int candidates = params["candidates"];
        const double widest = std::log(params["widest"].get<double>());
        for (int i = -candidates; i <= candidates; ++i)
            if (i != 0) options.factors.push_back(std::exp(widest * i / candidates));
    }
};

static const PassRegistrar scaleSearchRegistrar{
    {.info = {.id = "scale_search",
              .title = QL_TEXT("Scale search"),
              .meaning =
                  QL_TEXT("Before: each scale suits its own tensor. After: each is multiplied by the factor with "
                          "which its block's output is closest to the float network's."),
              .params = trainingParams({{.name = "candidates",
                                         .type = "int",
                                         .fallback = 4,
                                         .meaning = QL_TEXT("Number of factors to try above 1, and as many below."),
                                         .min = 1,
                                         .max = 64},
                                        {.name = "widest",
                                         .type = "float",
                                         .fallback = 1.4,
                                         .meaning = QL_TEXT("Largest factor; the smallest is 1 divided by it."),
                                         .min = 1.001,
                                         .max = 10}},
                                       0)},
     .traits = trainingTraits(),
     .make = makePassOf<ScaleSearch>}};

} // namespace ql
