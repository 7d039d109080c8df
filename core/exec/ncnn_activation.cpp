#include "core/exec/ncnn_activation.h"

#include "gpu/isa_clones.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#ifdef QL_CLONES
#include <immintrin.h>
#endif

namespace ql {

namespace {

/// 1 + exp(-x): Cephes' polynomial.
struct Denominator
{
    static QL_INLINE float value(float x)
    {
        constexpr float highest = 88.3762626647949f, log2e = 1.44269504088896341f;
        constexpr std::array<float, 6> p{1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                                         4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f};
        constexpr int bias = 127, mantissa = 23;
        float e = std::min(0 - x, highest);
        e = std::max(e, -highest);
        const float n = std::floor(std::fma(e, log2e, 0.5f));
        e = std::fma(-n, 0.693359375f, e);
        e = std::fma(-n, -2.12194440e-4f, e);
        float y = p[0];
        for (std::size_t i = 1; i < p.size(); ++i) y = std::fma(y, e, p[i]);
        const float square = e * e;
        y = std::fma(y, square, e) + 1;
        return 1 + y * std::bit_cast<float>(std::uint32_t(int(n) + bias) << mantissa);
    }
    static QL_INLINE void run(const float *x, float *y, std::int64_t count)
    {
        QL_IVDEP
        for (std::int64_t i = 0; i < count; ++i) y[i] = value(x[i]);
    }
};

/// The reciprocals that the processor estimates.
#ifdef QL_CLONES
__attribute__((target("avx512f"))) void estimate512(const float *x, float *y)
{
    _mm512_storeu_ps(y, _mm512_maskz_rcp14_ps(0xffff, _mm512_loadu_ps(x)));
}
void estimate128(const float *x, float *y)
{
    _mm_storeu_ps(y, _mm_rcp_ps(_mm_loadu_ps(x)));
}
#else
void estimate512(const float *x, float *y)
{
    for (int i = 0; i < 16; ++i) y[i] = 1 / x[i];
}
void estimate128(const float *x, float *y)
{
    for (int i = 0; i < 4; ++i) y[i] = 1 / x[i];
}
#endif

/// x / (1 + exp(-x)), or 1 / (1 + exp(-x)).
struct Quotient
{
    static constexpr std::int64_t wide = 16, narrow = 4;

    bool isSwish, hasWide;

    /// A block of `wide` or `narrow` elements with numerator x / denominator d.
    void vector(const float *x, const float *d, float *y, std::int64_t count) const
    {
        std::array<float, wide> r;
        if (count == wide)
            estimate512(d, r.data());
        else
            estimate128(d, r.data());
        for (std::int64_t i = 0; i < count; ++i) {
            const float square = r[std::size_t(i)] * (r[std::size_t(i)] * d[i]);
            const float better = (r[std::size_t(i)] + r[std::size_t(i)]) - square;
            y[i] = isSwish ? x[i] * better : better;
        }
    }

    /// The elements of a channel. What does not fill a vector is computed one by one, with libm; a Sigmoid on AVX-512
    /// masks its last vector.
    void run(const float *x, float *y, std::int64_t size) const
    {
        std::array<float, wide> d;
        std::int64_t i = 0;
        for (; hasWide && i + wide <= size; i += wide) {
            gpu::dispatch<Denominator>(x + i, d.data(), wide);
            vector(x + i, d.data(), y + i, wide);
        }
        if (hasWide && !isSwish) {
            std::array<float, wide> last{};
            if (i == size) return;
            std::copy(x + i, x + size, last.begin());
            gpu::dispatch<Denominator>(last.data(), d.data(), wide);
            vector(last.data(), d.data(), last.data(), wide);
            std::copy_n(last.begin(), size - i, y + i);
            return;
        }
        for (; i + narrow <= size; i += narrow) {
            gpu::dispatch<Denominator>(x + i, d.data(), narrow);
            vector(x + i, d.data(), y + i, narrow);
        }
        for (; i < size; ++i) y[i] = (isSwish ? x[i] : 1) / (1 + std::exp(-x[i]));
    }
};

/// By channel: ncnn's tensors of three and four axes have channels.
at::Tensor byChannel(const at::Tensor &x, bool isSwish)
{
    const at::Tensor from = x.contiguous();
    at::Tensor y = at::empty_like(from);
    const std::int64_t rows = from.dim() == 0 ? 1 : from.size(0) * (from.dim() > 3 ? from.size(1) : 1);
    const std::int64_t size = rows == 0 ? 0 : from.numel() / rows;
    const float *in = from.data_ptr<float>();
    float *out = y.data_ptr<float>();
    const Quotient quotient{isSwish, gpu::currentIsa() == gpu::Isa::Avx512};
    at::parallel_for(0, rows, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t row = begin; row < end; ++row) quotient.run(in + row * size, out + row * size, size);
    });
    return y;
}

} // namespace

at::Tensor ncnnSwish(const at::Tensor &x)
{
    return byChannel(x, true);
}

at::Tensor ncnnSigmoid(const at::Tensor &x)
{
    return byChannel(x, false);
}

} // namespace ql
