#pragma once

#include "core/base/registry.h"

#include <ATen/core/Tensor.h>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// A tensor of a model file as written there, read without interpreting the model.
struct FileTensor
{
    std::string name;
    std::string codes = {}; ///< the integers that it is dequantized from; empty: none
    /// Of the codes.
    at::Tensor scale = {}, zeroPoint = {};
    std::int64_t axis = -1; ///< of scale, if it has several entries
    /// The tensor that its only reader, an operation that rounds, and the conversion after it make of this one; empty:
    /// none.
    std::string rounded = {};
    std::set<std::string> reads = {}; ///< names of what the operation that writes it reads, parameters included
};

/// Edits model files of a format without importing them, so that a runtime reads what was exported: changed are only
/// the outputs. Registered under the extension (".onnx").
struct ModelFileEntry
{
    static constexpr const char *kindName = "model file";
    /// Every tensor that an operation writes, by name. @throws Error (InvalidModel, Io)
    std::function<std::map<std::string, FileTensor>(const std::filesystem::path &)> tensors;
    /// Every parameter, by name. @throws Error (InvalidModel, Io)
    std::function<std::map<std::string, at::Tensor>(const std::filesystem::path &)> parameters;
    /// Writes a copy with these outputs after those of the file (keepOutputs), or with these, and only the operations
    /// that they need and those that read the same tensors, whose results follow as outputs. @throws Error
    /// (InvalidModel, BadConfig, Io)
    std::function<void(const std::filesystem::path &from, const std::filesystem::path &to,
                       const std::vector<std::string> &outputs, bool keepOutputs)>
        writeWithOutputs;
};

/// The tensor of the file from its codes. float32
at::Tensor valuesOfCodes(const at::Tensor &codes, const FileTensor &tensor);

} // namespace ql
