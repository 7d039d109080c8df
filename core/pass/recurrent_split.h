#pragma once

#include "core/base/text.h"
#include "core/ir/graph.h"

#include <optional>

namespace ql {

/// The pass that replaces GRU and LSTM by operations that platforms quantize.
inline constexpr const char *recurrentSplitPass = "recurrent_split";
/// Why that pass, with its defaults, leaves this GRU, LSTM or RNN as it is; unset: it does not.
std::optional<Text> whyNotSplit(const Graph &graph, const Operation &op);

} // namespace ql
