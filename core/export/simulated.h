#pragma once

#include "core/quant/quant_plan.h"

namespace ql {

/// The config of slot when it takes part in simulation: Active, Passive or Baked, with a scale. nullptr otherwise.
const TensorQuantConfig *simulated(const QuantModel &model, Slot slot);

/// The float value that the simulator uses for parameter input i of op: the plan's own value where it has one, on the
/// grid of its slot where that is simulated. float32. @pre the input is a parameter
at::Tensor simulatedParameter(const QuantModel &model, OpId op, std::size_t i);

} // namespace ql
