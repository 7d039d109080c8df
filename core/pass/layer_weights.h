#pragma once

#include "core/ir/graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ql {

/// A Conv, ConvTranspose or Gemm as passes that scale channels see it. Weight and bias are parameters that no other
/// operation reads, float32.
struct LayerWeights
{
    VarId weight = noVar;
    VarId bias = noVar; ///< noVar: none
    std::int64_t inputChannels = 0;
    std::int64_t outputChannels = 0;
    std::int64_t rows = 0, columns = 0; ///< the first two axes of the weight; rows run over all groups
    std::int64_t groups = 1;
    bool rowsAreOutputs = true;
    std::int64_t run = 1; ///< that many neighbouring elements of the (contiguous) weight share their channels

    /// Input or output channel of each run, group after group where the operation has groups.
    std::vector<std::int32_t> inputOfRuns() const { return channelOfRuns(!rowsAreOutputs); }
    std::vector<std::int32_t> outputOfRuns() const { return channelOfRuns(rowsAreOutputs); }

private:
    std::vector<std::int32_t> channelOfRuns(bool ofRows) const;
};

/// Reads op's weights, or nullopt when channels cannot be told or changed: another type, a weight or bias that is not a
/// parameter of its own in float32, a bias without one value per output channel, a transposed input.
std::optional<LayerWeights> layerWeights(const Graph &graph, OpId op);

} // namespace ql
