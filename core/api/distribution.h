#pragma once

#include "core/api/report.h"

/// Values of single tensors, reduced for tables and plots. Undefined and infinite measures are unset.
namespace ql::api {

struct Histogram
{
    std::optional<double> min, max;   ///< of the first and the last bin
    std::vector<std::int64_t> counts; ///< of bins of equal width

    friend bool operator==(const Histogram &, const Histogram &) = default;
};

/// Distinct values, ascending, and how often each occurs.
struct Levels
{
    std::vector<std::optional<double>> values;
    std::vector<std::int64_t> counts;

    friend bool operator==(const Levels &, const Levels &) = default;
};

struct Distribution
{
    std::optional<double> mean, std, skewness, kurtosis, min, max;
    Histogram histogram;
    // Only if measured with the parameter "fine"
    std::optional<std::int64_t> zeros; ///< number of values equal to 0
    std::optional<Levels> levels;      ///< if there are few distinct values

    friend bool operator==(const Distribution &, const Distribution &) = default;
};

/// A row of "statistics", "parameters" or "variables".
struct DistributionRow
{
    std::string op, type, variable;
    SlotRole role = SlotRole::Input; ///< as SlotName::role
    int index = 0;
    Distribution original, quantized, noise; ///< noise: quantized - original
    std::optional<double> noiseRatio;
    std::optional<std::int64_t> samples;   ///< unset for a parameter, which is the same in every sample
    std::optional<ChannelRanges> channels; ///< of "parameters"
};

/// Evenly chosen pairs of float and quantized values.
struct ValuePairs
{
    std::vector<std::optional<double>> original, quantized;
};

/// Extremes and quartiles of each channel along axis.
struct ChannelSpread
{
    std::int64_t axis = 0;
    std::vector<std::optional<double>> min, q1, median, q3, max;
};

/// A row of "details".
struct DetailRow
{
    std::string op, variable;
    SlotRole role = SlotRole::Input;
    int index = 0;
    ValuePairs pairs;
    std::optional<ChannelSpread> channels;
};

QL_HAS_JSON(DistributionRow)
QL_HAS_JSON(DetailRow)

} // namespace ql::api
