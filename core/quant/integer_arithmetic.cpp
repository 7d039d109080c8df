#include "core/quant/integer_arithmetic.h"

#include "core/ir/op_traits.h"
#include "core/quant/bias_grid.h"
#include "core/quant/quantize.h"

#include <algorithm>

namespace ql {

bool isByteGrid(const TensorQuantConfig &c)
{
    const bool isByte =
        (c.quantMin >= -128 && c.quantMax <= 127) || (c.quantMin >= 0 && c.quantMax <= 255); // int8, uint8
    return isByte && !c.isFloating() && !c.isPerChannel() && !c.dynamic && c.rounding == Rounding::HalfEven;
}

std::optional<Slot> roundedAt(const Graph &graph, OpId id, const AppliedConfig &applied)
{
    const Operation &op = graph.operation(id);
    if (!traitsOf(op).hasIntegerForm || op.outputs.size() != 1 || op.outputs[0] == noVar) return std::nullopt;
    if (const TensorQuantConfig *own = applied(outputSlot(id)))
        return isByteGrid(*own) ? std::optional(outputSlot(id)) : std::nullopt;
    const auto &uses = graph.variable(op.outputs[0]).uses;
    const auto &outputs = graph.outputs();
    if (uses.size() != 1 || uses[0].index != 0 || uses[0].op == noOp || applied(inputSlot(uses[0].op, 0)) ||
        std::find(outputs.begin(), outputs.end(), op.outputs[0]) != outputs.end())
        return std::nullopt;
    const Operation &next = graph.operation(uses[0].op);
    if (!isLinearActivation(next)) return std::nullopt;
    const TensorQuantConfig *its = applied(outputSlot(next.id));
    return its && isByteGrid(*its) ? std::optional(outputSlot(next.id)) : std::nullopt;
}

std::vector<float> targetWeightScale(const Graph &graph, const QuantPlan &plan, OpId id)
{
    const Operation &op = graph.operation(id);
    const Slot input = inputSlot(id, 0), weight = inputSlot(id, 1);
    const std::vector<float> &scale = plan.scale(weight);
    const TensorQuantConfig *config = plan.find(weight);
    if (!plan.integerOps.contains(id) || !config || !config->isPerChannel() || config->isFloating() ||
        config->dynamic || !op.hasInput(2) || !graph.isParameter(op.inputs[1]) || !graph.isParameter(op.inputs[2]) ||
        plan.scale(input).size() != 1)
        return scale;
    const at::Tensor weights = plan.parameterValue(graph, op.inputs[1]);
    if (scale.empty() || weights.scalar_type() != at::kFloat) return scale;
    return scalesWithRoomForBias(fakeQuant(weights, plan, weight), *config->channelAxis, scale, plan.scale(input)[0],
                                 plan.parameterValue(graph, op.inputs[2]));
}

} // namespace ql
