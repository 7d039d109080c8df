#pragma once

#include "core/ir/graph.h"

namespace ql {

/// Removes the shapes of inner tensors if a graph input leaves a size open: they were traced with a batch of one
/// sample, and a reader would consider that the model's own. Element types stay, and so do graph inputs and outputs.
void removeTracedShapes(Graph &graph);

} // namespace ql
