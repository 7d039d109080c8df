#pragma once

#include "views/bridge/document.h"

namespace ql {

/// What the buttons of the problems panel do. ids: as of "actions" in core/session/diagnosis.h.
/// @returns the button's text
QString remedyTitle(const QString &id);
/// What it does and what it costs, for a tool tip.
QString remedyMeaning(const QString &id);
/// The recipe with the remedy; as it was when it says so already.
nlohmann::json withRemedy(const Document &document, const ProblemAction &action);
/// Applies it as one undoable edit, and asks for its gain. operation: that the problem is about, empty for the whole
/// model. @throws Error (BadConfig) when the recipe would not be legal
void applyRemedy(Document &document, const ProblemAction &action, const QString &operation);

} // namespace ql
