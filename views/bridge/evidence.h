#pragma once

#include "views/bridge/snapshot.h"

namespace ql {

/// What a run's numbers say that deserves attention: operations that cost much by themselves, weights and activations
/// whose channels differ so much that one scale cannot hold them, values that clip, are not finite or never change,
/// operands that do not fit one scale. Each with the evidence as numbers and bars, and what can be done.
/// @param parameters the rows of the analysis "parameters", null when they are not there
/// @param ranges what the analysis "ranges" found, null when it is not there
QVector<ProblemInfo> evidenceOf(const RunData &run, const nlohmann::json &parameters,
                                const nlohmann::json &ranges = nullptr);

/// From this noise over signal at an output on, quantizing one operation alone deserves attention.
inline constexpr double costlyNoise = 0.05;
/// Below this output signal over noise, in decibels, the errors of all operations together deserve attention.
inline constexpr double poorSqnrDb = 15;
/// Largest channel over the median one from which on one scale per tensor is said to be too coarse.
inline constexpr double unevenChannels = 8;
/// Part of an activation's values that lie outside its quantized range, from which on that is told.
inline constexpr double muchClipped = 0.01;
/// Largest operand of an Add or Concat over the smallest one, from which on one scale for both is said to be too
/// coarse.
inline constexpr double unevenOperands = 8;
/// Of one kind, so many are told: the worst ones.
inline constexpr int mostOfAKind = 20;

} // namespace ql
