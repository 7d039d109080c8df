#pragma once

#include "gpu/reduce.h"
#include "gpu/tails.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

// The elements of the two ends of tails.h, among m > 0 sorted ascending; shared by the CPU and CUDA.
namespace ql::gpu {

inline std::int64_t lowIndex(std::int64_t m, double p)
{
    return std::clamp(std::int64_t(std::trunc(double(m) * (1 - p))), std::int64_t{0}, m - 1);
}

inline std::int64_t highIndex(std::int64_t m, double p)
{
    return std::min(std::int64_t(std::trunc(double(m) * p)), m - 1);
}

/// The ends of n elements by their ranks: the range in one pass, and a selection for each end that is not the extreme.
/// range(MinMax *) and select(rank from the extreme, largest, float *) return a status.
template <class Range, class Select>
int tailsByRank(std::int64_t n, double p, const Range &range, const Select &select, Tails *tails)
{
    *tails = Tails{};
    if (n <= 0) return Ok;
    MinMax seen;
    if (const int rc = range(&seen)) return rc;
    tails->nanCount = seen.nanCount;
    const std::int64_t m = n - seen.nanCount;
    if (m == 0) return Ok;
    tails->low = tails->min = seen.min;
    tails->high = tails->max = seen.max;
    if (const std::int64_t rank = lowIndex(m, p); rank > 0)
        if (const int rc = select(rank, false, &tails->low)) return rc;
    if (const std::int64_t rank = m - 1 - highIndex(m, p); rank > 0)
        if (const int rc = select(rank, true, &tails->high)) return rc;
    return Ok;
}

} // namespace ql::gpu
