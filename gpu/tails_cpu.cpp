#include "gpu/tails.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gpu/isa_clones.h"
#include "gpu/parallel.h"
#include "gpu/reduce.h"
#include "gpu/tail_store.h"
#include "gpu/tails_order.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace ql::gpu {

namespace {

constexpr std::int64_t kScan = 64; // elements tested together; one bit of a mask each

std::int64_t threadCount()
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/// @returns the first multiple of kScan from begin on where a group has an element outside [lo, hi] (or a NaN), or
/// where fewer than kScan elements are left before end; *mask marks these elements.
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

/// Adds a piece of an array. Before an end has its bound, everything is outside: the bounds are crossed.
void scan(const float *x, std::int64_t begin, std::int64_t end, TailStore *store)
{
    while (true) {
        std::uint64_t mask = 0;
        const std::int64_t at = dispatch<NextGroup>(x, begin, end, -store->low.bound(), store->high.bound(),
                                                    static_cast<std::uint64_t *>(&mask));
        if (at + kScan > end) {
            for (std::int64_t i = at; i < end; ++i) store->add(x[i]);
            return;
        }
        for (; mask; mask &= mask - 1) store->add(x[at + __builtin_ctzll(mask)]);
        begin = at + kScan;
    }
}

/// For tails too long to be stored separately: a copy and two selections.
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
    tails.min = *min + 0.f; // no -0, as in the other ways
    tails.max = *max + 0.f;
    const auto low = values.begin() + lowIndex(m, p), high = values.begin() + highIndex(m, p);
    std::nth_element(values.begin(), low, values.end());
    tails.low = *low + 0.f;
    // p >= 0.5, so the high rank is at or above the low one unless rounding puts it one below.
    std::nth_element(high < low ? values.begin() : low, high, values.end());
    tails.high = *high + 0.f;
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

    TailStore all(keepLow, keepHigh, n);
    addTailsCpu(x, n, &all);
    const std::int64_t m = all.size();
    tails.nanCount = all.range.nanCount;
    if (m == 0) return tails;
    tails.min = all.range.min + 0.f;
    tails.max = all.range.max + 0.f;
    tails.low = 0.f - all.low.at(lowIndex(m, p));
    tails.high = all.high.at(m - 1 - highIndex(m, p));
    return tails;
}

void addTailsCpu(const float *x, std::int64_t n, TailStore *store)
{
    store->seen += n;
    const std::int64_t pieces = std::max<std::int64_t>(1, std::min<std::int64_t>(threadCount(), n / kParallelElements));
    if (pieces == 1 || store->low.isCounting() || store->high.isCounting()) return scan(x, 0, n, store);
    const std::int64_t length = (n / pieces + kScan) / kScan * kScan;
    std::vector<TailStore> parts; // created here, with their buffers: nothing may throw inside the parallel loop
    parts.reserve(std::size_t(pieces));
    for (std::int64_t i = 0; i < pieces; ++i) {
        parts.emplace_back(1, 1, 1);
        parts.back().low = store->low.piece();
        parts.back().high = store->high.piece();
    }
    forBlocks(n, length,
              [&](std::int64_t begin, std::int64_t end) { scan(x, begin, end, &parts[std::size_t(begin / length)]); });
    for (const TailStore &part : parts) {
        store->low.merge(part.low);
        store->high.merge(part.high);
        store->range.min = std::min(store->range.min, part.range.min);
        store->range.max = std::max(store->range.max, part.range.max);
        store->range.nanCount += part.range.nanCount;
    }
}

} // namespace ql::gpu
