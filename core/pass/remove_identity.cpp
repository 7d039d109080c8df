// Before: Conv -> Identity -> Relu        After: Conv -> Relu
//
// Identity; Dropout, which does nothing at inference (not if its mask is used, or training_mode is or may be true);
// Cast to the known type of its input (unless held in a wider type than in the file); Mul and Div by the constant 1,
// which some runtimes drop together with its scale. A graph output keeps its name:
// the upstream operation writes it. An operation between a graph input or parameter and a graph output, or between two
// graph outputs, stays.
#include "core/pass/format_tools.h"
#include "core/pass/pass.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

namespace ql {

namespace {

/// Whether values are held in a wider type than in the file: types that are equal here may differ there.
bool hasWiderStorage(const Graph &graph)
{
    constexpr int strings = 8; // TensorProto.STRING
    const std::vector<VarId> ids = graph.variables();
    return std::any_of(ids.begin(), ids.end(), [&](VarId id) {
        const int type = graph.variable(id).fileType;
        return type != 0 && type != strings;
    });
}

/// Whether op multiplies by 1 or divides by it, and the shape stays that of input 0.
bool scalesByOne(const Graph &graph, const Operation &op)
{
    if ((op.type != "Mul" && op.type != "Div") || !op.hasInput(1)) return false;
    const at::Tensor factor = parameterOf(graph, op, 1);
    if (!factor.defined() || factor.numel() != 1 || factor.item().toDouble() != 1) return false;
    const auto &shape = graph.variable(op.inputs[0]).type.shape;
    return factor.dim() == 0 || (shape && shape->size() >= std::size_t(factor.dim()));
}

bool doesNothing(const Graph &graph, const Operation &op, bool dropsCasts)
{
    if (!op.domain.empty() || !op.hasInput(0) || !onlyFirstOutputUsed(graph, op)) return false;
    if (op.type == "Identity" || scalesByOne(graph, op)) return true;
    if (op.type == "Dropout") {
        if (!op.hasInput(2)) return true;
        const at::Tensor training = parameterOf(graph, op, 2);
        return training.defined() && training.numel() == 1 && !training.item().toBool();
    }
    if (op.type != "Cast" || !dropsCasts) return false;
    const at::ScalarType from = inferElementType(graph, op.inputs[0]);
    return from != at::ScalarType::Undefined && from == dtypeOfOnnx(op.intAttribute("to", 0));
}

class RemoveIdentity final : public Pass
{
public:
    std::string_view id() const override { return "remove_identity"; }
    int run(QuantModel &model, const PassContext &) const override
    {
        Graph &graph = model.graph;
        const bool dropsCasts = !hasWiderStorage(graph);
        int changed = 0;
        for (const OpId id : graph.operations()) {
            if (!doesNothing(graph, graph.operation(id), dropsCasts)) continue;
            const std::vector<VarId> outputs = graph.operation(id).outputs;
            if (!graph.bypassOperation(id)) continue;
            for (std::size_t i = 1; i < outputs.size(); ++i)
                if (outputs[i] != noVar) graph.removeVariable(outputs[i]);
            ++changed;
        }
        return changed;
    }
};

const PassRegistrar removeIdentityRegistrar{
    {.info = {.id = "remove_identity",
              .title = QL_TEXT("Remove Identity, Dropout and the like"),
              .meaning = QL_TEXT("Before: an operation that passes its input on unchanged. After: its consumers read "
                                 "that input directly.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<RemoveIdentity>}};

} // namespace
} // namespace ql
