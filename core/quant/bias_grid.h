#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

namespace ql {

/// The nearest values that an integer runtime can add as int32: multiples of inputScale * weightScale (a product in
/// float32, as runtimes compute it), ties to the even code. bias: float32, [C] or any shape; weightScale: 1 or C
/// entries.
/// @returns undefined when a code is beyond int32, or when the numbers of entries do not fit
at::Tensor biasOnInt32Grid(const at::Tensor &bias, float inputScale, const std::vector<float> &weightScale);

} // namespace ql
