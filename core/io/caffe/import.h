#pragma once

#include "core/io/importer.h"

#include <filesystem>

namespace ql {

/// Reads a Caffe net: its definition (.prototxt, text or binary, any of the three forms of layers) and the weights
/// (.caffemodel), which are merged by layer name. The other file of the two is found by name beside the given one when
/// the request does not name it; a .caffemodel alone is imported from the definition that it carries itself.
/// docs/caffe-layers.md has the layers that are known; limits stand in core/io/caffe/limits.h.
/// @returns a verified graph of ai.onnx 13 and, for DetectionOutput, domain `caffe`; shapes of all tensors are declared
/// @throws Error (InvalidModel, UnsupportedOp, Io, BadConfig) naming file and layer
Graph importCaffe(const ImportRequest &request);

/// The files that importCaffe reads for a request.
struct CaffeFiles
{
    std::filesystem::path definition, weights; ///< weights: empty when there are none
    bool isDefinitionInWeights = false;
};
CaffeFiles caffeFiles(const ImportRequest &request);

/// Every type of layer that is known, by name, and what it becomes: the rows of docs/caffe-layers.md.
std::vector<ImportedType> caffeLayers();

} // namespace ql
