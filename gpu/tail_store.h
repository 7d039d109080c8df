#pragma once

#include "gpu/error.h"
#include "gpu/reduce.h"

#include <cstdint>
#include <limits>
#include <vector>

// Order statistics near both ends of all values of a stream of float32 arrays, in bounded memory.
namespace ql::gpu {

/// The largest values of a stream. Ranks below `keep` are exact while at most `exact` values must be stored. With a
/// larger `keep`, values are counted on a grid of 1024 steps per power of two instead: the result is then within 0.05
/// %, and memory is at most 4 MiB for any stream.
class TailEnd
{
public:
    explicit TailEnd(std::int64_t keep, std::int64_t exact);

    /// Raises the number of exact ranks for the values to come.
    void keepAtLeast(std::int64_t keep);
    std::int64_t keep() const { return m_keep; }
    /// A value not above it needs no push().
    float bound() const { return m_bound; }
    /// value must not be NaN.
    void push(float value)
    {
        if (!(value > m_bound)) return;
        if (m_counts.empty())
            store(value);
        else
            count(value);
    }
    /// At least keep() values of the stream are known to be `bound` or larger.
    void raise(float bound);
    void merge(const TailEnd &other);
    /// An empty tail with the same settings and bound, for a piece of the next array, with memory for its values.
    TailEnd piece() const;
    /// Whether values are counted instead of stored, now or soon.
    bool isCounting() const { return !m_counts.empty() || m_keep > m_exact; }
    /// The value of that rank, 0 for the largest. For ranks of keep() or more it may be too large.
    float at(std::int64_t rank) const;

private:
    std::size_t limit() const;
    void store(float value);
    void tighten();
    void startCounting();
    void count(float value);
    void dropCounts();

    // Values above m_bound are in m_values, or counted; at least m_keep values are m_bound or more, or it is -infinity.
    float m_bound = -std::numeric_limits<float>::infinity();
    std::int64_t m_keep, m_exact;
    std::vector<float> m_values;
    std::vector<std::int64_t>
        m_counts; ///< by upper bits of the order key, from m_firstBin on; empty: values are stored
    std::uint32_t m_firstBin = 0;
    std::int64_t m_sinceDrop = 0;
};

/// Both ends of a stream, and its range. NaN are left out and counted in range.
struct TailStore
{
    TailStore(std::int64_t keepLow, std::int64_t keepHigh, std::int64_t exact)
        : low(keepLow, exact), high(keepHigh, exact)
    {}
    void add(float value)
    {
        if (value != value) {
            ++range.nanCount;
            return;
        }
        range.min = value < range.min ? value : range.min;
        range.max = value > range.max ? value : range.max;
        low.push(-value);
        high.push(value);
    }
    /// Of all values but NaN.
    std::int64_t size() const { return seen - range.nanCount; }

    TailEnd low, high; ///< low: of the negated values
    MinMax range;
    std::int64_t seen = 0;
};

/// Adds the elements of x to the stream. The results do not depend on the order of elements.
void addTailsCpu(const float *x, std::int64_t n, TailStore *store);

} // namespace ql::gpu
