// Before: If(c) { Conv(x, w) }        After: If(c, w) { Conv(x, w) }
//
// Weights that operations in bodies (If, Loop, Scan) own become parameters of the outer graph, which the operation with
// the body captures (core/ir/subgraphs.h): a platform can quantize them, and a report shows them, like all others.
// Conditions: float32, read by Conv, MatMul, LSTM ... as a weight. Bodies in bodies are treated first. Names: that of
// the weight, with the operation's and the body's before it if the outer graph has it already.
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"
#include "core/platform/body_weights.h"

#include <algorithm>

namespace ql {

namespace {

using SharedGraph = std::shared_ptr<const Graph>;

bool isReadAsWeight(const Graph &body, const Variable &variable)
{
    return variable.isParameter() && variable.value.scalar_type() == at::kFloat && !body.isGraphOutput(variable.id) &&
           std::any_of(variable.uses.begin(), variable.uses.end(), [&](const Use &use) {
               if (use.op == noOp) return false;
               const Operation &op = body.operation(use.op);
               const auto readers = bodyReaders(op, std::size_t(use.index));
               return isAnyWeight(op, {use.op, false, use.index}) ||
                      std::any_of(readers.begin(), readers.end(), [](const BodyReader &reader) {
                          return isAnyWeight(reader.body->operation(reader.slot.op), reader.slot);
                      });
           });
}

int hoistFrom(Graph &graph);

/// The weights of one body become captured inputs of id. @returns how many
int hoistBody(Graph &graph, OpId id, const std::string &attribute, Graph &body)
{
    int changed = hoistFrom(body);
    for (const VarId inner : body.variables()) {
        if (!isReadAsWeight(body, body.variable(inner))) continue;
        const std::vector<std::string> captured = captureNames(graph.operation(id));
        std::string name = body.variable(inner).name;
        if (graph.findVariable(name) != noVar || std::find(captured.begin(), captured.end(), name) != captured.end()) {
            name = graph.freshName(graph.operation(id).name + "/" + attribute + "/" + name);
            if (body.findVariable(name) != noVar) continue;
            body.rename(inner, name);
        }
        const at::Tensor value = body.variable(inner).value;
        Variable &variable = body.edit(inner);
        variable.type.dtype = value.scalar_type();
        variable.type.shape.emplace();
        for (const std::int64_t size : value.sizes()) variable.type.shape->push_back({size, {}});
        variable.value = at::Tensor();
        const std::size_t index = graph.operation(id).inputs.size();
        graph.setInput(id, index, graph.addParameter(name, value));
        std::vector<std::string> names = captured;
        names.push_back(name);
        graph.edit(id).attributes[std::string(capturesAttribute)] = std::move(names);
        ++changed;
    }
    return changed;
}

int hoistFrom(Graph &graph)
{
    int changed = 0;
    for (const OpId id : graph.operations()) {
        if (bodies(graph.operation(id)).empty()) continue;
        const auto attributes = graph.operation(id).attributes;
        for (const auto &[key, value] : attributes) {
            const SharedGraph *body = std::get_if<SharedGraph>(&value);
            if (!body || !*body) continue;
            auto copy = std::make_shared<Graph>(**body);
            const int moved = hoistBody(graph, id, key, *copy);
            if (moved > 0) graph.edit(id).attributes[key] = SharedGraph(std::move(copy));
            changed += moved;
        }
    }
    return changed;
}

class HoistBodyWeights final : public Pass
{
public:
    std::string_view id() const override { return "hoist_body_weights"; }
    int run(QuantModel &model, const PassContext &) const override { return hoistFrom(model.graph); }
};

const PassRegistrar hoistBodyWeightsRegistrar{
    {.info = {.id = "hoist_body_weights",
              .title = QL_TEXT("Weights out of bodies"),
              .meaning = QL_TEXT("Before: a body of If, Loop or Scan owns a weight. After: it reads a parameter of the "
                                 "outer graph, which can be quantized.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<HoistBodyWeights>}};

} // namespace
} // namespace ql
