#include "core/export/onnx/open_shapes.h"

#include <algorithm>

namespace ql {

api::ParamSpec fixedShapesParam()
{
    return {.name = "fixed_shapes",
            .type = "bool",
            .fallback = false,
            .meaning = QL_TEXT("Write the input shapes given for this run (%1) into the file; off: the file keeps the "
                               "model's open sizes.")
                           .with(Text::option("--input-shape"))};
}

void openShapes(Graph &graph, const nlohmann::json &params)
{
    const auto restore = [&](const std::vector<VarId> &ids) {
        for (const VarId id : ids)
            if (const auto declared = graph.declaredShapes.find(graph.variable(id).name);
                declared != graph.declaredShapes.end())
                graph.edit(id).type.shape = declared->second;
    };
    if (!params.value(fixedShapesParam().name, false)) restore(graph.inputs());
    const bool isOpen = std::any_of(graph.inputs().begin(), graph.inputs().end(),
                                    [&](VarId id) { return !graph.variable(id).type.isStatic(); });
    if (!isOpen) return;
    restore(graph.outputs());
    for (const VarId id : graph.variables())
        if (graph.variable(id).producer != noOp && !graph.isGraphOutput(id)) graph.edit(id).type.shape.reset();
}

} // namespace ql
