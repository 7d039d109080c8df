#pragma once

#include <cstddef>
#include <vector>

namespace ql {

/// Which batches are trained on, and which decide. Without enough batches, all serve both purposes.
struct BatchSplit
{
    std::vector<std::size_t> training, heldOut;
};

/// Every 1/share-th of `count` batches is held out, so that sorted data are spread over both parts; more than that
/// share, up to half of all, if it would be less than fewestHeldOut. Fewer than 4 batches or share 0: all serve both.
BatchSplit splitBatches(std::size_t count, double share);
constexpr std::size_t fewestHeldOut = 3;

/// One error for each held-out batch.
using BatchErrors = std::vector<double>;

double meanOf(const BatchErrors &errors);

/// So many held-out batches are enough to compare their means.
constexpr std::size_t enoughHeldOut = 8;

/// Whether the errors of the held-out batches fell: the mean did, and with fewer than enoughHeldOut also the mean of
/// the changes (before - after) / (before + after) of single batches, significantly in a one-sided t-test at 10 %. The
/// fewer batches, the larger and more uniform the change has to be. If the batches were trained on, the mean decides.
bool isClearlyBetter(const BatchErrors &before, const BatchErrors &after, const BatchSplit &split);

} // namespace ql
