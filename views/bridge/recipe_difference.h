#pragma once

#include <QStringList>
#include <nlohmann/json.hpp>

namespace ql {

/// What leads from one complete recipe to another, an edit in a line: "platform: TRT_INT8 → RKNN_INT8", "pass align:
/// off", "dispatch: stem to FP32".
QStringList recipeDifference(const nlohmann::json &before, const nlohmann::json &after);

} // namespace ql
