#include "gpu/reduce.h"

#include "gpu/cuda_common.cuh"
#include "gpu/host_device.h"
#include "gpu/range_cuda.cuh"
#include "gpu/reduce_order.h"

#include <cmath>

namespace ql::gpu {

namespace {

__global__ void startRange(MinMax *range)
{
    *range = MinMax{INFINITY, -INFINITY, 0};
}

__global__ void minMaxAll(const float *x, std::int64_t n, MinMax *range)
{
    ThreadRange mine;
    forEach(x, gridIndex(), n, gridSize(), [&](float value) { mine.add(value); });
    mine.storeBlock(range);
}

/// One warp for each run of a channel (channelStride elements), or for a part of a long run.
__global__ void minMaxRuns(const float *x, std::int64_t n, std::int64_t channels, std::int64_t stride,
                           std::int64_t part, float *mins, float *maxs, std::int64_t *nanCount)
{
    const std::int64_t partsOfRun = (stride + part - 1) / part;
    const std::int64_t pieces = (n + stride - 1) / stride * partsOfRun;
    for (std::int64_t piece = gridIndex() / 32; piece < pieces; piece += gridSize() / 32) {
        const std::int64_t run = piece / partsOfRun;
        const std::int64_t begin = run * stride + piece % partsOfRun * part;
        const std::int64_t end = smaller(begin + part, smaller((run + 1) * stride, n));
        ThreadRange mine;
        for (std::int64_t i = begin + threadIdx.x % 32; i < end; i += 32) mine.add(x[i]);
        mine.foldWarp();
        if (threadIdx.x % 32 == 0) mine.store(mins + run % channels, maxs + run % channels, nanCount);
    }
}

/// Short runs: a thread stays with one position of the period channels * stride, neighbours read neighbours. A short
/// period is repeated across the block: `width` threads, a multiple of the period, are in use.
__global__ void minMaxColumns(const float *x, std::int64_t n, std::int64_t period, std::int64_t width,
                              std::int64_t stride, float *mins, float *maxs, std::int64_t *nanCount)
{
    for (std::int64_t at = gridIndex(); at < width; at += gridSize()) {
        ThreadRange mine;
        forEach(x, at + blockIdx.y * width, n, gridDim.y * width, [&](float value) { mine.add(value); });
        mine.store(mins + at % period / stride, maxs + at % period / stride, nanCount);
    }
}

template <bool Abs>
__device__ int binOf(float x, float lo, float hi, int bins)
{
    const float v = Abs ? fabsf(x) : x;
    if (!(v >= lo && v <= hi)) return bins;
    const float last = float(bins - 1);
    const float at = (v - lo) * float(bins) / (hi - lo);
    return int(at > 0.f ? (at < last ? at : last) : 0.f);
}

/// Counts in shared memory first when the bins fit there (shared != 0).
template <bool Abs>
__global__ void countElements(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts,
                              bool shared)
{
    extern __shared__ unsigned local[];
    if (shared) {
        for (int b = threadIdx.x; b < bins; b += blockDim.x) local[b] = 0;
        __syncthreads();
    }
    forEach(x, gridIndex(), n, gridSize(), [&](float value) {
        const int bin = binOf<Abs>(value, lo, hi, bins);
        if (bin >= bins) return;
        if (shared)
            atomicAdd(local + bin, 1u);
        else
            addCount(counts + bin, 1);
    });
    if (shared) {
        __syncthreads();
        for (int b = threadIdx.x; b < bins; b += blockDim.x)
            if (local[b]) addCount(counts + b, local[b]);
    }
}

template <bool Abs>
int histogram(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream stream)
{
    if (!(lo < hi) || !std::isfinite(hi - lo) || bins < 1 || bins > (1 << 24)) return InvalidArgument;
    if (n == 0) return Ok;
    if (n < 0 || !x || !counts) return InvalidArgument;
    const std::size_t bytes = std::size_t(bins) * sizeof(unsigned);
    const bool shared = bytes <= 48 * 1024;
    countElements<Abs>
        <<<blocksFor(n, 132 * 8), kThreads, shared ? bytes : 0, stream>>>(x, n, lo, hi, bins, counts, shared);
    return launched();
}

__device__ double foldWarp(double v)
{
    for (int width = kLanes / 2; width > 0; width /= 2) v += __shfl_down_sync(kAllLanes, v, width);
    return v;
}

__device__ double foldWarpMax(double v)
{
    for (int width = kLanes / 2; width > 0; width /= 2) {
        const double other = __shfl_down_sync(kAllLanes, v, width);
        v = other > v ? other : v;
    }
    return v;
}

/// A lane of a sum over pairs, in the order of reduce_order.h.
struct ErrorLane
{
    double d2 = 0, a2 = 0, b2 = 0, ab = 0, most = 0;

    __device__ void add(double u, double v)
    {
        const double d = u - v, distance = fabs(d);
        d2 += d * d;
        a2 += u * u;
        b2 += v * v;
        ab += u * v;
        most = distance > most ? distance : most;
    }
    __device__ ErrorSums fold(std::int64_t count) const
    {
        ErrorSums sums;
        sums.squaredDiff = foldWarp(d2);
        sums.squaredA = foldWarp(a2);
        sums.squaredB = foldWarp(b2);
        sums.product = foldWarp(ab);
        sums.maxDiff = foldWarpMax(most);
        sums.count = count;
        return sums;
    }
};

/// One warp for each chunk of each row.
__global__ void errorChunks(const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *parts)
{
    const std::int64_t chunks = chunkCount(columns);
    for (std::int64_t part = gridIndex() / kLanes; part < rows * chunks; part += gridSize() / kLanes) {
        const std::int64_t row = part / chunks * columns;
        const std::int64_t begin = part % chunks * kChunk;
        const std::int64_t end = smaller(columns, begin + kChunk);
        ErrorLane lane;
        std::int64_t i = begin + threadIdx.x % kLanes;
        for (; i + 3 * kLanes < end; i += 4 * kLanes) { // eight loads in flight
            float u[4], v[4];
#pragma unroll
            for (int j = 0; j < 4; ++j) {
                u[j] = a[row + i + j * kLanes];
                v[j] = b[row + i + j * kLanes];
            }
#pragma unroll
            for (int j = 0; j < 4; ++j) lane.add(u[j], v[j]);
        }
        for (; i < end; i += kLanes) lane.add(a[row + i], b[row + i]);
        const ErrorSums sums = lane.fold(end - begin);
        if (threadIdx.x % kLanes == 0) parts[part] = sums;
    }
}

/// One warp for each row adds up its chunks.
__global__ void errorFold(const ErrorSums *parts, std::int64_t rows, std::int64_t chunks, std::int64_t columns,
                          ErrorSums *sums)
{
    for (std::int64_t row = gridIndex() / kLanes; row < rows; row += gridSize() / kLanes) {
        const ErrorSums *own = parts + row * chunks;
        ErrorLane lane;
        for (std::int64_t i = threadIdx.x % kLanes; i < chunks; i += kLanes) {
            lane.d2 += own[i].squaredDiff;
            lane.a2 += own[i].squaredA;
            lane.b2 += own[i].squaredB;
            lane.ab += own[i].product;
            lane.most = own[i].maxDiff > lane.most ? own[i].maxDiff : lane.most;
        }
        const ErrorSums all = lane.fold(columns);
        if (threadIdx.x % kLanes == 0) sums[row] = all;
    }
}

/// One warp for each chunk: its mean, then the powers around it.
__global__ void momentsChunks(const float *x, std::int64_t n, Moments *parts)
{
    constexpr float most = 3.402823466e38f;
    const std::int64_t chunks = chunkCount(n);
    for (std::int64_t chunk = gridIndex() / kLanes; chunk < chunks; chunk += gridSize() / kLanes) {
        const std::int64_t begin = chunk * kChunk;
        const std::int64_t end = smaller(n, begin + kChunk);
        double sum = 0;
        int finite = 0;
        for (std::int64_t i = begin + threadIdx.x % kLanes; i < end; i += kLanes) {
            const float v = x[i];
            const bool good = fabsf(v) <= most;
            finite += good;
            sum += good ? double(v) : 0.0;
        }
        for (int width = kLanes / 2; width > 0; width /= 2) finite += __shfl_down_sync(kAllLanes, finite, width);
        finite = __shfl_sync(kAllLanes, finite, 0);
        Moments moments;
        moments.count = finite;
        moments.skipped = end - begin - finite;
        if (finite > 0) {
            const double mean = __shfl_sync(kAllLanes, foldWarp(sum) / double(finite), 0);
            double m2 = 0, m3 = 0, m4 = 0;
            for (std::int64_t i = begin + threadIdx.x % kLanes; i < end; i += kLanes) {
                const float v = x[i];
                const double d = fabsf(v) <= most ? double(v) - mean : 0.0;
                const double square = d * d;
                m2 += square;
                m3 += square * d;
                m4 += square * square;
            }
            moments.mean = mean;
            moments.m2 = foldWarp(m2);
            moments.m3 = foldWarp(m3);
            moments.m4 = foldWarp(m4);
        }
        if (threadIdx.x % kLanes == 0) parts[chunk] = moments;
    }
}

} // namespace

int minMaxCuda(const float *x, std::int64_t n, MinMax *range, Stream stream)
{
    if (n == 0) return Ok;
    if (n < 0 || !x || !range) return InvalidArgument;
    Workspace space(sizeof(MinMax), stream);
    if (space.status()) return space.status();
    startRange<<<1, 1, 0, stream>>>(space.as<MinMax>());
    minMaxAll<<<blocksFor(n, 132 * 8), kThreads, 0, stream>>>(x, n, space.as<MinMax>());
    if (const int rc = launched()) return rc;
    MinMax found;
    if (const int rc = fetch(&found, space.as<MinMax>(), sizeof found, stream)) return rc;
    range->min = std::min(range->min, found.min) + 0.f;
    range->max = std::max(range->max, found.max) + 0.f;
    range->nanCount += found.nanCount;
    return Ok;
}

int minMaxChannelCuda(const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride, float *mins,
                      float *maxs, std::int64_t *nanCount, Stream stream)
{
    if (n == 0) return Ok;
    if (n < 0 || !x || !mins || !maxs || channels < 1 || channelStride < 1) return InvalidArgument;
    if (channelStride < 32) {
        const std::int64_t period = channels * channelStride;
        const std::int64_t width = std::max<std::int64_t>(1, kThreads / period) * period;
        const unsigned across = blocksFor(width);
        const std::int64_t rows = (n + width - 1) / width;
        const unsigned down = unsigned(std::max<std::int64_t>(1, std::min<std::int64_t>(rows / 8, 132 * 8 / across)));
        minMaxColumns<<<dim3(across, down), kThreads, 0, stream>>>(x, n, period, width, channelStride, mins, maxs,
                                                                   nanCount);
    } else {
        constexpr std::int64_t part = 4096;
        const std::int64_t pieces = (n + channelStride - 1) / channelStride * ((channelStride + part - 1) / part);
        minMaxRuns<<<blocksFor(pieces * 32), kThreads, 0, stream>>>(x, n, channels, channelStride, part, mins, maxs,
                                                                    nanCount);
    }
    return launched();
}

int histogramCuda(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream stream)
{
    return histogram<false>(x, n, lo, hi, bins, counts, stream);
}

int histogramAbsCuda(const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts, Stream stream)
{
    return histogram<true>(x, n, 0.f, hi, bins, counts, stream);
}

int errorSumsCuda(const float *a, const float *b, std::int64_t n, ErrorSums *sums, Stream stream)
{
    return errorSumsRowsCuda(a, b, 1, n, sums, stream);
}

int errorSumsRowsCuda(const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *sums,
                      Stream stream)
{
    if (rows < 0 || columns < 0 || !sums || (rows * columns > 0 && (!a || !b))) return InvalidArgument;
    std::fill(sums, sums + rows, ErrorSums{});
    if (rows * columns == 0) return Ok;
    const std::int64_t chunks = chunkCount(columns);
    Workspace space(std::size_t(rows * chunks + rows) * sizeof(ErrorSums), stream);
    if (space.status()) return space.status();
    ErrorSums *parts = space.as<ErrorSums>();
    errorChunks<<<blocksFor(rows * chunks * kLanes), kThreads, 0, stream>>>(a, b, rows, columns, parts);
    errorFold<<<blocksFor(rows * kLanes), kThreads, 0, stream>>>(parts, rows, chunks, columns, parts + rows * chunks);
    if (const int rc = launched()) return rc;
    return fetch(sums, parts + rows * chunks, std::size_t(rows) * sizeof *sums, stream);
}

int momentsCuda(const float *x, std::int64_t n, Moments *moments, Stream stream)
{
    if (n < 0 || !moments || (n > 0 && !x)) return InvalidArgument;
    *moments = Moments{};
    if (n == 0) return Ok;
    const std::int64_t chunks = chunkCount(n);
    Workspace space(std::size_t(chunks) * sizeof(Moments), stream);
    if (space.status()) return space.status();
    momentsChunks<<<blocksFor(chunks * kLanes), kThreads, 0, stream>>>(x, n, space.as<Moments>());
    if (const int rc = launched()) return rc;
    std::vector<Moments> parts(static_cast<std::size_t>(chunks));
    if (const int rc = fetch(parts.data(), space.as<Moments>(), parts.size() * sizeof(Moments), stream)) return rc;
    for (const Moments &part : parts) moments->merge(part); // in order, by the same code as on the CPU
    return Ok;
}

} // namespace ql::gpu
