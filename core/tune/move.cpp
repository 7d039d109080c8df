#include "core/tune/move.h"

#include "core/analysis/slot_noise.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/observer/observer.h"
#include "core/pass/pass.h"
#include "core/pass/slots.h"
#include "core/platform/rule.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ql {

api::Recipe withMove(api::Recipe recipe, const Move &move)
{
    for (const api::Rule &rule : move.overrides) {
        const auto same = std::find_if(recipe.overrides.begin(), recipe.overrides.end(),
                                       [&](const api::Rule &other) { return other.match == rule.match; });
        if (same == recipe.overrides.end()) {
            recipe.overrides.push_back(rule);
            continue;
        }
        for (const api::RuleField field : {api::RuleField::Scale, api::RuleField::ZeroPoint, api::RuleField::Range})
            api::removeField(same->set, field); // an observer, or another range, chooses the scale
        api::update(same->set, rule.set);
    }
    recipe.dispatch.insert(recipe.dispatch.end(), move.dispatch.begin(), move.dispatch.end());
    for (const api::Rule &rule : move.dispatch) // to float32, where no tensor has a config
        std::erase_if(recipe.overrides, [&](const api::Rule &other) { return other.match.op == rule.match.op; });
    if (recipe.passes)
        for (api::StepRequest &step : *recipe.passes) {
            if (std::find(move.without.begin(), move.without.end(), step.id) != move.without.end())
                step.enabled = false;
            if (step.id != move.pass) continue;
            step.enabled = true;
            step.params.update(move.passParams);
        }
    if (move.calibrationSamples > 0) recipe.calibration.samples = move.calibrationSamples;
    if (!move.platformParam.empty()) recipe.platformParams[move.platformParam] = true;
    return recipe;
}

api::RuleMatch matchOf(const Graph &graph, Slot slot)
{
    const api::SlotRole role = slot.output                    ? api::SlotRole::Output
                               : isParameterSlot(graph, slot) ? api::SlotRole::Parameter
                                                              : api::SlotRole::Input;
    return {.op = globEscaped(graph.operation(slot.op).name), .roles = {role}, .index = slot.index};
}

namespace {

bool hasRange(const TensorQuantConfig &config)
{
    return config.state == QuantState::Active && !config.dynamic && !config.isFloating() && !config.scale.empty();
}

/// Observers by their general quality, with the ids of core/observer.
constexpr std::array<const char *, 4> observerIds{"mse", "minmax", "percentile", "kl"};

bool suits(const ObserverEntry &observer, const TensorQuantConfig &config)
{
    return (config.symmetric || observer.asymmetric) && (!config.isPerChannel() || observer.perChannel) &&
           config.bits <= 8;
}

/// For slots of these roles, of all operations that may change.
std::vector<api::Rule> observerRules(const QuantModel &model, const Locks &locks, const char *observer,
                                     const std::vector<api::SlotRole> &roles)
{
    if (!locks.keepsAny()) return {{.match = {.op = "*", .roles = roles}, .set = {.observer = observer}}};
    std::vector<api::Rule> rules;
    for (const OpId id : model.graph.topological()) {
        const Operation &op = model.graph.operation(id);
        if (!model.isQuantized(id) || !locks.mayChange(op.name)) continue;
        const api::RuleMatch match{.op = globEscaped(op.name), .roles = roles};
        const std::vector<Slot> slots = model.plan.slotsOf(id);
        if (std::any_of(slots.begin(), slots.end(),
                        [&](Slot slot) { return matches(match, model.graph, op, slot, *model.plan.find(slot)); }))
            rules.push_back({.match = match, .set = {.observer = observer}});
    }
    return rules;
}

const std::string stepsParam = "steps", wideParam = "wide_activations", formatParam = "weight_format";

/// A parameter of a pass; nullptr: it has none of this name.
const api::ParamSpec *paramOf(const std::string &pass, const std::string &name)
{
    const std::vector<api::ParamSpec> &params = Registry<PassEntry>::instance().at(pass, QL_TEXT("pass")).info.params;
    const auto found =
        std::find_if(params.begin(), params.end(), [&](const api::ParamSpec &spec) { return spec.name == name; });
    return found == params.end() ? nullptr : &*found;
}

/// Switching on a pass, with a value for one of its parameters if param is not empty.
Move passMove(const std::string &id, const std::string &param = {}, const nlohmann::json &value = {})
{
    Move move;
    move.text = QL_TEXT("%1 switched on").with(Registry<PassEntry>::instance().at(id, QL_TEXT("pass")).info.title);
    move.pass = id;
    if (!param.empty()) move.passParams[param] = value;
    return move;
}

} // namespace

std::vector<ScaleGroup> scaleGroups(const QuantModel &model)
{
    const Graph &graph = model.graph;
    std::map<Slot, ScaleGroup> groups;
    for (const auto &[slot, config] : model.plan.configs()) {
        const Slot root = model.plan.root(slot);
        if (isParameterSlot(graph, slot) || isParameterSlot(graph, root) || config.state == QuantState::Off) continue;
        ScaleGroup &group = groups[root];
        group.root = root;
        group.slots.push_back(slot);
    }
    std::vector<ScaleGroup> ordered;
    for (const OpId id : graph.topological())
        for (auto &[root, group] : groups) {
            if (root.op != id || !hasRange(*model.plan.find(root))) continue;
            const Operation &op = graph.operation(id);
            group.variable = (root.output ? op.outputs : op.inputs)[std::size_t(root.index)];
            ordered.push_back(std::move(group));
        }
    return ordered;
}

std::optional<ScaleGroup> scaleGroup(const QuantModel &model, Slot root)
{
    for (ScaleGroup &group : scaleGroups(model))
        if (group.root == root) return std::move(group);
    return std::nullopt;
}

std::vector<NoisyGroup> noisyGroups(const QuantModel &model, const std::map<Slot, double> &noise)
{
    const std::map<Slot, double> ofScales = noiseOfScales(model.plan, noise);
    std::vector<NoisyGroup> groups;
    for (ScaleGroup &group : scaleGroups(model))
        if (const auto own = ofScales.find(group.root); own != ofScales.end())
            groups.push_back({std::move(group), own->second});
    std::stable_sort(groups.begin(), groups.end(),
                     [](const NoisyGroup &a, const NoisyGroup &b) { return a.noise > b.noise; });
    return groups;
}

QuantPlan withoutGroup(const QuantPlan &plan, const ScaleGroup &group)
{
    QuantPlan without = plan;
    for (const Slot slot : group.slots) without.setState(slot, QuantState::Off, {});
    return without;
}

QuantPlan withRange(const QuantPlan &plan, const ScaleGroup &group, double factor)
{
    QuantPlan changed = plan;
    for (float &scale : changed.find(group.root)->scale) scale = float(double(scale) * factor);
    return changed;
}

std::vector<Move> observerMoves(const QuantModel &model, const Locks &locks)
{
    const std::vector<ScaleGroup> groups = scaleGroups(model);
    std::vector<Move> moves;
    for (const char *const id : observerIds) {
        const ObserverEntry *observer = Registry<ObserverEntry>::instance().find(id);
        const auto config = [&](const ScaleGroup &group) -> const TensorQuantConfig & {
            return *model.plan.find(group.root);
        };
        if (!observer || groups.empty() ||
            !std::all_of(groups.begin(), groups.end(), [&](const auto &g) { return suits(*observer, config(g)); }) ||
            std::all_of(groups.begin(), groups.end(), [&](const auto &g) { return config(g).observer == id; }))
            continue;
        Move &move = moves.emplace_back();
        move.text = QL_TEXT("observer %1 for all activations").with(id);
        move.overrides = observerRules(model, locks, id, {api::SlotRole::Input, api::SlotRole::Output});
    }
    return moves;
}

std::vector<Move> observerMoves(const QuantModel &model, const ScaleGroup &group)
{
    const TensorQuantConfig &config = *model.plan.find(group.root);
    std::vector<Move> moves;
    for (const char *const id : observerIds) {
        const ObserverEntry *observer = Registry<ObserverEntry>::instance().find(id);
        if (!observer || config.observer == id || !suits(*observer, config)) continue;
        Move &move = moves.emplace_back();
        move.text = QL_TEXT("observer %1 for '%2'").with(id, model.graph.variable(group.variable).name);
        move.overrides.push_back({.match = matchOf(model.graph, group.root), .set = {.observer = id}});
    }
    return moves;
}

std::optional<Move> rangeMove(const QuantModel &model, const ScaleGroup &group, double factor)
{
    const TensorQuantConfig &config = *model.plan.find(group.root);
    if (config.scale.size() != 1) return std::nullopt;
    // So that factor 1 gives the same scale, see solveRange()
    const double width = double(config.scale[0]) * double(config.quantMax - config.quantMin) * factor;
    const double zero = double(config.zeroPoint[0]);
    const double low =
        config.symmetric ? -width / 2 : (double(config.quantMin) - zero) * double(config.scale[0]) * factor;
    Move move;
    move.text = QL_TEXT("range %1 to %2 for '%3'")
                    .with(Text::number(low), Text::number(low + width), model.graph.variable(group.variable).name);
    move.overrides.push_back(
        {.match = matchOf(model.graph, group.root), .set = {.range = std::pair(low, low + width)}});
    return move;
}

std::vector<Move> weightMoves(const QuantModel &model, const Locks &locks)
{
    constexpr const char *id = "mse";
    const ObserverEntry *observer = Registry<ObserverEntry>::instance().find(id);
    bool isAny = false;
    for (const auto &[slot, config] : model.plan.configs()) {
        if (!isWeight(model.graph.operation(slot.op), slot) || !hasRange(config)) continue;
        if (!observer || !suits(*observer, config)) return {};
        isAny |= config.observer != id;
    }
    if (!isAny) return {};
    Move move;
    move.text = QL_TEXT("observer %1 for all weights").with(id);
    move.overrides = observerRules(model, locks, id, {api::SlotRole::Weight});
    return {move};
}

std::vector<Move> floatPassMoves(const api::Recipe &recipe)
{
    std::vector<Move> moves;
    for (const api::StepRequest &step : recipe.passes.value_or(std::vector<api::StepRequest>()))
        if (!step.enabled && passTraits(step.id).kind == api::PassKind::Float) moves.push_back(passMove(step.id));
    return moves;
}

std::vector<Move> biasMoves(const api::Recipe &recipe)
{
    constexpr int enough = 8; // the mean over a few samples is as good, and takes a fraction of the time
    std::vector<Move> moves;
    for (const api::StepRequest &step : recipe.passes.value_or(std::vector<api::StepRequest>()))
        if (!step.enabled && passTraits(step.id).doesWrite(api::PassAspect::BiasValues))
            moves.push_back(paramOf(step.id, stepsParam) ? passMove(step.id, stepsParam, enough) : passMove(step.id));
    return moves;
}

std::vector<Move> trainingMoves(const api::Recipe &recipe, Training training)
{
    constexpr int fewSteps = 50;
    constexpr std::int64_t manySamples = 128;
    std::vector<std::string> rounding; // that is done
    std::vector<Move> moves;
    for (const api::StepRequest &step : recipe.passes.value_or(std::vector<api::StepRequest>())) {
        if (!passTraits(step.id).doesWrite(api::PassAspect::TrainedValues)) continue;
        const api::ParamSpec *steps = paramOf(step.id, stepsParam);
        if (!steps && step.enabled) rounding.push_back(step.id);
        if (!steps != (training == Training::Rounding)) continue;
        if (!steps) {
            if (step.enabled) continue;
            moves.push_back(passMove(step.id));
            if (recipe.calibration.samples >= manySamples) continue;
            Move move = moves.back();
            move.text = QL_TEXT("%1, %2 calibration samples").with(move.text, manySamples);
            move.calibrationSamples = manySamples;
            moves.push_back(std::move(move));
            continue;
        }
        const int wanted = training == Training::Short ? fewSteps : steps->fallback.get<int>();
        if (step.enabled && step.params.value(stepsParam, steps->fallback.get<int>()) >= wanted) continue;
        for (const bool isWhole : {true, false}) {
            Move &move = moves.emplace_back(passMove(step.id, "whole_graph", isWhole));
            move.passParams[stepsParam] = wanted;
            move.text = QL_TEXT("%1, %2 steps").with(move.text, wanted);
            if (training == Training::Short) return moves;
            if (rounding.empty() || !isWhole) continue;
            Move instead = moves.back();
            instead.without = rounding;
            instead.text = QL_TEXT("%1 instead of %2").with(instead.text, Text::list(rounding));
            moves.push_back(std::move(instead));
        }
    }
    return moves;
}

std::vector<Move> platformMoves(const api::Recipe &recipe)
{
    std::vector<Move> moves;
    const auto add = [&](const char *param, const Text &text) {
        const auto value = recipe.platformParams.find(param);
        if (value == recipe.platformParams.end() || *value != false) return;
        Move &move = moves.emplace_back();
        move.text = text;
        move.platformParam = param;
    };
    add("depthwise_per_channel", QL_TEXT("a scale per channel at the inputs of depthwise convolutions"));
    add("asymmetric_activations", QL_TEXT("asymmetric activations"));
    return moves;
}

bool allowsWideActivations(const api::Recipe &recipe)
{
    const auto value = recipe.platformParams.find(wideParam);
    return value != recipe.platformParams.end() && *value == false;
}

bool allowsWideWeights(const api::Recipe &recipe)
{
    const auto value = recipe.platformParams.find(formatParam);
    return value != recipe.platformParams.end() &&
           (*value == "int4" || *value == "int3" || *value == "mxfp4" || *value == "nvfp4");
}

} // namespace ql
