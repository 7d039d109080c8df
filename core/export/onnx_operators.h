#pragma once

#include "core/ir/graph.h"

#include <string>
#include <vector>

namespace ql {

/// BiasedMatMul is ours: as MatMul and Add every runtime reads it.
void splitBiasedMatMul(Graph &graph);
/// Adds a sentence to notes when graph has operators of other formats that ONNX has no words for.
void noteForeignOperators(const Graph &graph, std::vector<Text> &notes);

} // namespace ql
