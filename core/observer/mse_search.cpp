#include "core/observer/mse_search.h"

#include <algorithm>
#include <utility>

namespace ql {

namespace {

constexpr int startInterval = 8;

/// Four times the error of bin number l of a step, an integer.
std::uint64_t quarterError(int l, int step)
{
    const int r = step - l - 1;
    return l == r ? std::uint64_t(4 * l + 1) : std::uint64_t(4 * std::min(l, r) + 2);
}

/// Sums of count, count x i and count x i^2 over the bins below each bin.
class Moments
{
public:
    explicit Moments(const std::vector<std::int64_t> &counts) : m_sums(counts.size() + 1)
    {
        for (std::size_t i = 0; i < counts.size(); ++i) {
            const MseLoss count = MseLoss(counts[i]);
            m_sums[i + 1] = {m_sums[i].m0 + count, m_sums[i].m1 + count * i, m_sums[i].m2 + count * i * i};
        }
    }
    /// Sum over bins from <= i < to of count x (4 i - offset)^2. Intermediate overflow wraps around, the result is
    /// exact.
    MseLoss squares(std::size_t from, std::size_t to, std::int64_t offset) const
    {
        const Sums &a = m_sums[from], &b = m_sums[to];
        const MseLoss o = MseLoss(offset);
        return 16 * (b.m2 - a.m2) - 8 * o * (b.m1 - a.m1) + o * o * (b.m0 - a.m0);
    }

private:
    struct Sums
    {
        MseLoss m0 = 0, m1 = 0, m2 = 0;
    };
    std::vector<Sums> m_sums;
};

/// sums[i]: counts of i, i - step, i - 2 step ...
void residueSums(const std::vector<std::int64_t> &counts, int step, std::vector<std::int64_t> *sums)
{
    for (std::size_t i = 0; i < counts.size(); ++i)
        (*sums)[i] = counts[i] + (i >= std::size_t(step) ? (*sums)[i - std::size_t(step)] : 0);
}

MseLoss fastLoss(const Moments &moments, const std::vector<std::int64_t> &sums, const MseCandidate &c)
{
    const int bins = int(sums.size());
    MseLoss loss = moments.squares(0, std::size_t(c.start), 4 * std::int64_t(c.start) - 2);
    if (c.end + 1 < bins)
        loss += moments.squares(std::size_t(c.end) + 1, std::size_t(bins), 4 * std::int64_t(c.end) - 2);
    const int last = std::min(c.end, bins - 1);
    for (int l = 0; l < c.step && c.start + l <= last; ++l) {
        const int first = c.start + l;
        const int top = last - (last - first) % c.step;
        const std::int64_t count = sums[std::size_t(top)] - (first >= c.step ? sums[std::size_t(first - c.step)] : 0);
        const std::uint64_t error = quarterError(l, c.step);
        loss += MseLoss(count) * error * error;
    }
    return loss;
}

} // namespace

MseLoss mseLoss(const std::vector<std::int64_t> &counts, const MseCandidate &candidate)
{
    MseLoss loss = 0;
    for (int i = 0; i < int(counts.size()); ++i) {
        std::uint64_t error = 0;
        if (i < candidate.start)
            error = 4 * std::uint64_t(candidate.start - i) - 2;
        else if (i > candidate.end)
            error = 4 * std::uint64_t(i - candidate.end) + 2;
        else
            error = quarterError((i - candidate.start) % candidate.step, candidate.step);
        loss += MseLoss(counts[std::size_t(i)]) * error * error;
    }
    return loss;
}

MseCandidate bestMseCandidate(const std::vector<std::int64_t> &counts, int levels, int lastStart)
{
    const int bins = int(counts.size());
    const int steps = bins / levels;
    const Moments moments(counts);
    std::vector<std::int64_t> sums(counts.size());

    residueSums(counts, steps + 1, &sums);
    MseCandidate best{0, steps + 1, levels * (steps + 1)};
    MseLoss bestLoss = fastLoss(moments, sums, best);
    bool bestIsFallback = true;
    for (int step = 1; step <= steps; ++step) {
        residueSums(counts, step, &sums);
        for (int start = 0; start <= std::min(lastStart, bins - 1); start += startInterval) {
            const MseCandidate candidate{start, step, start + levels * step};
            if (candidate.end > bins + levels) break;
            const MseLoss loss = fastLoss(moments, sums, candidate);
            // Steps are the outer loop here and the inner one in PPQ's order, which decides ties.
            const bool earlier = !bestIsFallback && std::pair(start, step) < std::pair(best.start, best.step);
            if (loss < bestLoss || (loss == bestLoss && earlier)) {
                best = candidate;
                bestLoss = loss;
                bestIsFallback = false;
            }
        }
    }
    return best;
}

} // namespace ql
