#pragma once

#include "core/quant/quant_plan.h"

#include <nlohmann/json.hpp>

namespace ql {

/// {"axis", "min": [...], "max": [...]}: the range of every channel, against that of the whole tensor what one scale
/// for all of them costs. value: float32, axis: one of its dimensions.
nlohmann::json channelRanges(const at::Tensor &value, std::int64_t axis);
/// The axis of the output channels of the parameter in slot: that of its config, else what its operation says.
std::int64_t channelAxis(const QuantModel &model, Slot slot);
/// {"op", "variable", "channels"} for each weight of two dimensions or more that has one scale for all channels.
nlohmann::json sharedScaleWeights(const QuantModel &model);

} // namespace ql
