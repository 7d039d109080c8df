#include "core/session/platform_form.h"

#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/pass/dequantize_model.h"
#include "core/pass/pass.h"
#include "core/platform/quantizer.h"
#include "core/platform/rule.h"
#include "core/session/prepare.h"

#include <algorithm>

namespace ql {

namespace {

/// The passes of the platform that need no data, with fixed scales instead of calibrated ones.
std::vector<api::StepRequest> passesWithoutData(const api::Recipe &fixed)
{
    std::vector<api::StepRequest> steps;
    for (const api::StepRequest &step : *fixed.passes)
        if (passTraits(step.id).kind != PassKind::Quant) steps.push_back(step);
    const auto addFixedScales = [&] { steps.emplace_back().id = fixedScalesPassId(); };
    bool isFixed = false;
    for (const api::StepRequest &step : platform(fixed.platform).passes) {
        const api::PassTraits &traits = passTraits(step.id);
        if (!step.enabled || traits.kind != PassKind::Quant) continue;
        if (!traits.needsData) {
            steps.push_back(step);
        } else if (!isFixed && traits.doesWrite(PassAspect::ActivationScales)) {
            addFixedScales();
            isFixed = true;
        }
    }
    if (!isFixed) addFixedScales();
    return steps;
}

RunState prepared(const api::Recipe &recipe, const JobContext &job)
{
    RunState state = startRun(recipe, {}, false);
    importStages(state, job, false);
    dispatchStage(state);
    configureStages(state, job);
    quantizeStages(state, job);
    return state;
}

/// The slot that determines which values a reader finds: its own, or one upstream with only operations between them
/// that move values.
std::optional<Slot> roundedUpstream(const QuantModel &model, Slot slot)
{
    while (!model.plan.simulated(slot)) {
        const Variable &variable = model.graph.variable(variableOf(model.graph, slot));
        if (slot.output) {
            const Operation &op = model.graph.operation(slot.op);
            if (!movesValues(op) || slot.index != 0 || !op.hasInput(0)) return {};
            slot = inputSlot(slot.op, 0);
        } else {
            if (variable.producer == noOp) return {};
            slot = outputSlot(variable.producer, std::size_t(variable.producerIndex));
        }
    }
    return slot;
}

bool haveSameGrid(const QuantPlan &a, const QuantPlan &b, std::optional<Slot> first, std::optional<Slot> second)
{
    if (!first || !second) return !first && !second;
    return a.simulated(*first)->sameScheme(*b.simulated(*second)) && a.scale(*first) == b.scale(*second) &&
           a.zeroPoint(*first) == b.zeroPoint(*second);
}

/// Whether every operation reads, and every output has, the same values in both: where a tensor is rounded twice to one
/// grid, once is enough.
bool roundAlike(const QuantModel &a, const QuantModel &b)
{
    const Graph &graph = a.graph;
    const auto isSame = [&](Slot slot) {
        return haveSameGrid(a.plan, b.plan, roundedUpstream(a, slot), roundedUpstream(b, slot));
    };
    // a Relu or Clip gives the same codes if only its result is rounded, not what it reads or its limits
    const auto isRoundedAfterwards = [&](Slot slot) {
        const Operation &op = graph.operation(slot.op);
        const Slot result = outputSlot(slot.op);
        if (!isLinearActivation(op) || !a.plan.simulated(result) || !b.plan.simulated(result)) return false;
        const auto first = roundedUpstream(a, slot), second = roundedUpstream(b, slot);
        return (!first || haveSameGrid(a.plan, a.plan, first, result)) &&
               (!second || haveSameGrid(b.plan, b.plan, second, result));
    };
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        for (std::size_t i = 0; i < op.inputs.size(); ++i)
            if (op.hasInput(i) && !isSame(inputSlot(id, i)) && !isRoundedAfterwards(inputSlot(id, i))) return false;
        for (std::size_t o = 0; o < op.outputs.size(); ++o) {
            const Slot slot = outputSlot(id, o);
            if (op.outputs[o] == noVar || isSame(slot)) continue;
            // rounded by all of its readers alike, or by the operation: isSame(reader) says which of the two grids
            if (graph.isGraphOutput(op.outputs[o]) || (a.plan.simulated(slot) && b.plan.simulated(slot))) return false;
        }
    }
    return true;
}

/// Rules that fix the scales of groups of joined slots, and leave in float what has no setting.
std::vector<api::Rule> fixingRules(const QuantModel &joined, const SlotSettings &settings)
{
    SlotSettings fixing;
    for (const auto &[slot, config] : joined.plan.configs()) {
        if (joined.plan.root(slot) != slot) continue;
        const auto known = settings.find(slot);
        if (known != settings.end()) {
            fixing[slot] = known->second;
            fixing[slot].state.reset();
        } else if (config.state == QuantState::Initial) {
            fixing[slot].state = QuantState::Off;
        }
    }
    return rulesOf(joined.graph, slotsOfTensors(joined), fixing);
}

} // namespace

std::map<VarId, std::vector<Slot>> slotsOfTensors(const QuantModel &model)
{
    std::map<VarId, std::vector<Slot>> slots;
    for (const auto &[slot, config] : model.plan.configs()) {
        const VarId variable = variableOf(model.graph, slot);
        if (variable != noVar && !neverQuantizedReason(model.graph, model.graph.operation(slot.op), slot))
            slots[variable].push_back(slot);
    }
    return slots;
}

std::vector<api::Rule> rulesOf(const Graph &graph, const std::map<VarId, std::vector<Slot>> &slots,
                               const SlotSettings &settings)
{
    std::vector<api::Rule> rules;
    for (const VarId id : graph.variables()) {
        const auto known = slots.find(id);
        if (known == slots.end()) continue;
        const std::string name = globEscaped(graph.variable(id).name);
        const bool isOne = std::all_of(known->second.begin(), known->second.end(), [&](Slot slot) {
            const auto first = settings.find(known->second[0]), its = settings.find(slot);
            return first != settings.end() && its != settings.end() && its->second == first->second;
        });
        if (isOne) {
            rules.push_back({.match = {.variable = name}, .set = settings.at(known->second[0])});
            continue;
        }
        for (const Slot slot : known->second) {
            const auto its = settings.find(slot);
            if (its == settings.end()) continue;
            api::RuleMatch match{.op = globEscaped(graph.operation(slot.op).name), .index = slot.index};
            match.roles = {roleOf(graph, slot)};
            rules.push_back({.match = match, .set = its->second});
        }
    }
    return rules;
}

std::optional<api::Recipe> asPlatformRounds(const api::Recipe &fixed, const SlotSettings &settings,
                                            const JobContext &job)
{
    const RunState wanted = prepared(fixed, job);
    for (const bool keepsDispatch : {false, true}) {
        if (keepsDispatch && fixed.dispatch.empty()) break;
        api::Recipe recipe = fixed;
        recipe.passes = passesWithoutData(fixed);
        recipe.overrides.clear();
        if (!keepsDispatch) recipe.dispatch.clear();
        try {
            const RunState joined = prepared(recipe, job);
            recipe.overrides = fixingRules(joined.model, settings);
            if (roundAlike(wanted.model, prepared(recipe, job).model)) return recipe;
        } catch (const Cancelled &) {
            throw;
        } catch (const Error &) { // scales that the platform's passes cannot take
        }
    }
    return {};
}

} // namespace ql
