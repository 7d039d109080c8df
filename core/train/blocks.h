#pragma once

#include "core/quant/quant_plan.h"

#include <vector>

namespace ql {

/// A section of the network with one entry and one exit, the unit in which training passes compare the quantized with
/// the float network.
struct Block
{
    OpId start = noOp, end = noOp;
    std::vector<OpId> ops;      ///< all operations on paths from start to end, in execution order
    std::vector<VarId> inputs;  ///< tensors that they read but do not compute; no parameters
    std::vector<VarId> outputs; ///< the outputs of end
};

/// Cuts the quantized part of the network into blocks: starting at each quantized compute operation that is not in a
/// block yet, along operations with one input, and across branches that join again, while the end is at most limit
/// levels deeper than the start (an operation's level is one more than the largest of its producers'). (As in PPQ,
/// except that a block ends before an operation without results in floating point.) In execution order of their starts.
std::vector<Block> findBlocks(const QuantModel &model, int limit);

} // namespace ql
