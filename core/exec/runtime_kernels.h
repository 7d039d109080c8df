#pragma once

#include "core/exec/kernel.h"

#include <memory>

namespace ql {

// Functions as ONNX Runtime's CPU kernels compute them in float32, bit for bit on machines with fused multiply-add.
// Source: its MLAS kernels Logistic and Tanh (rational approximations), HardSigmoid, and the function body of
// HardSwish.
at::Tensor runtimeSigmoid(const at::Tensor &x);
at::Tensor runtimeTanh(const at::Tensor &x);
at::Tensor runtimeHardSigmoid(const at::Tensor &x, float alpha, float beta);
at::Tensor runtimeHardSwish(const at::Tensor &x);

/// A step that calls function, on the CPU.
std::shared_ptr<PreparedKernel> runtimeKernel(const KernelFunction &function);

} // namespace ql
