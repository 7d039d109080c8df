#pragma once

#include "core/ir/graph.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ql {

struct WriteOptions
{
    std::optional<std::int64_t> irVersion;      ///< unset: the graph's
    std::map<std::string, std::int64_t> opsets; ///< versions by domain, before the graph's
    std::string producer = "quantloupe";
    std::string producerVersion;
    std::map<std::string, std::string> metadata; ///< metadata_props of the model
    std::set<std::string> listedParameters;      ///< those that are graph inputs, too, regardless of the IR version
    /// Size in bytes from which parameters are written to FILE.data next to the model instead of into it: a protobuf
    /// message is limited to 2 GiB.
    std::int64_t externalDataThreshold = std::int64_t(1900) << 20;
};

/// Key in the metadata of an exported file: the id of the platform that the model is quantized for.
inline constexpr const char *platformMetadata = "quantloupe.platform";

/// Writes graph as an ONNX model, completely or not at all; the same graph gives the same bytes. Names and the order of
/// operations are kept (sorted if the order is not valid in ONNX), parameters become initialisers in raw storage,
/// declared or traced types become value infos. Captures of bodies are written as in ONNX: by the current name of the
/// tensor in the outer graph.
/// @returns the files written: the model, and its data file if there is one
/// @throws Error (Internal) if an operation has the form of a newer opset than the file would declare, or the ONNX
/// library refuses the model (completeAndCheck()); (Io)
std::vector<std::filesystem::path> writeOnnx(const Graph &graph, const std::filesystem::path &file,
                                             const WriteOptions &options = {});

} // namespace ql
