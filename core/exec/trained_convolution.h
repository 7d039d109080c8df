#pragma once

#include "core/exec/convolution.h"

namespace ql {

/// Conv of float32 with weights that may change from run to run, through oneDNN with gradients of its own. bias: [O] or
/// undefined. @returns nothing if it does not fit: other types, ranks or devices, or a build without oneDNN
at::Tensor convolveWithGradient(const ConvGeometry &geometry, const std::vector<std::int64_t> &outputSizes,
                                const at::Tensor &x, const at::Tensor &w, const at::Tensor &bias);

} // namespace ql
