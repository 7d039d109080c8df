#pragma once

#include "gpu/fake_quant.h"
#include "gpu/host_device.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

// One element, for the CPU and the device: the kernels of both are loops over these functors. They divide by the scale,
// because x * (1 / scale) rounds differently, and they must be compiled without contraction (-ffp-contract=off,
// -fmad=false). Comparisons are written so that a NaN passes through.
namespace ql::gpu {

QL_HD QL_INLINE std::uint32_t bitsOf(float x)
{
#ifdef __CUDA_ARCH__
    return __float_as_uint(x);
#else
    return __builtin_bit_cast(std::uint32_t, x);
#endif
}

QL_HD QL_INLINE float floatOf(std::uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return __uint_as_float(bits);
#else
    return __builtin_bit_cast(float, bits);
#endif
}

/// @returns y, or the one NaN of this room: x86 keeps the payload of a NaN, CUDA does not.
QL_HD QL_INLINE float canonicalNan(float y)
{
    return y == y ? y : floatOf(0x7fc00000u);
}

/// NaN stays NaN.
QL_HD QL_INLINE float clampTo(float q, float lo, float hi)
{
    q = lo > q ? lo : q;
    return hi < q ? hi : q;
}

/// Rounding as a template argument, for loops without a switch.
template <Rounding R>
struct RoundingTag
{
    static constexpr Rounding value = R;
};

template <Rounding R>
QL_HD QL_INLINE float roundTo(float x)
{
    if constexpr (R == Rounding::HalfUp) {
        return floorf(x + 0.5f);
    } else if constexpr (R == Rounding::HalfDown) {
        return ceilf(x - 0.5f);
    } else if constexpr (R == Rounding::HalfTowardsZero) {
        return copysignf(ceilf(fabsf(x) - 0.5f), x);
    } else if constexpr (R == Rounding::HalfAwayFromZero) {
        return copysignf(floorf(fabsf(x) + 0.5f), x);
    } else if constexpr (R == Rounding::ToNearInt) {
        const float a = fabsf(x);
        const float t = truncf(a); // a - t is exact, a + 0.5 is not
        return copysignf(t + (a - t >= 0.5f ? 1.f : 0.f), x);
    } else if constexpr (R == Rounding::Up) {
        return ceilf(x);
    } else if constexpr (R == Rounding::Down) {
        return floorf(x);
    } else {
        return nearbyintf(x); // under the default rounding mode, which is never changed here
    }
}

/// Calls f with the RoundingTag of r. A value outside the enumeration is taken as HalfEven.
template <class F>
auto withRounding(Rounding r, F &&f)
{
    switch (r) {
    case Rounding::HalfUp: return f(RoundingTag<Rounding::HalfUp>{});
    case Rounding::HalfDown: return f(RoundingTag<Rounding::HalfDown>{});
    case Rounding::HalfTowardsZero: return f(RoundingTag<Rounding::HalfTowardsZero>{});
    case Rounding::HalfAwayFromZero: return f(RoundingTag<Rounding::HalfAwayFromZero>{});
    case Rounding::ToNearInt: return f(RoundingTag<Rounding::ToNearInt>{});
    case Rounding::Up: return f(RoundingTag<Rounding::Up>{});
    case Rounding::Down: return f(RoundingTag<Rounding::Down>{});
    case Rounding::HalfEven: break;
    }
    return f(RoundingTag<Rounding::HalfEven>{});
}

/// (x, scale, zero point) -> code, still as float.
template <Rounding R>
struct LinearCode
{
    float lo, hi;

    QL_HD QL_INLINE float operator()(float x, float s, float z) const
    {
        const float q = clampTo(roundTo<R>(x / s) + z, lo, hi);
        return q == q ? q : clampTo(z, lo, hi);
    }
};

/// The range of codes that Int can hold; the float above int32's largest value represents it.
template <class Int>
QL_HD QL_INLINE float lowestCode(float quantMin)
{
    constexpr float least = std::is_signed_v<Int> ? -float(1ll << (8 * sizeof(Int) - 1)) : 0.f;
    return quantMin < least ? least : quantMin;
}

template <class Int>
QL_HD QL_INLINE float highestCode(float quantMax)
{
    constexpr float most = float((1ll << (8 * sizeof(Int) - std::is_signed_v<Int>)) - 1);
    return quantMax > most ? most : quantMax;
}

/// A code between lowestCode and highestCode as Int; 2^31 becomes 2^31 - 1.
template <class Int>
QL_HD QL_INLINE Int codeToInt(float q)
{
    if constexpr (sizeof(Int) < 4) {
        return Int(std::int32_t(q));
    } else {
        const std::int32_t v = std::int32_t(q > 2147483520.f ? 2147483520.f : q);
        return q >= 2147483648.f ? 0x7fffffff : v;
    }
}

/// (x, scale, zero point) -> fake-quantized x.
template <Rounding R>
struct LinearFakeQuant
{
    float lo, hi;

    QL_HD QL_INLINE float operator()(float x, float s, float z) const
    {
        const float q = clampTo(roundTo<R>(x / s) + z, lo, hi);
        return canonicalNan((q - z) * s);
    }
};

/// (code, scale, zero point) -> real value.
struct LinearDequant
{
    QL_HD QL_INLINE float operator()(float q, float s, float z) const { return (q - z) * s; }
};

/// (sum, factor, not used) -> code counted from the zero point, as float.
struct Requantize
{
    float lo, hi;

    QL_HD QL_INLINE float operator()(float x, float f, float) const
    {
        return canonicalNan(clampTo(nearbyintf(x * f) + 0.f, lo, hi)); // codes have no -0
    }
};

/// Gradients of LinearFakeQuant with respect to x and to the scale; s is |scale|. See fakeQuantBackwardCpu.
template <Rounding R>
struct LinearGradient
{
    float lo, hi;

    /// @returns the term of ds.
    QL_HD QL_INLINE float operator()(float x, float dy, float s, float z, float *dx) const
    {
        const float v = x / s;
        const float c = roundTo<R>(v) + z;
        const bool inside = c >= lo && c <= hi;
        const float bound = c > hi ? hi - z : lo - z;
        *dx = inside ? dy : 0.f;
        const float term = dy * (inside ? (c - z) - v : bound);
        return c == c ? term : 0.f;
    }
};

/// Constants of a float format, prepared once on the host.
struct FloatGrid
{
    float lo, hi;              ///< the user's range
    float satLo, satHi;        ///< the user's range limited to what the format can represent
    float minNormal;           ///< below it (in magnitude) numbers are multiples of step
    float step;                ///< 2^-k
    float up1, up2;            ///< up1 * up2 = 2^k; apart because 2^k itself may be above the float32 range
    std::uint32_t dropMask;    ///< the dropped mantissa bits
    std::uint32_t roundUpFrom; ///< dropped bits from this value on round away from zero
    std::uint32_t evenMask;    ///< 1: one less when the kept mantissa is odd
    int keepShift;             ///< bit number of the last kept mantissa bit
};

inline FloatGrid makeFloatGrid(const FloatParams &p)
{
    const int e = std::clamp(p.exponentBits, 1, 8);
    const int m = std::clamp(p.mantissaBits, 0, 23);
    const int half = 1 << (e - 1);
    const double top = std::ldexp(2.0 - std::ldexp(1.0, -m), half); // 2^129 at most: fits a double, not a float
    FloatGrid g{};
    g.lo = p.quantMin;
    g.hi = p.quantMax;
    g.satHi = double(p.quantMax) < top ? p.quantMax : float(top);
    g.satLo = double(p.quantMin) > -top ? p.quantMin : float(-top);
    g.minNormal = std::ldexp(1.f, 2 - half);
    const int k = half + m - 2; // -1..149
    g.step = std::ldexp(1.f, -k);
    g.up1 = std::ldexp(1.f, std::min(k, 100));
    g.up2 = std::ldexp(1.f, k - std::min(k, 100));
    g.keepShift = 23 - m;
    g.dropMask = (1u << g.keepShift) - 1u;
    const std::uint32_t tie = (g.dropMask + 1u) / 2u;
    switch (p.rounding) {
    case Rounding::HalfEven:
    case Rounding::HalfDown:
    case Rounding::HalfTowardsZero: g.roundUpFrom = tie + 1u; break;
    case Rounding::HalfUp:
    case Rounding::HalfAwayFromZero:
    case Rounding::ToNearInt: g.roundUpFrom = std::max(tie, 1u); break;
    case Rounding::Up: g.roundUpFrom = 1u; break;
    case Rounding::Down: g.roundUpFrom = g.dropMask + 1u; break;
    }
    g.evenMask = p.rounding == Rounding::HalfEven && m < 23 ? 1u : 0u;
    return g;
}

/// (x, scale, not used) -> x in a float format. R is the policy of the subnormal range; the grid defines the other.
template <Rounding R>
struct FloatFakeQuant
{
    FloatGrid g;

    QL_HD QL_INLINE float operator()(float x, float s, float) const
    {
        const float u = x / s;
        const std::uint32_t bits = bitsOf(u);
        const std::uint32_t from = g.roundUpFrom - ((bits >> g.keepShift) & g.evenMask);
        const std::uint32_t away = (bits & g.dropMask) >= from ? g.dropMask + 1u : 0u; // a carry raises the exponent
        const float normal = floatOf((bits & ~g.dropMask) + away);
        const float subnormal = roundTo<R>(u * g.up1 * g.up2) * g.step;
        float q = clampTo(fabsf(u) < g.minNormal ? subnormal : normal, g.lo, g.hi);
        q = u > g.satHi ? g.satHi : q;
        q = u < g.satLo ? g.satLo : q;
        return u == u ? q * s : floatOf(0x7fc00000u);
    }
};

/// Policy applied to one number. @returns NaN for NaN.
inline float roundScalar(float x, Rounding rounding)
{
    return withRounding(rounding, [x](auto tag) { return roundTo<decltype(tag)::value>(x); });
}

/// One element of fakeQuantCpu.
inline float fakeQuantScalar(float x, const LinearParams &p)
{
    return withRounding(p.rounding, [&](auto tag) {
        return LinearFakeQuant<decltype(tag)::value>{p.quantMin, p.quantMax}(x, p.scale, float(p.zeroPoint));
    });
}

/// The code of one element, as float.
inline float quantizeScalar(float x, const LinearParams &p)
{
    return withRounding(p.rounding, [&](auto tag) {
        return LinearCode<decltype(tag)::value>{p.quantMin, p.quantMax}(x, p.scale, float(p.zeroPoint));
    });
}

/// One element of fakeQuantFloatCpu.
inline float fakeQuantFloatScalar(float x, const FloatParams &p)
{
    return withRounding(
        p.rounding, [&](auto tag) { return FloatFakeQuant<decltype(tag)::value>{makeFloatGrid(p)}(x, p.scale, 0.f); });
}

} // namespace ql::gpu
