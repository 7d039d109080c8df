#pragma once

#include "core/exec/program.h"

#include <functional>

namespace ql {

/// Why an operation ran on the CPU although its operator has a kernel for the device.
inline Text refusedByDevice()
{
    return QL_TEXT("LibTorch cannot run it on the device");
}

/// Decides for every step of a compiled program whether it runs on the device, and adds the necessary copies between
/// device and CPU, each tensor once. Before: steps as compiled for the CPU, without fused primitives.
///
/// Operators that consist of LibTorch functions only run on the device, all others on the CPU. Operations that compute
/// shapes and indices from other shapes also stay on the CPU: kernels read such inputs there.
///
/// uploaded: the device's copy of a constant.
void placeOnDevice(Program::Impl &program, c10::Device device,
                   const std::function<at::Tensor(const at::Tensor &)> &uploaded);

} // namespace ql
