#include "core/exec/runtime_kernels.h"

#include "gpu/isa_clones.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ql {

namespace {

#ifdef QL_CLONES
constexpr bool fusesWithoutClone = false; // SSE2
#else
constexpr bool fusesWithoutClone = true;
#endif

/// Rows as kernels for vectors of Lanes numbers compute them: element i is added to sum i modulo Lanes.
template <int Lanes>
struct SoftmaxRows
{
    struct Work
    {
        const float *x;
        float *y;
        std::int64_t length;
        bool isLogarithm;
    };

    static QL_INLINE float multiplyAdd(float a, float b, float c)
    {
        if constexpr (Lanes > 4 || fusesWithoutClone) return std::fma(a, b, c);
        return a * b + c;
    }

    /// exp(x) for x <= 0: 2^m times a polynomial of the rest.
    static QL_INLINE float exponential(float x)
    {
        // The kernel for AVX-512 also has results below the smallest normal number
        constexpr float lowest = Lanes == 16 ? -103.9720840454f : -88.3762626647949f;
        constexpr float toInteger = 12582912; // 1.5 * 2^23: the sum's last bit is worth 1
        constexpr int bias = 127, mantissa = 23;
        x = lowest > x ? lowest : x; // NaN stays
        const float shifted = multiplyAdd(x, 1.44269504088896341f, toInteger);
        const float m = shifted - toInteger;
        x = multiplyAdd(m, -6.93145752e-1f, x);
        x = multiplyAdd(m, -1.42860677e-6f, x);
        float p = 0x1.694000p-10f;
        p = multiplyAdd(p, x, 0x1.125edcp-7f);
        p = multiplyAdd(p, x, 0x1.555b5ap-5f);
        p = multiplyAdd(p, x, 0x1.555450p-3f);
        p = multiplyAdd(p, x, 0x1.fffff6p-2f);
        p = multiplyAdd(p, x, 1);
        p = multiplyAdd(p, x, 1);
        const int exponent = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(toInteger);
        if constexpr (Lanes == 16) { // in two factors, of which only the second one rounds
            const int half = exponent / 2;
            p *= std::bit_cast<float>(std::uint32_t(half + bias) << mantissa);
            return p * std::bit_cast<float>(std::uint32_t(exponent - half + bias) << mantissa);
        }
        return p * std::bit_cast<float>(std::uint32_t(exponent + bias) << mantissa);
    }

    static QL_INLINE float highest(const float *x, std::int64_t length)
    {
        std::array<float, Lanes> parts;
        parts.fill(std::numeric_limits<float>::lowest());
        std::int64_t i = 0;
        for (; i + Lanes <= length; i += Lanes)
            for (int lane = 0; lane < Lanes; ++lane) parts[lane] = std::max(x[i + lane], parts[lane]);
        for (int lane = 0; i < length; ++i, ++lane) parts[lane] = std::max(x[i], parts[lane]);
        float all = parts[0];
        for (int lane = 1; lane < Lanes; ++lane) all = std::max(all, parts[lane]);
        return all;
    }

    static QL_INLINE float sum(const float *x, std::int64_t length)
    {
        std::array<float, Lanes> parts{};
        const std::int64_t whole = length / Lanes * Lanes;
        for (std::int64_t i = 0; i < whole; i += Lanes)
            for (int lane = 0; lane < Lanes; ++lane) parts[lane] += x[i + lane];
        if constexpr (Lanes == 4) { // no masks: the rest is added number by number
            float all = fusesWithoutClone ? (parts[0] + parts[1]) + (parts[2] + parts[3])
                                          : (parts[0] + parts[2]) + (parts[1] + parts[3]);
            for (std::int64_t i = whole; i < length; ++i) all += x[i];
            return all;
        }
        for (std::int64_t i = whole; i < length; ++i) parts[i - whole] += x[i];
        if constexpr (Lanes == 16)
            for (int lane = 0; lane < 8; ++lane) parts[lane] += parts[lane + 8];
        return ((parts[0] + parts[1]) + (parts[2] + parts[3])) + ((parts[4] + parts[5]) + (parts[6] + parts[7]));
    }

    /// Rows [begin, end)
    static QL_INLINE void run(Work work, std::int64_t begin, std::int64_t end)
    {
        const std::int64_t length = work.length;
        for (std::int64_t row = begin; row < end; ++row) {
            const float *x = work.x + row * length;
            float *y = work.y + row * length;
            const float shift = -highest(x, length);
            QL_IVDEP
            for (std::int64_t i = 0; i < length; ++i) y[i] = exponential(x[i] + shift);
            const float total = sum(y, length);
            if (work.isLogarithm) {
                const float logarithm = std::log(total);
                QL_IVDEP
                for (std::int64_t i = 0; i < length; ++i) y[i] = x[i] + shift - logarithm;
            } else {
                const float factor = 1 / total;
                QL_IVDEP
                for (std::int64_t i = 0; i < length; ++i) y[i] *= factor;
            }
        }
    }
};

void computeRows(const float *x, float *y, std::int64_t length, bool isLogarithm, std::int64_t begin, std::int64_t end)
{
#ifdef QL_CLONES
    switch (gpu::currentIsa()) {
    case gpu::Isa::Avx512:
        return gpu::cloneAvx512<SoftmaxRows<16>>(SoftmaxRows<16>::Work{x, y, length, isLogarithm}, begin, end);
    case gpu::Isa::Avx2:
        return gpu::cloneAvx2<SoftmaxRows<8>>(SoftmaxRows<8>::Work{x, y, length, isLogarithm}, begin, end);
    case gpu::Isa::Baseline: break;
    }
#endif
    SoftmaxRows<4>::run({x, y, length, isLogarithm}, begin, end);
}

/// The function along axis.
at::Tensor alongAxis(const at::Tensor &x, std::int64_t axis, bool isLogarithm)
{
    constexpr std::int64_t grain = 8192; // elements
    if (x.numel() == 0) return at::empty_like(x);
    const at::Tensor rows = x.transpose(axis, -1).contiguous();
    at::Tensor y = at::empty_like(rows);
    const std::int64_t length = rows.size(-1);
    const float *in = rows.data_ptr<float>();
    float *out = y.data_ptr<float>();
    at::parallel_for(
        0, rows.numel() / length, std::max<std::int64_t>(1, grain / length),
        [&](std::int64_t begin, std::int64_t end) { computeRows(in, out, length, isLogarithm, begin, end); });
    return y.transpose(axis, -1).contiguous();
}

} // namespace

at::Tensor runtimeSoftmax(const at::Tensor &x, std::int64_t axis)
{
    return alongAxis(x, axis, false);
}

at::Tensor runtimeLogSoftmax(const at::Tensor &x, std::int64_t axis)
{
    return alongAxis(x, axis, true);
}

} // namespace ql
