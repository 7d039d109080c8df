#pragma once

#include "gpu/reduce.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <vector>

namespace ql {

/// Sums over a reference and its approximation, for each of rows equal parts along axis 0. reference, approximation:
/// not empty, the same shape, any type and layout.
std::vector<gpu::ErrorSums> errorSums(const at::Tensor &reference, const at::Tensor &approximation, std::int64_t rows);

/// sum((a - b)^2) / sum(a^2): 0 for equal tensors, infinity if only the reference is zero.
double noiseRatio(const gpu::ErrorSums &sums);

} // namespace ql
