#pragma once

#include "core/exec/program.h"

#include <functional>

namespace ql {

/// Why an operation whose operator has a kernel for the device ran on the CPU all the same.
inline constexpr const char *refusedByDevice = "LibTorch cannot run it on the device";

/// Decides for every step of a compiled program whether it runs on the device, and adds the copies between device and
/// CPU that this needs, each tensor once. Before: steps as compiled for the CPU, without fused primitives.
///
/// Operators that are nothing but LibTorch functions run on the device (placement.cpp has the list), all others on the
/// CPU. What computes shapes and indices from other shapes stays on the CPU as well: kernels read such inputs there.
///
/// uploaded: the device's copy of a constant.
void placeOnDevice(Program::Impl &program, c10::Device device,
                   const std::function<at::Tensor(const at::Tensor &)> &uploaded);

} // namespace ql
