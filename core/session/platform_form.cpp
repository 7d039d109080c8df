#include "core/session/platform_form.h"

#include "core/base/error.h"
#include "core/ir/op_traits.h"
#include "core/pass/body_model.h"
#include "core/pass/dequantize_model.h"
#include "core/pass/pass.h"
#include "core/platform/quantizer.h"
#include "core/platform/rule.h"
#include "core/quant/networks.h"

#include <algorithm>

namespace ql {

namespace {

/// The passes of the platform that need no data, with fixed scales instead of calibrated ones.
std::vector<api::StepRequest> passesWithoutData(const api::Recipe &fixed, bool withFloatPasses)
{
    std::vector<api::StepRequest> steps;
    for (const api::StepRequest &step : *fixed.passes)
        if (passTraits(step.id).kind != PassKind::Quant) steps.push_back(step);
    for (const api::StepRequest &step : platform(fixed.platform).passes)
        if (withFloatPasses && step.enabled && passTraits(step.id).kind == PassKind::Float &&
            !passTraits(step.id).needsData)
            steps.push_back(step);
    const auto addFixedScales = [&] { steps.emplace_back().id = fixedScalesPassId(); };
    bool isFixed = false;
    for (const api::StepRequest &step : platform(fixed.platform).passes) {
        const api::PassTraits &traits = passTraits(step.id);
        if (!step.enabled || traits.kind != PassKind::Quant) continue;
        if (step.id == quantizeBodiesPassId()) {
            steps.emplace_back().id = fixedBodiesPassId();
        } else if (!traits.needsData) {
            steps.push_back(step);
        } else if (!isFixed && traits.doesWrite(PassAspect::ActivationScales)) {
            addFixedScales();
            isFixed = true;
        }
    }
    if (!isFixed) addFixedScales();
    return steps;
}

/// The same, up to where the scales are fixed: slots that later passes join have scales of their own by then.
api::Recipe untilScales(api::Recipe recipe)
{
    bool isFixed = false;
    std::erase_if(*recipe.passes, [&](const api::StepRequest &step) {
        isFixed = isFixed || step.id == fixedScalesPassId();
        return isFixed && step.id != fixedBodiesPassId();
    });
    return recipe;
}

/// imported: has imported the same model, which is not done again.
RunState prepared(const api::Recipe &recipe, const RunState &imported, const JobContext &job)
{
    RunState state = startRun(recipe, {}, false);
    state.model.graph = imported.model.graph;
    state.modelFacts = imported.modelFacts;
    state.outputTypes = imported.outputTypes;
    state.recipe.sha256 = imported.recipe.sha256;
    state.stages = imported.stages;
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

/// Whether the bodies do, too.
bool roundAlikeEverywhere(const QuantModel &a, const QuantModel &b)
{
    if (!roundAlike(a, b) || a.plan.bodies.size() != b.plan.bodies.size()) return false;
    for (const auto &[id, bodies] : a.plan.bodies) {
        const auto others = b.plan.bodies.find(id);
        if (others == b.plan.bodies.end() || others->second.size() != bodies.size()) return false;
        for (const auto &[name, body] : bodies) {
            const auto other = others->second.find(name);
            if (other == others->second.end() || !roundAlikeEverywhere(*body, *other->second)) return false;
        }
    }
    return true;
}

/// The setting with which all readers of the tensor round it, if its owner has none: files may have it on either side.
SlotSettings::const_iterator settingOfReader(const QuantModel &joined, Slot owner, const SlotSettings &settings)
{
    auto found = settings.end();
    const VarId id = variableOf(joined.graph, owner);
    if (id == noVar || !owner.output) return found;
    for (const Use &use : joined.graph.variable(id).uses) {
        const Slot reader{use.op, false, use.index};
        if (use.op == noOp || !joined.plan.find(reader) || joined.plan.root(reader) != owner) continue;
        const auto its = settings.find(reader);
        if (its == settings.end() || (found != settings.end() && !(found->second == its->second)))
            return settings.end();
        found = its;
    }
    return found;
}

/// What fixes the scales of groups of joined slots, and leaves in float what has no setting.
SlotSettings fixingSettings(const QuantModel &joined, const SlotSettings &settings)
{
    SlotSettings fixing;
    for (const auto &[slot, config] : joined.plan.configs()) {
        if (joined.plan.root(slot) != slot) continue;
        auto known = settings.find(slot);
        if (known == settings.end()) known = settingOfReader(joined, slot, settings);
        if (known != settings.end()) {
            fixing[slot] = known->second;
            fixing[slot].state.reset();
        } else if (config.state == QuantState::Initial || settings.empty()) { // a body without any
            fixing[slot].state = QuantState::Off;
        }
    }
    return fixing;
}

/// What leaves in float the slots that overrides separated from the group whose scale they had: a scale per channel of
/// an activation joins no others.
SlotSettings separatedSettings(const QuantModel &fixed)
{
    SlotSettings separated;
    for (const auto &[slot, config] : fixed.plan.configs())
        if (config.state == QuantState::Initial && !config.dynamic && variableOf(fixed.graph, slot) != noVar)
            separated[slot].state = QuantState::Off;
    return separated;
}

/// The same as rules. Later ones win: those of bodies follow.
std::vector<api::Rule> fixingRules(const QuantModel &joined, const ModelSettings &settings)
{
    const auto of = [&](const BodyPath &path) {
        const auto known = settings.find(path);
        return known == settings.end() ? SlotSettings() : known->second;
    };
    std::vector<api::Rule> rules =
        rulesOf(joined.graph, slotsOfTensors(joined), fixingSettings(joined, of(BodyPath())));
    for (const Network &network : bodyNetworks(joined))
        for (api::Rule &rule :
             rulesOfBody(network.graph(), network.names, fixingSettings(*network.model, of(network.path))))
            rules.push_back(std::move(rule));
    return rules;
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

static api::Rule ruleOf(const Graph &graph, Slot slot, const api::RuleSet &set, const OperationNames &names = {})
{
    api::RuleMatch match{.op = globEscaped(shownName(graph, slot.op, names)), .index = slot.index};
    match.roles = {roleOf(graph, slot)};
    return {.match = match, .set = set};
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
        for (const Slot slot : known->second)
            if (const auto its = settings.find(slot); its != settings.end())
                rules.push_back(ruleOf(graph, slot, its->second));
    }
    return rules;
}

std::vector<api::Rule> rulesOfBody(const Graph &body, const OperationNames &names, const SlotSettings &settings)
{
    std::vector<api::Rule> rules;
    for (const auto &[slot, set] : settings) rules.push_back(ruleOf(body, slot, set, names));
    return rules;
}

std::optional<api::Recipe> asPlatformWrites(const api::Recipe &fixed, const RunState &imported,
                                            const std::function<FileSettings(const Graph &)> &settingsFor,
                                            const std::function<bool(const QuantModel &)> &isSame,
                                            const JobContext &job)
{
    for (const bool keepsDispatch : {false, true}) {
        api::Recipe recipe = fixed;
        recipe.passes = passesWithoutData(fixed, true);
        recipe.overrides.clear();
        recipe.dispatch.clear();
        try {
            RunState joined = prepared(untilScales(recipe), imported, job);
            FileSettings file = settingsFor(joined.model.graph);
            if (keepsDispatch && file.dispatch.empty()) break;
            if (keepsDispatch) {
                recipe.dispatch = std::move(file.dispatch);
                joined = prepared(untilScales(recipe), imported, job);
            }
            recipe.overrides = fixingRules(joined.model, file.settings);
            if (isSame(prepared(recipe, imported, job).model)) return recipe;
        } catch (const Cancelled &) {
            throw;
        } catch (const Error &) { // scales that the platform's passes cannot take
        }
    }
    return {};
}

std::optional<api::Recipe> asPlatformRounds(const api::Recipe &fixed, const ModelSettings &settings,
                                            const RunState &imported, const JobContext &job)
{
    const RunState wanted = prepared(fixed, imported, job);
    for (const bool keepsDispatch : {false, true}) {
        if (keepsDispatch && fixed.dispatch.empty()) break;
        api::Recipe recipe = fixed;
        recipe.passes = passesWithoutData(fixed, false);
        recipe.overrides.clear();
        if (!keepsDispatch) recipe.dispatch.clear();
        try {
            const RunState joined = prepared(untilScales(recipe), imported, job);
            recipe.overrides = fixingRules(joined.model, settings);
            RunState natural = prepared(recipe, imported, job);
            if (const SlotSettings separated = separatedSettings(natural.model); !separated.empty()) {
                for (api::Rule &rule : rulesOf(natural.model.graph, slotsOfTensors(natural.model), separated))
                    recipe.overrides.push_back(std::move(rule));
                natural = prepared(recipe, imported, job);
            }
            if (roundAlikeEverywhere(wanted.model, natural.model)) return recipe;
        } catch (const Cancelled &) {
            throw;
        } catch (const Error &) { // scales that the platform's passes cannot take
        }
    }
    return {};
}

} // namespace ql
