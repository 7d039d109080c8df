#pragma once

#include <cstdint>
#include <vector>

namespace ql {

/// A range in units of histogram bins, as a candidate of the mse observer.
struct MseCandidate
{
    int start = 0;
    int step = 1;
    int end = 0;

    friend bool operator==(const MseCandidate &, const MseCandidate &) = default;
};

/// An exact sum of squared errors.
__extension__ using MseLoss = unsigned __int128;

/// 16 times the sum over bins of count x (error in bins)^2: for a bin outside [start, end], the error is the distance
/// of its middle; inside, bin number l of its step is min(l, step - 1 - l) + 0.5 away from the nearer end of the step,
/// the middle bin l + 0.25. The definition, bin by bin. (As in PPQ.)
MseLoss mseLoss(const std::vector<std::int64_t> &counts, const MseCandidate &candidate);

/// The candidate with the smallest loss; on ties the first in PPQ's order. Candidates start at every 8th bin up to
/// lastStart (0: only at bin 0; negative: nowhere) and have levels x step bins, step = 1 .. bins / levels; the one
/// that covers more than all bins comes first. Equal to trying mseLoss on each, in bins x steps + candidates x steps
/// operations instead of candidates x bins.
/// @pre levels <= bins
MseCandidate bestMseCandidate(const std::vector<std::int64_t> &counts, int levels, int lastStart);

} // namespace ql
