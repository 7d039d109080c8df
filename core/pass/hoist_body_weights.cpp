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

/// Whether an operation with weights reads what others compute in the place of a weight.
bool hasComputedWeights(const Graph &body)
{
    for (const OpId id : body.operations()) {
        const Operation &op = body.operation(id);
        if (!isComputing(op)) continue;
        for (std::size_t i = 1; i < op.inputs.size(); ++i)
            if (op.inputs[i] != noVar && body.variable(op.inputs[i]).producer != noOp) return true;
    }
    return false;
}

/// Inputs of operations with weights that follow from constants, captured ones included, become parameters of the body.
void foldWeights(const Graph &graph, const Operation &op, Graph &body, const PassContext &context)
{
    QuantModel known;
    known.graph = body;
    const std::vector<std::string> names = captureNames(op);
    const std::size_t first = formalInputCount(op);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const VarId id = capturedTensor(body, names[k]), outer = op.inputs[first + k];
        if (id != noVar && graph.isParameter(outer)) known.graph.setValue(id, graph.variable(outer).value);
    }
    makePass("fold_constants", {})->run(known, context);
    for (const OpId id : body.operations()) {
        if (!isComputing(body.operation(id)) || !known.graph.contains(id)) continue;
        for (std::size_t i = 1; i < body.operation(id).inputs.size(); ++i) {
            const VarId read = body.operation(id).inputs[i], folded = known.graph.operation(id).inputs[i];
            if (read == noVar || body.variable(read).producer == noOp || !known.graph.isParameter(folded)) continue;
            const std::string name = body.variable(read).name + "_constant";
            body.setInput(id, i, body.addParameter(body.freshName(name), known.graph.variable(folded).value));
        }
    }
}

int hoistFrom(Graph &graph, const PassContext &context);

/// The weights of one body become captured inputs of id. @returns how many
int hoistBody(Graph &graph, OpId id, const std::string &attribute, Graph &body, const PassContext &context)
{
    int changed = hoistFrom(body, context);
    if (hasComputedWeights(body)) foldWeights(graph, graph.operation(id), body, context);
    body.removeUnreachable();
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

int hoistFrom(Graph &graph, const PassContext &context)
{
    int changed = 0;
    for (const OpId id : graph.operations()) {
        if (bodies(graph.operation(id)).empty()) continue;
        const auto attributes = graph.operation(id).attributes;
        const int before = changed;
        for (const auto &[key, value] : attributes) {
            const SharedGraph *body = std::get_if<SharedGraph>(&value);
            if (!body || !*body) continue;
            auto copy = std::make_shared<Graph>(**body);
            const int moved = hoistBody(graph, id, key, *copy, context);
            if (moved > 0) graph.edit(id).attributes[key] = SharedGraph(std::move(copy));
            changed += moved;
        }
        if (changed > before) dropUnusedCaptures(graph, id);
    }
    return changed;
}

class HoistBodyWeights final : public Pass
{
public:
    std::string_view id() const override { return "hoist_body_weights"; }
    int run(QuantModel &model, const PassContext &context) const override { return hoistFrom(model.graph, context); }
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
