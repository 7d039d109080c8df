#pragma once

#include "core/exec/kernel.h"

namespace ql {

/// Matrix product with NumPy's rules for ranks and broadcasting, any element type; float32 on the CPU through oneDNN.
at::Tensor matrixProduct(const at::Tensor &left, const at::Tensor &right);

} // namespace ql
