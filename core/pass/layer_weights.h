#pragma once

#include "core/ir/graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ql {

/// A Conv, ConvTranspose or Gemm for passes that scale channels. Weight and bias are float32 parameters without other
/// consumers.
struct LayerWeights
{
    VarId weight = noVar;
    VarId bias = noVar; ///< noVar: none
    std::int64_t inputChannels = 0;
    std::int64_t outputChannels = 0;
    std::int64_t rows = 0, columns = 0; ///< the first two axes of the weight; rows run over all groups
    std::int64_t groups = 1;
    bool rowsAreOutputs = true;
    std::int64_t run = 1; ///< that many adjacent elements of the (contiguous) weight share their channels

    /// Input or output channel of each run, group after group where the operation has groups.
    std::vector<std::int32_t> inputOfRuns() const { return channelOfRuns(!rowsAreOutputs); }
    std::vector<std::int32_t> outputOfRuns() const { return channelOfRuns(rowsAreOutputs); }

private:
    std::vector<std::int32_t> channelOfRuns(bool ofRows) const;
};

/// Reads op's weights, or nullopt if channels are unknown or cannot be changed: another type, a weight or bias that is
/// not its own float32 parameter, a bias without one value per output channel, a transposed input.
std::optional<LayerWeights> layerWeights(const Graph &graph, OpId op);

} // namespace ql
