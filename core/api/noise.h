#pragma once

#include "core/api/json_pair.h"
#include "core/api/report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Where the noise at the outputs comes from: "noise" and "explanation" of a report.
namespace ql::api {

/// What the tensors of one operation add to the noise of a scale that several share; estimated.
struct NoisePart
{
    std::string op;
    std::optional<double> noiseRatio;

    friend bool operator==(const NoisePart &, const NoisePart &) = default;
};

/// A row of "noise": a tensor, or a parameter, that is rounded with a scale, and the noise that this alone adds to the
/// outputs.
struct NoiseRow
{
    SlotName slot; ///< that owns the scale
    std::string variable;
    std::optional<double> noiseRatio;  ///< sum over the outputs; unset if undefined
    bool isEstimated = true;           ///< from one backward pass; otherwise measured with only this slot rounded
    std::vector<NoisePart> parts = {}; ///< if tensors of several operations are rounded with the scale

    friend bool operator==(const NoiseRow &, const NoiseRow &) = default;
};

/// An input of an operation: how much of the noise in the operation's result came through it.
struct NoiseEdge
{
    std::string from, variable; ///< from: the operation that computes it; empty: an input of the graph
    std::optional<double> noiseRatio;

    friend bool operator==(const NoiseEdge &, const NoiseEdge &) = default;
};

/// A row of "operations" in "explanation": noise / signal in the first result of an operation.
struct NoiseOrigin
{
    std::string op, type, variable;
    std::optional<double> noiseRatio;           ///< in the quantized network: all of it
    std::optional<double> added;                ///< by the operation's own rounding, with float inputs
    std::vector<NoiseEdge> inputs;              ///< with this input from the quantized network, everything else float
    std::vector<std::optional<double>> samples; ///< noiseRatio of each sample

    friend bool operator==(const NoiseOrigin &, const NoiseOrigin &) = default;
};

/// 95 % intervals of a graph output's numbers, by bootstrap over the samples.
struct Confidence
{
    std::string variable;
    std::optional<double> sqnrLow, sqnrHigh;     ///< dB
    std::optional<double> worstDb;               ///< of the worst sample
    std::string worstSample;                     ///< its name
    std::optional<double> metricLow, metricHigh; ///< of quantized minus float, if the metric is a mean over samples
    /// dB with only activations, only weights, or only biases and other parameters rounded. Unset if there are none.
    std::optional<double> activationsDb, weightsDb, biasesDb;

    friend bool operator==(const Confidence &, const Confidence &) = default;
};

/// A sample with much noise at the outputs.
struct NoisySample
{
    std::string name;
    std::size_t index = 0;            ///< in Explanation::samples
    std::optional<double> noiseRatio; ///< at its worst output
    std::string image;                ///< as read, at most 96 pixels wide and high: PNG in base64; empty: not an image

    friend bool operator==(const NoisySample &, const NoisySample &) = default;
};

/// The report's "explanation".
struct Explanation
{
    std::vector<std::string> samples; ///< names
    std::vector<NoiseOrigin> operations;
    std::vector<Confidence> outputs;
    std::vector<NoisySample> worst; ///< up to 8 samples, the most noise first

    friend bool operator==(const Explanation &, const Explanation &) = default;
};

QL_HAS_JSON(NoiseRow)
QL_HAS_JSON(Explanation)

} // namespace ql::api
