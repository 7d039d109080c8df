#include "core/export/onnx/open_shapes.h"

#include <algorithm>

namespace ql {

void removeTracedShapes(Graph &graph)
{
    const bool isOpen = std::any_of(graph.inputs().begin(), graph.inputs().end(),
                                    [&](VarId id) { return !graph.variable(id).type.isStatic(); });
    if (!isOpen) return;
    for (const VarId id : graph.variables())
        if (graph.variable(id).producer != noOp && !graph.isGraphOutput(id)) graph.edit(id).type.shape.reset();
}

} // namespace ql
