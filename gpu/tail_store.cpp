#include "gpu/tail_store.h"

#include "gpu/select_order.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ql::gpu {

namespace {

/// Mantissa bits dropped from a counted value, of 23.
constexpr int kDroppedBits = 13;

std::uint32_t binOf(float value)
{
    return orderKey(value, 0) >> kDroppedBits;
}

/// The middle of a bin; infinity itself, and 0 for subnormals.
float middleOf(std::uint32_t bin)
{
    const float lowest = fromOrderKey(bin << kDroppedBits, 0);
    if (std::isinf(lowest)) return lowest;
    const float middle = fromOrderKey((bin << kDroppedBits) + (1u << (kDroppedBits - 1)), 0);
    return std::abs(middle) < std::numeric_limits<float>::min() ? 0.f : middle;
}

} // namespace

TailEnd::TailEnd(std::int64_t keep, std::int64_t exact) : m_keep(std::max<std::int64_t>(keep, 1)), m_exact(exact) {}

void TailEnd::keepAtLeast(std::int64_t keep)
{
    m_keep = std::max(m_keep, keep);
}

std::size_t TailEnd::limit() const
{
    return std::size_t(std::max<std::int64_t>(2 * std::min(m_keep, m_exact), 64));
}

void TailEnd::store(float value)
{
    m_values.push_back(value);
    if (m_values.size() < limit()) return;
    if (m_keep > m_exact)
        startCounting();
    else
        tighten();
}

void TailEnd::tighten()
{
    if (m_values.size() <= std::size_t(m_keep)) return;
    const auto last = m_values.begin() + std::ptrdiff_t(m_keep) - 1;
    std::nth_element(m_values.begin(), last, m_values.end(), std::greater<>());
    m_bound = *last;
    m_values.resize(std::size_t(m_keep) - 1);
}

void TailEnd::raise(float bound)
{
    if (!(bound > m_bound)) return;
    m_bound = bound;
    std::erase_if(m_values, [bound](float value) { return !(value > bound); });
}

void TailEnd::startCounting()
{
    const std::vector<float> values = std::move(m_values);
    m_values = {};
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    m_firstBin = binOf(*low);
    m_counts.assign(binOf(*high) - m_firstBin + 1, 0);
    for (const float value : values) count(value);
}

void TailEnd::count(float value)
{
    const std::uint32_t bin = binOf(value);
    if (bin < m_firstBin) {
        m_counts.insert(m_counts.begin(), m_firstBin - bin, 0);
        m_firstBin = bin;
    }
    if (bin - m_firstBin >= m_counts.size()) m_counts.resize(bin - m_firstBin + 1, 0);
    ++m_counts[bin - m_firstBin];
    if (++m_sinceDrop >= m_keep) dropCounts();
}

/// Forgets the bins below the rank m_keep.
void TailEnd::dropCounts()
{
    m_sinceDrop = 0;
    std::int64_t above = 0;
    for (std::size_t i = m_counts.size(); i-- > 1;) {
        above += m_counts[i];
        if (above < m_keep) continue;
        // Everything in bin i stays; the largest value below it is the bound
        m_bound = std::nextafter(fromOrderKey((m_firstBin + std::uint32_t(i)) << kDroppedBits, 0),
                                 -std::numeric_limits<float>::infinity());
        m_counts.erase(m_counts.begin(), m_counts.begin() + std::ptrdiff_t(i));
        m_firstBin += std::uint32_t(i);
        return;
    }
}

void TailEnd::merge(const TailEnd &other)
{
    for (const float value : other.m_values) push(value);
    if (m_counts.empty()) raise(other.m_bound);
}

TailEnd TailEnd::piece() const
{
    TailEnd empty(m_keep, m_exact);
    empty.m_bound = m_bound;
    empty.m_values.reserve(limit());
    return empty;
}

float TailEnd::at(std::int64_t rank) const
{
    if (!m_counts.empty()) {
        for (std::size_t i = m_counts.size(); i-- > 0;) {
            rank -= m_counts[i];
            if (rank < 0) return middleOf(m_firstBin + std::uint32_t(i));
        }
        return m_bound + 0.f;
    }
    if (rank >= std::int64_t(m_values.size())) return m_bound + 0.f;
    std::vector<float> values = m_values;
    std::nth_element(values.begin(), values.begin() + rank, values.end(), std::greater<>());
    return values[std::size_t(rank)] + 0.f;
}

} // namespace ql::gpu
