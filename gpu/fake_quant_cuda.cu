#include "gpu/fake_quant.h"

#include "gpu/cuda_common.cuh"
#include "gpu/fake_quant_scalar.h"

// The functors of fake_quant_scalar.h over a grid. These kernels are memory-bound: four elements per thread and
// iteration, as one 16-byte access if input and output are aligned floats.
namespace ql::gpu {

namespace {

/// One scale for all.
struct OneScale
{
    float scale, zero;

    __device__ void at(std::int64_t, float *s, float *z) const
    {
        *s = scale;
        *z = zero;
    }
};

/// One scale per channel.
struct ChannelScale
{
    const float *scale;
    const std::int32_t *zero;
    std::int64_t channels, stride;

    __device__ void at(std::int64_t i, float *s, float *z) const
    {
        // 64-bit division is slow on the device, and few arrays need it
        const std::int64_t c = i < INT32_MAX && stride < INT32_MAX && channels < INT32_MAX
                                   ? std::int64_t(std::uint32_t(i) / std::uint32_t(stride) % std::uint32_t(channels))
                                   : i / stride % channels;
        *s = scale[c];
        *z = zero ? float(zero[c]) : 0.f;
    }
};

/// Rounding chosen at run time: the same branch for all threads. Keeps the number of kernels (and nvcc's time) small
/// where the fast path of fake quantization is not needed.
__device__ float roundAny(float x, Rounding rounding)
{
    switch (rounding) {
    case Rounding::HalfUp: return roundTo<Rounding::HalfUp>(x);
    case Rounding::HalfDown: return roundTo<Rounding::HalfDown>(x);
    case Rounding::HalfTowardsZero: return roundTo<Rounding::HalfTowardsZero>(x);
    case Rounding::HalfAwayFromZero: return roundTo<Rounding::HalfAwayFromZero>(x);
    case Rounding::ToNearInt: return roundTo<Rounding::ToNearInt>(x);
    case Rounding::Up: return roundTo<Rounding::Up>(x);
    case Rounding::Down: return roundTo<Rounding::Down>(x);
    case Rounding::HalfEven: break;
    }
    return roundTo<Rounding::HalfEven>(x);
}

/// LinearCode with the rounding as a member.
struct LinearCodeAny
{
    float lo, hi;
    Rounding rounding;

    __device__ float operator()(float x, float s, float z) const
    {
        const float q = clampTo(roundAny(x / s, rounding) + z, lo, hi);
        return q == q ? q : clampTo(z, lo, hi);
    }
};

template <class Op, class Scale>
__global__ void mapVectors(const float *x, float *y, std::int64_t n, bool vectors, Op op, Scale scale)
{
    const std::int64_t quads = vectors ? n / 4 : 0;
    for (std::int64_t i = gridIndex(); i < quads; i += gridSize()) {
        float4 v = reinterpret_cast<const float4 *>(x)[i];
        float s, z;
        scale.at(4 * i, &s, &z);
        v.x = op(v.x, s, z);
        scale.at(4 * i + 1, &s, &z);
        v.y = op(v.y, s, z);
        scale.at(4 * i + 2, &s, &z);
        v.z = op(v.z, s, z);
        scale.at(4 * i + 3, &s, &z);
        v.w = op(v.w, s, z);
        reinterpret_cast<float4 *>(y)[i] = v;
    }
    for (std::int64_t i = 4 * quads + gridIndex(); i < n; i += gridSize()) {
        float s, z;
        scale.at(i, &s, &z);
        y[i] = op(x[i], s, z);
    }
}

template <class In>
__device__ float load(In v)
{
    return float(v);
}

template <class Out>
__device__ Out store(float v)
{
    if constexpr (std::is_same_v<Out, float>)
        return v;
    else
        return codeToInt<Out>(v);
}

template <class In, class Out, class Op, class Scale>
__global__ void mapElements(const In *x, Out *y, std::int64_t n, Op op, Scale scale)
{
    for (std::int64_t i = gridIndex(); i < n; i += gridSize()) {
        float s, z;
        scale.at(i, &s, &z);
        y[i] = store<Out>(op(load(x[i]), s, z));
    }
}

template <class In, class Out, class Op, class Scale>
int map(const In *x, Out *y, std::int64_t n, Op op, Scale scale, Stream stream)
{
    if (n == 0) return Ok;
    if (n < 0 || !x || !y) return InvalidArgument;
    if constexpr (std::is_same_v<In, float> && std::is_same_v<Out, float>) {
        const bool vectors = aligned(x, 16) && aligned(y, 16);
        mapVectors<<<blocksFor(vectors ? (n + 3) / 4 : n), kThreads, 0, stream>>>(x, y, n, vectors, op, scale);
    } else {
        mapElements<<<blocksFor(n), kThreads, 0, stream>>>(x, y, n, op, scale);
    }
    return launched();
}

OneScale scaleOf(const LinearParams &p)
{
    return {p.scale, float(p.zeroPoint)};
}

ChannelScale scaleOf(const LinearChannelParams &p)
{
    return {p.scale, p.zeroPoint, p.channels, p.channelStride};
}

bool usable(const float *scale, std::int64_t channels, std::int64_t stride, std::int64_t n)
{
    return n == 0 || (scale && channels >= 1 && stride >= 1);
}

} // namespace

int fakeQuantCuda(const float *x, float *y, std::int64_t n, const LinearParams &p, Stream stream)
{
    return withRounding(p.rounding, [&](auto tag) {
        const LinearFakeQuant<decltype(tag)::value> op{p.quantMin, p.quantMax};
        return map(x, y, n, op, scaleOf(p), stream);
    });
}

int fakeQuantChannelCuda(const float *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream stream)
{
    if (!usable(p.scale, p.channels, p.channelStride, n)) return InvalidArgument;
    return withRounding(p.rounding, [&](auto tag) {
        const LinearFakeQuant<decltype(tag)::value> op{p.quantMin, p.quantMax};
        return map(x, y, n, op, scaleOf(p), stream);
    });
}

int fakeQuantFloatCuda(const float *x, float *y, std::int64_t n, const FloatParams &p, Stream stream)
{
    return withRounding(p.rounding, [&](auto tag) {
        const FloatFakeQuant<decltype(tag)::value> op{makeFloatGrid(p)};
        return map(x, y, n, op, OneScale{p.scale, 0.f}, stream);
    });
}

int fakeQuantFloatChannelCuda(const float *x, float *y, std::int64_t n, const FloatChannelParams &p, Stream stream)
{
    if (!usable(p.scale, p.channels, p.channelStride, n)) return InvalidArgument;
    return withRounding(p.format.rounding, [&](auto tag) {
        const FloatFakeQuant<decltype(tag)::value> op{makeFloatGrid(p.format)};
        return map(x, y, n, op, ChannelScale{p.scale, nullptr, p.channels, p.channelStride}, stream);
    });
}

int requantizeCuda(const float *x, float *y, std::int64_t n, const RequantizeParams &p, Stream stream)
{
    if (!usable(p.factor, p.channels, p.channelStride, n)) return InvalidArgument;
    return map(x, y, n, Requantize{p.lo, p.hi}, ChannelScale{p.factor, nullptr, p.channels, p.channelStride}, stream);
}

template <class Int>
int quantizeCuda(const float *x, Int *y, std::int64_t n, const LinearParams &p, Stream stream)
{
    const LinearCodeAny op{lowestCode<Int>(p.quantMin), highestCode<Int>(p.quantMax), p.rounding};
    return map(x, y, n, op, scaleOf(p), stream);
}

template <class Int>
int quantizeChannelCuda(const float *x, Int *y, std::int64_t n, const LinearChannelParams &p, Stream stream)
{
    if (!usable(p.scale, p.channels, p.channelStride, n)) return InvalidArgument;
    const LinearCodeAny op{lowestCode<Int>(p.quantMin), highestCode<Int>(p.quantMax), p.rounding};
    return map(x, y, n, op, scaleOf(p), stream);
}

template <class Int>
int dequantizeCuda(const Int *x, float *y, std::int64_t n, const LinearParams &p, Stream stream)
{
    return map(x, y, n, LinearDequant{}, scaleOf(p), stream);
}

template <class Int>
int dequantizeChannelCuda(const Int *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream stream)
{
    if (!usable(p.scale, p.channels, p.channelStride, n)) return InvalidArgument;
    return map(x, y, n, LinearDequant{}, scaleOf(p), stream);
}

#define QL_INSTANTIATE(Int)                                                                                            \
    template int quantizeCuda<Int>(const float *, Int *, std::int64_t, const LinearParams &, Stream);                  \
    template int quantizeChannelCuda<Int>(const float *, Int *, std::int64_t, const LinearChannelParams &, Stream);    \
    template int dequantizeCuda<Int>(const Int *, float *, std::int64_t, const LinearParams &, Stream);                \
    template int dequantizeChannelCuda<Int>(const Int *, float *, std::int64_t, const LinearChannelParams &, Stream)

QL_INSTANTIATE(std::int8_t);
QL_INSTANTIATE(std::uint8_t);
QL_INSTANTIATE(std::int16_t);
QL_INSTANTIATE(std::uint16_t);
QL_INSTANTIATE(std::int32_t);

} // namespace ql::gpu
