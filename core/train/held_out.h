#pragma once

#include <cstddef>
#include <vector>

namespace ql {

/// Which batches are trained on, and which decide. Without enough batches, all serve both purposes.
struct BatchSplit
{
    std::vector<std::size_t> training, heldOut;

    /// Training batches, spread over them, that make the held-out ones enoughToConfirm; none if all serve both
    /// purposes.
    std::vector<std::size_t> witnesses() const;
};
constexpr std::size_t enoughToConfirm = 32;

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

/// Errors of the network: of each output for the held-out batches, their sums, and the sums for some that were trained
/// on (BatchSplit::witnesses()); and of each output for those.
struct NetworkErrors
{
    std::vector<BatchErrors> outputs;
    BatchErrors heldOut, witnesses;
    std::vector<BatchErrors> witnessOutputs = {};
};
/// How a state was chosen: a change of the best of several states has to be more significant.
enum class Choice { OnlyState, OneOfSeveral };

/// Whether held-out batches allow a change of the network: isClearlyBetter(), and no output's mean grew by more than
/// mostGrowth.
bool mayBeBetter(const NetworkErrors &before, const NetworkErrors &after, const BatchSplit &split);
constexpr double mostGrowth = 0.02;
/// Whether the network became better on batches that mayBeBetter() did not see alone: the mean of the witnesses fell,
/// no output's mean over all batches grew by more than mostGrowth, and the mean of the relative changes of all batches
/// fell, significantly in a one-sided t-test at 10 % (1 % for one of several states). Blocks with smaller errors move
/// the outputs in an unknown direction; a few held-out batches, whose mean one of them may decide, do not show whether
/// that is a better one.
bool isConfirmed(const NetworkErrors &before, const NetworkErrors &after, Choice choice);

} // namespace ql
