#pragma once

#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/api/report.h"
#include "core/quant/quant_plan.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// What a diagnosis is made from: what was measured, and what follows from model and recipe.
struct Facts
{
    std::vector<api::ErrorRow> layerwise;
    std::vector<api::OutputRow> outputs;
    std::vector<api::WeightRow> weights; ///< whose channels share one scale
    std::optional<api::Ranges> ranges;

    std::vector<api::ConfigRow> configs;  ///< of weights and of what is computed
    std::vector<api::StepRequest> passes; ///< of the recipe
    std::set<std::string> equalizable;    ///< operations that layerwise equalization would scale
    std::set<std::string> computing;      ///< operations with weights, which layerwise errors are limited to by default
    bool hasBiases = false;               ///< bias correction has something to correct
};

/// The part that follows from model and recipe.
Facts factsOf(const QuantModel &model, const api::Recipe &recipe);

/// What the numbers say that needs attention: operations that cost much by themselves, errors that accumulate, weights
/// and activations whose channels differ so much that one scale cannot hold them, values that are clipped or not
/// finite, channels of features that never change, operands that do not fit one scale. If the outputs are good, all but
/// the errors and what is not finite is information.
/// @returns the worst of a kind first; actions: the one that helps most first
std::vector<api::Problem> diagnose(const Facts &facts);

/// From this noise over signal at an output on, quantizing one operation alone needs attention.
inline constexpr double costlyNoise = 0.05;
/// If the output needs attention: so does one operation that makes this part of its noise.
inline constexpr double dominantShare = 0.5;
/// The part of the output's noise below which an operation explains none of it.
inline constexpr double negligibleShare = 0.1;
/// The part of the output's noise that the measured operations make together, below which others make most of it.
inline constexpr double explainedShare = 0.5;
/// Up to this noise over signal (30 dB) at every output the result is good.
inline constexpr double goodNoise = 1e-3;
/// Below this output signal over noise, in decibels, the errors of all operations together need attention.
inline constexpr double poorSqnrDb = 15;
/// Up to this part of class indices and other integers of an output that differ, the result is good.
inline constexpr double goodDifference = 0.01;
/// From this part on that differs, the output needs attention.
inline constexpr double costlyDifference = 0.1;
/// Accuracy that is lost, as a part of 1, from which on it is reported.
inline constexpr double costlyAccuracy = 0.01;
/// Largest channel over the median one from which on one scale per tensor is said to be too coarse.
inline constexpr double unevenChannels = 8;
/// Part of an activation's values outside its quantized range from which on that is reported.
inline constexpr double muchClipped = 0.01;
/// Largest operand of an Add or Concat over the smallest one, from which on one scale for both is said to be too
/// coarse.
inline constexpr double unevenOperands = 8;
/// At most so many of one kind are reported: the worst ones.
inline constexpr std::size_t mostOfAKind = 20;

} // namespace ql
