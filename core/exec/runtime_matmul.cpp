#include "core/exec/runtime_kernels.h"

#include "gpu/isa_clones.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace ql {

namespace {

constexpr int width = 32; ///< columns of a panel

/// Panels of columns of [samples, rows, terms] by [samples, terms, columns].
struct Panels
{
    struct Work
    {
        const float *a, *b;
        float *y;
        std::int64_t rows, terms, columns;
        std::int64_t block; ///< products are added from zero in each block of terms, and the sums of the blocks then
        float *panel;       ///< [terms, width]
    };

    template <int Count>
    static QL_INLINE void rowsOf(const Work &work, const float *a, float *y, std::int64_t columns)
    {
        for (std::int64_t first = 0; first < work.terms; first += work.block) {
            const std::int64_t last = std::min(first + work.block, work.terms);
            std::array<std::array<float, width>, Count> sums{};
            for (std::int64_t k = first; k < last; ++k) {
                const float *b = work.panel + k * width;
                for (int row = 0; row < Count; ++row) {
                    const float factor = a[row * work.terms + k];
                    for (int i = 0; i < width; ++i) sums[row][i] = std::fma(factor, b[i], sums[row][i]);
                }
            }
            for (int row = 0; row < Count; ++row)
                for (std::int64_t i = 0; i < columns; ++i) {
                    float &result = y[row * work.columns + i];
                    result = first == 0 ? sums[row][std::size_t(i)] : result + sums[row][std::size_t(i)];
                }
        }
    }

    /// Panels [begin, end) of all samples
    static QL_INLINE void run(Work work, std::int64_t begin, std::int64_t end)
    {
        const std::int64_t panels = (work.columns + width - 1) / width;
        for (std::int64_t at = begin; at < end; ++at) {
            const std::int64_t sample = at / panels, column = at % panels * width;
            const std::int64_t columns = std::min<std::int64_t>(width, work.columns - column);
            const float *a = work.a + sample * work.rows * work.terms;
            const float *b = work.b + sample * work.terms * work.columns + column;
            float *y = work.y + sample * work.rows * work.columns + column;
            for (std::int64_t k = 0; k < work.terms; ++k)
                for (std::int64_t i = 0; i < width; ++i)
                    work.panel[k * width + i] = i < columns ? b[k * work.columns + i] : 0;
            constexpr int some = 4;
            std::int64_t row = 0;
            for (; row + some <= work.rows; row += some)
                rowsOf<some>(work, a + row * work.terms, y + row * work.columns, columns);
            for (; row < work.rows; ++row) rowsOf<1>(work, a + row * work.terms, y + row * work.columns, columns);
        }
    }
};

/// Of 128 terms and 128 columns, or longer in one direction if the other one is short.
std::int64_t blockOf(std::int64_t columns, std::int64_t terms)
{
    std::int64_t length = 128, across = 128;
    if (columns >= terms)
        while (length / 2 >= terms) length /= 2;
    else
        for (; across > 16 && across / 2 >= columns; across /= 2) length *= 2;
    return length;
}

} // namespace

std::optional<at::Tensor> runtimeMatMul(const at::Tensor &a, const at::Tensor &b)
{
    const std::int64_t samples = a.size(0), rows = a.size(1), terms = a.size(2), columns = b.size(2);
    // MLAS multiplies vectors in other ways, and SSE2 does not fuse
#ifdef QL_CLONES
    if (gpu::currentIsa() == gpu::Isa::Baseline) return std::nullopt;
#endif
    if (rows < 2 || columns < 2 || terms == 0 || samples == 0) return std::nullopt;
    const at::Tensor left = a.contiguous(), right = b.contiguous();
    at::Tensor y = at::empty({samples, rows, columns}, left.options());
    Panels::Work work{left.data_ptr<float>(),
                      right.data_ptr<float>(),
                      y.data_ptr<float>(),
                      rows,
                      terms,
                      columns,
                      blockOf(columns, terms),
                      nullptr};
    const std::int64_t grain = std::max<std::int64_t>(1, 32768 / (rows * terms));
    at::parallel_for(0, samples * ((columns + width - 1) / width), grain, [&](std::int64_t begin, std::int64_t end) {
        std::vector<float> panel(std::size_t(terms * width));
        Panels::Work own = work;
        own.panel = panel.data();
        gpu::dispatch<Panels>(own, begin, end);
    });
    return y;
}

} // namespace ql
