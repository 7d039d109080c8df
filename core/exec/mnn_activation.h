#pragma once

#include <ATen/core/Tensor.h>

// Activations as MNN computes them on x86 processors with FMA, bit for bit (MNN: avxfma/MathFunctions.cpp,
// CommonOptFunction.cpp MNNExp). x: float32.
namespace ql {

/// x * sigmoid(x), which MNN's converter makes one operation: x / (1 + exp(-x)).
at::Tensor mnnSilu(const at::Tensor &x);
at::Tensor mnnSigmoid(const at::Tensor &x);

} // namespace ql
