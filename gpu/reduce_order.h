#pragma once

#include "gpu/host_device.h"

#include <cstdint>

// The order of every sum, so that one thread, many threads, any vector length and CUDA give the same bits.
//
// Elements are divided into chunks of kChunk. In a chunk, element j is added to lane j % kLanes, in order; then the
// lanes are folded: lane l takes l + 16, l + 8, l + 4, l + 2, l + 1. The results of the chunks are summed the same
// way, as one chunk of any length. On CUDA a lane is a thread of a warp and the fold uses shuffles.
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

/// Elements of channel c among n elements of an array with `channels` channels in runs of `stride`.
QL_HD inline std::int64_t channelSize(std::int64_t n, std::int64_t channels, std::int64_t stride, std::int64_t c)
{
    const std::int64_t period = channels * stride;
    const std::int64_t rest = n % period - c * stride;
    return n / period * stride + (rest < 0 ? 0 : rest > stride ? stride : rest);
}

/// Memory-linear index of element j of channel c.
QL_HD inline std::int64_t channelElement(std::int64_t channels, std::int64_t stride, std::int64_t c, std::int64_t j)
{
    return (j / stride * channels + c) * stride + j % stride;
}

} // namespace ql::gpu
