#pragma once

#include "core/api/params.h"
#include "core/ir/graph.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ql {

struct ImportOptions
{
    /// Sizes of graph inputs by name; -1 keeps the declared dimension. A symbol that is fixed here is fixed in the
    /// whole graph.
    std::map<std::string, std::vector<std::int64_t>> inputShapes;
    /// For problems: a newer opset, widened types, infinite constants.
    std::function<void(api::Problem)> report = [](api::Problem) {};
    /// Weights with NaN (or infinite weights of Conv, Gemm, MatMul ...) are reported instead of refused.
    bool allowNonFinite = false;
};

/// Reads an ONNX model: IR 3 to 14, opset 6 to 28 (newer ones with a warning), all element types in raw, typed and
/// external storage, Constant nodes kept as operations, bodies of If, Loop and Scan kept as graphs (see
/// core/ir/subgraphs.h for captures), model-local functions inlined. Nodes without a name are called TYPE_INDEX. Bytes
/// of names that are not UTF-8 are written as \xNN. Sizes are checked before memory is allocated; limits are in
/// core/io/onnx/limits.h.
/// @returns a verified graph whose variables have the declared types
/// @throws Error (InvalidModel, Io, BadConfig for options) naming file, operation and tensor
Graph importOnnx(const std::filesystem::path &file, const ImportOptions &options = {});

/// The metadata_props of an ONNX model. @throws Error (InvalidModel, Io)
std::map<std::string, std::string> onnxMetadata(const std::filesystem::path &file);

} // namespace ql
