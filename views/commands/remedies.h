#pragma once

#include "views/bridge/document.h"

#include <optional>

namespace ql {

/// The effect of the buttons of the problems panel: "actions" in core/session/diagnosis.h.
/// @returns the button's text
QString remedyTitle(const api::Action &action);
/// Its effect and its cost, for a tool tip.
QString remedyMeaning(const std::string &id);
/// The recipe with the remedy; unchanged if it already has it.
api::Recipe withRemedy(const Document &document, const api::Action &action);
/// The effect of a remedy on the output.
struct RemedyGain
{
    double value = 0; ///< of SQNR in dB, or of equal integers in percentage points
    bool isDecibels = true;
    /// From this on, a remedy that was tried is offered before those that were not.
    bool helps() const { return value >= 0.05; }
};
/// Measured on the current recipe, by its own run or by trials during the shown one; nothing while unknown.
std::optional<RemedyGain> measuredGain(const Document &document, const api::Action &action);
/// Applies it as one undoable edit, and expects its gain. operation: of the problem, empty for the whole model. @throws
/// Error (BadConfig) if the recipe would be invalid
void applyRemedy(Document &document, const api::Action &action, const QString &operation);

} // namespace ql
