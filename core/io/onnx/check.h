#pragma once

#include <filesystem>

namespace onnx {
class ModelProto;
} // namespace onnx

namespace ql::onnx_io {

/// Gives outputs without a type the inferred one, and passes a model that is about to be written to the checker and the
/// shape inference of the ONNX library. Not checked are models with an opset newer than the library, parameters in
/// external files, and outputs of unknown type (downstream of an operator of another domain).
/// @throws Error (Internal) with the library's message
void completeAndCheck(onnx::ModelProto &model, const std::filesystem::path &file);

} // namespace ql::onnx_io
