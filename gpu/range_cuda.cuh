#pragma once

#include "gpu/cuda_common.cuh"
#include "gpu/reduce.h"

#include <cmath>

// Minimum, maximum and number of NaN on the device, shared by the kernels that need them.
namespace ql::gpu {

constexpr unsigned kAllLanes = 0xffffffffu;

/// For floats without NaN and without -0: the integer order of the bits is the order of the numbers, reversed below 0.
__device__ inline void atomicMinFloat(float *at, float v)
{
    if (v >= 0.f)
        atomicMin(reinterpret_cast<int *>(at), __float_as_int(v));
    else
        atomicMax(reinterpret_cast<unsigned *>(at), __float_as_uint(v));
}

__device__ inline void atomicMaxFloat(float *at, float v)
{
    if (v >= 0.f)
        atomicMax(reinterpret_cast<int *>(at), __float_as_int(v));
    else
        atomicMin(reinterpret_cast<unsigned *>(at), __float_as_uint(v));
}

__device__ inline void addCount(std::int64_t *at, std::int64_t v)
{
    atomicAdd(reinterpret_cast<unsigned long long *>(at), static_cast<unsigned long long>(v));
}

/// The result of one thread; NaN left out.
struct ThreadRange
{
    float mn = INFINITY, mx = -INFINITY;
    std::int64_t nan = 0;

    __device__ void add(float v)
    {
        mn = v < mn ? v : mn;
        mx = v > mx ? v : mx;
        nan += v != v;
    }

    /// Lane 0 of the warp gets the result.
    __device__ void foldWarp()
    {
        for (int width = 16; width > 0; width /= 2) {
            mn = fminf(mn, __shfl_down_sync(kAllLanes, mn, width));
            mx = fmaxf(mx, __shfl_down_sync(kAllLanes, mx, width));
            nan += __shfl_down_sync(kAllLanes, static_cast<long long>(nan), width);
        }
    }

    __device__ void store(float *mins, float *maxs, std::int64_t *nanCount) const
    {
        if (mn <= mx) { // at least one number
            atomicMinFloat(mins, mn + 0.f);
            atomicMaxFloat(maxs, mx + 0.f);
        }
        if (nan && nanCount) addCount(nanCount, nan);
    }

    /// Of all threads of a block of kThreads, with few atomics on one address.
    __device__ void storeBlock(MinMax *range)
    {
        __shared__ float mins[kThreads / 32], maxs[kThreads / 32];
        __shared__ std::int64_t nans[kThreads / 32];
        foldWarp();
        if (threadIdx.x % 32 == 0) {
            mins[threadIdx.x / 32] = mn;
            maxs[threadIdx.x / 32] = mx;
            nans[threadIdx.x / 32] = nan;
        }
        __syncthreads();
        if (threadIdx.x != 0) return;
        for (int w = 1; w < kThreads / 32; ++w) {
            mn = fminf(mn, mins[w]);
            mx = fmaxf(mx, maxs[w]);
            nan += nans[w];
        }
        store(&range->min, &range->max, &range->nanCount);
    }
};

} // namespace ql::gpu
