#pragma once

#include "views/bridge/document.h"

namespace ql {

/// The effect of the buttons of the problems panel: "actions" in core/session/diagnosis.h.
/// @returns the button's text
QString remedyTitle(const api::Action &action);
/// Its effect and its cost, for a tool tip.
QString remedyMeaning(const std::string &id);
/// The recipe with the remedy; unchanged if it already has it.
api::Recipe withRemedy(const Document &document, const api::Action &action);
/// Its effect on the output when it was tried on the current recipe, dB; nothing while unknown.
std::optional<double> measuredGain(const Document &document, const api::Action &action);
/// From this gain on, a remedy that was tried is offered before those that were not; dB.
inline constexpr double worthwhileGain = 0.1;
/// Applies it as one undoable edit, and expects its gain. operation: of the problem, empty for the whole model. @throws
/// Error (BadConfig) if the recipe would be invalid
void applyRemedy(Document &document, const api::Action &action, const QString &operation);

} // namespace ql
