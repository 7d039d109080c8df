#pragma once

#include "views/bridge/document.h"

namespace ql {

/// What the buttons of the problems panel do. ids: as of "actions" in core/session/diagnosis.h.
/// @returns the button's text
QString remedyTitle(const QString &id);
/// What it does and what it costs, for a tool tip.
QString remedyMeaning(const QString &id);
/// The recipe with the remedy for operation; null when it does not apply: the pass is on, nothing is observed.
/// operation is empty when the problem is about the whole model; variable: the tensor that it is about, may be empty.
nlohmann::json withRemedy(const Document &document, const QString &id, const QString &operation,
                          const QString &variable = {});
/// Applies it as one undoable edit, and asks for its gain. @throws Error (BadConfig) when the recipe would not be legal
void applyRemedy(Document &document, const QString &id, const QString &operation, const QString &variable = {});

} // namespace ql
