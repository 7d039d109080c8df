#pragma once

#include "core/pass/pass.h"

#include <string>
#include <vector>

namespace ql {

// Shared by passes on the plan.

/// The tensor's name, "" for noVar.
std::string variableName(const Graph &graph, Slot slot);
/// slot is an input with a constant value.
bool isParameterSlot(const Graph &graph, Slot slot);

/// Reports something about slot.
void reportSlot(const PassContext &context, const Graph &graph, Slot slot, api::Severity severity, const Text &message,
                const Text &remedy);

/// Whether a consumer's input that waits for calibration would round the tensor to the grid that the producer's output
/// has rounded it to.
bool roundsAgain(const QuantPlan &plan, Slot input, Slot output);

/// plan.overlap(slot, by) if both have a config and slot does not already lead by's group. @returns 1 if something
/// changed, otherwise 0
int overlapSlot(QuantPlan &plan, Slot slot, Slot by, const Origin &origin);
/// plan.share(slot, master) if both have a config and slot does not lead master's group. @returns 1 if something
/// changed, otherwise 0
int shareSlot(QuantPlan &plan, Slot slot, Slot master, const Origin &origin);

} // namespace ql
