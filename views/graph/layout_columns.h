#pragma once

#include "views/graph/layers.h"

namespace ql {

/// Horizontal coordinates. Cells are aligned to straight columns as in Brandes, Koepf 2001, "Fast and Simple Horizontal
/// Coordinate Assignment", section 4: each cell with at most one neighbour above and below, alignments of a gap never
/// cross. Unlike there, alignment follows the graph and not the median, in this order: chains of operations, lanes and
/// spines, then the edges on the longest paths. So a trunk stays straight through forks and joins, and one compaction
/// replaces the average of four: columns are placed one by one, the largest neighbour of placed columns first, at the
/// median of their placed neighbours (Jensen's priority method, cited in Sugiyama et al. 1981, on columns).
void assignColumns(Layers &layers, const std::atomic<bool> &cancelled);

} // namespace ql
