#pragma once

#include "core/api/params.h"
#include "core/ir/graph.h"

#include <nlohmann/json.hpp>

namespace ql {

/// Whether the file keeps the sizes given for this run: a parameter of exporters of ONNX models.
api::ParamSpec fixedShapesParam();

/// Restores the open sizes of graph inputs and outputs that were fixed for this run, unless params ask for fixed
/// ones. Then removes the shapes of inner tensors if a graph input leaves a size open: they were traced with a batch of
/// one sample, and a reader would consider that the model's own. Element types stay, and so do graph inputs and
/// outputs.
void openShapes(Graph &graph, const nlohmann::json &params);

} // namespace ql
