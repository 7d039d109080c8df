#include "core/exec/openvino_activation.h"

#include "core/exec/map_floats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ql {

namespace {

/// x is not positive.
QL_INLINE float exponential(float x)
{
    constexpr float log2e = 1.44269502f, ln2 = 0.693147182f;
    constexpr float smallest = -87.3365479f; // its exponential is the smallest normal number
    constexpr std::array<float, 6> p{0.00828929059f, 0.0418978222f, 0.166676521f, 0.499991506f, 0.999999702f, 1};
    constexpr int bias = 127, mantissa = 23;
    const float e = std::max(x, smallest);
    const float n = std::floor(e * log2e + 0.5f);
    const float rest = std::fma(-n, ln2, e);
    float y = p[0];
    for (std::size_t i = 1; i < p.size(); ++i) y = std::fma(y, rest, p[i]);
    const float half = std::bit_cast<float>(std::uint32_t(int(n) - 1 + bias) << mantissa);
    return x < smallest ? 0 : y * half * 2;
}

struct OpenVinoSigmoid
{
    QL_INLINE float operator()(float x) const
    {
        const float e = exponential(-std::abs(x)), y = e / (e + 1);
        return std::signbit(x) ? y : 1 - y;
    }
};

struct OpenVinoHardSwish
{
    QL_INLINE float operator()(float x) const
    {
        constexpr float sixth = 1.f / 6;
        return x * std::min(std::max(x * sixth + 0.5f, 0.f), 1.f);
    }
};

} // namespace

OpenVinoActivation openVinoActivation(std::string_view type)
{
    if (type == "Sigmoid") return [](const at::Tensor &x) { return mapFloats(x, OpenVinoSigmoid{}); };
    if (type == "HardSwish") return [](const at::Tensor &x) { return mapFloats(x, OpenVinoHardSwish{}); };
    return nullptr;
}

} // namespace ql
