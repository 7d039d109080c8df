#include "core/base/strings.h"
#include "core/pass/recurrent_split.h"
#include "core/session/prepare.h"
#include "core/session/remedies.h"

#include <set>
#include <string>
#include <vector>

namespace ql {

static bool isRecurrent(const Operation &op)
{
    return op.domain.empty() && (op.type == "LSTM" || op.type == "GRU" || op.type == "RNN");
}

void reportRecurrentOperations(RunState &state)
{
    constexpr std::size_t named = 5;
    std::vector<std::string> splittable, others;
    std::optional<Text> why; // of the first that stays
    const Graph &graph = state.model.graph;
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        // Where the platform knows the type, the user chose float32
        if (!isRecurrent(op) || state.platform().isQuantizable(op.type)) continue;
        if (const std::optional<Text> obstacle = whyNotSplit(graph, op)) {
            others.push_back(op.name);
            if (!why) why = QL_TEXT("'%1': %2.").with(op.name, *obstacle);
        } else
            splittable.push_back(op.name);
    }
    const auto report = [&](const std::vector<std::string> &names, const Text &remedy,
                            std::vector<api::Action> actions) {
        if (names.empty()) return;
        state.problems.push_back({.severity = api::Severity::Info,
                                  .op = names.front(),
                                  .message = QL_TEXT("Recurrent operations that %1 computes in float32: %2 (%3).")
                                                 .with(state.platform().id, names.size(), Text::firstOf(names, named)),
                                  .remedy = remedy,
                                  .actions = std::move(actions)});
    };
    report(splittable,
           QL_TEXT("Split them into Gemm, Sigmoid, Tanh, Mul and Add, which can be quantized: switch on the pass %1.")
               .with(recurrentSplitPass),
           {splitRecurrences()});
    if (why) report(others, QL_TEXT("They cannot be split. %1").with(*why), {});
}

} // namespace ql
