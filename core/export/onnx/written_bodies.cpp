#include "core/export/onnx/written_bodies.h"

#include "core/ir/subgraphs.h"

namespace ql {

/// Whether a tensor of this name is in the body as the model has it; weights that it captures are not its own.
static bool isOfModel(const Graph &body, const std::string &name)
{
    const VarId id = body.findVariable(name);
    return id != noVar && (body.isGraphInput(id) || body.variable(id).producer != noOp || body.isParameter(id));
}

void writeBodies(Graph &graph, const QuantPlan &plan, const std::function<Graph(const QuantModel &)> &write)
{
    for (const auto &[id, bodies] : plan.bodies) {
        if (!graph.contains(id)) continue;
        for (const auto &[name, body] : bodies) {
            const Operation &op = graph.operation(id);
            const auto &former = *std::get<std::shared_ptr<const Graph>>(op.attributes.at(name));
            Graph written = write(*body);
            for (const VarId own : written.variables()) {
                const Variable &variable = written.variable(own);
                const bool isCaptured = variable.producer == noOp && !variable.isParameter();
                if (!isCaptured && !isOfModel(former, variable.name))
                    written.rename(own, written.freshName(op.name + "/" + name + "/" + variable.name));
            }
            graph.edit(id).attributes[name] = std::make_shared<const Graph>(std::move(written));
        }
        dropUnusedCaptures(graph, id);
    }
}

} // namespace ql
