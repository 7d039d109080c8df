#include "gpu/kernels.h"

namespace ql::gpu {

const Kernels &cpuKernels()
{
    static constexpr Kernels table{
        [](const float *x, float *y, std::int64_t n, const LinearParams &p, Stream) {
            fakeQuantCpu(x, y, n, p);
            return int(Ok);
        },
        [](const float *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream) {
            fakeQuantChannelCpu(x, y, n, p);
            return int(Ok);
        },
        [](const float *x, float *y, std::int64_t n, const FloatParams &p, Stream) {
            fakeQuantFloatCpu(x, y, n, p);
            return int(Ok);
        },
        [](const float *x, float *y, std::int64_t n, const FloatChannelParams &p, Stream) {
            fakeQuantFloatChannelCpu(x, y, n, p);
            return int(Ok);
        },
        [](const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const LinearParams &p, Stream) {
            fakeQuantBackwardCpu(x, dy, dx, ds, n, p);
            return int(Ok);
        },
        [](const float *x, const float *dy, float *dx, double *ds, std::int64_t n, const LinearChannelParams &p,
           Stream) {
            fakeQuantBackwardChannelCpu(x, dy, dx, ds, n, p);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, MinMax *range, Stream) {
            minMaxCpu(x, n, range);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride, float *mins, float *maxs,
           std::int64_t *nanCount, Stream) {
            *nanCount += minMaxChannelCpu(x, n, channels, channelStride, mins, maxs);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream) {
            histogramCpu(x, n, lo, hi, bins, counts);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts, Stream) {
            histogramAbsCpu(x, n, hi, bins, counts);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, double p, Tails *tails, Stream) {
            *tails = tailsCpu(x, n, p);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, TailStore *store, Stream) {
            addTailsCpu(x, n, store);
            return int(Ok);
        },
        [](const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *sums, Stream) {
            if (rows == 1)
                *sums = errorSumsCpu(a, b, columns); // parallel inside the row
            else
                errorSumsRowsCpu(a, b, rows, columns, sums);
            return int(Ok);
        },
        [](const float *x, std::int64_t n, Moments *moments, Stream) {
            *moments = momentsCpu(x, n);
            return int(Ok);
        },
        [](const float *x, const std::int64_t *positions, std::int64_t count, float *values, Stream) {
            for (std::int64_t i = 0; i < count; ++i) values[i] = x[positions[i]];
            return int(Ok);
        },
    };
    return table;
}

} // namespace ql::gpu
