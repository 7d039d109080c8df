#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <optional>

namespace ql {

/// By how much the class probabilities of a quantized network differ from those of float: their Kullback-Leibler
/// divergence in nats, sum of p log(p / q), mean over everything but the axis of the classes. It follows the decisions
/// that a metric counts, but changes with every score: few samples suffice to compare two networks by it.
///
/// fp, q: scores, of which softmax gives the probabilities, or probabilities (not negative, with a sum of 1).
/// @returns nothing if they are not float tensors of one shape with at least two classes
std::optional<double> divergenceOf(const at::Tensor &fp, const at::Tensor &q, std::int64_t axis);

} // namespace ql
