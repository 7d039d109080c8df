#pragma once

#include "views/bridge/document.h"

namespace ql {

/// What the buttons of the problems panel do: "actions" in core/session/diagnosis.h.
/// @returns the button's text
QString remedyTitle(const api::Action &action);
/// What it does and what it costs, for a tool tip.
QString remedyMeaning(const std::string &id);
/// The recipe with the remedy; as it was when it says so already.
api::Recipe withRemedy(const Document &document, const api::Action &action);
/// What it has changed in the output when it was tried on the recipe as it is, dB; nothing while no run tells.
std::optional<double> measuredGain(const Document &document, const api::Action &action);
/// From this gain on, a remedy that was tried is offered before those that were not; dB.
inline constexpr double worthwhileGain = 0.1;
/// Applies it as one undoable edit, and asks for its gain. operation: that the problem is about, empty for the whole
/// model. @throws Error (BadConfig) when the recipe would not be legal
void applyRemedy(Document &document, const api::Action &action, const QString &operation);

} // namespace ql
