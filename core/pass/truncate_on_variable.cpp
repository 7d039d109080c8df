// Before: a -> Conv -> b -> Relu -> c        After: a -> Conv -> b        (variable b)
//
// Removes everything that is computed from the variable, then everything that no longer leads to an output. The
// variable becomes the last graph output (mark_as_output) if it is not one yet. Not part of the default formatting.
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/pass/pass.h"

#include <algorithm>
#include <deque>
#include <set>

namespace ql {

namespace {

class TruncateOnVariable final : public Pass
{
public:
    TruncateOnVariable(std::string variable, bool markAsOutput)
        : m_variable(std::move(variable)), m_markAsOutput(markAsOutput)
    {}
    std::string_view id() const override { return "truncate_on_variable"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        Graph &graph = model.graph;
        const VarId cut = find(graph);
        const std::set<OpId> below = operationsBelow(graph, cut);
        std::vector<VarId> outputs;
        for (const VarId output : graph.outputs())
            if (!below.contains(graph.variable(output).producer)) outputs.push_back(output);
        if (m_markAsOutput && std::find(outputs.begin(), outputs.end(), cut) == outputs.end()) outputs.push_back(cut);
        if (outputs.empty())
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("truncating at tensor '%1' leaves no graph output").with(m_variable), {}, m_variable)
                .withRemedy(QL_TEXT("Set mark_as_output."));
        graph.setOutputs(std::move(outputs));
        for (const OpId id : below) graph.removeOperation(id);
        return int(below.size()) + graph.removeUnreachable();
    }

private:
    VarId find(const Graph &graph) const
    {
        const VarId id = graph.findVariable(m_variable);
        if (id != noVar && graph.variable(id).producer != noOp) return id;
        std::vector<std::string> names;
        for (const VarId known : graph.variables())
            if (graph.variable(known).producer != noOp) names.push_back(graph.variable(known).name);
        throw Error(ErrorKind::BadConfig,
                    Text::sentences({QL_TEXT("expected the name of a computed tensor, got '%1'").with(m_variable),
                                     suggestion(m_variable, names)}),
                    {}, m_variable);
    }
    static std::set<OpId> operationsBelow(const Graph &graph, VarId cut)
    {
        std::set<OpId> below;
        std::deque<VarId> open{cut};
        while (!open.empty()) {
            const VarId id = open.front();
            open.pop_front();
            for (const Use &use : graph.variable(id).uses) {
                if (!below.insert(use.op).second) continue;
                for (const VarId output : graph.operation(use.op).outputs)
                    if (output != noVar) open.push_back(output);
            }
        }
        return below;
    }

    std::string m_variable;
    bool m_markAsOutput;
};

const PassRegistrar truncateOnVariableRegistrar{
    {.info = {.id = "truncate_on_variable",
              .title = QL_TEXT("Truncate at a tensor"),
              .meaning = QL_TEXT(
                  "Before: operations follow a tensor. After: the network ends there, and the tensor is an output."),
              .params = {{.name = "variable",
                          .type = "string",
                          .fallback = "",
                          .meaning = QL_TEXT("Tensor at which the network ends.")},
                         {.name = "mark_as_output",
                          .type = "bool",
                          .fallback = true,
                          .meaning = QL_TEXT("make the tensor a graph output")}}},
     .traits = {.kind = PassKind::Format},
     .make = [](const nlohmann::json &params) {
         return std::make_unique<TruncateOnVariable>(params.at("variable").get<std::string>(),
                                                     params.at("mark_as_output").get<bool>());
     }}};

} // namespace
} // namespace ql
