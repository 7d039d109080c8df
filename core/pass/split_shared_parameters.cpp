// Before: w -> Conv a, w -> Conv b        After: w -> Conv a, w_1 -> Conv b
//
// A parameter that several slots read becomes one parameter per slot, all with the same (shared) tensor: each slot
// gets its own quantization, and passes may change the value of one without affecting the other. The first slot keeps
// the name.
#include "core/pass/pass.h"

namespace ql {

namespace {

class SplitSharedParameters final : public Pass
{
public:
    std::string_view id() const override { return "split_shared_parameters"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        Graph &graph = model.graph;
        int changed = 0;
        for (const VarId id : graph.variables()) {
            if (!graph.isParameter(id)) continue;
            const std::vector<Use> uses = graph.variable(id).uses;
            int number = 0; // counted here: generating a fresh name each time is quadratic in the number of uses
            for (std::size_t i = 1; i < uses.size(); ++i) {
                std::string name;
                do name = graph.variable(id).name + "_" + std::to_string(++number);
                while (graph.findVariable(name) != noVar || graph.findOperation(name) != noOp);
                const VarId copy = graph.addParameter(name, graph.variable(id).value);
                graph.edit(copy).fileType = graph.variable(id).fileType;
                graph.setInput(uses[i].op, std::size_t(uses[i].index), copy);
                ++changed;
            }
        }
        return changed;
    }
};

const PassRegistrar splitSharedParametersRegistrar{
    {.info = {.id = "split_shared_parameters",
              .title = QL_TEXT("Split shared parameters"),
              .meaning = QL_TEXT("Before: several operations read one parameter. After: each reads its own copy.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<SplitSharedParameters>}};

} // namespace
} // namespace ql
