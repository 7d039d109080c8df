#include "gpu/kernels.h"

#include "gpu/cuda_common.cuh"
#include "gpu/select.h"
#include "gpu/tails_order.h"

#include <cmath>
#include <vector>

namespace ql::gpu {

namespace {

/// A device copy of a small host array. The host array has been read when the constructor returns.
template <class T>
class Sent
{
public:
    Sent(const T *host, std::int64_t size, Stream stream) : m_space(std::size_t(size) * sizeof(T), stream)
    {
        m_status = m_space.status();
        if (!m_status && size > 0)
            m_status = int(cudaMemcpyAsync(m_space.template as<void>(), host, std::size_t(size) * sizeof(T),
                                           cudaMemcpyHostToDevice, stream));
    }
    int status() const { return m_status; }
    T *data() const { return m_space.template as<T>(); }

private:
    Workspace m_space;
    int m_status = 0;
};

int quantChannels(const float *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream stream)
{
    if (n == 0) return Ok;
    const Sent<float> scale(p.scale, p.channels, stream);
    if (scale.status()) return scale.status();
    const Sent<std::int32_t> zeroPoint(p.zeroPoint, p.zeroPoint ? p.channels : 0, stream);
    if (zeroPoint.status()) return zeroPoint.status();
    LinearChannelParams there = p;
    there.scale = scale.data();
    there.zeroPoint = p.zeroPoint ? zeroPoint.data() : nullptr;
    return fakeQuantChannelCuda(x, y, n, there, stream);
}

int quantFloatChannels(const float *x, float *y, std::int64_t n, const FloatChannelParams &p, Stream stream)
{
    if (n == 0) return Ok;
    const Sent<float> scale(p.scale, p.channels, stream);
    if (scale.status()) return scale.status();
    FloatChannelParams there = p;
    there.scale = scale.data();
    return fakeQuantFloatChannelCuda(x, y, n, there, stream);
}

int gradient(const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const LinearParams &p,
             Stream stream)
{
    Workspace there(sizeof *ds, stream);
    if (there.status()) return there.status();
    if (const int rc = fakeQuantBackwardCuda(x, dy, dx, there.as<double>(), n, p, stream)) return rc;
    return fetch(ds, there.as<void>(), sizeof *ds, stream);
}

int gradientOfChannels(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                       const LinearChannelParams &p, Stream stream)
{
    const std::size_t bytes = std::size_t(p.channels) * sizeof(double);
    const Workspace sums(bytes, stream);
    if (sums.status()) return sums.status();
    const Sent<float> scale(p.scale, p.channels, stream);
    if (scale.status()) return scale.status();
    const Sent<std::int32_t> zeroPoint(p.zeroPoint, p.zeroPoint ? p.channels : 0, stream);
    if (zeroPoint.status()) return zeroPoint.status();
    LinearChannelParams there = p;
    there.scale = scale.data();
    there.zeroPoint = p.zeroPoint ? zeroPoint.data() : nullptr;
    if (const int rc = fakeQuantBackwardChannelCuda(x, dy, dx, sums.as<double>(), n, there, stream)) return rc;
    return fetch(ds, sums.as<void>(), bytes, stream);
}

int rangeOfChannels(const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride, float *mins,
                    float *maxs, std::int64_t *nanCount, Stream stream)
{
    if (n == 0) return Ok;
    const Sent<float> low(mins, channels, stream), high(maxs, channels, stream);
    const Sent<std::int64_t> nan(nanCount, 1, stream);
    for (const int rc : {low.status(), high.status(), nan.status()})
        if (rc) return rc;
    if (const int rc = minMaxChannelCuda(x, n, channels, channelStride, low.data(), high.data(), nan.data(), stream))
        return rc;
    const std::size_t bytes = std::size_t(channels) * sizeof(float);
    if (const cudaError_t rc = cudaMemcpyAsync(mins, low.data(), bytes, cudaMemcpyDeviceToHost, stream)) return int(rc);
    if (const cudaError_t rc = cudaMemcpyAsync(maxs, high.data(), bytes, cudaMemcpyDeviceToHost, stream))
        return int(rc);
    return fetch(nanCount, nan.data(), sizeof *nanCount, stream);
}

template <class Count>
int counted(int bins, std::int64_t *counts, Stream stream, const Count &count)
{
    const Sent<std::int64_t> there(counts, bins, stream);
    if (there.status()) return there.status();
    if (const int rc = count(there.data())) return rc;
    return fetch(counts, there.data(), std::size_t(bins) * sizeof(std::int64_t), stream);
}

/// Three counting passes for each end that is not the extreme.
int tailsOf(const float *x, std::int64_t n, double p, Tails *tails, Stream stream)
{
    return tailsByRank(
        n, p, [&](MinMax *range) { return minMaxCuda(x, n, range, stream); },
        [&](std::int64_t rank, bool largest, float *value) { return selectCuda(x, n, rank, largest, value, stream); },
        tails);
}

/// Copies values below lo or above hi, in no particular order, as long as there is room, and counts them.
__global__ void gatherTails(const float *x, std::int64_t n, float lo, float hi, std::int64_t room, float *below,
                            float *above, unsigned long long *counts)
{
    for (std::int64_t i = gridIndex(); i < n; i += gridSize()) {
        const float value = x[i]; // NaN is neither
        if (value < lo) {
            const std::int64_t place = std::int64_t(atomicAdd(counts, 1ull));
            if (place < room) below[place] = value;
        }
        if (value > hi) {
            const std::int64_t place = std::int64_t(atomicAdd(counts + 1, 1ull));
            if (place < room) above[place] = value;
        }
    }
}

/// Gathers the values outside the bounds of the store. If there are too many at an end, as for the first array, the
/// bound is derived from this array alone.
int addTails(const float *x, std::int64_t n, TailStore *store, Stream stream)
{
    if (n <= 0) return Ok;
    MinMax range = store->range;
    if (const int rc = minMaxCuda(x, n, &range, stream)) return rc;
    const std::int64_t numbers = n - (range.nanCount - store->range.nanCount);
    constexpr std::int64_t usual = 1 << 16;
    const std::int64_t room = std::min(n, std::max({usual, store->low.keep(), store->high.keep()}));
    Workspace space(std::size_t(2 * room) * sizeof(float), stream), counters(2 * sizeof(unsigned long long), stream);
    for (const int rc : {space.status(), counters.status()})
        if (rc) return rc;
    float *below = space.as<float>(), *above = below + room;
    unsigned long long counts[2] = {0, 0};
    for (int round = 0; round < 2; ++round) {
        if (const cudaError_t rc = cudaMemsetAsync(counters.as<void>(), 0, 2 * sizeof(unsigned long long), stream))
            return int(rc);
        gatherTails<<<blocksFor(n), kThreads, 0, stream>>>(x, n, 0.f - store->low.bound(), store->high.bound(), room,
                                                           below, above, counters.as<unsigned long long>());
        if (const int rc = launched()) return rc;
        if (const int rc = fetch(counts, counters.as<void>(), sizeof counts, stream)) return rc;
        if (std::int64_t(std::max(counts[0], counts[1])) <= room) break;
        for (const bool largest : {false, true}) {
            TailEnd &end = largest ? store->high : store->low;
            if (std::int64_t(counts[largest ? 1 : 0]) <= room || numbers < end.keep()) continue;
            float bound = 0;
            if (const int rc = selectCuda(x, n, end.keep() - 1, largest, &bound, stream)) return rc;
            end.raise(largest ? bound : -bound);
        }
    }
    std::vector<float> values(std::size_t(2 * room));
    if (const int rc = fetch(values.data(), below, values.size() * sizeof(float), stream)) return rc;
    for (std::int64_t i = 0; i < std::int64_t(counts[0]); ++i) store->low.push(-values[std::size_t(i)]);
    for (std::int64_t i = 0; i < std::int64_t(counts[1]); ++i) store->high.push(values[std::size_t(room + i)]);
    store->range = range;
    store->seen += n;
    return Ok;
}

__global__ void pickElements(const float *x, const std::int64_t *positions, std::int64_t count, float *values)
{
    for (std::int64_t i = gridIndex(); i < count; i += gridSize()) values[i] = x[positions[i]];
}

int pick(const float *x, const std::int64_t *positions, std::int64_t count, float *values, Stream stream)
{
    if (count == 0) return Ok;
    const Sent<std::int64_t> from(positions, count, stream);
    if (from.status()) return from.status();
    const std::size_t bytes = std::size_t(count) * sizeof(float);
    Workspace space(bytes, stream);
    if (space.status()) return space.status();
    pickElements<<<blocksFor(count), kThreads, 0, stream>>>(x, from.data(), count, space.as<float>());
    if (const int rc = launched()) return rc;
    return fetch(values, space.as<float>(), bytes, stream);
}

__global__ void probe() {}

} // namespace

const Kernels *cudaKernels()
{
    static constexpr Kernels table{
        fakeQuantCuda,
        quantChannels,
        fakeQuantFloatCuda,
        quantFloatChannels,
        gradient,
        gradientOfChannels,
        minMaxCuda,
        rangeOfChannels,
        [](const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream stream) {
            if (n == 0 || !(lo < hi) || !std::isfinite(hi - lo)) return int(Ok);
            return counted(bins, counts, stream,
                           [&](std::int64_t *there) { return histogramCuda(x, n, lo, hi, bins, there, stream); });
        },
        [](const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts, Stream stream) {
            if (n == 0 || !(hi > 0) || !std::isfinite(hi)) return int(Ok);
            return counted(bins, counts, stream,
                           [&](std::int64_t *there) { return histogramAbsCuda(x, n, hi, bins, there, stream); });
        },
        tailsOf,
        addTails,
        errorSumsRowsCuda,
        momentsCuda,
        pick,
    };
    return &table;
}

int deviceStatus(int device)
{
    int before = 0;
    if (const cudaError_t rc = cudaGetDevice(&before)) return int(rc);
    int rc = int(cudaSetDevice(device));
    if (rc == 0) {
        cudaFuncAttributes attributes;
        rc = int(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void *>(probe)));
    }
    cudaSetDevice(before);
    cudaGetLastError();
    return rc;
}

} // namespace ql::gpu
