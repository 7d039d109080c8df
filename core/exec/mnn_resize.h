#pragma once

#include "core/exec/kernel.h"
#include "core/ir/graph.h"

#include <ATen/core/Tensor.h>
#include <vector>

// Resize with cubic interpolation as MNN computes it (MNN: CPUResize.cpp, CPUResizeCubicC4).
namespace ql {

/// Whether op is such a Resize.
bool isMnnCubicResize(const Operation &op);
/// At positions before the first pixel, the four pixels are those of the first one, with the weights of the position;
/// cubic_coeff_a is -0.75 whatever op says.
std::vector<at::Tensor> mnnCubicResize(const KernelContext &context, Inputs inputs);

} // namespace ql
