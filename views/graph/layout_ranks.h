#pragma once

#include <atomic>
#include <utility>
#include <vector>

namespace ql {

/// Rows of a layered drawing that minimize the sum of the edge lengths: rank[to] >= rank[from] + 1, and the smallest
/// rank of each connected part is 0. Series-parallel parts are solved exactly by reduction, the rest by network simplex
/// (Gansner, Koutsofios, North, Vo 1993, "A Technique for Drawing Directed Graphs", section 2), which stops after a
/// bounded amount of work with a valid, possibly longer drawing.
/// @param edges from a smaller to a larger number, each pair at most once
std::vector<int> assignRanks(int nodes, const std::vector<std::pair<int, int>> &edges,
                             const std::atomic<bool> &cancelled);

} // namespace ql
