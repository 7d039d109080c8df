#include "core/exec/rows.h"

#include "gpu/isa_clones.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <cstring>

namespace ql {

namespace {

/// nullopt if x has gaps, another axis order, is not on the CPU, or needs a gradient.
std::optional<at::MemoryFormat> layoutOf(const at::Tensor &x)
{
    if (!x.is_cpu() || x.requires_grad()) return std::nullopt;
    if (x.is_contiguous()) return at::MemoryFormat::Contiguous;
    if (x.dim() == 4 && x.is_contiguous(at::MemoryFormat::ChannelsLast)) return at::MemoryFormat::ChannelsLast;
    if (x.dim() == 5 && x.is_contiguous(at::MemoryFormat::ChannelsLast3d)) return at::MemoryFormat::ChannelsLast3d;
    return std::nullopt;
}

/// The memory layout of an axis: [outer][length][inner] elements.
struct Rows
{
    std::int64_t outer = 1, length = 1, inner = 1;
};

Rows rowsOf(const at::Tensor &x, at::MemoryFormat layout, std::int64_t axis)
{
    std::vector<std::int64_t> sizes = x.sizes().vec();
    if (layout != at::MemoryFormat::Contiguous) { // the channels are the last ones in memory
        std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
        if (axis > 0) axis = axis == 1 ? x.dim() - 1 : axis - 1;
    }
    Rows rows;
    for (std::int64_t i = 0; i < x.dim(); ++i)
        (i < axis ? rows.outer : i == axis ? rows.length : rows.inner) *= sizes[std::size_t(i)];
    return rows;
}

/// Number of rows worth another thread: about the cost of waking it.
std::int64_t blockSizeOf(std::int64_t bytesPerRow)
{
    return std::max<std::int64_t>(1, (std::int64_t{1} << 16) / std::max<std::int64_t>(1, bytesPerRow));
}

at::Tensor emptyLike(const at::Tensor &x, at::IntArrayRef sizes, at::MemoryFormat layout)
{
    return at::empty(sizes, x.options().memory_format(layout));
}

/// index and weight: taps for each output position, one after the other.
struct Weigh
{
    struct Work
    {
        const float *x;
        float *y;
        const std::int64_t *index;
        const float *weight;
        std::int64_t taps, in, out, inner;
    };
    /// Rows [begin, end) of the result.
    static QL_INLINE void run(Work work, std::int64_t begin, std::int64_t end)
    {
        const float *plane = work.x + begin / work.out * work.in * work.inner;
        std::int64_t at = begin % work.out;
        for (float *y = work.y + begin * work.inner; begin < end; ++begin, y += work.inner) {
            row(work, plane, at, y);
            if (++at == work.out) {
                at = 0;
                plane += work.in * work.inner;
            }
        }
    }
    static QL_INLINE void row(const Work &work, const float *plane, std::int64_t at, float *y)
    {
        const std::int64_t *index = work.index + at * work.taps;
        const float *weight = work.weight + at * work.taps;
        if (work.taps == 2 && weight[0] != 0 && weight[1] != 0) { // linear interpolation: once through memory
            const float *a = plane + index[0] * work.inner, *b = plane + index[1] * work.inner;
            QL_IVDEP
            for (std::int64_t i = 0; i < work.inner; ++i) y[i] = a[i] * weight[0] + b[i] * weight[1];
            return;
        }
        bool isFirst = true;
        for (std::int64_t k = 0; k < work.taps; ++k) {
            if (weight[k] == 0) continue; // also next to an infinity
            const float *a = plane + index[k] * work.inner;
            QL_IVDEP
            for (std::int64_t i = 0; i < work.inner; ++i) y[i] = isFirst ? a[i] * weight[k] : y[i] + a[i] * weight[k];
            isFirst = false;
        }
        if (isFirst) std::fill(y, y + work.inner, 0.0f);
    }
};

} // namespace

at::Tensor takeAlong(const at::Tensor &x, std::int64_t axis, const std::vector<std::int64_t> &positions)
{
    const auto layout = layoutOf(x);
    if (!layout || x.numel() == 0)
        return at::index_select(x, axis, at::tensor(positions, x.options().dtype(at::kLong)));
    const Rows rows = rowsOf(x, *layout, axis);
    std::vector<std::int64_t> sizes = x.sizes().vec();
    const std::int64_t out = sizes[std::size_t(axis)] = std::int64_t(positions.size());
    const at::Tensor y = emptyLike(x, sizes, *layout);
    const std::int64_t bytes = rows.inner * std::int64_t(x.element_size());
    const char *from = static_cast<const char *>(x.data_ptr());
    char *to = static_cast<char *>(y.data_ptr());
    const auto copy = [&](auto copyOne) {
        at::parallel_for(0, rows.outer * out, blockSizeOf(bytes), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t row = begin; row < end; ++row)
                copyOne(to + row * bytes, from + (row / out * rows.length + positions[std::size_t(row % out)]) * bytes);
        });
    };
    if (bytes == 4) // single elements: a copy of unknown size would take several times as long
        copy([](char *y_, const char *x_) { std::memcpy(y_, x_, 4); });
    else
        copy([&](char *y_, const char *x_) { std::memcpy(y_, x_, std::size_t(bytes)); });
    return y;
}

std::optional<at::Tensor> weightedSumAlong(const at::Tensor &x, std::int64_t axis,
                                           const std::vector<std::vector<std::int64_t>> &index,
                                           const std::vector<std::vector<float>> &weight)
{
    const auto layout = layoutOf(x);
    if (!layout || x.scalar_type() != at::kFloat || index.empty()) return std::nullopt;
    const std::size_t taps = index.size(), out = index[0].size();
    std::vector<std::int64_t> positions(taps * out);
    std::vector<float> weights(taps * out);
    for (std::size_t k = 0; k < taps; ++k)
        for (std::size_t i = 0; i < out; ++i) {
            positions[i * taps + k] = index[k][i];
            weights[i * taps + k] = weight[k][i];
        }
    const Rows rows = rowsOf(x, *layout, axis);
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes[std::size_t(axis)] = std::int64_t(out);
    at::Tensor y = emptyLike(x, sizes, *layout);
    const Weigh::Work work{x.data_ptr<float>(), y.data_ptr<float>(), positions.data(),  weights.data(),
                           std::int64_t(taps),  rows.length,         std::int64_t(out), rows.inner};
    at::parallel_for(0, rows.outer * work.out, blockSizeOf(4 * rows.inner * work.taps),
                     [&](std::int64_t begin, std::int64_t end) { gpu::dispatch<Weigh>(work, begin, end); });
    return y;
}

} // namespace ql
