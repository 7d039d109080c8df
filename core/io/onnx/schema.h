#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql::onnx_io {

/// Registers the schemas of all operators, once in a process: some milliseconds, from any thread. Whoever asks for one
/// does it else.
void loadSchemas();

/// Compares op with what ONNX says of its type in its opset: number of inputs and outputs, required ones left out,
/// required attributes. Operators of other domains, deprecated ones and those that changed after the newest opset that
/// the installed onnx library knows are not looked at. op: before the inputs that its bodies capture are added.
/// @returns the attributes that this operator does not have
/// @throws Error (InvalidModel) with the operation
std::vector<std::string> checkAgainstSchema(const Operation &op);

} // namespace ql::onnx_io
