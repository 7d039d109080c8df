#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql {

/// A net as the two files that Caffe reads.
struct CaffeNet
{
    std::string definition; ///< text (.prototxt), without weights
    std::string weights;    ///< binary (.caffemodel), the definition included
};

/// The graph as a Caffe net: one layer per operation, a few for some; open sizes become 1. Deterministic.
/// @throws Error (UnsupportedOp) naming the operation that no layer computes
CaffeNet writeCaffe(const Graph &graph);

/// Operators that have a layer.
std::vector<std::string> caffeOperators();

} // namespace ql
