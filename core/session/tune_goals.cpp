#include "core/session/tune_goals.h"

#include "core/base/error.h"

#include <algorithm>
#include <utility>

namespace ql {

std::vector<std::string> goalTensors(const std::vector<FailIf> &goals, const Graph &graph, bool hasTimes)
{
    std::vector<std::string> outputs, tensors;
    for (const VarId id : graph.outputs()) outputs.push_back(graph.variable(id).name);
    std::vector<std::string> known = outputs;
    for (const VarId id : graph.variables())
        if (graph.variable(id).producer != noOp && !graph.isGraphOutput(id)) known.push_back(graph.variable(id).name);
    for (const FailIf &goal : goals) {
        goal.refuseMissing(known, hasTimes);
        if (!goal.isAboutNoneOf(outputs)) continue;
        for (const std::string &name : known)
            if (goal.isAboutOutput(name) && std::find(tensors.begin(), tensors.end(), name) == tensors.end())
                tensors.push_back(name);
    }
    return tensors;
}

QuantModel withTensors(QuantModel model, const std::vector<std::string> &tensors)
{
    std::vector<VarId> outputs = model.graph.outputs();
    for (const std::string &name : tensors) {
        const VarId id = model.graph.findVariable(name);
        if (id == noVar || model.graph.variable(id).producer == noOp)
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("passes have removed the tensor '%1', which a goal is about").with(name))
                .withRemedy(QL_TEXT("Name another tensor, or switch the pass off."));
        outputs.push_back(id);
    }
    model.graph.setOutputs(std::move(outputs));
    return model;
}

} // namespace ql
