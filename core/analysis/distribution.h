#pragma once

#include "core/analysis/error_measure.h"

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

namespace ql {

/// Distribution of the values of one tensor over many batches: mean, unbiased standard deviation, skewness, excess
/// kurtosis, minimum, maximum and a histogram of equal bins between them. Two passes over the data: addRange for every
/// batch, then addShape for every batch. All elements count, in double; NaN are left out.
/// Fine: more bins, and each value by itself where there are at most 256 of them, as of a tensor on a grid of 8 bits.
class Distribution
{
public:
    explicit Distribution(bool isFine = false) : m_isFine(isFine), m_counts(isFine ? 512 : 64, 0) {}
    /// x: float32, any layout.
    void addRange(const at::Tensor &x);
    void addShape(const at::Tensor &x);
    bool empty() const { return m_count == 0; }
    double min() const { return m_min; }
    double max() const { return m_max; }
    /// {mean, std, skewness, kurtosis, min, max, histogram: {min, max, counts}}; null where undefined. Fine: also
    /// zeros, how many there are, and levels: {values, counts}, ascending, where there are few.
    nlohmann::json toJson() const;

private:
    std::int64_t m_count = 0;
    double m_sum = 0, m_min = 0, m_max = 0;
    double m_second = 0, m_third = 0, m_fourth = 0; ///< sums of powers of (x - mean)
    bool m_isFine;
    std::vector<std::int64_t> m_counts;
    std::int64_t m_zeros = 0;
    std::unordered_map<float, std::int64_t> m_levels; ///< fine: how often each value occurs, until there are too many
};

/// Float, quantized and noise (quantized - float) distributions of one tensor.
struct TensorDistributions
{
    explicit TensorDistributions(bool isFine = false) : original(isFine), quantized(isFine) {}

    Distribution original, quantized, noise;
    ErrorMeasure error;

    /// phase 0: ranges, phase 1: shapes. Both tensors float32 and of one shape. rows: as ErrorMeasure::add.
    void add(int phase, const at::Tensor &fp, const at::Tensor &q, std::int64_t rows);
    /// {"float": ..., "quantized": ..., "noise": ..., "noise_ratio", "samples"}: as in the other errors
    nlohmann::json toJson() const;
};

} // namespace ql
