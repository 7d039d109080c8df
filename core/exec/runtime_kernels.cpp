#include "core/exec/runtime_kernels.h"

#include "core/exec/map_floats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace ql {

namespace {

/// x * P(x^2) / Q(x^2) for x in [-bound, bound]; coefficients from the highest power.
template <std::size_t N, std::size_t M>
QL_INLINE float rational(float x, float bound, const std::array<float, N> &p, const std::array<float, M> &q)
{
    x = std::clamp(x, -bound, bound);
    const float square = x * x;
    float above = p[0], below = q[0];
    for (std::size_t i = 1; i < N; ++i) above = std::fma(above, square, p[i]);
    for (std::size_t i = 1; i < M; ++i) below = std::fma(below, square, q[i]);
    above *= x;
    return above / below;
}

struct Logistic
{
    QL_INLINE float operator()(float x) const
    {
        constexpr std::array<float, 5> p{4.37031012579801e-11f, 1.15627324459942e-07f, 6.08574864600143e-05f,
                                         8.51377133304701e-03f, 2.48287947061529e-01f};
        constexpr std::array<float, 6> q{6.10247389755681e-13f, 5.76102136993427e-09f, 6.29106785017040e-06f,
                                         1.70198817374094e-03f, 1.16817656904453e-01f, 9.93151921023180e-01f};
        return std::clamp(rational(x, 18.f, p, q) + 0.5f, 0.f, 1.f);
    }
};

struct HyperbolicTangent
{
    QL_INLINE float operator()(float x) const
    {
        constexpr std::array<float, 7> p{-2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f,
                                         5.12229709037114e-08f,  1.48572235717979e-05f, 6.37261928875436e-04f,
                                         4.89352455891786e-03f};
        constexpr std::array<float, 4> q{1.19825839466702e-06f, 1.18534705686654e-04f, 2.26843463243900e-03f,
                                         4.89352518554385e-03f};
        return rational(x, 9.f, p, q);
    }
};

struct ErrorFunction
{
    template <std::size_t N>
    static QL_INLINE float polynomial(float x, const std::array<float, N> &p)
    {
        float sum = p[0];
        for (std::size_t i = 1; i < N; ++i) sum = std::fma(sum, x, p[i]);
        return sum;
    }
    /// Odd: of the magnitude, with the sign of x. NaN gives 1, as in MLAS.
    QL_INLINE float operator()(float x) const
    {
        constexpr std::array<float, 6> smallP{-5.99104969e-4f, 4.99339588e-3f,  -2.67667342e-2f,
                                              1.12818025e-1f,  -3.76124859e-1f, 1.28379151e-1f};
        constexpr std::array<float, 7> bigP{1.72948930e-5f, -3.83208680e-4f, 3.88393435e-3f, -2.42545605e-2f,
                                            1.06777847e-1f, 6.34846687e-1f,  1.28717512e-1f};
        constexpr std::array<float, 7> expP{
            1.38319808e-3f, 8.37550033e-3f, 4.16689515e-2f, 1.66664466e-1f, 4.99999851e-1f, 1, 1};
        constexpr float highest = 3.925f, split = 0.921875f, toInteger = 12582912; // 1.5 * 2^23
        constexpr int bias = 127, mantissa = 23;
        float a = std::abs(x);
        a = a < highest ? a : highest;
        const float below = std::fma(polynomial(a * a, smallP), a, a);
        // 1 - exp(-e)
        const float e = -std::fma(polynomial(a, bigP), a, a);
        const float shifted = std::fma(1.44269504088896341f, e, toInteger);
        const float m = shifted - toInteger;
        float rest = std::fma(m, -6.93145752e-1f, e);
        rest = std::fma(m, -1.42860677e-6f, rest);
        const int exponent = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(toInteger);
        const float power = std::bit_cast<float>(std::uint32_t(exponent + bias) << mantissa);
        const float above = 1 - polynomial(rest, expP) * power;
        return std::copysign(a < split ? below : above, x);
    }
};

struct HardSigmoid
{
    float alpha, beta;
    QL_INLINE float operator()(float x) const { return std::clamp(x * alpha + beta, 0.f, 1.f); } // two roundings
};

struct HardSwish
{
    QL_INLINE float operator()(float x) const { return x * HardSigmoid{1.f / 6.f, 0.5f}(x); }
};

class RuntimeKernel final : public PreparedKernel
{
public:
    explicit RuntimeKernel(const KernelFunction &function) : m_function(function) {}
    std::vector<at::Tensor> run(const KernelContext &context, Inputs inputs) override
    {
        return m_function(context, inputs);
    }
    Text hostReason() const override { return QL_TEXT("it follows the formula of the runtime's CPU kernel"); }

private:
    const KernelFunction &m_function; ///< of an entry of the registry
};

} // namespace

at::Tensor runtimeSigmoid(const at::Tensor &x)
{
    return mapFloats(x, Logistic{});
}

at::Tensor runtimeTanh(const at::Tensor &x)
{
    return mapFloats(x, HyperbolicTangent{});
}

at::Tensor runtimeErf(const at::Tensor &x)
{
    return mapFloats(x, ErrorFunction{});
}

at::Tensor runtimeHardSigmoid(const at::Tensor &x, float alpha, float beta)
{
    return mapFloats(x, HardSigmoid{alpha, beta});
}

at::Tensor runtimeHardSwish(const at::Tensor &x)
{
    return mapFloats(x, HardSwish{});
}

std::shared_ptr<PreparedKernel> runtimeKernel(const KernelFunction &function)
{
    return std::make_shared<RuntimeKernel>(function);
}

} // namespace ql
