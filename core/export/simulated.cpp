#include "core/export/simulated.h"

#include "core/quant/quantize.h"

namespace ql {

const TensorQuantConfig *simulated(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig *config = model.plan.find(slot);
    if (!config || !(config->isApplied() || config->state == QuantState::Baked)) return nullptr;
    return config->dynamic || model.plan.hasScale(slot) ? config : nullptr;
}

at::Tensor simulatedParameter(const QuantModel &model, OpId op, std::size_t i)
{
    const VarId id = model.graph.operation(op).inputs.at(i);
    const at::Tensor value = model.plan.parameterValue(model.graph, id);
    if (!simulated(model, inputSlot(op, i)) || value.scalar_type() != at::kFloat) return value;
    return fakeQuant(value, model.plan, inputSlot(op, i));
}

} // namespace ql
