#pragma once

#include "core/session/prepare.h"

namespace ql {

// What a run says about its model, recipe and data before anybody looks at a number; each check appends to
// RunState::problems. What the numbers themselves say is core/session/diagnosis.h.

/// What to do about an operation that cannot be executed.
Text unsupportedRemedy(const UnsupportedOp &op);
/// @throws Error (UnsupportedOp) listing the operations that cannot be executed, once for each reason, and what to do.
void refuseUnsupported(const Graph &graph);
/// A model that rounds by itself is rounded twice: what an export wrote is taken for the model that it was made from.
void checkQuantizedAlready(RunState &state);
/// What the first pictures say about their preprocessing; other data say nothing of that kind.
void checkImages(RunState &state);
/// Passes of the recipe whose place among the others is of no use: the window tells the same while they are moved.
void checkPassOrder(RunState &state);
/// Simulation rounds float32 tensors: what a model computes in float16, say, stays as it is.
void checkFloatTypes(RunState &state);
/// Weights that follow from constants, but are no parameters: the pass fold_constants makes them some.
void checkComputedWeights(RunState &state);
/// A report full of perfect numbers is not what anybody wanted.
void checkAnythingQuantized(RunState &state);
/// Tensors that still wait for a scale when the last pass has run: nothing rounds them, whatever the dispatch says.
void checkEveryScale(RunState &state);

} // namespace ql
