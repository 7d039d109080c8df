#include "gpu/fake_quant.h"

#include "gpu/cuda_common.cuh"
#include "gpu/fake_quant_scalar.h"
#include "gpu/reduce_order.h"

namespace ql::gpu {

namespace {

/// LinearGradient with the rounding as a member; the branch is the same for all threads.
struct GradientAny
{
    float lo, hi;
    Rounding rounding;

    template <Rounding R>
    __device__ float with(float x, float dy, float s, float z, float *dx) const
    {
        return LinearGradient<R>{lo, hi}(x, dy, s, z, dx);
    }

    __device__ float operator()(float x, float dy, float s, float z, float *dx) const
    {
        switch (rounding) {
        case Rounding::HalfUp: return with<Rounding::HalfUp>(x, dy, s, z, dx);
        case Rounding::HalfDown: return with<Rounding::HalfDown>(x, dy, s, z, dx);
        case Rounding::HalfTowardsZero: return with<Rounding::HalfTowardsZero>(x, dy, s, z, dx);
        case Rounding::HalfAwayFromZero: return with<Rounding::HalfAwayFromZero>(x, dy, s, z, dx);
        case Rounding::ToNearInt: return with<Rounding::ToNearInt>(x, dy, s, z, dx);
        case Rounding::Up: return with<Rounding::Up>(x, dy, s, z, dx);
        case Rounding::Down: return with<Rounding::Down>(x, dy, s, z, dx);
        case Rounding::HalfEven: break;
        }
        return with<Rounding::HalfEven>(x, dy, s, z, dx);
    }
};

/// Scale and zero point by value (one channel) or from arrays on the device.
struct Scales
{
    const float *scale;
    const std::int32_t *zero;
    float oneScale, oneZero;

    __device__ void at(std::int64_t c, float *s, float *z) const
    {
        *s = scale ? scale[c] : oneScale;
        *z = scale ? (zero ? float(zero[c]) : 0.f) : oneZero;
    }
};

/// channelElement without a 64-bit division, which is slow on the device, where 32 bits do.
__device__ std::int64_t elementOf(std::int64_t n, std::int64_t channels, std::int64_t stride, std::int64_t c,
                                  std::int64_t j)
{
    if (channels == 1) return j;
    if (n >= INT32_MAX) return channelElement(channels, stride, c, j);
    const std::uint32_t run = std::uint32_t(j) / std::uint32_t(stride);
    return (std::int64_t(run) * channels + c) * stride + (j - std::int64_t(run) * stride);
}

/// One warp for each chunk of each channel; lane l takes the elements j with j % 32 == l (reduce_order.h).
__global__ void gradientRuns(const float *x, const float *dy, float *dx, std::int64_t n, std::int64_t channels,
                             std::int64_t stride, std::int64_t chunks, GradientAny op, Scales scales, double *parts)
{
    const std::int64_t pieces = channels * chunks;
    for (std::int64_t piece = gridIndex() / kLanes; piece < pieces; piece += gridSize() / kLanes) {
        const std::int64_t c = piece / chunks, begin = piece % chunks * kChunk;
        const std::int64_t end = smaller(channelSize(n, channels, stride, c), begin + kChunk);
        float s, z;
        scales.at(c, &s, &z);
        double sum = 0;
        std::int64_t j = begin + threadIdx.x % kLanes;
        for (; j + 3 * kLanes < end; j += 4 * kLanes) { // eight loads in flight
            std::int64_t at[4];
            float u[4], v[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                at[k] = elementOf(n, channels, stride, c, j + k * kLanes);
                u[k] = x[at[k]];
                v[k] = dy[at[k]];
            }
#pragma unroll
            for (int k = 0; k < 4; ++k) sum += double(op(u[k], v[k], fabsf(s), z, dx + at[k]));
        }
        for (; j < end; j += kLanes) {
            const std::int64_t i = elementOf(n, channels, stride, c, j);
            sum += double(op(x[i], dy[i], fabsf(s), z, dx + i));
        }
        for (int width = kLanes / 2; width > 0; width /= 2) sum += __shfl_down_sync(0xffffffffu, sum, width);
        if (threadIdx.x % kLanes == 0) parts[piece] = sum;
    }
}

/// channelStride 1: 32 channels and 32 lanes for each block, so that neighbouring threads read neighbours.
__global__ void gradientColumns(const float *x, const float *dy, float *dx, std::int64_t n, std::int64_t channels,
                                std::int64_t chunks, GradientAny op, Scales scales, double *parts)
{
    __shared__ double lanes[kLanes][kLanes + 1];
    const std::int64_t across = (channels + kLanes - 1) / kLanes;
    for (std::int64_t piece = blockIdx.x; piece < across * chunks; piece += gridDim.x) {
        const std::int64_t c = piece / chunks * kLanes + threadIdx.x, begin = piece % chunks * kChunk;
        double sum = 0;
        if (c < channels) {
            const std::int64_t end = smaller(channelSize(n, channels, 1, c), begin + kChunk);
            float s, z;
            scales.at(c, &s, &z);
            std::int64_t j = begin + threadIdx.y;
            for (; j + 3 * kLanes < end; j += 4 * kLanes) { // eight loads in flight
                const std::int64_t i = j * channels + c, step = kLanes * channels;
                float u[4], v[4];
#pragma unroll
                for (int k = 0; k < 4; ++k) {
                    u[k] = x[i + k * step];
                    v[k] = dy[i + k * step];
                }
#pragma unroll
                for (int k = 0; k < 4; ++k) sum += double(op(u[k], v[k], fabsf(s), z, dx + i + k * step));
            }
            for (; j < end; j += kLanes) {
                const std::int64_t i = j * channels + c;
                sum += double(op(x[i], dy[i], fabsf(s), z, dx + i));
            }
        }
        lanes[threadIdx.y][threadIdx.x] = sum;
        __syncthreads();
        for (int width = kLanes / 2; width > 0; width /= 2) {
            if (threadIdx.y < width) lanes[threadIdx.y][threadIdx.x] += lanes[threadIdx.y + width][threadIdx.x];
            __syncthreads();
        }
        if (threadIdx.y == 0 && c < channels) parts[c * chunks + piece % chunks] = lanes[0][threadIdx.x];
        __syncthreads();
    }
}

/// One warp for each channel adds up its chunks.
__global__ void gradientFold(const double *parts, std::int64_t channels, std::int64_t chunks, Scales scales, double *ds)
{
    for (std::int64_t c = gridIndex() / kLanes; c < channels; c += gridSize() / kLanes) {
        double sum = 0;
        for (std::int64_t k = threadIdx.x % kLanes; k < chunks; k += kLanes) sum += parts[c * chunks + k];
        for (int width = kLanes / 2; width > 0; width /= 2) sum += __shfl_down_sync(0xffffffffu, sum, width);
        float s, z;
        scales.at(c, &s, &z);
        if (threadIdx.x % kLanes == 0) ds[c] = sum * (s < 0.f ? -1.0 : 1.0);
    }
}

int backward(const float *x, const float *dy, float *dx, double *ds, std::int64_t n, std::int64_t channels,
             std::int64_t stride, GradientAny op, Scales scales, Stream stream)
{
    if (n < 0 || !ds || channels < 1 || stride < 1 || (n > 0 && (!x || !dy || !dx))) return InvalidArgument;
    const std::int64_t chunks = std::max<std::int64_t>(1, chunkCount(channelSize(n, channels, stride, 0)));
    Workspace space(std::size_t(channels * chunks) * sizeof(double), stream);
    if (space.status()) return space.status();
    double *parts = space.as<double>();
    if (stride == 1 && channels > 1) {
        const std::int64_t pieces = (channels + kLanes - 1) / kLanes * chunks;
        gradientColumns<<<unsigned(std::min<std::int64_t>(pieces, 132 * 8)), dim3(kLanes, kLanes), 0, stream>>>(
            x, dy, dx, n, channels, chunks, op, scales, parts);
    } else {
        gradientRuns<<<blocksFor(channels * chunks * kLanes), kThreads, 0, stream>>>(x, dy, dx, n, channels, stride,
                                                                                     chunks, op, scales, parts);
    }
    gradientFold<<<blocksFor(channels * kLanes), kThreads, 0, stream>>>(parts, channels, chunks, scales, ds);
    return launched();
}

} // namespace

int fakeQuantBackwardCuda(const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const LinearParams &p,
                          Stream stream)
{
    return backward(x, dy, dx, ds, n, 1, std::max<std::int64_t>(1, n), {p.quantMin, p.quantMax, p.rounding},
                    {nullptr, nullptr, p.scale, float(p.zeroPoint)}, stream);
}

int fakeQuantBackwardChannelCuda(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                                 const LinearChannelParams &p, Stream stream)
{
    if (!p.scale) return InvalidArgument;
    return backward(x, dy, dx, ds, n, p.channels, p.channelStride, {p.quantMin, p.quantMax, p.rounding},
                    {p.scale, p.zeroPoint, 0.f, 0.f}, stream);
}

} // namespace ql::gpu
