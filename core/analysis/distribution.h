#pragma once

#include "core/analysis/error_measure.h"
#include "core/api/distribution.h"

#include <ATen/core/Tensor.h>
#include <utility>
#include <vector>

namespace ql {

/// Counts of each value among values with few distinct ones, as on an 8-bit grid.
class LevelCounter
{
public:
    static constexpr std::size_t mostLevels = 256;
    void add(float value)
    {
        // -0 counts as 0; runs of equal values, such as zeros, are frequent
        if (value == 0) value = 0;
        if (m_last < capacity && m_values[m_last] == value) {
            ++m_counts[m_last];
            return;
        }
        if (!hasTooManyLevels()) addOther(value);
    }
    /// There were too many distinct values; the counts are invalid.
    bool hasTooManyLevels() const { return m_size > mostLevels; }
    /// Ascending.
    std::vector<std::pair<float, std::int64_t>> levels() const;

private:
    static constexpr std::size_t capacity = 1024; ///< a power of two, well above mostLevels
    void addOther(float value);

    std::vector<float> m_values;
    std::vector<std::int64_t> m_counts; ///< 0: the place is free
    std::size_t m_size = 0, m_last = capacity;
};

/// Distribution of the values of one tensor over many batches: mean, unbiased standard deviation, skewness, excess
/// kurtosis, minimum, maximum and a histogram of equal bins between them. Two passes over the data: addRange for every
/// batch, then addShape for every batch. All elements count, in double; NaN are left out. Fine: more bins, and separate
/// counts of each value if there are at most 256 distinct ones, as in a tensor on an 8-bit grid.
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
    api::Distribution summary() const;

private:
    std::int64_t m_count = 0;
    double m_sum = 0, m_min = 0, m_max = 0;
    double m_second = 0, m_third = 0, m_fourth = 0; ///< sums of powers of (x - mean)
    bool m_isFine;
    std::vector<std::int64_t> m_counts;
    std::int64_t m_zeros = 0;
    LevelCounter m_levels; ///< fine
};

/// Float, quantized and noise (quantized - float) distributions of one tensor.
struct TensorDistributions
{
    explicit TensorDistributions(bool isFine = false) : original(isFine), quantized(isFine) {}

    Distribution original, quantized, noise;
    ErrorMeasure error;

    /// phase 0: ranges, phase 1: shapes. Both tensors float32 with the same shape. rows: as in ErrorMeasure::add.
    void add(int phase, const at::Tensor &fp, const at::Tensor &q, std::int64_t rows);
    /// Writes the distributions and the error; the names in row stay.
    void fill(api::DistributionRow &row) const;
};

} // namespace ql
