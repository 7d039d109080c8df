#include "gpu/fake_quant.h"

#include "gpu/fake_quant_scalar.h"
#include "gpu/isa_clones.h"
#include "gpu/parallel.h"
#include "gpu/reduce_order.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace ql::gpu {

namespace {

/// Neighbouring elements of one channel; element 0 goes to `firstLane`.
template <class Op>
struct GradientRun
{
    static QL_INLINE void run(const float *x, const float *dy, float *dx, std::int64_t n, int firstLane, Op op, float s,
                              float z, double *lanes)
    {
        std::int64_t i = 0;
        for (int l = firstLane; i < n && l % kLanes != 0; ++i, ++l) {
            const float slope = dy[i];
            lanes[l] += double(op(x[i], slope, s, z, dx + i));
        }
        alignas(64) float terms[kLanes];
        for (; i + kLanes <= n; i += kLanes) {
            QL_IVDEP
            for (int l = 0; l < kLanes; ++l) terms[l] = op(x[i + l], dy[i + l], s, z, dx + i + l);
            for (int l = 0; l < kLanes; ++l) lanes[l] += double(terms[l]);
        }
        for (int l = 0; i < n; ++i, ++l) {
            const float slope = dy[i];
            lanes[l] += double(op(x[i], slope, s, z, dx + i));
        }
    }
};

/// Channels of the columns of a [rows, columns] array: one lane per row modulo kLanes and per one of `width` columns.
constexpr std::int64_t kColumns = 64;

template <class Op>
struct GradientColumns
{
    static QL_INLINE void run(const float *x, const float *dy, float *dx, std::int64_t rows, std::int64_t columns,
                              std::int64_t width, Op op, const float *s, const float *z, double *lanes)
    {
        alignas(64) float terms[kColumns];
        for (std::int64_t r = 0; r < rows; ++r) {
            const std::int64_t at = r * columns;
            double *lane = lanes + r % kLanes * kColumns;
            QL_IVDEP
            for (std::int64_t c = 0; c < width; ++c) terms[c] = op(x[at + c], dy[at + c], s[c], z[c], dx + at + c);
            for (std::int64_t c = 0; c < width; ++c) lane[c] += double(terms[c]);
        }
    }
};

double signOf(float scale)
{
    return scale < 0.f ? -1.0 : 1.0;
}

/// Arguments of one call; scale is |scale|.
template <class Op>
struct Task
{
    const float *x, *dy;
    float *dx;
    std::int64_t n, channels, stride;
    Op op;
    std::vector<float> scale, zero;
    std::int64_t chunks = 0;        ///< of the longest channel
    std::vector<double> parts = {}; ///< [channels, chunks]

    void chunk(std::int64_t c, std::int64_t k)
    {
        alignas(64) double lanes[kLanes] = {};
        const std::int64_t end = std::min(channelSize(n, channels, stride, c), (k + 1) * kChunk);
        for (std::int64_t j = k * kChunk; j < end;) {
            const std::int64_t stop = std::min(end, (j / stride + 1) * stride);
            const std::int64_t at = channelElement(channels, stride, c, j);
            dispatch<GradientRun<Op>>(x + at, dy + at, dx + at, stop - j, int(j % kLanes), op, scale[std::size_t(c)],
                                      zero[std::size_t(c)], static_cast<double *>(lanes));
            j = stop;
        }
        parts[std::size_t(c * chunks + k)] = foldLanes(lanes);
    }

    void columns(std::int64_t first, std::int64_t k)
    {
        alignas(64) double lanes[kLanes * kColumns] = {};
        const std::int64_t width = std::min(kColumns, channels - first);
        const std::int64_t begin = k * kChunk * channels + first;
        // the last row may be partial: then only its first columns are processed
        const std::int64_t whole = std::min(kChunk, n / channels - k * kChunk);
        if (whole > 0)
            dispatch<GradientColumns<Op>>(x + begin, dy + begin, dx + begin, whole, channels, width, op,
                                          scale.data() + first, zero.data() + first, static_cast<double *>(lanes));
        const std::int64_t rest = std::clamp(n % channels - first, std::int64_t(0), width);
        if (rest > 0 && whole < kChunk) {
            const std::int64_t at = begin + whole * channels;
            for (std::int64_t c = 0; c < rest; ++c) {
                const float slope = dy[at + c];
                lanes[whole % kLanes * kColumns + c] += double(
                    op(x[at + c], slope, scale[std::size_t(first + c)], zero[std::size_t(first + c)], dx + at + c));
            }
        }
        for (std::int64_t c = 0; c < width; ++c) {
            double own[kLanes];
            for (int l = 0; l < kLanes; ++l) own[l] = lanes[l * kColumns + c];
            parts[std::size_t((first + c) * chunks + k)] = foldLanes(own);
        }
    }

    void run(double *ds)
    {
        chunks = std::max<std::int64_t>(1, chunkCount(channelSize(n, channels, stride, 0)));
        parts.assign(std::size_t(channels * chunks), 0.0);
        const bool byColumns = stride == 1 && channels > 1;
        const std::int64_t across = byColumns ? (channels + kColumns - 1) / kColumns : channels;
#pragma omp parallel for schedule(static) if (n >= kParallelElements)
        for (std::int64_t i = 0; i < across * chunks; ++i) {
            if (byColumns)
                columns(i / chunks * kColumns, i % chunks);
            else
                chunk(i / chunks, i % chunks);
        }
        for (std::int64_t c = 0; c < channels; ++c) ds[c] = sumInOrder(parts.data() + c * chunks, chunks);
    }
};

} // namespace

void fakeQuantBackwardChannelCpu(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                                 const LinearChannelParams &p)
{
    if (p.channels < 1 || p.channelStride < 1) return;
    withRounding(p.rounding, [&](auto tag) {
        using Op = LinearGradient<decltype(tag)::value>;
        Task<Op> task{x, dy, dx, n, p.channels, p.channelStride, Op{p.quantMin, p.quantMax}, {}, {}};
        for (std::int64_t c = 0; c < p.channels; ++c) {
            task.scale.push_back(std::fabs(p.scale[c]));
            task.zero.push_back(p.zeroPoint ? float(p.zeroPoint[c]) : 0.f);
        }
        task.run(ds);
    });
    for (std::int64_t c = 0; c < p.channels; ++c) ds[c] *= signOf(p.scale[c]);
}

void fakeQuantBackwardCpu(const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const LinearParams &p)
{
    fakeQuantBackwardChannelCpu(
        x, dy, dx, ds, n,
        {&p.scale, &p.zeroPoint, 1, std::max<std::int64_t>(1, n), p.quantMin, p.quantMax, p.rounding});
}

} // namespace ql::gpu
