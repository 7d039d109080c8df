#include "core/pass/body_model.h"

#include "core/ir/subgraphs.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace ql {

/// The results of a body that its next run reads.
static std::vector<VarId> statesOf(const Operation &op, const Graph &body)
{
    std::size_t first = 0, count = 0;
    if (op.type == "Loop") { // condition, states, scan outputs
        first = 1;
        count = formalInputCount(op) - std::min<std::size_t>(formalInputCount(op), 2);
    } else if (op.type == "Scan") {
        const std::size_t lengths = op.opset < 9 ? 1 : 0;
        const auto sequences = std::size_t(op.intAttribute("num_scan_inputs", 0));
        count = formalInputCount(op) - std::min(formalInputCount(op), lengths + sequences);
    }
    std::vector<VarId> states;
    for (std::size_t i = first; i < std::min(first + count, body.outputs().size()); ++i)
        states.push_back(body.outputs()[i]);
    return states;
}

/// The config, with its scale, of the slot that rounds what is read at slot; nothing if it is not rounded.
static std::optional<TensorQuantConfig> roundedBy(const QuantModel &model, Slot slot)
{
    const Variable &variable = model.graph.variable(variableOf(model.graph, slot));
    if (!variable.isParameter()) {
        if (variable.producer == noOp) return std::nullopt;
        slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
    }
    const TensorQuantConfig *config = model.plan.simulated(slot);
    if (!config || config->dynamic) return std::nullopt;
    TensorQuantConfig rounded = *config;
    rounded.scale = model.plan.scale(slot);
    rounded.zeroPoint = model.plan.zeroPoint(slot);
    return rounded;
}

BodyModel bodyModel(const QuantModel &outer, const BodyPath &path, OpId id, const std::string &name,
                    const Origin &origin)
{
    const Operation &op = outer.graph.operation(id);
    BodyModel body;
    QuantModel &inner = body.model;
    inner.graph = *std::get<std::shared_ptr<const Graph>>(op.attributes.at(name));
    inner.graph.opsets = outer.graph.opsets;
    body.formal = inner.graph.inputs();
    std::vector<VarId> inputs = body.formal;
    body.request = {path, outer.platformOf(id), origin, statesOf(op, inner.graph), {}, {}};
    body.request.path.emplace_back(id, name);
    const std::vector<std::string> names = captureNames(op);
    const std::vector<std::size_t> weights = weightsOfBodies(outer.graph, op);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const VarId captured = capturedTensor(inner.graph, names[k]);
        if (captured == noVar) continue;
        const std::size_t input = formalInputCount(op) + k;
        const VarId read = op.inputs[input];
        if (outer.graph.isParameter(read)) {
            inner.graph.setValue(captured, outer.graph.variable(read).value);
            if (const auto own = outer.plan.parameterValues.find(read); own != outer.plan.parameterValues.end())
                inner.plan.parameterValues.emplace(captured, own->second);
        } else {
            inputs.push_back(captured);
        }
        if (const auto rounded = roundedBy(outer, inputSlot(id, input)))
            body.request.rounded.emplace(captured, *rounded);
        else if (std::find(weights.begin(), weights.end(), input) != weights.end())
            body.request.unrounded.push_back(captured);
    }
    inner.graph.setInputs(std::move(inputs));
    return body;
}

int quantizeBodyModel(QuantModel &outer, OpId id, const std::string &name, BodyModel body, const PassContext &context)
{
    PassContext own = context;
    own.path = body.request.path;
    own.cache = nullptr;
    own.rounding = nullptr;
    own.cacheKey.clear();
    QuantModel &inner = body.model;
    const auto values = inner.plan.parameterValues;
    context.quantizeBody(inner, body.request, own);
    inner.plan.parameterValues.insert(values.begin(), values.end());
    inner.graph.setInputs(body.formal);
    int changed = 0;
    for (const auto &[slot, config] : inner.plan.configs()) changed += inner.plan.simulated(slot) != nullptr;
    if (changed > 0) outer.plan.bodies[id][name] = std::make_shared<const QuantModel>(std::move(inner));
    return changed;
}

std::vector<OpId> quantizedWithBodies(const QuantModel &model)
{
    std::vector<OpId> ids = model.graph.operations();
    std::erase_if(ids, [&](OpId id) {
        if (bodies(model.graph.operation(id)).empty()) return true;
        const std::vector<Slot> slots = model.plan.slotsOf(id);
        return std::none_of(slots.begin(), slots.end(), [&](Slot slot) { return model.plan.simulated(slot); });
    });
    return ids;
}

} // namespace ql
