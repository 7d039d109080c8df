#pragma once

#include "views/graph/layers.h"

namespace ql {

/// Orders the cells of the rows so that few edges cross: sweeps by medians (Eades, Wormald 1994) and swaps of
/// neighbours (Gansner et al. 1993, section 3), a bounded number of them. Starts with the order of the previous layout.
void orderRows(Layers &layers, const std::atomic<bool> &cancelled);

/// Crossings between all rows.
long long countCrossings(const Layers &layers);

} // namespace ql
