#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql::onnx_io {

/// Compares op with what ONNX says of its type in its opset: number of inputs and outputs, required ones left out,
/// required attributes. Operators of other domains, deprecated ones and those that changed after the newest opset that
/// the onnx library that the project was built with knows are not looked at. op: before the inputs that its bodies
/// capture are added.
/// @returns the attributes that this operator does not have
/// @throws Error (InvalidModel) with the operation
std::vector<std::string> checkAgainstSchema(const Operation &op);

} // namespace ql::onnx_io
