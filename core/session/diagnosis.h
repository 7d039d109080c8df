#pragma once

#include "core/quant/quant_plan.h"

#include <nlohmann/json.hpp>

namespace ql {

/// What a report's numbers say that deserves attention: operations that cost much by themselves, errors that add up,
/// weights and activations whose channels differ so much that one scale cannot hold them, values that clip or are not
/// finite, channels of features that never change, operands that do not fit one scale. Where "outputs" tells that the
/// result is good, all but the errors and what is not finite is for information only.
/// @param facts members of a report, whichever are there: "configs", "layerwise", "outputs", "parameters", "ranges",
/// "recipe" (its "passes"), and "equalizable", names of operations that layerwise equalization would scale,
/// "has_biases", whether bias correction has something to correct
/// @returns rows of the report's "problems", worst of a kind first. Beside the usual members they may have "actions"
/// ([{"id": fp32 | fp32_readers | per_channel | equalize | observer | observers | bias_correction, one of "dispatch",
/// "overrides" (rules to add to those of the recipe) and "pass" (to turn on), "option": the same as an option of
/// 'run'}], best first; only what changes something), and the evidence as numbers, "values" with "values_meaning".
nlohmann::json diagnose(const nlohmann::json &facts);
/// The same, with what follows from the model itself.
nlohmann::json diagnose(nlohmann::json facts, const QuantModel &model);

/// From this noise over signal at an output on, quantizing one operation alone deserves attention.
inline constexpr double costlyNoise = 0.05;
/// Where the output deserves attention: one operation that makes this part of its noise does, too.
inline constexpr double dominantShare = 0.5;
/// Up to this noise over signal (30 dB) at every output the result is good.
inline constexpr double goodNoise = 1e-3;
/// Below this output signal over noise, in decibels, the errors of all operations together deserve attention.
inline constexpr double poorSqnrDb = 15;
/// Accuracy that is lost, as a part of 1, from which on it is told.
inline constexpr double costlyAccuracy = 0.01;
/// Largest channel over the median one from which on one scale per tensor is said to be too coarse.
inline constexpr double unevenChannels = 8;
/// Part of an activation's values that lie outside its quantized range, from which on that is told.
inline constexpr double muchClipped = 0.01;
/// Largest operand of an Add or Concat over the smallest one, from which on one scale for both is said to be too
/// coarse.
inline constexpr double unevenOperands = 8;
/// Of one kind, so many are told: the worst ones.
inline constexpr std::size_t mostOfAKind = 20;

} // namespace ql
