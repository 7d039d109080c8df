#include "gpu/reduce.h"

#include "gpu/isa_clones.h"
#include "gpu/map_cpu.h"
#include "gpu/parallel.h"
#include "gpu/reduce_order.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace ql::gpu {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// ---- minimum and maximum ----------------------------------------------------------------------------------------

/// Minimum and maximum of a block, in lanes so that the compiler may vectorize without reordering anything that
/// matters. The comparisons keep the old value if x is NaN.
struct MinMaxBlock
{
    static QL_INLINE MinMax run(const float *x, std::int64_t n)
    {
        constexpr int width = 64;
        MinMax result;
        std::int32_t nan = 0; // a block is far smaller than 2^31
        std::int64_t i = 0;
        if (n >= width) {
            alignas(64) float mn[width], mx[width];
            alignas(64) std::int32_t bad[width] = {};
            for (int l = 0; l < width; ++l) mn[l] = kInfinity;
            for (int l = 0; l < width; ++l) mx[l] = -kInfinity;
            for (; i + width <= n; i += width) {
                for (int l = 0; l < width; ++l) {
                    const float v = x[i + l];
                    mn[l] = v < mn[l] ? v : mn[l];
                    mx[l] = v > mx[l] ? v : mx[l];
                    bad[l] += v != v;
                }
            }
            for (int step = width / 2; step > 0; step /= 2)
                for (int l = 0; l < step; ++l) {
                    mn[l] = mn[l + step] < mn[l] ? mn[l + step] : mn[l];
                    mx[l] = mx[l + step] > mx[l] ? mx[l + step] : mx[l];
                    bad[l] += bad[l + step];
                }
            result.min = mn[0];
            result.max = mx[0];
            nan = bad[0];
        }
        for (; i < n; ++i) {
            result.min = x[i] < result.min ? x[i] : result.min;
            result.max = x[i] > result.max ? x[i] : result.max;
            nan += x[i] != x[i];
        }
        result.nanCount = nan;
        return result;
    }
};

void widen(MinMax *range, const MinMax &by)
{
    // + 0: minima of -0 and +0 are the same number and must have the same bits
    range->min = std::min(range->min, by.min) + 0.f;
    range->max = std::max(range->max, by.max) + 0.f;
    range->nanCount += by.nanCount;
}

/// Channel runs of at least kShortRun elements.
struct MinMaxRows
{
    static QL_INLINE std::int64_t run(const float *x, std::int64_t begin, std::int64_t end, std::int64_t channels,
                                      std::int64_t stride, float *mins, float *maxs)
    {
        std::int64_t nan = 0;
        for (std::int64_t i = begin; i < end;) {
            const std::int64_t row = i / stride;
            const std::int64_t stop = std::min({end, (row + 1) * stride, i + kBlock});
            const MinMax part = MinMaxBlock::run(x + i, stop - i);
            const std::int64_t c = row % channels;
            mins[c] = std::min(mins[c], part.min);
            maxs[c] = std::max(maxs[c], part.max);
            nan += part.nanCount;
            i = stop;
        }
        return nan;
    }
};

/// One lane for each element of a period of channels * stride.
struct MinMaxTable
{
    static QL_INLINE std::int64_t run(const float *x, std::int64_t begin, std::int64_t end, std::int64_t period,
                                      float *mins, float *maxs)
    {
        std::int64_t nan = 0;
        std::int64_t at = begin % period;
        for (std::int64_t i = begin; i < end;) {
            const std::int64_t length = std::min(end - i, period - at);
            const float *px = x + i;
            float *mn = mins + at, *mx = maxs + at;
            std::int32_t part = 0;
            QL_IVDEP
            for (std::int64_t j = 0; j < length; ++j) {
                mn[j] = px[j] < mn[j] ? px[j] : mn[j];
                mx[j] = px[j] > mx[j] ? px[j] : mx[j];
                part += px[j] != px[j];
            }
            nan += part;
            i += length;
            at = 0;
        }
        return nan;
    }
};

// ---- histogram --------------------------------------------------------------------------------------------------

constexpr std::int64_t kHistogramBuffer = 2048;

/// Bin of each element, `bins` for what is dropped.
template <bool Abs>
struct BinIndex
{
    static QL_INLINE void run(const float *x, std::int32_t *index, std::int64_t n, float lo, float hi,
                              std::int32_t bins)
    {
        const float scale = float(bins), last = float(bins - 1), range = hi - lo;
        for (std::int64_t i = 0; i < n; ++i) {
            const float v = Abs ? std::fabs(x[i]) : x[i];
            const float at = (v - lo) * scale / range;
            const float cut = at > 0.f ? (at < last ? at : last) : 0.f; // the conversion below must be defined
            index[i] = v >= lo && v <= hi ? std::int32_t(cut) : bins;
        }
    }
};

/// Adjacent elements often fall into the same bin, and an increment must wait for the previous one of the same
/// address: so there are four counters per bin, side by side.
constexpr int kCounters = 4;

/// Direct is for few elements, for which clearing and summing the counters would cost more than it saves.
template <bool Abs>
void countDirectly(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts,
                   std::int64_t *dropped)
{
    std::int32_t index[kHistogramBuffer];
    for (std::int64_t begin = 0; begin < n; begin += kHistogramBuffer) {
        const std::int64_t length = std::min(n - begin, kHistogramBuffer);
        dispatch<BinIndex<Abs>>(x + begin, static_cast<std::int32_t *>(index), length, lo, hi, std::int32_t(bins));
        for (std::int64_t i = 0; i < length; ++i) {
            if (index[i] < bins)
                ++counts[index[i]];
            else
                ++*dropped;
        }
    }
}

template <bool Abs>
void countBlock(const float *x, std::int64_t n, float lo, float hi, int bins, std::uint32_t *counters)
{
    std::int32_t index[kHistogramBuffer];
    for (std::int64_t begin = 0; begin < n; begin += kHistogramBuffer) {
        const std::int64_t length = std::min(n - begin, kHistogramBuffer);
        dispatch<BinIndex<Abs>>(x + begin, static_cast<std::int32_t *>(index), length, lo, hi, std::int32_t(bins));
        std::int64_t i = 0;
        for (; i + kCounters <= length; i += kCounters)
            for (int k = 0; k < kCounters; ++k) ++counters[std::int64_t(index[i + k]) * kCounters + k];
        for (; i < length; ++i) ++counters[std::int64_t(index[i]) * kCounters];
    }
}

template <bool Abs>
std::int64_t countElements(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts)
{
    if (!(lo < hi) || !std::isfinite(hi - lo) || bins < 1 || bins > (1 << 24)) return 0;
    std::int64_t dropped = 0;
    if (n < 4 * std::int64_t(bins)) {
        countDirectly<Abs>(x, n, lo, hi, bins, counts, &dropped);
        return n - dropped;
    }
    constexpr std::int64_t part = std::int64_t(1) << 31; // a counter has 32 bits
    for (std::int64_t first = 0; first < n; first += part) {
        const std::int64_t last = std::min(n, first + part);
        const std::int64_t blocks = (last - first + kBlock - 1) / kBlock;
#pragma omp parallel if (last - first >= kParallelElements)
        {
            const std::size_t size = std::size_t(bins + 1) * kCounters;
            const std::unique_ptr<std::uint32_t[]> counters(new std::uint32_t[size]());
#pragma omp for schedule(static)
            for (std::int64_t b = 0; b < blocks; ++b) {
                const std::int64_t begin = first + b * kBlock;
                countBlock<Abs>(x + begin, std::min(kBlock, last - begin), lo, hi, bins, counters.get());
            }
#pragma omp critical(ql_gpu_histogram)
            for (int bin = 0; bin <= bins; ++bin) {
                std::int64_t sum = 0;
                for (int k = 0; k < kCounters; ++k) sum += counters[std::size_t(bin) * kCounters + k];
                (bin < bins ? counts[bin] : dropped) += sum;
            }
        }
    }
    return n - dropped;
}

// ---- sums over pairs --------------------------------------------------------------------------------------------

/// One chunk in the order of reduce_order.h.
struct ErrorChunk
{
    static QL_INLINE ErrorSums run(const float *a, const float *b, std::int64_t n)
    {
        alignas(64) double d2[kLanes] = {}, a2[kLanes] = {}, b2[kLanes] = {}, ab[kLanes] = {}, most[kLanes] = {};
        std::int64_t i = 0;
        for (; i + kLanes <= n; i += kLanes) {
            for (int l = 0; l < kLanes; ++l) {
                const double u = a[i + l], v = b[i + l];
                const double d = u - v, distance = std::fabs(d);
                d2[l] += d * d;
                a2[l] += u * u;
                b2[l] += v * v;
                ab[l] += u * v;
                most[l] = distance > most[l] ? distance : most[l];
            }
        }
        for (int l = 0; i < n; ++i, ++l) {
            const double u = a[i], v = b[i];
            const double d = u - v, distance = std::fabs(d);
            d2[l] += d * d;
            a2[l] += u * u;
            b2[l] += v * v;
            ab[l] += u * v;
            most[l] = distance > most[l] ? distance : most[l];
        }
        ErrorSums sums;
        sums.squaredDiff = foldLanes(d2);
        sums.squaredA = foldLanes(a2);
        sums.squaredB = foldLanes(b2);
        sums.product = foldLanes(ab);
        sums.maxDiff = *std::max_element(most, most + kLanes);
        sums.count = n;
        return sums;
    }
};

ErrorSums foldChunks(const ErrorSums *parts, std::int64_t count)
{
    double d2[kLanes] = {}, a2[kLanes] = {}, b2[kLanes] = {}, ab[kLanes] = {};
    ErrorSums sums;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t l = i % kLanes;
        d2[l] += parts[i].squaredDiff;
        a2[l] += parts[i].squaredA;
        b2[l] += parts[i].squaredB;
        ab[l] += parts[i].product;
        sums.maxDiff = std::max(sums.maxDiff, parts[i].maxDiff);
        sums.count += parts[i].count;
    }
    sums.squaredDiff = foldLanes(d2);
    sums.squaredA = foldLanes(a2);
    sums.squaredB = foldLanes(b2);
    sums.product = foldLanes(ab);
    return sums;
}

} // namespace

void minMaxCpu(const float *x, std::int64_t n, MinMax *range)
{
    MinMax all;
    const std::int64_t blocks = (n + kBlock - 1) / kBlock;
#pragma omp parallel if (n >= kParallelElements)
    {
        MinMax mine;
#pragma omp for schedule(static)
        for (std::int64_t b = 0; b < blocks; ++b)
            widen(&mine, dispatch<MinMaxBlock>(x + b * kBlock, std::min(kBlock, n - b * kBlock)));
#pragma omp critical(ql_gpu_minmax)
        widen(&all, mine);
    }
    widen(range, all);
}

std::int64_t minMaxChannelCpu(const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride,
                              float *mins, float *maxs)
{
    if (n == 0 || channels < 1 || channelStride < 1) return 0;
    if (channels == 1) {
        MinMax range{mins[0], maxs[0], 0};
        minMaxCpu(x, n, &range);
        mins[0] = range.min;
        maxs[0] = range.max;
        return range.nanCount;
    }
    std::int64_t nan = 0;
    const std::int64_t blocks = (n + kBlock - 1) / kBlock;
    const bool table = wantsTable(channels, channelStride);
    const std::int64_t lanes = table ? tablePeriod(channels, channelStride) : channels;
#pragma omp parallel if (n >= kParallelElements)
    {
        std::vector<float> mn(std::size_t(lanes), kInfinity), mx(std::size_t(lanes), -kInfinity);
        std::int64_t mine = 0;
#pragma omp for schedule(static)
        for (std::int64_t b = 0; b < blocks; ++b) {
            const std::int64_t begin = b * kBlock, end = std::min(n, begin + kBlock);
            mine += table ? dispatch<MinMaxTable>(x, begin, end, lanes, mn.data(), mx.data())
                          : dispatch<MinMaxRows>(x, begin, end, channels, channelStride, mn.data(), mx.data());
        }
#pragma omp critical(ql_gpu_minmax)
        {
            nan += mine;
            for (std::int64_t l = 0; l < lanes; ++l) {
                const std::int64_t c = table ? l / channelStride % channels : l;
                mins[c] = std::min(mins[c], mn[std::size_t(l)]) + 0.f;
                maxs[c] = std::max(maxs[c], mx[std::size_t(l)]) + 0.f;
            }
        }
    }
    return nan;
}

std::int64_t histogramCpu(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts)
{
    return countElements<false>(x, n, lo, hi, bins, counts);
}

std::int64_t histogramAbsCpu(const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts)
{
    return countElements<true>(x, n, 0.f, hi, bins, counts);
}

void errorSumsRowsCpu(const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *sums)
{
    const std::int64_t chunks = chunkCount(columns);
    std::vector<ErrorSums> parts(std::size_t(rows * chunks));
#pragma omp parallel for schedule(static) if (rows * columns >= kParallelElements)
    for (std::int64_t i = 0; i < rows * chunks; ++i) {
        const std::int64_t begin = i % chunks * kChunk, at = i / chunks * columns + begin;
        parts[std::size_t(i)] = dispatch<ErrorChunk>(a + at, b + at, std::min(kChunk, columns - begin));
    }
    for (std::int64_t r = 0; r < rows; ++r) sums[r] = foldChunks(parts.data() + r * chunks, chunks);
}

ErrorSums errorSumsCpu(const float *a, const float *b, std::int64_t n)
{
    ErrorSums sums;
    errorSumsRowsCpu(a, b, 1, n, &sums);
    return sums;
}

} // namespace ql::gpu
