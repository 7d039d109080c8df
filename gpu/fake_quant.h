#pragma once

#include "gpu/error.h"

#include <cstdint>

// Simulated quantization of float32 arrays: linear (integer codes) and small float formats.
//
// Every ...Cpu function has a ...Cuda counterpart that gives the same bits. Arrays are contiguous, on the device for
// ...Cuda; x and y are the same array or do not overlap. n may be 0. The ...Cuda functions only enqueue on the stream
// and return a Status or cudaError_t (errorText() describes it).
//
// Channels follow the memory-linear index: element i belongs to channel (i / channelStride) % channels. A weight [O,
// I, H, W] with axis 0 has channelStride I*H*W, an activation [N, C, H, W] with axis 1 has H*W, and 1 if stored
// channels-last.
//
// NaN stays NaN (always 0x7fc00000) if the result is float, and becomes the code of 0, that is the zero point, if it
// is an integer. Infinities saturate. Scales must be finite and above 0.
namespace ql::gpu {

/// How a real number becomes an integer. Values and names follow PPQ's RoundingPolicy; all formulas are in float32.
enum class Rounding : int {
    HalfEven = 0,         ///< nearest, ties to even
    HalfUp = 1,           ///< floor(x + 0.5)
    HalfDown = 2,         ///< ceil(x - 0.5)
    HalfTowardsZero = 3,  ///< sign(x) * ceil(|x| - 0.5)
    HalfAwayFromZero = 4, ///< sign(x) * floor(|x| + 0.5)
    ToNearInt = 5,        ///< nearest, ties away from zero, exact also for 0.49999997 (C's round)
    Up = 6,               ///< ceil(x)
    Down = 7,             ///< floor(x)
};

/// q = clamp(round(x / scale) + zeroPoint, quantMin, quantMax);  fake-quantized: (q - zeroPoint) * scale.
struct LinearParams
{
    float scale = 1.f;
    std::int32_t zeroPoint = 0;
    float quantMin = -128.f; ///< smallest code, inclusive; an integer
    float quantMax = 127.f;  ///< largest code, inclusive; an integer
    Rounding rounding = Rounding::HalfEven;
};

/// LinearParams with one scale and zero point per channel. The arrays are in the memory of x (host or device).
struct LinearChannelParams
{
    const float *scale = nullptr;            ///< [channels]
    const std::int32_t *zeroPoint = nullptr; ///< [channels], or null: all 0
    std::int64_t channels = 1;
    std::int64_t channelStride = 1;
    float quantMin = -128.f;
    float quantMax = 127.f;
    Rounding rounding = Rounding::HalfEven;
};

/// A float format of 1 sign bit, exponentBits and mantissaBits, applied to x / scale: subnormals, no infinity, no NaN
/// codes, saturating at [quantMin, quantMax] and at the largest number of the format, (2 - 2^-m) * 2^(2^(e-1)). E4M3
/// and E5M2 reserve their two top codes for NaN and infinity: give 448 and 57344.
///
/// HalfEven rounds to nearest, ties to the even mantissa, as OCP's "8-bit Floating Point Specification" and ONNX's
/// Cast do. The other policies apply to the signed value in the subnormal range and to the dropped fraction in the
/// normal range, as in PPQ's kernels: Up rounds away from zero, HalfDown towards zero.
struct FloatParams
{
    float scale = 1.f;
    int exponentBits = 4; ///< 1..8
    int mantissaBits = 3; ///< 0..23
    float quantMin = -448.f;
    float quantMax = 448.f;
    Rounding rounding = Rounding::HalfEven;
};

/// FloatParams with one scale per channel; format.scale is not used. The array is in the memory of x.
struct FloatChannelParams
{
    const float *scale = nullptr; ///< [channels]
    std::int64_t channels = 1;
    std::int64_t channelStride = 1;
    FloatParams format;
};

/// y[i] = fake-quantized x[i].
void fakeQuantCpu(const float *x, float *y, std::int64_t n, const LinearParams &p);
void fakeQuantChannelCpu(const float *x, float *y, std::int64_t n, const LinearChannelParams &p);
void fakeQuantFloatCpu(const float *x, float *y, std::int64_t n, const FloatParams &p);
void fakeQuantFloatChannelCpu(const float *x, float *y, std::int64_t n, const FloatChannelParams &p);

int fakeQuantCuda(const float *x, float *y, std::int64_t n, const LinearParams &p, Stream stream);
int fakeQuantChannelCuda(const float *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream stream);
int fakeQuantFloatCuda(const float *x, float *y, std::int64_t n, const FloatParams &p, Stream stream);
int fakeQuantFloatChannelCuda(const float *x, float *y, std::int64_t n, const FloatChannelParams &p, Stream stream);

/// y[i] = q of x[i], saturated to Int as well. Int: int8_t, uint8_t, int16_t, uint16_t, int32_t.
template <class Int>
void quantizeCpu(const float *x, Int *y, std::int64_t n, const LinearParams &p);
template <class Int>
void quantizeChannelCpu(const float *x, Int *y, std::int64_t n, const LinearChannelParams &p);
template <class Int>
int quantizeCuda(const float *x, Int *y, std::int64_t n, const LinearParams &p, Stream stream);
template <class Int>
int quantizeChannelCuda(const float *x, Int *y, std::int64_t n, const LinearChannelParams &p, Stream stream);

/// y[i] = (float(x[i]) - zeroPoint) * scale. The other members of p are not used. Int as for quantizeCpu.
template <class Int>
void dequantizeCpu(const Int *x, float *y, std::int64_t n, const LinearParams &p);
template <class Int>
void dequantizeChannelCpu(const Int *x, float *y, std::int64_t n, const LinearChannelParams &p);
template <class Int>
int dequantizeCuda(const Int *x, float *y, std::int64_t n, const LinearParams &p, Stream stream);
template <class Int>
int dequantizeChannelCuda(const Int *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream stream);

/// Sums of products of integer codes to the codes of their result: y[i] = clamp(round_half_even(x[i] * factor[c]), lo,
/// hi). factor is input scale * weight scale / output scale as the target computes it in float32; lo and hi are
/// integers. Codes are counted from the zero point, x and y may be the same array. The array of factors is in the
/// memory of x.
struct RequantizeParams
{
    const float *factor = nullptr; ///< [channels]
    std::int64_t channels = 1;
    std::int64_t channelStride = 1;
    float lo = -128.f;
    float hi = 127.f;
};

void requantizeCpu(const float *x, float *y, std::int64_t n, const RequantizeParams &p);
int requantizeCuda(const float *x, float *y, std::int64_t n, const RequantizeParams &p, Stream stream);

/// Gradients of y = fakeQuant(x) with straight-through rounding and a trainable scale (LSQ, Esser et al. 2020). With c
/// = round(x / |s|) + zeroPoint before the clamp, and `inside` if c is in [quantMin, quantMax]:
///   dx = inside ? dy : 0
///   *ds = sign(s) * sum of dy * (inside ? (c - zeroPoint) - x / |s| : bound - zeroPoint)
/// The terms are float32, their sum is double in the order of reduce_order.h. The scale may be negative here. LSQ's
/// factor 1 / sqrt(n * quantMax) is left to the caller. A NaN in x gives 0 for both. dx may be dy; it may not be x.
/// Cuda: ds is on the device; the call allocates and frees device memory.
void fakeQuantBackwardCpu(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                          const LinearParams &p);
int fakeQuantBackwardCuda(const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const LinearParams &p,
                          Stream stream);

/// The same with ds[channels].
void fakeQuantBackwardChannelCpu(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                                 const LinearChannelParams &p);
int fakeQuantBackwardChannelCuda(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                                 const LinearChannelParams &p, Stream stream);

} // namespace ql::gpu
