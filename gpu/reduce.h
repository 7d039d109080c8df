#pragma once

#include "gpu/error.h"

#include <cstdint>
#include <limits>
#include <vector>

// Reductions over float32 arrays for observers and analysers. Results do not depend on the number of threads or the
// instruction set, and the ...Cuda counterparts give the same bits: minima, maxima and counts do not depend on the
// order, and sums follow one fixed order (reduce_order.h). n may be 0. Channels: see fake_quant.h.
//
// The ...Cuda functions that fill a host struct wait for the stream; the others only enqueue.
namespace ql::gpu {

struct MinMax
{
    float min = std::numeric_limits<float>::infinity();
    float max = -std::numeric_limits<float>::infinity();
    std::int64_t nanCount = 0; ///< elements that were left out
};

/// Widens *range by the elements of x, so that a stream of batches can be observed. NaN is left out and counted, an
/// infinity is a value. A zero is stored as +0. Before the first value min > max.
void minMaxCpu(const float *x, std::int64_t n, MinMax *range);
int minMaxCuda(const float *x, std::int64_t n, MinMax *range, Stream stream);

/// The same per channel, into mins[channels] and maxs[channels], which hold +inf and -inf before the first batch.
/// @returns how many NaN were left out. Cuda: x, mins, maxs and nanCount (may be null; added to) are on the device.
std::int64_t minMaxChannelCpu(const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride,
                              float *mins, float *maxs);
int minMaxChannelCuda(const float *x, std::int64_t n, std::int64_t channels, std::int64_t channelStride, float *mins,
                      float *maxs, std::int64_t *nanCount, Stream stream);

/// Adds the elements of x in [lo, hi] to counts[bins]: index = trunc((x - lo) * bins / (hi - lo)) in float32 in this
/// order, x == hi counts in the last bin, everything else (including NaN) is dropped, as in torch.histc. bins at most
/// 2^24.
/// @returns how many elements were counted; 0, without reading x, unless lo < hi and hi - lo is finite. Cuda: counts
/// is on the device; InvalidArgument for such a range.
std::int64_t histogramCpu(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts);
int histogramCuda(const float *x, std::int64_t n, float lo, float hi, int bins, std::int64_t *counts, Stream stream);

/// The same for |x| in [0, hi].
std::int64_t histogramAbsCpu(const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts);
int histogramAbsCuda(const float *x, std::int64_t n, float hi, int bins, std::int64_t *counts, Stream stream);

/// Sums over pairs (a, b), a the reference and b the approximation. SNR is 1 / (squaredDiff / squaredA), mse
/// squaredDiff / count, cosine product / sqrt(squaredA * squaredB). A NaN or an infinity makes the sums NaN or inf.
struct ErrorSums
{
    double squaredDiff = 0; ///< sum of (a - b)^2
    double squaredA = 0;
    double squaredB = 0;
    double product = 0; ///< sum of a * b
    double maxDiff = 0; ///< largest |a - b|, NaN left out
    std::int64_t count = 0;
};

/// All sums in one pass; differences, products and sums in double.
ErrorSums errorSumsCpu(const float *a, const float *b, std::int64_t n);
int errorSumsCuda(const float *a, const float *b, std::int64_t n, ErrorSums *sums, Stream stream);

/// sums[r] over the elements [r * columns, (r + 1) * columns), for all rows of a batch.
void errorSumsRowsCpu(const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *sums);
int errorSumsRowsCuda(const float *a, const float *b, std::int64_t rows, std::int64_t columns, ErrorSums *sums,
                      Stream stream);

/// Mean and central moments of the finite elements, from which mean, deviation, skewness and kurtosis are computed.
struct Moments
{
    std::int64_t count = 0;
    std::int64_t skipped = 0; ///< NaN and infinities
    double mean = 0;
    double m2 = 0; ///< sum of (x - mean)^2, and of its third and fourth power
    double m3 = 0;
    double m4 = 0;

    /// @returns the unbiased (n - 1) standard deviation; NaN for fewer than two elements.
    double deviation() const;
    /// @returns mean(((x - mean) / deviation)^3); NaN when the deviation is 0.
    double skewness() const;
    /// @returns mean(((x - mean) / deviation)^4) - 3; NaN when the deviation is 0.
    double kurtosis() const;

    /// Moments of both sets of elements together (Pebay, Sandia report SAND2008-6212).
    void merge(const Moments &other);
};

/// Two passes over each chunk while it is in cache, chunks merged in order: no cancellation even if the mean is far
/// from zero.
Moments momentsCpu(const float *x, std::int64_t n);
int momentsCuda(const float *x, std::int64_t n, Moments *moments, Stream stream);

} // namespace ql::gpu
