#pragma once

#include "core/quant/quant_plan.h"

#include <ATen/core/Tensor.h>

namespace ql {

/// Quantizes and dequantizes x on the grid of config with the given scale, as the executor does for a slot. Linear
/// formats, floating ones and codebooks; per tensor, channel or group; static or dynamic (scales from x itself). x:
/// float32, any shape, any dense layout (contiguous, channels-last ...), any device; the result has the same shape,
/// layout and device. The caller decides whether the state is applied.
/// @throws Error (BadConfig) if scale has neither 1 entry nor as many as the channel axis or the groups. (Kernel) for
/// another type.
at::Tensor fakeQuant(const at::Tensor &x, const TensorQuantConfig &config, const std::vector<float> &scale,
                     const std::vector<std::int32_t> &zeroPoint);
/// The same in place; x must be dense.
void fakeQuantInPlace(at::Tensor &x, const TensorQuantConfig &config, const std::vector<float> &scale,
                      const std::vector<std::int32_t> &zeroPoint);
/// The gradients of a sum over dy * fakeQuant(x): by x (straight-through: dy inside the range of the grid, 0 outside),
/// in the layout of x, and by each scale (gpu/fake_quant.h); dynamic and floating formats have no trainable scale.
struct FakeQuantGradient
{
    at::Tensor input;
    std::vector<double> scale;
};
FakeQuantGradient fakeQuantGradient(const at::Tensor &x, const at::Tensor &dy, const TensorQuantConfig &config,
                                    const std::vector<float> &scale, const std::vector<std::int32_t> &zeroPoint);
/// fakeQuant with the effective scale of slot.
at::Tensor fakeQuant(const at::Tensor &x, const QuantPlan &plan, Slot slot);
/// The simulated value of a parameter: the plan's own value if it has one, rounded to the grid of slot if that is
/// simulated and float32. @pre slot reads a parameter of graph
at::Tensor simulatedParameter(const Graph &graph, const QuantPlan &plan, Slot slot);

/// The integer codes of x. Container: int8 / uint8 up to 8 bits, int16 up to 16, int32 above; unsigned if quantMin >=
/// 0. Linear static configs only, x on the CPU. @throws Error (BadConfig)
at::Tensor quantizeToInteger(const at::Tensor &x, const TensorQuantConfig &config, const std::vector<float> &scale,
                             const std::vector<std::int32_t> &zeroPoint);
/// The element type that quantizeToInteger returns.
at::ScalarType integerContainer(const TensorQuantConfig &config);

} // namespace ql
