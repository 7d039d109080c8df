#include "core/train/held_out.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace ql {

BatchSplit splitBatches(std::size_t count, double share)
{
    BatchSplit split;
    std::size_t heldOut = std::size_t(double(count) * share);
    if (heldOut > 0) heldOut = std::max(heldOut, std::min(fewestHeldOut, count / 2));
    if (count < 4 || heldOut == 0) {
        for (std::size_t i = 0; i < count; ++i) split.training.push_back(i);
        split.heldOut = split.training;
        return split;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const bool isHeldOut = (i + 1) * heldOut / count > i * heldOut / count;
        (isHeldOut ? split.heldOut : split.training).push_back(i);
    }
    return split;
}

double meanOf(const BatchErrors &errors)
{
    const double sum = std::accumulate(errors.begin(), errors.end(), 0.0);
    return std::isnan(sum) ? std::numeric_limits<double>::infinity() : sum / double(errors.size());
}

/// The quantile 0.9 of Student's distribution for 1, 2 ... degrees of freedom.
constexpr std::array<double, enoughHeldOut - 2> studentQuantiles{3.078, 1.886, 1.638, 1.533, 1.476, 1.440};

bool isClearlyBetter(const BatchErrors &before, const BatchErrors &after, const BatchSplit &split)
{
    if (!(meanOf(after) < meanOf(before))) return false;
    const std::size_t count = before.size();
    if (count < 2 || count >= enoughHeldOut || split.training == split.heldOut) return true;
    BatchErrors changes;
    for (std::size_t i = 0; i < count; ++i) {
        if (before[i] == after[i])
            changes.push_back(0);
        else if (!std::isfinite(before[i]) || !std::isfinite(after[i]))
            changes.push_back(std::isfinite(after[i]) ? 1 : -1);
        else
            changes.push_back((before[i] - after[i]) / (before[i] + after[i]));
    }
    const double mean = meanOf(changes);
    double squares = 0;
    for (const double change : changes) squares += (change - mean) * (change - mean);
    const double uncertainty = std::sqrt(squares / double(count - 1) / double(count));
    return mean > studentQuantiles[count - 2] * uncertainty;
}

} // namespace ql
