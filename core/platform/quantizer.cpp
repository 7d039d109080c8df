#include "core/platform/quantizer.h"

#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/ir/subgraphs.h"
#include "core/platform/body_weights.h"
#include "core/platform/dispatcher.h"
#include "core/platform/rule.h"

namespace ql {

namespace {

void configureSlot(QuantModel &model, const PlatformDefinition &definition, const Operation &op, Slot slot)
{
    const VarId id = variableOf(op, slot);
    if (id == noVar) return;
    const Variable &variable = model.graph.variable(id);
    TensorQuantConfig config;
    const auto turnOff = [&](const Origin &origin) {
        config.state = QuantState::Off;
        model.plan.mark(config, ConfigField::State, origin);
    };
    const std::optional<Origin> never = neverQuantizedReason(model.graph, op, slot);
    if (never) turnOff(*never);
    if (slotKind(op, slot) == SlotKind::Float) turnOff({.kind = Origin::Kind::FloatSlot, .id = op.type});
    for (std::size_t i = 0; i < definition.rules.size(); ++i) {
        const api::Rule &rule = definition.rules[i];
        if (!definition.applies(rule) || !matches(rule.match, model.graph, op, slot, config)) continue;
        try {
            applyScheme(rule.set, model.graph, op, slot, model.plan, config, definition.origin(i));
        } catch (const Error &e) {
            throw Error(e.kind, QL_TEXT("%1: %2").with(definition.origin(i).text(), e.message), op.name, variable.name)
                .withRemedy(e.remedy);
        }
    }
    if (config.state != QuantState::Off && never) turnOff(*never);
    try {
        config.validate();
    } catch (const Error &e) {
        throw Error(e.kind,
                    QL_TEXT("the rules of platform %1 contradict each other: %2").with(definition.id, e.message),
                    op.name, variable.name);
    }
    model.plan.set(slot, std::move(config));
}

/// A weight that an operation in a body reads is quantized as this operation would quantize it.
void configureBodyWeights(QuantModel &model, const PlatformDefinition &definition, const Operation &op)
{
    const DispatchRequest request = dispatchRequest(definition);
    for (const auto &[index, reader] : bodyWeights(model.graph, op, request.quantizable)) {
        QuantModel inner{*reader.body, {}, {}};
        inner.graph.setValue(variableOf(inner.graph, reader.slot), model.graph.variable(op.inputs[index]).value);
        configureSlot(inner, definition, inner.graph.operation(reader.slot.op), reader.slot);
        TensorQuantConfig config = *inner.plan.find(reader.slot);
        for (std::size_t field = 0; field < config.setBy.size(); ++field)
            model.plan.mark(config, ConfigField(field), inner.plan.origin(config, ConfigField(field)));
        model.plan.set(inputSlot(op.id, index), std::move(config));
    }
}

} // namespace

std::optional<Origin> neverQuantizedReason(const Graph &graph, const Operation &op, Slot slot)
{
    if (slotKind(op, slot) == SlotKind::ShapeOrIndex) return Origin{.kind = Origin::Kind::ShapeOrIndex, .id = op.type};
    const VarId id = variableOf(op, slot);
    const at::ScalarType type = id == noVar ? at::ScalarType::Undefined : graph.variable(id).type.dtype;
    if (type == at::ScalarType::Float || type == at::ScalarType::Undefined) return {}; // unknown counts as float32
    return Origin{.kind = Origin::Kind::ElementType, .id = dtypeName(type)};
}

void configure(QuantModel &model, const PlatformDefinition &definition, const PlatformLookup &find)
{
    model.plan = {};
    for (const OpId id : model.graph.operations()) {
        const std::string target = model.platformOf(id);
        if (target.empty() || target == fp32Platform || target == soiPlatform) continue;
        const PlatformDefinition *own = target == definition.id ? &definition : find(target);
        if (!own) own = &definition;
        const Operation &op = model.graph.operation(id);
        if (own->integerArithmetic) model.plan.integerOps.insert(id);
        for (const Slot slot : slotsOf(op)) configureSlot(model, *own, op, slot);
        if (!bodies(op).empty()) configureBodyWeights(model, *own, op);
    }
}

} // namespace ql
