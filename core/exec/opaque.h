#pragma once

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <string>
#include <vector>

namespace ql {

// Values of ONNX models that are not tensors of numbers: sequences, empty optionals, strings. They pass through a
// program as tensors without storage whose element type is Undefined, so that Identity, If or Loop need no special
// cases; LibTorch refuses arithmetic on them.

/// tensors: shared, not copied. The result has the shape [number of tensors].
at::Tensor makeSequence(std::vector<at::Tensor> tensors);
bool isSequence(const at::Tensor &value);
/// @throws Error (Kernel) if value is not a sequence.
const std::vector<at::Tensor> &sequenceOf(const at::Tensor &value);

/// An optional without element. An optional with one is represented by the element itself.
at::Tensor makeNone();
bool isNone(const at::Tensor &value);

/// texts: row-major, as many as the shape has elements; UTF-8.
at::Tensor makeStrings(std::vector<std::string> texts, const std::vector<std::int64_t> &shape);
bool isStrings(const at::Tensor &value);
/// @throws Error (Kernel) if value is not a string tensor.
const std::vector<std::string> &stringsOf(const at::Tensor &value);

} // namespace ql
