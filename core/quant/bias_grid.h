#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

namespace ql {

/// The nearest values that an integer runtime can add as int32: multiples of inputScale * weightScale (a product in
/// float32, as runtimes compute it), ties to the even code. bias: float32, [C] or any shape; weightScale: 1 or C
/// entries.
/// @returns undefined when a code is beyond int32, or when the numbers of entries do not fit
at::Tensor biasOnInt32Grid(const at::Tensor &bias, float inputScale, const std::vector<float> &weightScale);

/// Scales that an integer runtime can use for a layer. A channel whose weights are all zero may have any scale, and the
/// one that calibration gives it (the smallest there is) can put its bias beyond int32: it gets one that is larger by a
/// power of two, so that the bias is within 2^23 steps. All other channels keep theirs.
/// weight: rounded values, float32; channelAxis: of weight; weightScale: an entry for each channel, else it comes back
/// as it is, as with a bias that does not fit.
std::vector<float> scalesWithRoomForBias(const at::Tensor &weight, std::int64_t channelAxis,
                                         const std::vector<float> &weightScale, float inputScale,
                                         const at::Tensor &bias);

} // namespace ql
