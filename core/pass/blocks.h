#pragma once

#include "core/quant/quant_plan.h"

#include <vector>

namespace ql {

/// A stretch of the network with one way in and one way out, the unit in which training passes compare the quantized
/// with the float network.
struct Block
{
    OpId start = noOp, end = noOp;
    std::vector<OpId> ops;      ///< all operations on ways from start to end, in execution order
    std::vector<VarId> inputs;  ///< tensors that they read and do not compute; no parameters
    std::vector<VarId> outputs; ///< what end computes
};

/// Cuts the quantized part of the network into blocks: from each quantized computing operation that no block has yet,
/// along operations with one input, and over branches that join again, while the end is at most limit levels deeper
/// than the start (an operation's level is one more than the largest of its producers'). (Reference: passes, training,
/// blocks.)
std::vector<Block> findBlocks(const QuantModel &model, int limit);

} // namespace ql
