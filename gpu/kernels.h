#pragma once

#include "gpu/error.h"
#include "gpu/fake_quant.h"
#include "gpu/reduce.h"
#include "gpu/tail_store.h"
#include "gpu/tails.h"

#include <cstddef>
#include <cstdint>

// Functions on tensors of any device, as one table per kind of device.
namespace ql::gpu {

/// Functions on float32 arrays of one device: the large arrays (x, y, a, b, dx, dy) are on the device, everything else
/// is on the host, including scales, zero points and results. fake_quant.h, reduce.h, tails.h and tail_store.h specify
/// the results and their bits. Results are complete when a function returns; fakeQuant... only enqueues. Each returns
/// 0, or an error code for errorText(). stream: ignored on the CPU.
struct Kernels
{
    int (*fakeQuant)(const float *x, float *y, std::int64_t n, const LinearParams &p, Stream stream);
    int (*fakeQuantChannel)(const float *x, float *y, std::int64_t n, const LinearChannelParams &p, Stream stream);
    int (*fakeQuantFloat)(const float *x, float *y, std::int64_t n, const FloatParams &p, Stream stream);
    int (*fakeQuantFloatChannel)(const float *x, float *y, std::int64_t n, const FloatChannelParams &p, Stream stream);

    /// Gradients of fakeQuant: dx, and ds for the scale of the tensor or ds[channels].
    int (*fakeQuantBackward)(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                             const LinearParams &p, Stream stream);
    int (*fakeQuantBackwardChannel)(const float *x, const float *dy, float *dx, double *ds, std::int64_t n,
                                    const LinearChannelParams &p, Stream stream);

    /// Widens *range.
    int (*minMax)(const float *x, std::int64_t n, MinMax *range, Stream stream);
    /// Widens mins[channels] and maxs[channels]; adds to *nanCount.
    int (*minMaxChannel)(const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride, float *mins,
                         float *maxs, std::int64_t *nanCount, Stream stream);
    /// Adds to counts[bins]; nothing is counted unless lo < hi and hi - lo is finite.
    int (*histogram)(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream stream);
    int (*histogramAbs)(const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts, Stream stream);
    int (*tails)(const float *x, std::int64_t n, double p, Tails *tails, Stream stream);
    /// Adds to *store. Only values that may belong to a tail are copied to the host.
    int (*addTails)(const float *x, std::int64_t n, TailStore *store, Stream stream);
    /// sums[rows].
    int (*errorSumsRows)(const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *sums,
                         Stream stream);
    int (*moments)(const float *x, std::int64_t n, Moments *moments, Stream stream);
    /// values[i] = x[positions[i]], for observers that sample. Positions are not checked.
    int (*pick)(const float *x, const std::int64_t *positions, std::int64_t count, float *values, Stream stream);
};

const Kernels &cpuKernels();
/// @returns nullptr in a program that was built without nvcc.
const Kernels *cudaKernels();

/// Whether the CUDA kernels run on that device: 0, or an error code for errorText() (no such device, a driver that is
/// too old, a GPU that they were not compiled for).
int deviceStatus(int device);

} // namespace ql::gpu
