#include "core/export/onnx/float_biases.h"

#include "core/ir/op_traits.h"
#include "core/pass/layer_weights.h"
#include "core/quant/bias_grid.h"
#include "core/quant/integer_arithmetic.h"

#include <ATen/ops/equal.h>

namespace ql {

static bool isRounded(const QuantModel &model, OpId id)
{
    const QuantPlan &plan = model.plan;
    const Operation &op = model.graph.operation(id);
    const Slot input = inputSlot(id, 0), weight = inputSlot(id, 1);
    if (!isLayer(op) || !op.hasInput(2) || !model.isQuantized(id) || plan.simulated(inputSlot(id, 2))) return false;
    const TensorQuantConfig *config = plan.find(input);
    if (!config || config->isFloating() || config->dynamic) return false;
    if (plan.scale(input).size() != 1 || !plan.hasScale(weight)) return false; // stays a float operation
    const at::Tensor value = plan.parameterValue(model.graph, op.inputs[2]);
    if (!value.defined() || value.scalar_type() != at::kFloat) return false;
    const at::Tensor rounded = biasOnInt32Grid(value, plan.scale(input)[0], targetWeightScale(model.graph, plan, id));
    return !rounded.defined() || !at::equal(value, rounded);
}

std::vector<OpId> layersWithRoundedBias(const QuantModel &model)
{
    std::vector<OpId> layers;
    for (const OpId id : model.graph.operations())
        if (isRounded(model, id)) layers.push_back(id);
    return layers;
}

} // namespace ql
