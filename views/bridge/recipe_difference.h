#pragma once

#include "core/api/recipe.h"

#include <QStringList>

namespace ql {

/// The edits from one complete recipe to another, one per line: "platform: TRT_INT8 → RKNN_INT8", "pass align: off",
/// "dispatch: stem to FP32".
QStringList recipeDifference(const api::Recipe &before, const api::Recipe &after);

} // namespace ql
