#pragma once

#include "core/quant/quant_plan.h"

#include <nlohmann/json.hpp>

namespace ql {

/// PPQ's config JSON of the whole model: "configs", "dispatchings" and "values".
nlohmann::ordered_json ppqConfig(const QuantModel &model);

} // namespace ql
