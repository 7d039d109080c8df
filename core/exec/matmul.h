#pragma once

#include "core/exec/kernel.h"

namespace ql {

/// Matrix product with NumPy's rules for ranks and broadcasting, any element type; float32 on the CPU through oneDNN.
/// @throws IncompatibleInputs if the inner sizes differ, or leading sizes do not broadcast
at::Tensor matrixProduct(const at::Tensor &left, const at::Tensor &right);

/// c += a * weight' in place. a [m, k] and weight [n, k], contiguous; c [m, n], whose rows may have gaps between them;
/// all float32 on the CPU.
void addProduct(const at::Tensor &a, const at::Tensor &weight, const at::Tensor &c);

} // namespace ql
