#pragma once

#include "core/api/catalogue.h"
#include "core/api/recipe.h"

#include <QStringList>

namespace ql {

/// The edits from one complete recipe to another, one per line: "platform: TRT_INT8 → RKNN_INT8", "pass align: off",
/// "dispatch: stem to FP32". known: passes are called by their titles there, others by their ids
QStringList recipeDifference(const api::Recipe &before, const api::Recipe &after, const api::Catalogue &known = {});

/// The role of a rule, in the user's language.
QString roleText(api::SlotRole role);

} // namespace ql
