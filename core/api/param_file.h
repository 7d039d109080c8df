#pragma once

#include "core/api/json_text.h"
#include "core/api/params.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace ql::api {

/// Parameters that a file declares (a platform, a preset): {"name", "type", "default", "min", "max", "choices", "unit",
/// "meaning"}.
/// @throws Error (BadConfig) with the place of what is wrong, such as a default outside the range.
std::vector<ParamSpec> paramsFromJson(const JsonNode &list);
nlohmann::json paramsToJson(const std::vector<ParamSpec> &specs);

} // namespace ql::api
