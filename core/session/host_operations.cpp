#include "core/base/strings.h"
#include "core/quant/device.h"
#include "core/session/cache_entries.h"
#include "core/session/prepare.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace ql {

static std::vector<api::Problem> hostOperationProblems(const RunState &state, const JobContext &job)
{
    const Graph &graph = state.model.graph;
    const Executor executor(graph, state.exec());
    ProgramSpec spec;
    spec.plan = &state.model.plan; // integer arithmetic depends on the plan
    const Program program = executor.compile(spec);
    // Functions missing on the device become known at run time
    const auto &data = state.calibration && state.calibration->size() > 0 ? state.calibration : state.evaluation;
    if (data && data->size() > 0) program.run(data->batch(0), job, data->name(0));
    std::vector<std::pair<Text, std::vector<OpId>>> byReason; // in the order of the program
    for (const HostOperation &operation : program.hostOperations()) {
        const auto known = std::find_if(byReason.begin(), byReason.end(),
                                        [&](const auto &entry) { return entry.first == operation.why; });
        if (known != byReason.end())
            known->second.push_back(operation.op);
        else
            byReason.push_back({operation.why, {operation.op}});
    }
    std::vector<api::Problem> problems;
    for (const auto &[why, operations] : byReason) {
        constexpr std::size_t most = 8;
        std::vector<Text> names;
        for (std::size_t i = 0; i < std::min(operations.size(), most); ++i) {
            const Operation &op = graph.operation(operations[i]);
            names.push_back(QL_TEXT("%1 '%2'").with(op.type, op.name));
        }
        if (operations.size() > most) names.push_back(QL_TEXT("%1 more").with(operations.size() - most));
        problems.push_back(
            {.severity = api::Severity::Info,
             .op = graph.operation(operations.front()).name,
             .message = QL_TEXT("operations that run on the CPU, so that their data is copied from and to %2: %1 "
                                "(%3; %4)")
                            .with(operations.size(), state.recipe.device, why, Text::list(names)),
             .remedy = QL_TEXT("Results are correct; this only costs time.")});
    }
    return problems;
}

void reportHostOperations(RunState &state, const JobContext &job)
{
    if (parseDevice(state.exec().device).is_cpu()) return;
    const std::string key = state.nextKey("host operations", state.recipe.device);
    auto problems = recall<std::vector<api::Problem>>(state.options.cache, key);
    if (!problems) {
        problems = hostOperationProblems(state, job);
        remember(state.options.cache, key, *problems);
    }
    state.problems.insert(state.problems.end(), problems->begin(), problems->end());
}

} // namespace ql
