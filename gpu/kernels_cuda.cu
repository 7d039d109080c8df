#include "gpu/kernels.h"

#include "gpu/cuda_common.cuh"
#include "gpu/range_cuda.cuh"
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
    const std::size_t bytes = std::size_t(bins) * sizeof(std::int64_t);
    const Workspace space(bytes, stream);
    if (space.status()) return space.status();
    if (const cudaError_t rc = cudaMemsetAsync(space.as<void>(), 0, bytes, stream)) return int(rc);
    if (const int rc = count(space.as<std::int64_t>())) return rc;
    std::vector<std::int64_t> found(static_cast<std::size_t>(bins));
    if (const int rc = fetch(found.data(), space.as<void>(), bytes, stream)) return rc;
    for (int b = 0; b < bins; ++b) counts[b] += found[std::size_t(b)];
    return Ok;
}

/// Three counting passes for each end that is not the extreme.
int tailsOf(const float *x, std::int64_t n, double p, Tails *tails, Stream stream)
{
    return tailsByRank(
        n, p, [&](MinMax *range) { return minMaxCuda(x, n, range, stream); },
        [&](std::int64_t rank, bool largest, float *value) { return selectCuda(x, n, rank, largest, value, stream); },
        tails);
}

/// Where scanTails leaves its results: this, then the first kFirst values of both ends, then the other ones.
struct TailsHeader
{
    MinMax range{INFINITY, -INFINITY, 0};
    unsigned long long counts[2] = {0, 0}; ///< of values below lo and above hi
};
constexpr std::int64_t kFirst = 2048;

/// The place of value number i of an end (0: below), among room of them.
__host__ __device__ inline std::int64_t placeOf(std::int64_t i, int end, std::int64_t room)
{
    return i < kFirst ? end * kFirst + i : 2 * kFirst + end * (room - kFirst) + (i - kFirst);
}

/// The range of x, and copies of its values below lo or above hi, in no particular order, as long as there is room.
__global__ void scanTails(const float *x, std::int64_t n, float lo, float hi, std::int64_t room, TailsHeader *header,
                          float *values)
{
    ThreadRange mine;
    const auto keep = [&](float value, int end) {
        const std::int64_t i = std::int64_t(atomicAdd(header->counts + end, 1ull));
        if (i < room) values[placeOf(i, end, room)] = value;
    };
    forEach(x, gridIndex(), n, gridSize(), [&](float value) {
        mine.add(value);
        if (value < lo) keep(value, 0); // NaN is neither
        if (value > hi) keep(value, 1);
    });
    mine.storeBlock(&header->range);
}

__global__ void startTails(TailsHeader *header)
{
    *header = TailsHeader{};
}

/// One scan of an array with the bounds that its store has: its results are usually few, and come with one copy.
class TailsScan
{
public:
    TailsScan(std::int64_t room, Stream stream)
        : m_room(std::max(room, kFirst)), m_stream(stream),
          m_space(sizeof(TailsHeader) + std::size_t(2 * m_room) * sizeof(float), stream)
    {}
    int run(const float *x, std::int64_t n, const TailStore &store)
    {
        if (m_space.status()) return m_space.status();
        TailsHeader *header = m_space.as<TailsHeader>();
        startTails<<<1, 1, 0, m_stream>>>(header);
        scanTails<<<blocksFor(n, 132 * 8), kThreads, 0, m_stream>>>(x, n, 0.f - store.low.bound(), store.high.bound(),
                                                                    m_room, header, there());
        if (const int rc = launched()) return rc;
        if (const int rc = fetch(&m_found, header, sizeof m_found, m_stream)) return rc;
        const auto most = std::int64_t(std::max(m_found.header.counts[0], m_found.header.counts[1]));
        if (most <= kFirst || most > m_room) return Ok;
        m_rest.resize(std::size_t(2 * (m_room - kFirst)));
        return fetch(m_rest.data(), there() + 2 * kFirst, m_rest.size() * sizeof(float), m_stream);
    }
    const MinMax &range() const { return m_found.header.range; }
    std::int64_t count(int end) const { return std::int64_t(m_found.header.counts[end]); }
    std::int64_t room() const { return m_room; }
    float value(std::int64_t i, int end) const
    {
        const std::int64_t place = placeOf(i, end, m_room);
        return i < kFirst ? m_found.first[place] : m_rest[std::size_t(place - 2 * kFirst)];
    }

private:
    float *there() const { return reinterpret_cast<float *>(m_space.as<TailsHeader>() + 1); }

    const std::int64_t m_room;
    const Stream m_stream;
    const Workspace m_space;
    struct
    {
        TailsHeader header;
        float first[2 * kFirst];
    } m_found;
    std::vector<float> m_rest;
};

/// Bounds from this array alone.
int raiseBounds(const float *x, std::int64_t n, std::int64_t numbers, TailStore *store, Stream stream)
{
    for (const bool largest : {false, true}) {
        TailEnd &end = largest ? store->high : store->low;
        if (numbers < end.keep()) continue;
        float bound = 0;
        if (const int rc = selectCuda(x, n, end.keep() - 1, largest, &bound, stream)) return rc;
        end.raise(largest ? bound : -bound);
    }
    return Ok;
}

/// Gathers the values outside the bounds of the store; raises them first if that would be most of the array, as for the
/// first one.
int addTails(const float *x, std::int64_t n, TailStore *store, Stream stream)
{
    if (n <= 0) return Ok;
    constexpr std::int64_t usual = 1 << 16;
    TailsScan scan(std::min(n, std::max({usual, store->low.keep(), store->high.keep()})), stream);
    const bool isFirst = store->seen == 0 && n > scan.room();
    if (isFirst) {
        MinMax range;
        if (const int rc = minMaxCuda(x, n, &range, stream)) return rc;
        if (const int rc = raiseBounds(x, n, n - range.nanCount, store, stream)) return rc;
    }
    if (const int rc = scan.run(x, n, *store)) return rc;
    if (std::max(scan.count(0), scan.count(1)) > scan.room()) {
        if (const int rc = raiseBounds(x, n, n - scan.range().nanCount, store, stream)) return rc;
        if (const int rc = scan.run(x, n, *store)) return rc;
    }
    for (std::int64_t i = 0; i < scan.count(0); ++i) store->low.push(-scan.value(i, 0));
    for (std::int64_t i = 0; i < scan.count(1); ++i) store->high.push(scan.value(i, 1));
    store->range.min = std::min(store->range.min, scan.range().min);
    store->range.max = std::max(store->range.max, scan.range().max);
    store->range.nanCount += scan.range().nanCount;
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
