#include "gpu/select.h"

#include "gpu/cuda_common.cuh"
#include "gpu/select_order.h"

namespace ql::gpu {

namespace {

__global__ void radixCount(const float *x, std::int64_t n, std::uint32_t flip, std::uint32_t known,
                           std::uint32_t prefix, int shift, std::uint32_t mask, std::int64_t *counts)
{
    __shared__ unsigned local[kRadixBins];
    for (int b = threadIdx.x; b < kRadixBins; b += blockDim.x) local[b] = 0;
    __syncthreads();
    for (std::int64_t i = gridIndex(); i < n; i += gridSize()) {
        const float v = x[i];
        const std::uint32_t key = orderKey(v, flip);
        if ((key & known) == prefix && v == v) atomicAdd(local + ((key >> shift) & mask), 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < kRadixBins; b += blockDim.x)
        if (local[b]) atomicAdd(reinterpret_cast<unsigned long long *>(counts + b), (unsigned long long)local[b]);
}

} // namespace

int selectCuda(const float *x, std::int64_t n, std::int64_t rank, bool largest, float *result, Stream stream)
{
    if (n < 0 || !result || (n > 0 && !x)) return InvalidArgument;
    *result = std::numeric_limits<float>::quiet_NaN();
    if (rank < 0 || rank >= n) return Ok;
    Workspace space(kRadixBins * sizeof(std::int64_t), stream);
    if (space.status()) return space.status();
    const std::uint32_t flip = largest ? 0u : 0xffffffffu;
    RadixPass pass;
    pass.rank = rank;
    for (int step = 0; step < kRadixPasses; ++step) {
        std::int64_t counts[kRadixBins];
        if (const cudaError_t rc = cudaMemsetAsync(space.as<void>(), 0, sizeof counts, stream)) return int(rc);
        radixCount<<<blocksFor(n, 132 * 4), kThreads, 0, stream>>>(x, n, flip, pass.known, pass.prefix, pass.shift,
                                                                   pass.mask, space.as<std::int64_t>());
        if (const int rc = launched()) return rc;
        if (const int rc = fetch(counts, space.as<void>(), sizeof counts, stream)) return rc;
        if (!pass.next(counts)) return Ok; // the rest is NaN
    }
    *result = fromOrderKey(pass.prefix, flip) + 0.f;
    return Ok;
}

} // namespace ql::gpu
