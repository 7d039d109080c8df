#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

namespace ql {

/// The nearest values that an integer runtime can add as int32: multiples of inputScale * weightScale (a product in
/// float32, as in runtimes), ties to the even code. bias: float32, [C] or any shape; weightScale: 1 or C entries.
/// @returns undefined if a code is beyond int32, or if the numbers of entries do not match
at::Tensor biasOnInt32Grid(const at::Tensor &bias, float inputScale, const std::vector<float> &weightScale);

/// Scales that an integer runtime can use for a layer. A channel whose weights are all zero may have any scale, and
/// the one from calibration (the minimum) can put its bias beyond int32: it gets one that is larger by a power of two,
/// so that the bias is within 2^23 steps. So does a channel with weights, within 2^30 steps, if the scale of the input
/// is so small (it was 0 in calibration) that they hardly matter. All other channels are unchanged. weight: rounded
/// values, float32; channelAxis: of weight; weightScale: one entry per channel, otherwise it is returned unchanged,
/// also if the bias does not match.
std::vector<float> scalesWithRoomForBias(const at::Tensor &weight, std::int64_t channelAxis,
                                         const std::vector<float> &weightScale, float inputScale,
                                         const at::Tensor &bias);

} // namespace ql
