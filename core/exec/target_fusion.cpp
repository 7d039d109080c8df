#include "core/exec/target_fusion.h"

#include "core/exec/openvino_activation.h"
#include "core/exec/target_kernel.h"
#include "core/exec/target_rounding.h"
#include "core/ir/op_traits.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// Whether RKNN's toolkit gives the input of op the scale of its result.
static bool passesRounding(const Operation &op)
{
    static const std::set<std::string, std::less<>> types{
        "AveragePool", "Clip", "Concat", "GlobalAveragePool", "GlobalMaxPool", "MaxPool", "Relu", "Resize", "Upsample"};
    return op.outputs.size() == 1 && op.domain.empty() && (types.contains(op.type) || movesValues(op));
}

static std::optional<Slot> roundingOfReaders(const Graph &graph, const QuantPlan &plan, VarId id,
                                             const AppliedConfig &applied)
{
    std::vector<Use> uses = graph.variable(id).uses;
    std::erase_if(uses, [&](const Use &use) {
        return use.op != noOp && traitsOf(graph.operation(use.op)).source == ValueSource::Shape;
    });
    std::optional<Slot> first;
    for (const Use &use : uses) {
        const Slot slot = use.op == noOp ? Slot() : inputSlot(use.op, std::size_t(use.index));
        if (use.op == noOp || !applied(slot)) continue;
        if (!first) first = slot;
        if (!isSameGrid(graph, plan, *first, slot)) return {};
    }
    if (first || uses.size() != 1 || uses[0].op == noOp || !passesRounding(graph.operation(uses[0].op))) return first;
    const Operation &next = graph.operation(uses[0].op);
    if (next.type != "Concat" && uses[0].index != 0) return {};
    return applied(outputSlot(next.id)) ? outputSlot(next.id)
                                        : roundingOfReaders(graph, plan, next.outputs[0], applied);
}

std::optional<Slot> roundingByReaders(const Graph &graph, const QuantPlan &plan, Slot result,
                                      const AppliedConfig &applied)
{
    if (plan.kernels.empty() || !result.output || plan.kernelOf(result.op).sums != TargetKernel::Sums::Rknn ||
        plan.isQuantized(result.op))
        return {};
    const VarId id = variableOf(graph, result);
    return id == noVar ? std::nullopt : roundingOfReaders(graph, plan, id, applied);
}

std::optional<Slot> roundedResult(const Graph &graph, const Operation &op, const AppliedConfig &applied)
{
    if (applied(outputSlot(op.id))) return outputSlot(op.id);
    const auto &uses = graph.variable(op.outputs[0]).uses;
    if (uses.size() != 1 || uses[0].op == noOp || !isLinearActivation(graph.operation(uses[0].op)) ||
        !applied(outputSlot(uses[0].op)))
        return std::nullopt;
    return outputSlot(uses[0].op);
}

std::optional<std::size_t> gateOfSilu(const Graph &graph, const Operation &mul)
{
    if (mul.type != "Mul" || !mul.domain.empty() || mul.inputs.size() != 2) return std::nullopt;
    for (std::size_t gate = 0; gate < 2; ++gate) {
        const VarId input = mul.inputs[gate];
        if (input == noVar || graph.variable(input).producer == noOp) continue;
        const Operation &sigmoid = graph.operation(graph.variable(input).producer);
        if (sigmoid.type == "Sigmoid" && sigmoid.domain.empty() && sigmoid.inputs[0] == mul.inputs[1 - gate] &&
            graph.variable(input).uses.size() == 1)
            return gate;
    }
    return std::nullopt;
}

bool isTargetActivation(const QuantPlan *plan, const Operation &op)
{
    const TargetKernel::Sums sums = plan ? plan->kernelOf(op.id).sums : TargetKernel::Sums::Float;
    if (sums == TargetKernel::Sums::Rknn) return !plan->isQuantized(op.id);
    if (!TargetKernel::sumsCodes(sums) || !op.domain.empty()) return false;
    if (sums == TargetKernel::Sums::Ncnn || sums == TargetKernel::Sums::Mnn) return op.type == "Sigmoid";
    return openVinoActivation(op.type) != nullptr;
}

} // namespace ql
