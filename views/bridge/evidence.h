#pragma once

#include "views/bridge/snapshot.h"

namespace ql {

/// What a run's numbers say that deserves attention: operations that cost much by themselves, weights whose channels
/// differ so much that one scale cannot hold them. Each with the evidence as numbers and what can be done.
/// @param parameters the rows of the analysis "parameters", null when they are not there
QVector<ProblemInfo> evidenceOf(const RunData &run, const nlohmann::json &parameters);

/// From this noise over signal at an output on, quantizing one operation alone deserves attention.
inline constexpr double costlyNoise = 0.05;
/// Below this output signal over noise, in decibels, the errors of all operations together deserve attention.
inline constexpr double poorSqnrDb = 15;
/// Largest channel over the median one from which on one scale per tensor is said to be too coarse.
inline constexpr double unevenChannels = 8;

} // namespace ql
