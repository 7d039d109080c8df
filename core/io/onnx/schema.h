#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql::onnx_io {

/// Compares op with ONNX's specification of its type and opset: number of inputs and outputs, missing required inputs,
/// required attributes. Not checked: operators of other domains, deprecated ones, and those that changed after the
/// newest opset of the onnx library used at build time. op: before the captured inputs of its bodies are added.
/// @returns the attributes that this operator does not have
/// @throws Error (InvalidModel) with the operation
std::vector<std::string> checkAgainstSchema(const Operation &op);

} // namespace ql::onnx_io
