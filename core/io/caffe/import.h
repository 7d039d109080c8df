#pragma once

#include "core/io/importer.h"

#include <filesystem>

namespace ql {

/// Reads a Caffe net: its definition (.prototxt, text or binary, any of the three forms of layers) and the weights
/// (.caffemodel), which are merged by layer name. If the request does not name the other of the two files, it is found
/// by name next to the given one; a .caffemodel alone is imported from the definition stored in it.
/// docs/caffe-layers.md lists the supported layers, core/io/caffe/limits.h the limits.
/// @returns a verified graph of ai.onnx 13 and, for DetectionOutput, domain `caffe`; shapes of all tensors are declared
/// @throws Error (InvalidModel, UnsupportedOp, Io, BadConfig) naming file and layer
Graph importCaffe(const ImportRequest &request);

/// The files that importCaffe reads for a request.
struct CaffeFiles
{
    std::filesystem::path definition, weights; ///< weights: empty if there are none
    bool isDefinitionInWeights = false;
};
CaffeFiles caffeFiles(const ImportRequest &request);

/// Every supported layer type, by name, and its operators: the rows of docs/caffe-layers.md.
std::vector<ImportedType> caffeLayers();

} // namespace ql
