#include "views/models/range_estimate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ql {

double Histogram::total() const
{
    return std::accumulate(counts.begin(), counts.end(), 0.0);
}

/// Integral of (x - at)² over [from, to].
static double squares(double from, double to, double at)
{
    return (std::pow(to - at, 3) - std::pow(from - at, 3)) / 3;
}

RangeEstimate estimateRange(const Histogram &values, double low, double high, qint64 steps)
{
    RangeEstimate found;
    found.step = steps > 0 ? (high - low) / double(steps) : 0;
    double all = 0, outside = 0, noise = 0, signal = 0;
    for (qsizetype i = 0; i < values.counts.size(); ++i) {
        const double from = values.low + double(i) * values.width, to = from + values.width;
        all += values.counts[i];
        // The values of a bin are spread evenly over it, except zeros, which are frequent after a Relu
        const double count = from <= 0 && 0 < to ? std::max(0.0, values.counts[i] - values.zeros) : values.counts[i];
        if (count == 0) continue;
        if (!(to > from)) { // one value, as of a constant
            const double beyond = std::max({low - from, from - high, 0.0});
            outside += beyond > 0 ? count : 0;
            noise += count * (beyond > 0 ? beyond * beyond : found.step * found.step / 12);
            signal += count * from * from;
            continue;
        }
        const double density = count / values.width;
        const double left = std::clamp(low, from, to), right = std::clamp(high, from, to); // the part inside
        outside += density * ((left - from) + (to - right));
        noise += density * (squares(from, left, low) + squares(right, to, high));
        noise += density * (right - left) * found.step * found.step / 12;
        signal += density * squares(from, to, 0);
    }
    found.clipped = all > 0 ? outside / all : 0;
    found.noiseRatio = signal > 0 ? noise / signal : 0;
    return found;
}

} // namespace ql
