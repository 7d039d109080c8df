#pragma once

#include "core/base/text.h"
#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql {

/// BiasedMatMul is our own: every runtime reads it as MatMul and Add.
void splitBiasedMatMul(Graph &graph);
/// Adds a note if graph has operators of other formats that ONNX does not have.
void noteForeignOperators(const Graph &graph, std::vector<Text> &notes);

} // namespace ql
