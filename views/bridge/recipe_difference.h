#pragma once

#include "core/api/recipe.h"

#include <QStringList>

namespace ql {

/// What leads from one complete recipe to another, an edit in a line: "platform: TRT_INT8 → RKNN_INT8", "pass align:
/// off", "dispatch: stem to FP32".
QStringList recipeDifference(const api::Recipe &before, const api::Recipe &after);

} // namespace ql
