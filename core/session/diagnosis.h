#pragma once

#include "core/api/noise.h"
#include "core/api/params.h"
#include "core/api/recipe.h"
#include "core/api/report.h"
#include "core/quant/quant_plan.h"
#include "core/session/remedy_list.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// The depthwise convolutions that read a tensor.
struct DepthwiseReaders
{
    std::set<std::string> operations;
    bool areAll = false; ///< nothing else reads it
};

/// Inputs of Softmax whose step is so large that probabilities differ by a factor between neighbouring codes, usually
/// because the masked scores share their scale.
struct CoarseScores
{
    std::map<std::string, double> steps; ///< by tensor: the inputs of Softmax, and operands that share its scale
    std::set<std::string> operations;    ///< each Softmax, and the addition of its mask
};

/// Input of a diagnosis: the measurements, and facts derived from model and recipe.
struct Facts
{
    std::vector<api::ErrorRow> layerwise;
    std::vector<api::OutputRow> outputs;
    std::vector<api::WeightRow> weights; ///< whose channels share one scale
    std::optional<api::Ranges> ranges;
    std::vector<api::NoiseRow> noise; ///< the worst first

    std::vector<api::ConfigRow> configs;        ///< of weights and of what is computed
    std::vector<api::StepRequest> passes;       ///< of the recipe
    std::vector<api::Rule> dispatch, overrides; ///< of the recipe
    std::set<std::string> equalizable;          ///< operations that layerwise equalization would scale
    std::set<std::string> computing; ///< operations with weights, which layerwise errors are limited to by default
    std::map<std::string, DepthwiseReaders> depthwise; ///< by tensor
    /// Without ranges: those of the tensors in missingRanges().
    std::vector<api::RangeRow> depthwiseInputs;
    CoarseScores scores;
    bool canScaleInputs = false; ///< the platform has scales per channel for these tensors, but they are off
    bool hasBiases = false;      ///< bias correction has biases to correct

    std::vector<TriedRemedy> tried; ///< whose gains are known
    bool listsAlternatives = false; ///< every one of them, to try them; otherwise the best one, or the first
};

/// The facts derived from model and recipe.
Facts factsOf(const QuantModel &model, const api::Recipe &recipe);

/// Problems found in the numbers: tensors whose rounding costs most at the outputs, operations that cost much by
/// themselves, errors that accumulate, weights and activations whose channels differ too much for one scale, values
/// that are clipped or not finite, feature channels that never change, operands that do not fit one scale. If the
/// outputs are good, everything except errors and values that are not finite is information.
/// @returns the worst of a kind first; actions: as RemedyList
std::vector<api::Problem> diagnose(const Facts &facts);

/// The tensors that depthwise convolutions read, rounded with one scale, whose channels a diagnosis has to compare: the
/// outputs are not good, and ranges were not measured.
std::set<std::string> missingRanges(const Facts &facts);

/// From this noise / signal at an output, quantizing only one operation needs attention.
inline constexpr double costlyNoise = 0.05;
/// If an output is not good, one operation that causes this fraction of its noise needs attention.
inline constexpr double dominantShare = 0.5;
/// If the output needs attention, so does one tensor that adds this fraction of the noise of all tensors.
inline constexpr double costlyTensor = 0.1;
/// The fraction of the output's noise below which an operation does not explain it.
inline constexpr double negligibleShare = 0.1;
/// The part of the output's noise that the measured operations make together, below which others make most of it.
inline constexpr double explainedShare = 0.5;
/// Up to this noise / signal (30 dB) at every output the result is good.
inline constexpr double goodNoise = 1e-3;
/// Below this output SQNR, in decibels, the errors of all operations together need attention.
inline constexpr double poorSqnrDb = 15;
/// Up to this fraction of differing class indices and other integers of an output, the result is good.
inline constexpr double goodDifference = 0.01;
/// From this differing fraction on, the output needs attention.
inline constexpr double costlyDifference = 0.1;
/// Lost accuracy, as a fraction, from which it is reported.
inline constexpr double costlyAccuracy = 0.01;
/// Largest / median channel from which one scale per tensor is reported as too coarse.
inline constexpr double unevenChannels = 8;
/// Fraction of an activation's values outside its quantized range from which it is reported.
inline constexpr double muchClipped = 0.01;
/// Largest / smallest operand of an Add or Concat from which one common scale is reported as too coarse.
inline constexpr double unevenOperands = 8;
/// Step of the input of Softmax from which it is too coarse: one step multiplies a probability by e.
inline constexpr double coarseScores = 1;
/// Maximum number of reports of one kind: the worst ones.
inline constexpr std::size_t mostOfAKind = 20;

} // namespace ql
