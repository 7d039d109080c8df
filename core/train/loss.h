#pragma once

#include <ATen/core/Tensor.h>
#include <vector>

namespace ql {

/// What training minimizes.
/// Outputs: the sum over outputs of the mean squared error.
/// Classes: the divergence (Kullback-Leibler) of the classes that the outputs predict, along axis 1, from those of the
/// float network. An output whose target already has probabilities along axis 1 needs no softmax.
enum class Loss { Outputs, Classes };

bool isFloatTensor(const at::Tensor &t);
/// Classes: whether the tensor has more than one along axis 1.
bool hasClasses(const at::Tensor &t);
/// Computed in float32. Undefined if no output counts: of a floating type, with the shape of its target (and classes).
/// Targets are on the CPU.
at::Tensor lossOf(Loss loss, const std::vector<at::Tensor> &outputs, const std::vector<at::Tensor> &targets);

} // namespace ql
