#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace ql::onnx_io {

/// Scans a file before protobuf does, and reads only what is between the weights: recognizes other kinds of files,
/// detects truncated files, and counts what parsing would allocate.
/// @returns the external data files named in the model, as written there
/// @throws Error (InvalidModel) saying what the file is instead and what to do, that it is truncated (with the expected
/// size), or that it exceeds a limit of limits.h; (Io) if it cannot be read.
std::set<std::string> checkModelFile(const std::filesystem::path &file);

} // namespace ql::onnx_io
