#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace ql::onnx_io {

/// Looks at a file before protobuf does, and reads of it only what lies between the weights: recognises other kinds of
/// files, finds out whether the file is whole, and counts what parsing it would allocate.
/// @returns where the model says that data lies in other files, as it is written there
/// @throws Error (InvalidModel) saying what the file is instead and what to do, that it is truncated (with the size
/// that it should have), or that it is beyond a limit of limits.h; (Io) when it cannot be read.
std::set<std::string> checkModelFile(const std::filesystem::path &file);

} // namespace ql::onnx_io
