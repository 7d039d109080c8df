#pragma once

#include "gpu/error.h"

#include <cstdint>

// Exact order statistics without sorting. Ranks count from 0 at the extreme: rank 0 of the largest is the maximum.
// NaN is left out; a rank that is not below the number of other elements gives NaN. A zero result is +0.
namespace ql::gpu {

/// @returns the element of that rank among the largest (or smallest) of x, in two passes over x: one counts by sign,
/// exponent and two mantissa bits, one keeps the elements of the bin with the rank. For short tails on the CPU, tails.h
/// is faster. (CUDA: three counting passes.)
float selectCpu(const float *x, std::int64_t n, std::int64_t rank, bool largest);
int selectCuda(const float *x, std::int64_t n, std::int64_t rank, bool largest, float *result, Stream stream);

} // namespace ql::gpu
