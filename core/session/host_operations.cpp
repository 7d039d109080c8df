#include "core/base/text.h"
#include "core/quant/device.h"
#include "core/session/prepare.h"

#include <map>

namespace ql {

void tellHostOperations(RunState &state, const JobContext &job)
{
    if (parseDevice(state.exec().device).is_cpu()) return;
    const Graph &graph = state.model.graph;
    const Executor executor(graph, state.exec());
    const Program program = executor.compile({});
    // What the device has no function for shows when it runs
    const auto &data = state.calibration && state.calibration->size() > 0 ? state.calibration : state.evaluation;
    if (data && data->size() > 0) program.run(data->batch(0), job);
    std::map<std::string, std::vector<OpId>> byReason;
    for (const HostOperation &operation : program.hostOperations()) byReason[operation.why].push_back(operation.op);
    for (const auto &[why, operations] : byReason) {
        constexpr std::size_t most = 8;
        std::vector<std::string> names;
        for (std::size_t i = 0; i < std::min(operations.size(), most); ++i) {
            const Operation &op = graph.operation(operations[i]);
            names.push_back(op.type + " '" + op.name + "'");
        }
        if (operations.size() > most) names.push_back(std::to_string(operations.size() - most) + " more");
        state.problems.push_back({"info", graph.operation(operations.front()).name, "",
                                  std::to_string(operations.size()) +
                                      " operation(s) run on the CPU, and their data are copied from and to " +
                                      state.recipe.device + ": " + why + " (" + join(names, ", ") + ")",
                                  "Nothing is wrong with the results; it only costs time."});
    }
}

} // namespace ql
