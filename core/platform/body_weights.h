#pragma once

#include "core/ir/subgraphs.h"

#include <cstddef>
#include <map>
#include <set>
#include <string>

namespace ql {

/// Weights that operations in the bodies of op (If, Loop, Scan) read, and that op captures as parameters of graph: the
/// number of its input, and the first reader of one of these types. The pass hoist_body_weights makes weights such
/// inputs.
std::map<std::size_t, BodyReader> bodyWeights(const Graph &graph, const Operation &op,
                                              const std::set<std::string, std::less<>> &types);

/// Whether input number slot.index of op is a weight: of its products with input 0, or with its state (LSTM ...).
bool isAnyWeight(const Operation &op, Slot slot);

} // namespace ql
