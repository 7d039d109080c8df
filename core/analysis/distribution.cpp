#include "core/analysis/distribution.h"

#include "core/analysis/error_measure.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ql {

void LevelCounter::addOther(float value)
{
    if (m_values.empty()) {
        m_values.resize(capacity);
        m_counts.resize(capacity);
    }
    // Multiplicative hashing (Knuth, volume 3, section 6.4): the top bits, then the next free place
    constexpr int shift = 32 - std::countr_zero(capacity);
    std::size_t at = std::size_t((std::bit_cast<std::uint32_t>(value) * 2654435769U) >> shift);
    while (m_counts[at] > 0 && m_values[at] != value) at = (at + 1) % capacity;
    if (m_counts[at]++ == 0) {
        m_values[at] = value;
        ++m_size;
    }
    m_last = at;
}

std::vector<std::pair<float, std::int64_t>> LevelCounter::levels() const
{
    std::vector<std::pair<float, std::int64_t>> sorted;
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        if (m_counts[i] > 0) sorted.emplace_back(m_values[i], m_counts[i]);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

static at::Tensor flat(const at::Tensor &x)
{
    return x.is_non_overlapping_and_dense() ? x : x.contiguous();
}

void Distribution::addRange(const at::Tensor &tensor)
{
    const at::Tensor x = flat(tensor);
    const float *data = x.data_ptr<float>();
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        const double v = data[i];
        if (std::isnan(v)) continue;
        m_min = m_count ? std::min(m_min, v) : v;
        m_max = m_count ? std::max(m_max, v) : v;
        m_sum += v;
        ++m_count;
    }
}

void Distribution::addShape(const at::Tensor &tensor)
{
    if (m_count == 0) return;
    const at::Tensor x = flat(tensor);
    const float *data = x.data_ptr<float>();
    const double mean = m_sum / double(m_count);
    const double bins = double(m_counts.size());
    const double perBin = m_max > m_min ? bins / (m_max - m_min) : 0;
    for (std::int64_t i = 0; i < x.numel(); ++i) {
        const double v = data[i];
        if (!std::isfinite(v)) continue;
        const double d = v - mean;
        m_second += d * d;
        m_third += d * d * d;
        m_fourth += d * d * d * d;
        ++m_counts[std::size_t(std::clamp((v - m_min) * perBin, 0.0, bins - 1))];
        m_zeros += v == 0;
        if (m_isFine) m_levels.add(data[i]);
    }
}

api::Distribution Distribution::summary() const
{
    const double n = double(m_count);
    const double variance = m_count > 1 ? m_second / (n - 1) : 0;
    const double deviation = std::sqrt(variance);
    api::Distribution out;
    out.mean = ifFinite(m_sum / n);
    out.std = ifFinite(deviation);
    out.skewness = ifFinite(m_third / n / (deviation * variance));
    out.kurtosis = ifFinite(m_fourth / n / (variance * variance) - 3);
    out.min = out.histogram.min = ifFinite(m_min);
    out.max = out.histogram.max = ifFinite(m_max);
    out.histogram.counts = m_counts;
    if (!m_isFine) return out;
    out.zeros = m_zeros;
    if (m_levels.hasTooManyLevels()) return out;
    api::Levels &levels = out.levels.emplace();
    for (const auto &[value, count] : m_levels.levels()) {
        levels.values.push_back(ifFinite(value));
        levels.counts.push_back(count);
    }
    return out;
}

void TensorDistributions::add(int phase, const at::Tensor &fp, const at::Tensor &q, std::int64_t rows)
{
    const at::Tensor difference = q - fp;
    if (phase == 0) {
        original.addRange(fp);
        quantized.addRange(q);
        noise.addRange(difference);
        return;
    }
    original.addShape(fp);
    quantized.addShape(q);
    noise.addShape(difference);
    error.add(fp, q, rows);
}

void TensorDistributions::fill(api::DistributionRow &row) const
{
    row.original = original.summary();
    row.quantized = quantized.summary();
    row.noise = noise.summary();
    row.noiseRatio = ifFinite(error.noiseRatio());
    row.samples = error.samples();
}

} // namespace ql
