#include "core/exec/mnn_activation.h"

#include "core/exec/map_floats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ql {

namespace {

/// 1 + exp(-x). The exponential is the fourth power of a polynomial of a quarter.
QL_INLINE float denominator(float x)
{
    constexpr float limit = 87, log2 = 0.693147180559945f, inverse = 1 / log2;
    constexpr std::array<float, 6> p{1.f / 120, 1.f / 24, 1.f / 6, 0.5f, 1, 1};
    constexpr float toInteger = 12582912; // 1.5 * 2^23: rounds half to even
    constexpr int bias = 127, mantissa = 23;
    const float e = std::min(std::max(-x, -limit), limit);
    const float n = (e * inverse + toInteger) - toInteger;
    const float t = std::fma(-n, log2, e) * 0.25f;
    float y = p[0];
    for (std::size_t i = 1; i < p.size(); ++i) y = std::fma(y, t, p[i]);
    y *= y;
    y *= y;
    return 1 + y * std::bit_cast<float>(std::uint32_t(int(n) + bias) << mantissa);
}

struct MnnSilu
{
    QL_INLINE float operator()(float x) const { return x / denominator(x); }
};

struct MnnSigmoid
{
    QL_INLINE float operator()(float x) const { return 1 / denominator(x); }
};

} // namespace

at::Tensor mnnSilu(const at::Tensor &x)
{
    return mapFloats(x, MnnSilu{});
}

at::Tensor mnnSigmoid(const at::Tensor &x)
{
    return mapFloats(x, MnnSigmoid{});
}

} // namespace ql
