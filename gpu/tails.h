#pragma once

#include <cstdint>

// Order statistics near both ends of a float32 array, for percentile observers.
namespace ql::gpu {

struct Tails
{
    float low = 0;
    float high = 0;
    float min = 0; ///< the ends themselves
    float max = 0;
    std::int64_t nanCount = 0; ///< elements that were left out
};

/// With v the m elements of x that are not NaN, sorted ascending: low = v[max(trunc(m * (1 - p)), 0)] and
/// high = v[min(trunc(m * p), m - 1)], products in double. Exact, without sorting, in one pass over memory while the
/// tails are short (m * (1 - p) up to an eighth of m), for any order of the elements.
/// Infinities are values. All four are 0 when m == 0. The result does not depend on the number of threads.
/// @param p 0.5..1
Tails tailsCpu(const float *x, std::int64_t n, double p);

} // namespace ql::gpu
