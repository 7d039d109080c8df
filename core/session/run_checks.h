#pragma once

#include "core/session/prepare.h"

namespace ql {

// Checks of a run's model, recipe and data, before any number is measured; each appends to RunState::problems. For
// checks of the numbers see core/session/diagnosis.h.

/// Whether the run only exports files that may be uncalibrated.
bool exportsUncalibrated(const api::Recipe &recipe);
/// Before any work. @throws Error (BadData) if a pass needs calibration data and the recipe names none
void requireCalibrationData(const api::Recipe &recipe);
/// What to do about an operation that cannot be executed.
Text unsupportedRemedy(const UnsupportedOp &op);
/// @throws Error (UnsupportedOp) listing the operations that cannot be executed, once per reason, and what to do.
void refuseUnsupported(const Graph &graph);
/// A model with its own rounding would be rounded twice: an export mistaken for its original.
void checkQuantizedAlready(RunState &state);
/// The preprocessing of the first images; other data gives no such hints.
void checkImages(RunState &state);
/// Passes of the recipe whose position makes them useless: the window shows the same while they are moved.
void checkPassOrder(RunState &state);
/// Simulation rounds float32 tensors: tensors in float16, for example, stay unchanged.
void checkFloatTypes(RunState &state);
/// Weights that are computed from constants, but are not parameters: the pass fold_constants turns them into
/// parameters.
void checkComputedWeights(RunState &state);
/// What to say and, if the model gives no other reason, to do about a model that the platform does not quantize.
Text nothingQuantized(const std::string &platform);
Text chooseOtherPlatform();
/// A report full of perfect numbers is probably not intended.
void checkAnythingQuantized(RunState &state);
/// Operator types in rules of the platform and the recipe that neither this program nor the model has, but that
/// resemble one: misspelt.
void checkOperatorTypes(RunState &state);
/// After the last pass: overrides, and parameters of observers in them, without effect; tensors that still wait for a
/// scale, so that nothing rounds them, regardless of the dispatch.
void checkPlan(RunState &state);

} // namespace ql
