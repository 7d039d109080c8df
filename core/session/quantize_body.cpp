#include "core/session/quantize_body.h"

#include "core/ir/op_traits.h"
#include "core/platform/config_override.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"

#include <algorithm>

namespace ql {

const PlatformDefinition &platformOfBody(const RunState &state, const BodyRequest &request)
{
    const PlatformDefinition *other =
        request.platform == state.platform().id ? nullptr : state.findPlatform()(request.platform);
    return other ? *other : state.platform();
}

void dispatchBody(const RunState &state, const PlatformDefinition &definition, QuantModel &body,
                  const BodyRequest &request, const OperationNames &names)
{
    const DispatchRequest known = dispatchRequest(definition);
    body.dispatch = dispatch(body.graph, state.recipe.dispatcher, known);
    for (auto &[id, entry] : body.dispatch) {
        const Operation &op = body.graph.operation(id);
        if (isComputing(op) && known.isQuantizable(op))
            entry = {known.platform, QL_TEXT("compute operation %1 in a body").with(op.type)};
        else if (std::any_of(op.outputs.begin(), op.outputs.end(), [&](VarId output) {
                     return std::find(request.states.begin(), request.states.end(), output) != request.states.end();
                 }))
            entry = {fp32Platform, QL_TEXT("computes the state of a loop")};
    }
    applyDispatchOverrides(
        body.dispatch, body.graph, state.recipe.dispatch, [](const api::Problem &) {}, state.findPlatform(), names);
}

/// Slots that read what the network has rounded get the same grid. @returns these slots
static std::set<Slot> takeOver(QuantModel &body, const BodyRequest &request)
{
    std::set<Slot> slots;
    for (const auto &[id, rounded] : request.rounded)
        for (const Use &use : body.graph.variable(id).uses) {
            if (use.op == noOp) continue;
            const Slot slot{use.op, false, use.index};
            const TensorQuantConfig *own = body.plan.find(slot);
            if (!own || own->state != QuantState::Initial) continue;
            TensorQuantConfig config = rounded;
            config.parent.reset();
            config.setBy = {};
            config.state = QuantState::Active;
            body.plan.set(slot, std::move(config));
            body.plan.mark(*body.plan.find(slot), ConfigField::Scale, request.origin);
            slots.insert(slot);
        }
    return slots;
}

void quantizeBody(const RunState &state, QuantModel &body, const BodyRequest &request, const PassContext &context)
{
    const PlatformLookup find = state.findPlatform();
    const PlatformDefinition &definition = platformOfBody(state, request);
    const auto &overrides = state.recipe.overrides;
    const auto ignore = [](const api::Problem &) {}; // they are about the network
    const OperationNames names = namesOfBodies(state.model.graph)[request.path];
    dispatchBody(state, definition, body, request, names);
    configure(body, definition, find);
    applySchemeOverrides(body, overrides, ignore, names);
    for (const VarId id : request.states) {
        const Variable &variable = body.graph.variable(id);
        if (variable.producer == noOp) continue;
        const Slot slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        if (body.plan.find(slot)) body.plan.setState(slot, QuantState::Off, request.origin);
    }
    for (const VarId id : request.unrounded)
        for (const Use &use : body.graph.variable(id).uses)
            if (const Slot slot{use.op, false, use.index}; use.op != noOp && body.plan.find(slot))
                body.plan.setState(slot, QuantState::Off, request.origin);
    PassContext own = context;
    own.fixedScales = takeOver(body, request);
    own.fixedScales.merge(slotsWithFixedScale(body, overrides, names));
    const auto steps = enabledPasses(state.recipe, PassKind::Quant);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const api::StepRequest *step = steps[i];
        const api::PassTraits &traits = passTraits(step->id);
        own.job = context.job.part(double(i) / double(steps.size()), double(i + 1) / double(steps.size()));
        if (traits.doesWrite(PassAspect::TrainedValues)) continue;
        runPass(*makePass(step->id, step->params), body, own);
        if (traits.doesWrite(PassAspect::ParameterScales)) applyParameterScaleOverrides(body, overrides, names);
        if (traits.doesWrite(PassAspect::ActivationScales)) applyScaleOverrides(body, overrides, ignore, names);
    }
}

} // namespace ql
