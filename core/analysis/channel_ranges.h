#pragma once

#include "core/api/report.h"
#include "core/quant/quant_plan.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ql {

/// The range of every channel: next to that of the whole tensor, what one scale for all of them costs. value: float32,
/// axis: one of its dimensions.
api::ChannelRanges channelRanges(const at::Tensor &value, std::int64_t axis);
/// The channel axis of the tensor in slot: that of its scales, otherwise the output channels of a weight, the first
/// axis of another parameter and the second axis of an activation.
std::int64_t channelAxis(const QuantModel &model, Slot slot);

/// Where the channels of features lie in an activation.
struct FeatureChannels
{
    std::int64_t axis = 1;  ///< from the end where negative
    bool isLearned = false; ///< weights make them, or an activation right behind these: one that never changes is dead
};
/// The activations that have channels of features: results of operations with constant weights (Conv, MatMul,
/// BatchNormalization ...), and what activations, pools, Add, Sub, Mul and Concat make of these. Behind anything else,
/// axis 1 may count anchors, classes or positions, and channels of zeros may be padding.
std::map<VarId, FeatureChannels> featureChannels(const Graph &graph);
/// Each weight of two dimensions or more that has one scale for all channels.
std::vector<api::WeightRow> sharedScaleWeights(const QuantModel &model);

} // namespace ql
