#pragma once

#include "core/api/report.h"
#include "core/quant/quant_plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ql {

struct AnalysisContext;

/// The range of every channel: compared with that of the whole tensor, it shows the cost of one common scale. value:
/// float32, axis: one of its dimensions.
api::ChannelRanges channelRanges(const at::Tensor &value, std::int64_t axis);
/// The channel axis of the tensor in slot: that of its scales, otherwise the output channels of a weight, the first
/// axis of another parameter and the second axis of an activation.
std::int64_t channelAxis(const QuantModel &model, Slot slot);

/// The feature channels of an activation.
struct FeatureChannels
{
    std::int64_t axis = 1; ///< from the end if negative
    bool isLearned =
        false; ///< produced by weights, or by an activation directly after them: a channel that never changes is dead
};
/// The activations with feature channels: results of operations with constant weights (Conv, MatMul, BatchNormalization
/// ...), and those of activations, pools, Add, Sub, Mul and Concat on them. After other operations, axis 1 may count
/// anchors, classes or positions, and channels of zeros may be padding.
std::map<VarId, FeatureChannels> featureChannels(const Graph &graph);
/// Each weight of two dimensions or more that has one scale for all channels.
std::vector<api::WeightRow> sharedScaleWeights(const QuantModel &model);

/// The analysis "ranges" of only these tensors, which have their channels along axis 1; without joins.
std::vector<api::RangeRow> rangesOf(const AnalysisContext &context, const std::set<std::string> &tensors);

} // namespace ql
