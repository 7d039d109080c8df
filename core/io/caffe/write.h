#pragma once

#include "core/ir/graph.h"

#include <map>
#include <string>
#include <vector>

namespace ql {

/// A net as the two files that Caffe reads.
struct CaffeNet
{
    std::string definition; ///< text (.prototxt), without weights
    std::string weights;    ///< binary (.caffemodel), the definition included
};

/// A range in a layer, as OpenPPL's tools read it.
struct CaffeRange
{
    const char *type; ///< "bottom", "top", "topperchannel"; of parameters: "filter", "slope"
    float min = 0, max = 0;
};
/// By the name of the operation; they go into the layer that writes its first output, those of parameters to the layer
/// that has them: several of them are those of its channels.
using CaffeRanges = std::map<std::string, std::vector<CaffeRange>>;

/// The graph as a Caffe net: one layer per operation, a few for some; open sizes become 1. Deterministic.
/// @throws Error (UnsupportedOp) naming the operation that no layer computes
CaffeNet writeCaffe(const Graph &graph, const CaffeRanges &ranges = {});

/// Operators that have a layer.
std::vector<std::string> caffeOperators();

} // namespace ql
