#pragma once

#include "core/quant/quant_plan.h"

#include <nlohmann/json.hpp>

namespace ql {

/// PPQ's config JSON of the whole model: "configs" by operation and variable, "dispatchings", and the "values" of
/// scales by the number of the config that owns them ("dominator"). PPQ numbers configs with hashes that change from
/// run to run; here they count.
nlohmann::ordered_json ppqConfig(const QuantModel &model);

} // namespace ql
