#include "core/session/run_checks.h"

#include "core/api/pass_order.h"
#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/exec/kernel.h"
#include "core/export/exporter.h"
#include "core/ir/op_traits.h"
#include "core/observer/observer.h"
#include "core/pass/fold_constants.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"
#include "core/platform/config_override.h"
#include "core/session/data_checks.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <variant>

namespace ql {

using api::RuleField;

bool exportsUncalibrated(const api::Recipe &recipe)
{
    const auto &exports = recipe.exports;
    return !exports.empty() && std::all_of(exports.begin(), exports.end(), [](const api::StepRequest &step) {
        return step.params.value(uncalibratedParam().name, false);
    });
}

void requireCalibrationData(const api::Recipe &recipe)
{
    if (!recipe.calibration.path.empty()) return;
    for (const PassKind kind : {PassKind::Float, PassKind::Quant})
        for (const api::StepRequest *step : enabledPasses(recipe, kind))
            if (passTraits(step->id).needsData && !passTraits(step->id).isOptional &&
                !(kind == PassKind::Quant && exportsUncalibrated(recipe)))
                throw Error(ErrorKind::BadData,
                            QL_TEXT("pass '%1' needs calibration data and there is none").with(step->id))
                    .withFix(Fix::ChooseData)
                    .withRemedy(QL_TEXT("Give data with %1 (a folder of images, .npz, .npy ...).")
                                    .with(Text::option("--calib PATH")));
}

/// An operator that is known, but not in this version.
static bool isOfOtherOpset(const UnsupportedOp &op)
{
    return op.isOtherVersion;
}

Text unsupportedRemedy(const UnsupportedOp &op)
{
    if (op.domain == classicalDomain)
        return QL_TEXT("Only neural networks are quantized. Run the model as it is, or export only the network in it.");
    if (isOfOtherOpset(op))
        return QL_TEXT("Export the model with opset 21 or older, and without operators that are not implemented.");
    return QL_TEXT("Export the model without them, or leave them out with %1.").with(Text::option("--cut-unsupported"));
}

/// "'a', 'b', 'c' and 5 more"
static Text firstNames(const std::vector<std::string> &names)
{
    std::vector<std::string> quoted;
    for (const std::string &name : names) quoted.push_back("'" + name + "'");
    return Text::firstOf(quoted, 3);
}

void refuseUnsupported(const Graph &graph)
{
    const std::vector<UnsupportedOp> missing = unsupportedOps(graph);
    if (missing.empty()) return;
    using Reason = std::tuple<std::string, std::int64_t, Text>;
    std::vector<std::pair<Reason, std::vector<std::string>>> reasons; // with the operations, in order
    for (const UnsupportedOp &op : missing) {
        const Reason reason{(op.domain.empty() ? "" : op.domain + ".") + op.type, op.opset, op.why};
        const auto known =
            std::find_if(reasons.begin(), reasons.end(), [&](const auto &entry) { return entry.first == reason; });
        if (known == reasons.end())
            reasons.push_back({reason, {op.op}});
        else
            known->second.push_back(op.op);
    }
    std::vector<Text> lines = {QL_TEXT("operations that cannot be executed: %1").with(missing.size())};
    for (const auto &[reason, names] : reasons)
        lines.push_back(QL_TEXT("  %1 (%2, opset %3): %4")
                            .with(firstNames(names), std::get<0>(reason), std::get<1>(reason), std::get<2>(reason)));
    const auto first = std::min_element(missing.begin(), missing.end(), [](const auto &a, const auto &b) {
        const auto rank = [](const UnsupportedOp &op) {
            return op.domain == classicalDomain ? 0 : isOfOtherOpset(op) ? 1 : 2;
        };
        return rank(a) < rank(b); // with the most specific remedy
    });
    throw Error(ErrorKind::UnsupportedOp, Text::list(std::move(lines), Text::Join::Line), missing.front().op)
        .withRemedy(unsupportedRemedy(*first));
}

void checkQuantizedAlready(RunState &state)
{
    std::map<std::string, int> counts;
    for (const OpId id : state.model.graph.operations()) {
        const Operation &op = state.model.graph.operation(id);
        if (traitsOf(op).handlesCodes) ++counts[op.type];
    }
    std::vector<std::string> found;
    for (const auto &[type, count] : counts) found.push_back(std::to_string(count) + " " + type);
    if (found.empty()) return;
    state.problems.push_back(
        {.severity = api::Severity::Warning,
         .message =
             QL_TEXT(
                 "the model is already quantized: it has %1; its own rounding is treated as part of the float model")
                 .with(Text::list(found)),
         .remedy = QL_TEXT("Use the float model it was made from.")});
}

void checkImages(RunState &state)
{
    constexpr std::size_t examined = 2;
    const std::vector<VarId> &inputs = state.model.graph.inputs();
    if (!state.calibration || inputs.empty()) return;
    RangeCheck range;
    for (std::size_t i = 0; i < std::min(state.calibration->size(), examined); ++i) {
        const Feed feed = state.calibration->batch(i);
        const auto it = feed.find(state.model.graph.variable(inputs[0]).name);
        if (it == feed.end() || it->second.scalar_type() != at::kFloat || it->second.dim() != 4 ||
            it->second.size(0) == 0 || imageAxis(it->second.select(0, 0)) < 0)
            return;
        range.add(it->second.contiguous());
    }
    for (const api::Problem &problem : range.problems()) state.problems.push_back(problem);
    for (const api::Problem &problem : suspectChannelOrder(preprocessSteps(state.recipe.calibration.preprocess)))
        state.problems.push_back(problem);
}

void checkPassOrder(RunState &state)
{
    const std::vector<api::StepRequest> &steps = *state.recipe.passes;
    const api::PassCatalogue passes = passCatalogue();
    const std::vector<std::string> always = defaultFormatPipeline();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].enabled && std::find(always.begin(), always.end(), steps[i].id) != always.end())
            state.problems.push_back(
                {.severity = api::Severity::Warning,
                 .message = QL_TEXT("passes[%1] '%2': it cannot be switched off. Every model is formatted before it is "
                                    "quantized, and the float result stays the same.")
                                .with(i, steps[i].id),
                 .remedy = QL_TEXT("Remove it from the passes.")});
        const auto problem = api::passOrderProblem(steps, i, passes);
        if (!problem) continue;
        const bool repeated = problem->kind == api::PassOrderProblem::Kind::Repeated;
        const bool missing = problem->kind == api::PassOrderProblem::Kind::ReadsMissing;
        const bool early = problem->kind == api::PassOrderProblem::Kind::ReadsLater ||
                           problem->kind == api::PassOrderProblem::Kind::ChangedLater;
        state.problems.push_back({.severity = api::Severity::Warning,
                                  .message = QL_TEXT("passes[%1] '%2': %3").with(i, steps[i].id, text(*problem)),
                                  .remedy = repeated ? QL_TEXT("Remove one of them.")
                                            : missing
                                                ? QL_TEXT("Add '%1' before it, or remove it.").with(problem->other)
                                            : early ? QL_TEXT("Move it after '%1'.").with(problem->other)
                                                    : QL_TEXT("Move it before '%1'.").with(problem->other)});
    }
}

void checkFloatTypes(RunState &state)
{
    const Graph &graph = state.model.graph;
    std::map<std::string, std::set<OpId>> operations;
    std::map<std::string, std::pair<OpId, VarId>> first;
    for (const auto &[slot, config] : state.model.plan.configs()) {
        const VarId id = variableOf(graph.operation(slot.op), slot);
        // A Cast exists for its types, such as those after the inputs of a float16 model
        if (id == noVar || config.state != QuantState::Off || convertsTypes(graph.operation(slot.op))) continue;
        const at::ScalarType type = graph.variable(id).type.dtype;
        if (type == at::kFloat || type == at::ScalarType::Undefined || !c10::isFloatingType(type)) continue;
        operations[dtypeName(type)].insert(slot.op);
        first.emplace(dtypeName(type), std::pair(slot.op, id));
    }
    for (const auto &[type, ids] : operations)
        state.problems.push_back(
            {api::Severity::Warning, graph.operation(first.at(type).first).name,
             graph.variable(first.at(type).second).name,
             QL_TEXT("tensors in %2 are not quantized, only those in float32 are; number of operations: %1")
                 .with(ids.size(), type),
             QL_TEXT("Export the model in float32, or convert it before quantizing.")});
}

void checkComputedWeights(RunState &state)
{
    const Graph &graph = state.model.graph;
    std::vector<Slot> slots;
    for (const auto &[slot, config] : state.model.plan.configs()) {
        const Operation &op = graph.operation(slot.op);
        if (isWeight(op, slot) && config.state == QuantState::Initial && !graph.isParameter(variableOf(op, slot)))
            slots.push_back(slot);
    }
    if (slots.empty()) return; // most models: no traversal of the graph
    const std::set<VarId> foldable = foldableTensors(graph);
    std::erase_if(slots, [&](Slot slot) { return !foldable.contains(variableOf(graph.operation(slot.op), slot)); });
    if (slots.empty()) return;
    const Operation &first = graph.operation(slots.front().op);
    state.problems.push_back(
        {api::Severity::Warning, first.name, graph.variable(variableOf(first, slots.front())).name,
         QL_TEXT("weights that are computed from constants are quantized like activations (operations: %1)")
             .with(slots.size()),
         QL_TEXT("Add the pass '%1': they become parameters, and are quantized as weights.")
             .with(passThatWrites(PassAspect::ComputedWeights))});
}

Text nothingQuantized(const std::string &platform)
{
    return QL_TEXT("no operation is quantized on %1").with(platform);
}

Text chooseOtherPlatform()
{
    return QL_TEXT("'inspect' shows the reason for each operation; choose another platform or dispatcher.");
}

void checkAnythingQuantized(RunState &state)
{
    const Graph &graph = state.model.graph;
    bool hasBodies = false;
    for (const OpId id : graph.topological()) {
        const std::vector<Slot> slots = state.model.plan.slotsOf(id);
        if (std::any_of(slots.begin(), slots.end(),
                        [&](Slot slot) { return state.model.plan.find(slot)->state != QuantState::Off; }))
            return;
        for (const auto &[name, attribute] : graph.operation(id).attributes)
            hasBodies = hasBodies || std::holds_alternative<std::shared_ptr<const Graph>>(attribute);
    }
    const std::set<VarId> foldable = foldableTensors(graph);
    const std::vector<OpId> ids = graph.operations();
    const bool hasComputedWeights = std::any_of(ids.begin(), ids.end(), [&](OpId id) {
        const Operation &op = graph.operation(id);
        return traitsOf(op).weights && op.hasInput(1) && foldable.contains(op.inputs[1]);
    });
    state.problems.push_back(
        {.severity = api::Severity::Warning,
         .message = nothingQuantized(state.recipe.platform),
         .remedy =
             hasComputedWeights
                 ? QL_TEXT("Weights are computed from constants. Add the pass '%1', which turns them into parameters.")
                       .with(passThatWrites(PassAspect::ComputedWeights))
             : hasBodies
                 ? QL_TEXT("On this platform, bodies of If, Loop and Scan run in float32. Choose one that quantizes "
                           "their weights, such as %1, or export the model without them, for example by tracing it "
                           "with the condition fixed.")
                       .with("ONNXRUNTIME")
                 : chooseOtherPlatform()});
}

void checkOperatorTypes(RunState &state)
{
    const PlatformDefinition &platform = state.platform();
    const api::Recipe &recipe = state.recipe;
    std::set<std::string> named;
    const auto add = [&](const std::vector<std::string> &types) { named.insert(types.begin(), types.end()); };
    const auto addPlatform = [&](const PlatformDefinition &definition) {
        add(definition.quantizable);
        add(definition.fuseActivations);
        add(definition.passiveTypes);
        for (const api::Rule &rule : definition.rules) add(rule.match.types);
    };
    // Built-in ones name operators of other tools, and a platform that extends one has these names, too
    for (const PlatformDefinition *definition : platforms())
        if (definition->isBuiltIn()) addPlatform(*definition);
    const std::set<std::string> ours = std::exchange(named, {});
    addPlatform(platform);
    for (const auto *rules : {&recipe.overrides, &recipe.dispatch})
        for (const api::Rule &rule : *rules) add(rule.match.types);

    std::set<std::string> known;
    for (const std::string &id : Registry<KernelEntry>::instance().ids()) known.insert(id.substr(id.find(':') + 1));
    for (const OpId id : state.model.graph.operations()) known.insert(state.model.graph.operation(id).type);
    const std::vector<std::string> candidates(known.begin(), known.end());
    for (const std::string &type : named) {
        if (known.contains(type) || ours.contains(type)) continue;
        const Text hint = suggestion(type, candidates);
        if (hint.isEmpty()) continue; // an operator that only other tools know
        state.problems.push_back(
            {.severity = api::Severity::Warning,
             .message = Text::sentences(
                 {QL_TEXT("A rule of the platform or the recipe names the operator type '%1', which does not exist.")
                      .with(type),
                  hint}),
             .remedy = QL_TEXT("Correct the name, or load the plug-in that has the operator.")});
    }
}

namespace {

/// The observers that have the field as a parameter.
std::vector<std::string> observersWith(RuleField field)
{
    const auto &registry = Registry<ObserverEntry>::instance();
    std::vector<std::string> ids = registry.ids();
    std::erase_if(ids, [&](const std::string &id) { return !api::hasParam(registry.find(id)->info, toString(field)); });
    return ids;
}

/// A dynamic scale is computed without an observer, but has the same lower bound.
bool usesParam(const TensorQuantConfig &config, RuleField field)
{
    const ObserverEntry *entry = Registry<ObserverEntry>::instance().find(lower(config.observer));
    return (entry && api::hasParam(entry->info, toString(field))) || (config.dynamic && field == RuleField::MinScale);
}

} // namespace

/// Parameters of observers in overrides that no observer of the matched tensors uses.
static void checkObserverParams(RunState &state)
{
    const Graph &graph = state.model.graph;
    for (std::size_t i = 0; i < state.recipe.overrides.size(); ++i) {
        const api::Rule &rule = state.recipe.overrides[i];
        for (const RuleField field : fieldsOf(rule.set)) {
            const std::vector<std::string> known = observersWith(field);
            if (known.empty()) continue; // not a parameter of observers
            std::set<std::string> ignoring;
            bool isUsed = false;
            for (const auto &[slot, config] : state.model.plan.configs()) {
                if (config.state == QuantState::Off || state.model.plan.root(slot) != slot ||
                    !matches(rule.match, graph, graph.operation(slot.op), slot, config))
                    continue;
                isUsed = isUsed || usesParam(config, field);
                ignoring.insert(lower(config.observer));
            }
            if (isUsed || ignoring.empty()) continue;
            const Origin origin{.kind = Origin::Kind::Override, .id = labelOf(rule.match), .index = int(i)};
            state.problems.push_back(
                {.severity = api::Severity::Warning,
                 .message = QL_TEXT("%1: '%2' has no effect, because the observer of the tensors does not use it: %3")
                                .with(origin.text(), toString(field),
                                      Text::list(std::vector<std::string>(ignoring.begin(), ignoring.end()))),
                 .remedy = QL_TEXT("Remove it, or choose an observer that uses it: %1.").with(Text::list(known))});
        }
    }
}

static void checkEveryScale(RunState &state)
{
    const Graph &graph = state.model.graph;
    for (const bool parameters : {false, true}) {
        std::set<OpId> operations;
        std::vector<Slot> slots;
        for (const auto &[slot, config] : state.model.plan.configs()) {
            const VarId variable = variableOf(graph.operation(slot.op), slot);
            if (config.state != QuantState::Initial || variable == noVar) continue;
            if (graph.isParameter(variable) != parameters) continue;
            slots.push_back(slot);
            operations.insert(slot.op);
        }
        if (slots.empty()) continue;
        const std::string pass =
            passThatWrites(parameters ? PassAspect::ParameterScales : PassAspect::ActivationScales);
        const std::vector<api::StepRequest> &steps = *state.recipe.passes;
        const bool isListed = std::any_of(
            steps.begin(), steps.end(), [&](const api::StepRequest &step) { return step.enabled && step.id == pass; });
        const Operation &first = graph.operation(slots.front().op);
        const Text what = parameters
                              ? QL_TEXT("parameters have no scale and are not quantized: %1 (operations: %2)")
                                    .with(slots.size(), operations.size())
                              : QL_TEXT("inputs and outputs have no scale and are not quantized: %1 (operations: %2)")
                                    .with(slots.size(), operations.size());
        state.problems.push_back({api::Severity::Warning, first.name,
                                  graph.variable(variableOf(first, slots.front())).name,
                                  isListed ? what : QL_TEXT("%1: the passes have no '%2'").with(what, pass),
                                  isListed ? QL_TEXT("Check these operations for other problems.")
                                           : QL_TEXT("Add '%1' to the passes.").with(pass)});
    }
}

void checkPlan(RunState &state)
{
    const std::vector<api::Rule> &overrides = state.recipe.overrides;
    for (const IneffectiveOverride &found : ineffectiveOverrides(state.model, overrides))
        state.ineffective.push_back({overrides.at(found.index), found.problem});
    checkObserverParams(state);
    checkEveryScale(state);
}

} // namespace ql
