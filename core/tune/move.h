#pragma once

#include "core/api/pass_traits.h"
#include "core/api/recipe.h"
#include "core/base/text.h"
#include "core/quant/quant_plan.h"
#include "core/tune/lock.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ql {

/// A change of a recipe that a search can try.
struct Move
{
    Text text;                        ///< what it changes
    std::vector<api::Rule> overrides; ///< added to an override with the same match; otherwise the last ones
    std::vector<api::Rule> dispatch;  ///< operations to another platform
    std::string pass;                 ///< to switch on
    std::string platformParam = {};   ///< of the platform, to set to true
    nlohmann::json passParams = nlohmann::json::object(); ///< of pass
    std::vector<std::string> without = {};                ///< passes to switch off
    std::int64_t calibrationSamples = 0;                  ///< 0: as many as before
    /// Of a move to float32 or 16 bits: one for each place, which together change the same.
    std::vector<Move> parts = {};
    std::vector<std::string> names = {}; ///< of a part: the operations, or tensors, that it changes
    double macs = 0, noise = 0;          ///< of a part: the share of the multiplications it moves, the noise it removes
    bool isTakenBack = false;            ///< a part
};
api::Recipe withMove(api::Recipe recipe, const Move &move);

/// Matches a slot of an activation alone.
api::RuleMatch matchOf(const Graph &graph, Slot slot);

/// Activations that have one scale, and the slot that owns it.
struct ScaleGroup
{
    Slot root;
    std::vector<Slot> slots; ///< including the root
    VarId variable = noVar;  ///< of the root
};
/// In execution order of their roots; those of fixed, dynamic and floating formats, which have no range to move, are
/// left out.
std::vector<ScaleGroup> scaleGroups(const QuantModel &model);
/// The one of them that this slot owns.
std::optional<ScaleGroup> scaleGroup(const QuantModel &model, Slot root);

struct NoisyGroup
{
    ScaleGroup group;
    double noise = 0; ///< that it adds
};
/// Those whose noise is known, the most first. noise: of each slot, see slotNoise()
std::vector<NoisyGroup> noisyGroups(const QuantModel &model, const std::map<Slot, double> &noise);

/// The plan with a group in float.
QuantPlan withoutGroup(const QuantPlan &plan, const ScaleGroup &group);

/// The plan with factor times the range of a group.
QuantPlan withRange(const QuantPlan &plan, const ScaleGroup &group, double factor);

/// Another observer for all activations: one move for each observer that fits.
std::vector<Move> observerMoves(const QuantModel &model, const Locks &locks);
/// Another observer for a group alone.
std::vector<Move> observerMoves(const QuantModel &model, const ScaleGroup &group);
/// The range of a group, factor times as wide. Nothing if it has several scales.
std::optional<Move> rangeMove(const QuantModel &model, const ScaleGroup &group, double factor);
/// The observer that suits rounding best for all weights.
std::vector<Move> weightMoves(const QuantModel &model, const Locks &locks);
/// Switching on those passes of the recipe that change the float network: equalization, rotation.
std::vector<Move> floatPassMoves(const api::Recipe &recipe);
/// Switching on those passes of the recipe that correct biases.
std::vector<Move> biasMoves(const api::Recipe &recipe);
/// Rounding: weights of a matrix one after the other, without an optimizer; also with more calibration samples, since
/// it follows them closely. Short: a few steps of the first pass that
/// has an optimizer, by the error at the outputs. Full: all of its steps, by the error at the outputs first, then
/// block by block.
enum class Training { Rounding, Short, Full };
/// Switching on those passes of the recipe that train weights, or training them longer.
std::vector<Move> trainingMoves(const api::Recipe &recipe, Training training);
/// What the target can do beyond its default scheme: the platform's parameters "asymmetric_activations" and
/// "depthwise_per_channel" (docs/platform-format.md), if it has them and they are false.
std::vector<Move> platformMoves(const api::Recipe &recipe);
/// Whether the target computes with activations of 16 bits: the platform's parameter "wide_activations" is false.
bool allowsWideActivations(const api::Recipe &recipe);
/// Whether the target computes with weights of 8 bits next to those of fewer, integers or floats: the platform's
/// parameter "weight_format" has such a format.
bool allowsWideWeights(const api::Recipe &recipe);
} // namespace ql
