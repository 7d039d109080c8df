#pragma once

#include "core/exec/program.h"

#include <span>

namespace ql {

at::Tensor scaleTensor(const std::vector<float> &scale);
/// Fake quantization with gradients, straight-through for x and as in LSQ for the scale (gpu/fake_quant.h). scale:
/// float32, one or one per channel, on the CPU.
at::Tensor fakeQuantForTraining(const at::Tensor &x, const at::Tensor &scale, const TensorQuantConfig &config,
                                const std::vector<std::int32_t> &zeroPoint);
/// The result of a Quantize step of a program with gradients.
at::Tensor quantizeForTraining(const Trainable &trainable, const Step &step, const at::Tensor &x);
/// @throws Error (UnsupportedOp) if the outputs of op lost the gradient that an input has
void requireGradient(const Operation &op, std::span<const at::Tensor> inputs, std::span<const at::Tensor> outputs);

/// @throws Error (UnsupportedOp)
[[noreturn]] void throwWithoutGradient(const Operation &op);

} // namespace ql
