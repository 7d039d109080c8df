#pragma once

#include <QVector>
#include <QtGlobal>

namespace ql {

/// Float values of a tensor in bins of equal width.
struct Histogram
{
    QVector<double> counts;
    double low = 0, width = 1; ///< of the first bin; of each
    double zeros = 0;          ///< how many values are exactly 0

    double total() const;
};

/// The cost of a pair of limits for a tensor.
struct RangeEstimate
{
    double step = 0;       ///< difference between adjacent codes
    double clipped = 0;    ///< fraction of the values outside the limits, 0 to 1
    double noiseRatio = 0; ///< noise / signal
};

/// Estimated from the histogram only: inside the limits rounding errors are uniform over a step (step² / 12), outside
/// the error is the distance to the limit. 0 has a code of its own. steps: number of codes minus one.
RangeEstimate estimateRange(const Histogram &values, double low, double high, qint64 steps);

} // namespace ql
