#pragma once

#include "core/ir/graph.h"

namespace ql {

/// Replaces op (InstanceNormalization, LayerNormalization) of a tensor of this rank by operations on codes (float32,
/// less the zero point), which are values / scale: mean and variance in float64, in which they are exact.
void normalizeCodes(Graph &graph, OpId op, VarId codes, float scale, std::int64_t rank);

} // namespace ql
