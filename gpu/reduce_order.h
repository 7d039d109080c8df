#pragma once

#include <cstdint>

#include "gpu/host_device.h"

// The order of every sum, so that one thread, many threads, any vector length and CUDA give the same bits.
//
// Elements are cut into chunks of kChunk. In a chunk, element j is added to lane j % kLanes, in order; then the lanes
// are folded: lane l takes l + 16, l + 8, l + 4, l + 2, l + 1. The results of the chunks are summed the same way, as
// one chunk of any length. On CUDA a lane is a thread of a warp and the fold is shuffles.
namespace ql::gpu {

constexpr std::int64_t kChunk = 4096;
constexpr int kLanes = 32;

QL_HD constexpr std::int64_t chunkCount(std::int64_t n)
{
    return (n + kChunk - 1) / kChunk;
}

/// @returns the sum of kLanes lanes; destroys them.
inline double foldLanes(double *lanes)
{
    for (int width = kLanes / 2; width > 0; width /= 2)
        for (int l = 0; l < width; ++l) lanes[l] += lanes[l + width];
    return lanes[0];
}

/// @returns the sum of values[0], values[stride], ... (count of them) in the fixed order.
inline double sumInOrder(const double *values, std::int64_t count, std::int64_t stride = 1)
{
    double lanes[kLanes] = {};
    for (std::int64_t i = 0; i < count; ++i) lanes[i % kLanes] += values[i * stride];
    return foldLanes(lanes);
}

} // namespace ql::gpu
