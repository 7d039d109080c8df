#include "core/exec/runtime_kernels.h"

#include "gpu/isa_clones.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace ql {

namespace {

struct NormalizedRows
{
    const float *x, *scale, *bias; ///< bias: nullptr for none
    float *y, *mean, *inverse;
    std::int64_t length;
    float epsilon;
    bool isCentred;
};

/// With vectors of AVX2: sums of squares in eight lanes, around a mean in float64.
struct VectorRows
{
    static constexpr int lanes = 8;

    static QL_INLINE float meanOf(const float *x, std::int64_t length)
    {
        std::array<double, lanes> parts{};
        std::int64_t i = 0;
        for (; i + lanes <= length; i += lanes)
            for (int lane = 0; lane < lanes; ++lane) parts[lane] += double(x[i + lane]);
        double sum = ((parts[0] + parts[4]) + (parts[2] + parts[6])) + ((parts[1] + parts[5]) + (parts[3] + parts[7]));
        for (; i < length; ++i) sum += double(x[i]);
        return float(sum / double(length));
    }

    static QL_INLINE float squaresOf(const float *x, std::int64_t length, float mean)
    {
        std::array<float, lanes> parts{};
        std::int64_t i = 0;
        for (; i + lanes <= length; i += lanes)
            for (int lane = 0; lane < lanes; ++lane) {
                const float centred = x[i + lane] - mean;
                parts[lane] = std::fma(centred, centred, parts[lane]);
            }
        float sum = ((parts[0] + parts[4]) + (parts[2] + parts[6])) + ((parts[1] + parts[5]) + (parts[3] + parts[7]));
        for (; i < length; ++i) sum = std::fma(x[i] - mean, x[i] - mean, sum);
        return sum;
    }

    /// Rows [begin, end)
    static QL_INLINE void run(NormalizedRows work, std::int64_t begin, std::int64_t end)
    {
        const std::int64_t length = work.length;
        for (std::int64_t row = begin; row < end; ++row) {
            const float *x = work.x + row * length;
            float *y = work.y + row * length;
            const float mean = work.isCentred ? meanOf(x, length) : 0;
            const float inverse = 1 / std::sqrt(squaresOf(x, length, mean) / float(length) + work.epsilon);
            const float *scale = work.scale, *bias = work.bias;
            if (bias) {
                QL_IVDEP
                for (std::int64_t i = 0; i < length; ++i) y[i] = std::fma((x[i] - mean) * inverse, scale[i], bias[i]);
            } else {
                QL_IVDEP
                for (std::int64_t i = 0; i < length; ++i) y[i] = (x[i] - mean) * inverse * scale[i];
            }
            work.mean[row] = mean;
            work.inverse[row] = inverse;
        }
    }
};

/// Number by number: mean and variance are updated with each (Welford), and the deviation divides.
void scalarRows(const NormalizedRows &work, std::int64_t begin, std::int64_t end)
{
    const std::int64_t length = work.length;
    for (std::int64_t row = begin; row < end; ++row) {
        const float *x = work.x + row * length;
        float *y = work.y + row * length;
        float mean = 0, squares = 0;
        for (std::int64_t i = 0; i < length; ++i) {
            const float before = x[i] - mean;
            if (work.isCentred) mean += before / float(i + 1);
            squares += before * (x[i] - mean);
        }
        const float deviation = std::sqrt(squares / float(length) + work.epsilon);
        for (std::int64_t i = 0; i < length; ++i) {
            y[i] = (x[i] - mean) / deviation * work.scale[i];
            if (work.bias) y[i] += work.bias[i];
        }
        work.mean[row] = mean;
        work.inverse[row] = 1 / deviation;
    }
}

/// Whether MLAS has vectors for rows of this length: only with AVX2.
bool usesVectors(std::int64_t length, bool isCentred)
{
    constexpr std::int64_t shortest = 8, shortestSquares = 16;
#ifdef QL_CLONES
    return gpu::currentIsa() != gpu::Isa::Baseline && length >= (isCentred ? shortest : shortestSquares);
#else
    return false;
#endif
}

} // namespace

std::optional<RuntimeNormalized> runtimeNormalization(const RowsToNormalize &rows)
{
    const at::Tensor x = rows.x.contiguous();
    std::vector<std::int64_t> outer(x.sizes().begin(), x.sizes().end());
    std::int64_t length = 1;
    for (std::size_t i = std::size_t(rows.axis); i < outer.size(); ++i) length *= std::exchange(outer[i], 1);
    const auto fits = [&](const at::Tensor &factor) {
        return factor.scalar_type() == at::kFloat && factor.numel() == length;
    };
    if (x.scalar_type() != at::kFloat || x.numel() == 0 || !fits(rows.scale)) return std::nullopt;
    if (rows.bias.defined() && !fits(rows.bias)) return std::nullopt;
    const at::Tensor scale = rows.scale.contiguous(), bias = rows.bias.defined() ? rows.bias.contiguous() : rows.bias;
    RuntimeNormalized result{at::empty_like(x), at::empty(outer, x.options()), at::empty(outer, x.options())};
    const NormalizedRows work{.x = x.data_ptr<float>(),
                              .scale = scale.data_ptr<float>(),
                              .bias = bias.defined() ? bias.data_ptr<float>() : nullptr,
                              .y = result.y.data_ptr<float>(),
                              .mean = result.mean.data_ptr<float>(),
                              .inverse = result.inverse.data_ptr<float>(),
                              .length = length,
                              .epsilon = float(rows.epsilon),
                              .isCentred = rows.isCentred};
    const bool hasVectors = !rows.isSum && usesVectors(length, rows.isCentred);
    constexpr std::int64_t grain = 16384; // elements
    at::parallel_for(0, x.numel() / length, std::max<std::int64_t>(1, grain / length),
                     [&](std::int64_t begin, std::int64_t end) {
                         if (hasVectors)
                             gpu::dispatch<VectorRows>(work, begin, end);
                         else
                             scalarRows(work, begin, end);
                     });
    return result;
}

at::Tensor runtimeInstanceNormalization(const at::Tensor &x, const at::Tensor &scale, const at::Tensor &shift,
                                        double epsilon)
{
    const at::Tensor from = x.contiguous(), scales = scale.contiguous(), shifts = shift.contiguous();
    at::Tensor to = at::empty_like(from);
    const std::int64_t channels = x.size(1), rows = x.size(0) * channels, length = x.numel() / rows;
    const float *in = from.data_ptr<float>();
    float *out = to.data_ptr<float>();
    constexpr std::int64_t grain = 16384; // elements
    at::parallel_for(0, rows, std::max<std::int64_t>(1, grain / length), [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> squares(static_cast<std::size_t>(length));
        for (std::int64_t row = begin; row < end; ++row) {
            const float *values = in + row * length;
            float *y = out + row * length;
            const float mean = runtimeRowSum(values, length, row * length) / float(length);
            for (std::int64_t i = 0; i < length; ++i) squares[std::size_t(i)] = (values[i] - mean) * (values[i] - mean);
            const float variance = runtimeRowSum(squares.data(), length, 0) / float(length);
            const float inverse = 1 / std::sqrt(variance + float(epsilon));
            const float factor = inverse * scales.data_ptr<float>()[row % channels];
            const float offset = shifts.data_ptr<float>()[row % channels] - mean * factor;
            for (std::int64_t i = 0; i < length; ++i) y[i] = values[i] * factor + offset;
        }
    });
    return to;
}

} // namespace ql
