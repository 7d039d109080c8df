#include "gpu/tails.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "gpu/isa_clones.h"
#include "gpu/parallel.h"
#include "gpu/reduce.h"
#include "gpu/tails_order.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace ql::gpu {

namespace {

constexpr std::int64_t kScan = 64; // elements looked at together; one bit of a mask each

std::int64_t threadCount()
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/// @returns the first multiple of kScan from begin on where a group has an element outside [lo, hi] (or a NaN), or
/// where fewer than kScan elements are left before end; *mask says which of its elements those are.
struct NextGroup
{
    static QL_INLINE std::int64_t run(const float *x, std::int64_t begin, std::int64_t end, float lo, float hi,
                                      std::uint64_t *mask)
    {
        for (; begin + kScan <= end; begin += kScan) {
            const float *group = x + begin;
            std::int32_t any = 0;
            for (std::int64_t j = 0; j < kScan; ++j) any |= !((group[j] >= lo) & (group[j] <= hi));
            if (!any) continue;
            std::uint64_t bits = 0;
            for (std::int64_t j = 0; j < kScan; ++j) bits |= std::uint64_t(!((group[j] >= lo) & (group[j] <= hi))) << j;
            *mask = bits;
            return begin;
        }
        return begin;
    }
};

/// The `keep` largest (Before = greater) or smallest (Before = less) of the values pushed, and a bound that a value
/// must pass to be among them. Values are collected in a buffer of a few times that size; when it is full, the ones
/// that cannot be among them are dropped and the bound moves. So all but about keep * log(n / keep) values of an array
/// in no particular order fail the bound, and even in the worst order the work stays proportional to n.
template <class Before>
class Extremes
{
public:
    Extremes(std::int64_t keep, float loosest)
        : m_bound(loosest), m_keep(std::size_t(keep)), m_limit(std::max<std::size_t>(4 * m_keep, 64))
    {
        m_values.reserve(m_limit);
    }
    float bound() const { return m_bound; }
    void push(float value)
    {
        if (m_full && !Before{}(value, m_bound)) return;
        m_values.push_back(value);
        if (m_values.size() == m_limit) tighten();
    }
    void merge(const Extremes &other)
    {
        for (const float value : other.m_values) push(value);
    }
    /// The value of rank 0 (most extreme), 1 ... @pre rank < the number of values pushed, rank < keep
    float at(std::int64_t rank)
    {
        std::nth_element(m_values.begin(), m_values.begin() + rank, m_values.end(), Before{});
        return m_values[std::size_t(rank)];
    }

private:
    void tighten()
    {
        const auto last = m_values.begin() + std::ptrdiff_t(m_keep) - 1;
        std::nth_element(m_values.begin(), last, m_values.end(), Before{});
        m_bound = *last;
        m_full = true;
        m_values.resize(m_keep);
    }

    float m_bound;
    std::size_t m_keep, m_limit;
    bool m_full = false; ///< at least m_keep values reach m_bound, so equal ones add nothing
    std::vector<float> m_values;
};

/// Both tails of one piece of an array.
struct Piece
{
    Piece(std::int64_t keepLow, std::int64_t keepHigh)
        : low(keepLow, std::numeric_limits<float>::infinity()), high(keepHigh, -std::numeric_limits<float>::infinity())
    {}

    void scan(const float *x, std::int64_t begin, std::int64_t end)
    {
        // Before the buffers are full everything is outside: the bounds are crossed.
        while (true) {
            std::uint64_t mask = 0;
            const std::int64_t at =
                dispatch<NextGroup>(x, begin, end, low.bound(), high.bound(), static_cast<std::uint64_t *>(&mask));
            if (at + kScan > end) {
                for (std::int64_t i = at; i < end; ++i) add(x[i]);
                return;
            }
            for (; mask; mask &= mask - 1) add(x[at + __builtin_ctzll(mask)]);
            begin = at + kScan;
        }
    }
    void add(float value)
    {
        if (value != value) {
            ++nanCount;
            return;
        }
        low.push(value);
        high.push(value);
    }

    Extremes<std::less<float>> low;
    Extremes<std::greater<float>> high;
    std::int64_t nanCount = 0;
};

/// For tails too long to be kept aside: a copy and two selections.
Tails tailsByCopy(const float *x, std::int64_t n, double p)
{
    std::vector<float> values;
    values.reserve(std::size_t(n));
    for (std::int64_t i = 0; i < n; ++i)
        if (x[i] == x[i]) values.push_back(x[i]);
    const auto m = std::int64_t(values.size());
    Tails tails;
    tails.nanCount = n - m;
    if (m == 0) return tails;
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    tails.min = *min;
    tails.max = *max;
    const auto low = values.begin() + lowIndex(m, p), high = values.begin() + highIndex(m, p);
    std::nth_element(values.begin(), low, values.end());
    tails.low = *low;
    // p >= 0.5, so the high one is at or above the low one unless rounding puts it one below.
    std::nth_element(high < low ? values.begin() : low, high, values.end());
    tails.high = *high;
    return tails;
}

} // namespace

Tails tailsCpu(const float *x, std::int64_t n, double p)
{
    Tails tails;
    if (n <= 0) return tails;
    if (lowIndex(n, p) == 0 && highIndex(n, p) == n - 1) {
        // The same holds for fewer elements, so NaN do not matter.
        MinMax range;
        minMaxCpu(x, n, &range);
        tails.nanCount = range.nanCount;
        if (range.nanCount < n) {
            tails.low = tails.min = range.min;
            tails.high = tails.max = range.max;
        }
        return tails;
    }
    // Each NaN moves the ranks; with the products rounded, a tail of fewer elements is at most one longer.
    const std::int64_t keepLow = lowIndex(n, p) + 2, keepHigh = n - highIndex(n, p) + 1;
    if (std::max(keepLow, keepHigh) > n / 8 + 2) return tailsByCopy(x, n, p);

    const std::int64_t pieces = std::max<std::int64_t>(1, std::min<std::int64_t>(threadCount(), n / kParallelElements));
    const std::int64_t length = (n / pieces + kScan) / kScan * kScan;
    std::vector<Piece> parts; // made here, with their buffers: nothing may throw inside the parallel loop
    parts.reserve(std::size_t(pieces));
    for (std::int64_t i = 0; i < pieces; ++i) parts.emplace_back(keepLow, keepHigh);
    forBlocks(n, length,
              [&](std::int64_t begin, std::int64_t end) { parts[std::size_t(begin / length)].scan(x, begin, end); });
    Piece &all = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) {
        all.low.merge(parts[i].low);
        all.high.merge(parts[i].high);
        all.nanCount += parts[i].nanCount;
    }
    const std::int64_t m = n - all.nanCount;
    tails.nanCount = all.nanCount;
    if (m == 0) return tails;
    tails.min = all.low.at(0);
    tails.max = all.high.at(0);
    tails.low = all.low.at(lowIndex(m, p));
    tails.high = all.high.at(m - 1 - highIndex(m, p));
    return tails;
}

} // namespace ql::gpu
