#pragma once

#include "core/ir/graph.h"

namespace ql {

/// Forgets the shapes of inner tensors when a graph input leaves a size open: they were traced with the batch of one
/// sample, and a reader would take that for the model's own. Element types stay, and so do graph inputs and outputs.
void forgetTracedShapes(Graph &graph);

} // namespace ql
