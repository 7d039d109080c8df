#include "core/platform/quantizer.h"

#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/platform/dispatcher.h"

namespace ql {

namespace {

bool mayQuantize(at::ScalarType type)
{
    return type == at::ScalarType::Float || type == at::ScalarType::Undefined; // unknown counts as float32
}

void configureSlot(QuantModel &model, const PlatformDefinition &definition, const Operation &op, Slot slot,
                   SlotKind kind)
{
    const VarId id = variableOf(op, slot);
    if (id == noVar) return;
    const Variable &variable = model.graph.variable(id);
    TensorQuantConfig config;
    const auto turnOff = [&](const std::string &origin) {
        config.state = QuantState::Off;
        model.plan.mark(config, ConfigField::State, origin);
    };
    if (kind == SlotKind::ShapeOrIndex) turnOff("operator " + op.type + ": shape or index");
    if (kind == SlotKind::Float) turnOff("operator " + op.type + ": stays in float32");
    for (std::size_t i = 0; i < definition.rules.size(); ++i) {
        const PlatformRule &rule = definition.rules[i];
        if (!matches(rule.match, model.graph, op, slot, config)) continue;
        try {
            applyScheme(rule.set, model.graph, op, slot, model.plan, config, definition.origin(i));
        } catch (const Error &e) {
            throw Error(e.kind, definition.origin(i) + ": " + e.what(), op.name, variable.name).withRemedy(e.remedy);
        }
    }
    if (config.state != QuantState::Off && !mayQuantize(variable.type.dtype))
        turnOff("tensor of type " + dtypeName(variable.type.dtype));
    try {
        config.validate();
    } catch (const Error &e) {
        throw Error(e.kind, "the rules of platform " + definition.id + " contradict each other: " + e.what(), op.name,
                    variable.name);
    }
    model.plan.set(slot, std::move(config));
}

} // namespace

void configure(QuantModel &model, const PlatformDefinition &definition)
{
    model.plan = {};
    for (const OpId id : model.graph.operations()) {
        const std::string target = model.platformOf(id);
        if (target.empty() || target == fp32Platform || target == soiPlatform) continue;
        const PlatformDefinition *own = target == definition.id ? &definition : findPlatform(target);
        if (!own) own = &definition;
        const Operation &op = model.graph.operation(id);
        if (own->integerArithmetic) model.plan.integerOps.insert(id);
        const Socket socket = socketOf(op);
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            configureSlot(model, *own, op, inputSlot(id, i), socket.inputs[i]);
        for (std::size_t i = 0; i < op.outputs.size(); ++i)
            configureSlot(model, *own, op, outputSlot(id, i), socket.outputs[i]);
    }
}

} // namespace ql
