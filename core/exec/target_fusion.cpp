#include "core/exec/target_fusion.h"

#include "core/exec/openvino_activation.h"
#include "core/exec/target_kernel.h"
#include "core/ir/op_traits.h"

namespace ql {

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
