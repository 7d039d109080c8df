#pragma once

#include <ATen/core/Tensor.h>

#include <string_view>

// Activations as oneDNN's eltwise injector computes them on x86 processors with FMA, bit for bit (oneDNN:
// jit_uni_eltwise_injector.cpp). x * sigmoid(x) is their product. x: float32.
namespace ql {

using OpenVinoActivation = at::Tensor (*)(const at::Tensor &);
/// Of Sigmoid and HardSwish; nullptr for other types.
OpenVinoActivation openVinoActivation(std::string_view type);

} // namespace ql
