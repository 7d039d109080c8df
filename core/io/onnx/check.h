#pragma once

#include <filesystem>

namespace onnx {
class ModelProto;
} // namespace onnx

namespace ql::onnx_io {

/// What the ONNX library's checker and its shape inference say about a model that is about to be written. Models whose
/// opset is newer than the library are not checked, nor are parameters in external files.
/// @throws Error (Internal) with its message
void checkModel(const onnx::ModelProto &model, const std::filesystem::path &file);

} // namespace ql::onnx_io
