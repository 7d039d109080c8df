// Before: x (float16) -> Conv -> y (float16)        After: x -> Cast -> Conv (float32) -> Cast -> y
//
// Everything between the inputs and outputs of a float16 or bfloat16 model becomes float32, including bodies of
// control flow: weights, constants, the targets of Cast, the types of generators. Quantization requires float32, and
// targets compute in integers or in their own way in any case; the 16-bit rounding between operations is not part of
// the simulation. Graph inputs and outputs keep their types.
#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"

#include <algorithm>
#include <array>
#include <set>

namespace ql {

namespace {

constexpr std::int64_t floatNumber = 1, halfNumber = 10, bfloat16Number = 16; ///< TensorProto.DataType

bool isShort(at::ScalarType type)
{
    return type == at::kHalf || type == at::kBFloat16;
}

/// Element types and constants in attributes of operations.
int widenAttributes(Operation &op)
{
    int changed = 0;
    for (auto &[name, value] : op.attributes) {
        if (auto *tensor = std::get_if<at::Tensor>(&value); tensor && isShort(tensor->scalar_type())) {
            value = tensor->to(at::kFloat);
            ++changed;
        }
    }
    constexpr std::array<std::string_view, 4> typeNames = {"to", "dtype", "stash_type", "output_dtype"};
    for (const std::string_view name : typeNames) {
        const auto at = op.attributes.find(name);
        if (at == op.attributes.end()) continue;
        auto *number = std::get_if<std::int64_t>(&at->second);
        if (!number || (*number != halfNumber && *number != bfloat16Number)) continue;
        *number = floatNumber;
        ++changed;
    }
    return changed;
}

/// A Cast from a 16-bit graph input to float32, or to a 16-bit graph output: it stays unchanged.
bool isBorder(const Graph &graph, const Operation &op)
{
    if (op.type != "Cast" || !op.hasInput(0)) return false;
    const VarId in = op.inputs[0], out = op.outputs[0];
    const bool readsShort = isShort(graph.variable(in).type.dtype);
    if (graph.isGraphInput(in) && readsShort) return op.intAttribute("to", 0) == floatNumber;
    return graph.isGraphOutput(out) && isShort(graph.variable(out).type.dtype) && !readsShort;
}

void addCast(Graph &graph, VarId from, VarId to, std::int64_t type)
{
    Operation cast;
    cast.name = graph.freshName(graph.variable(to).name + "_cast");
    cast.type = "Cast";
    cast.opset = graph.opsets.contains("") ? graph.opsets.at("") : 0;
    cast.attributes["to"] = type;
    cast.inputs = {from};
    cast.outputs = {to};
    graph.addOperation(std::move(cast));
}

/// A float32 twin of a graph input or output.
VarId twinOf(Graph &graph, VarId id)
{
    TensorType type = graph.variable(id).type;
    type.dtype = at::kFloat;
    return graph.addVariable(graph.freshName(graph.variable(id).name + "_float32"), std::move(type));
}

/// Makes the inside of the model read and write twins of its inputs and outputs.
int castBorders(Graph &graph)
{
    int changed = 0;
    for (const VarId id : graph.inputs()) {
        const Variable &input = graph.variable(id);
        const bool isCast = std::all_of(input.uses.begin(), input.uses.end(),
                                        [&](const Use &use) { return isBorder(graph, graph.operation(use.op)); });
        if (!isShort(input.type.dtype) || isCast) continue;
        const VarId twin = twinOf(graph, id);
        graph.replaceUses(id, twin, false);
        addCast(graph, id, twin, floatNumber);
        ++changed;
    }
    const std::set<VarId> outputs(graph.outputs().begin(), graph.outputs().end()); // one may be listed twice
    for (const VarId id : outputs) {
        const Variable &output = graph.variable(id);
        if (!isShort(output.type.dtype) || output.producer == noOp) continue;
        if (isBorder(graph, graph.operation(output.producer))) continue;
        const std::int64_t type = output.type.dtype == at::kHalf ? halfNumber : bfloat16Number;
        const VarId twin = twinOf(graph, id);
        graph.replaceUses(id, twin, false);
        const OpId producer = graph.variable(id).producer;
        graph.setOutput(producer, std::size_t(graph.variable(id).producerIndex), twin);
        addCast(graph, twin, id, type);
        ++changed;
    }
    return changed;
}

int widen(Graph &graph, bool isBody)
{
    int changed = 0;
    for (const OpId id : graph.operations()) {
        Operation copy = graph.operation(id);
        if (!isBody && isBorder(graph, copy)) continue;
        if (const int count = widenAttributes(copy); count > 0) {
            graph.edit(id).attributes = std::move(copy.attributes);
            changed += count;
        }
    }
    if (!isBody) changed += castBorders(graph);
    for (const VarId id : graph.variables()) {
        const Variable &variable = graph.variable(id);
        if (!isBody && (graph.isGraphInput(id) || graph.isGraphOutput(id))) continue;
        if (variable.isParameter() && isShort(variable.value.scalar_type())) {
            graph.setValue(id, variable.value.to(at::kFloat));
            ++changed;
        }
        if (isShort(graph.variable(id).type.dtype)) {
            graph.edit(id).type.dtype = at::kFloat;
            ++changed;
        }
    }
    return changed;
}

class ComputeInFloat32 final : public Pass
{
public:
    std::string_view id() const override { return "compute_in_float32"; }
    int run(QuantModel &model, const PassContext &context) const override
    {
        const int changed =
            editAllGraphs(model.graph, [&](Graph &graph) { return widen(graph, &graph != &model.graph); });
        if (changed > 0)
            context.report(
                {.severity = api::Severity::Info,
                 .message = QL_TEXT("the model has tensors in float16 or bfloat16: it is computed in float32, but its "
                                    "inputs and outputs keep their types")});
        return changed;
    }
};

const PassRegistrar computeInFloat32Registrar{
    {.info = {.id = "compute_in_float32",
              .title = QL_TEXT("Compute in float32"),
              .meaning = QL_TEXT("Before: tensors in float16 or bfloat16. After: tensors in float32, with a Cast after "
                                 "each graph input and before each graph output.")},
     .traits = {.kind = PassKind::Format},
     .make = makePassOf<ComputeInFloat32>}};

} // namespace
} // namespace ql
