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

namespace {

/// (before - after) / (before + after) of each batch.
BatchErrors relativeChanges(const BatchErrors &before, const BatchErrors &after)
{
    BatchErrors changes;
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (before[i] == after[i])
            changes.push_back(0);
        else if (!std::isfinite(before[i]) || !std::isfinite(after[i]))
            changes.push_back(std::isfinite(after[i]) ? 1 : -1);
        else
            changes.push_back((before[i] - after[i]) / (before[i] + after[i]));
    }
    return changes;
}

/// Whether the mean of at least two changes is above 0 in a one-sided t-test. quantile: of Student's distribution.
bool isSignificant(const BatchErrors &changes, double quantile)
{
    const double mean = meanOf(changes), count = double(changes.size());
    double squares = 0;
    for (const double change : changes) squares += (change - mean) * (change - mean);
    return mean > quantile * std::sqrt(squares / (count - 1) / count);
}

/// The quantile 0.9 of Student's distribution for 1, 2 ... degrees of freedom.
constexpr std::array<double, enoughHeldOut - 2> studentQuantiles{3.078, 1.886, 1.638, 1.533, 1.476, 1.440};

/// Of Student's distribution from that of the normal one: the first terms of Abramowitz and Stegun, 26.7.5.
double studentQuantile(double normal, double degrees)
{
    return normal + (std::pow(normal, 3) + normal) / 4 / degrees;
}

BatchErrors joined(const BatchErrors &a, const BatchErrors &b)
{
    BatchErrors all = a;
    all.insert(all.end(), b.begin(), b.end());
    return all;
}

} // namespace

std::vector<std::size_t> BatchSplit::witnesses() const
{
    if (training == heldOut || heldOut.size() >= enoughToConfirm) return {};
    const std::size_t count = std::min(training.size(), enoughToConfirm - heldOut.size());
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(training[i * training.size() / count]);
    return chosen;
}

bool isClearlyBetter(const BatchErrors &before, const BatchErrors &after, const BatchSplit &split)
{
    if (!(meanOf(after) < meanOf(before))) return false;
    const std::size_t count = before.size();
    if (count < 2 || count >= enoughHeldOut || split.training == split.heldOut) return true;
    return isSignificant(relativeChanges(before, after), studentQuantiles[count - 2]);
}

/// Whether the mean of one of the outputs grew by more than mostGrowth.
static bool didOneGrow(const std::vector<BatchErrors> &before, const std::vector<BatchErrors> &after)
{
    for (std::size_t i = 0; i < before.size(); ++i)
        if (meanOf(after[i]) > (1 + mostGrowth) * meanOf(before[i])) return true;
    return false;
}

bool mayBeBetter(const NetworkErrors &before, const NetworkErrors &after, const BatchSplit &split)
{
    return !didOneGrow(before.outputs, after.outputs) && isClearlyBetter(before.heldOut, after.heldOut, split);
}

/// For each output, the errors of held-out batches and witnesses.
static std::vector<BatchErrors> ofAllBatches(const NetworkErrors &errors)
{
    std::vector<BatchErrors> all = errors.witnessOutputs;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = joined(errors.outputs[i], all[i]);
    return all;
}

bool isConfirmed(const NetworkErrors &before, const NetworkErrors &after, Choice choice)
{
    if (before.witnesses.empty()) return true;
    if (!(meanOf(after.witnesses) < meanOf(before.witnesses))) return false;
    if (didOneGrow(ofAllBatches(before), ofAllBatches(after))) return false;
    const BatchErrors changes =
        relativeChanges(joined(before.heldOut, before.witnesses), joined(after.heldOut, after.witnesses));
    const double normal = choice == Choice::OnlyState ? 1.2816 : 2.3263; // 10 and 1 %
    return isSignificant(changes, studentQuantile(normal, double(changes.size() - 1)));
}

} // namespace ql
