#pragma once

#include "core/quant/quant_plan.h"
#include "core/tune/lock.h"
#include "core/tune/move.h"

#include <map>
#include <vector>

namespace ql {

/// A place where a network can do without rounding. Operations that multiply by weights run in float32; if it is a
/// tensor that is no longer rounded, these are all that read it, so that nothing else has to change.
struct FloatStep
{
    std::vector<OpId> operations; ///< to float32
    std::vector<Slot> slots;      ///< of other operations, which are not rounded any more
    std::vector<Slot> fused;      ///< between the operations and activations fused with them: they stay unrounded
    std::vector<Slot> group;      ///< that have the scale of the tensor; empty: weights alone
    double gain = 0;              ///< noise that it removes
    double share = 0;             ///< of all multiplications, those that move to float32
    double bytes = 0;             ///< that weights take more
};

/// Those that remove most noise for the multiplications they cost come first; each assumes those before it. Steps that
/// locks forbid or that remove next to nothing are left out. noise: of each slot, see slotNoise().
std::vector<FloatStep> floatSteps(const QuantModel &model, const std::map<Slot, double> &noise, const Locks &locks);
/// Steps of operations that belong together, such as all depthwise convolutions, and take few multiplications: groups
/// that remove most noise for them come first. They are independent of each other.
std::vector<std::vector<FloatStep>> floatGroups(const QuantModel &model, const std::map<Slot, double> &noise,
                                                const Locks &locks);
/// Several steps together.
Move floatMove(const Graph &graph, const std::vector<FloatStep> &steps);
/// Their tensors in 16 bits instead.
Move wideMove(const Graph &graph, const std::vector<FloatStep> &steps);
/// Weights that have fewer bits in 8 bits instead.
Move wideWeightMove(const QuantModel &model, const std::vector<FloatStep> &steps);

/// What becomes of a step.
enum class Raise { ToFloat, WideTensors, WideWeights };
Move raiseMove(Raise raise, const QuantModel &model, const std::vector<FloatStep> &steps);
/// Without steps that this does not change: 16 bits are for tensors, 8 bits for weights.
std::vector<FloatStep> stepsFor(Raise raise, const QuantModel &model, std::vector<FloatStep> steps);

} // namespace ql
