#pragma once

#include <filesystem>
#include <string_view>

namespace ql::onnx_io {

/// Looks at the bytes of a file before protobuf does: recognises other kinds of files, finds out whether the file is
/// whole, and counts what parsing it would allocate.
/// @throws Error (InvalidModel) saying what the file is instead and what to do, that it is truncated (with the size
/// that it should have), or that it is beyond a limit of limits.h.
void checkModelBytes(std::string_view bytes, const std::filesystem::path &file);

} // namespace ql::onnx_io
