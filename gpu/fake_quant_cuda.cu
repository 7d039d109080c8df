#include "gpu/fake_quant.h"

#include "gpu/cuda_common.cuh"
#include "gpu/fake_quant_scalar.h"

// The functors of fake_quant_scalar.h over a grid. These kernels are memory-bound: four elements per thread and
// iteration, as one access each if input and output are aligned.
namespace ql::gpu {

namespace {

/// One scale for all.
struct OneScale
{
    float scale, zero;

    __device__ OneScale from(std::int64_t) const { return *this; }
    __device__ void next(float *s, float *z)
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

    /// Consecutive elements. Divisions are slow on the device, 64-bit ones most: two for the first element, none after
    /// it.
    struct Elements
    {
        const ChannelScale &of;
        std::int64_t channel, left; ///< left: elements of this run of the channel

        __device__ void next(float *s, float *z)
        {
            if (left == 0) {
                left = of.stride;
                channel = channel + 1 == of.channels ? 0 : channel + 1;
            }
            --left;
            *s = of.scale[channel];
            *z = of.zero ? float(of.zero[channel]) : 0.f;
        }
    };
    __device__ Elements from(std::int64_t i) const
    {
        if (i < INT32_MAX && stride < INT32_MAX && channels < INT32_MAX) {
            const std::uint32_t run = std::uint32_t(i) / std::uint32_t(stride);
            return {*this, std::int64_t(run % std::uint32_t(channels)),
                    stride - std::int64_t(std::uint32_t(i) - run * std::uint32_t(stride))};
        }
        return {*this, i / stride % channels, stride - i % stride};
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

template <class Out>
__device__ Out store(float v)
{
    if constexpr (std::is_same_v<Out, float>)
        return v;
    else
        return codeToInt<Out>(v);
}

/// Four elements, read or written by one access.
template <class T>
struct alignas(4 * sizeof(T)) Quad
{
    T v[4];
};

template <class In, class Out, class Op, class Scale>
__global__ void mapElements(const In *x, Out *y, std::int64_t n, bool vectors, Op op, Scale scale)
{
    const std::int64_t quads = vectors ? n / 4 : 0;
    for (std::int64_t i = gridIndex(); i < quads; i += gridSize()) {
        const Quad<In> in = reinterpret_cast<const Quad<In> *>(x)[i];
        auto scales = scale.from(4 * i);
        Quad<Out> out;
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            float s, z;
            scales.next(&s, &z);
            out.v[j] = store<Out>(op(float(in.v[j]), s, z));
        }
        reinterpret_cast<Quad<Out> *>(y)[i] = out;
    }
    for (std::int64_t i = 4 * quads + gridIndex(); i < n; i += gridSize()) {
        float s, z;
        scale.from(i).next(&s, &z);
        y[i] = store<Out>(op(float(x[i]), s, z));
    }
}

template <class In, class Out, class Op, class Scale>
int map(const In *x, Out *y, std::int64_t n, Op op, Scale scale, Stream stream)
{
    if (n == 0) return Ok;
    if (n < 0 || !x || !y) return InvalidArgument;
    const bool vectors = aligned(x, sizeof(Quad<In>)) && aligned(y, sizeof(Quad<Out>));
    mapElements<<<blocksFor(vectors ? (n + 3) / 4 : n), kThreads, 0, stream>>>(x, y, n, vectors, op, scale);
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
