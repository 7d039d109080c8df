#pragma once

#include <atomic>
#include <vector>

namespace ql {

struct SimplexEdge
{
    int from = 0, to = 0;
    int length = 1; ///< minimum difference of the ranks
    int weight = 1;
};

/// Ranks with rank[to] >= rank[from] + length that minimize the weighted sum of rank[to] - rank[from]; connected parts
/// are ranked independently. Gansner et al. 1993, section 2.3. The work is bounded by a count, never by the clock.
/// @param edges from a smaller to a larger number
std::vector<int> networkSimplex(int nodes, const std::vector<SimplexEdge> &edges, const std::atomic<bool> &cancelled);

} // namespace ql
