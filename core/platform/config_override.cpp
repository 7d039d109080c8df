#include "core/platform/config_override.h"

#include "core/base/error.h"
#include "core/base/strings.h"
#include "core/platform/quantizer.h"
#include "core/quant/groups.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ql {

using api::Rule;

namespace {

/// An override and its place among the others.
struct Entry
{
    const Rule &rule;
    std::size_t place;

    Origin origin() const
    {
        return {.kind = Origin::Kind::Override, .id = api::labelOf(rule.match), .index = int(place)};
    }
    /// For messages.
    Text label() const { return QL_TEXT("overrides[%1]: %2").with(place, origin().text()); }
};

std::vector<Entry> entriesOf(const std::vector<Rule> &overrides)
{
    std::vector<Entry> entries;
    for (const Rule &rule : overrides) entries.push_back({rule, entries.size()});
    return entries;
}

/// The slots that entry matches now, in order.
std::vector<Slot> matchedSlots(const QuantModel &model, const Entry &entry, const OperationNames &names = {})
{
    std::vector<Slot> slots;
    for (const auto &[slot, config] : model.plan.configs())
        if (matches(entry.rule.match, model.graph, model.graph.operation(slot.op), slot, config, names))
            slots.push_back(slot);
    return slots;
}

/// A warning with similar names if the entry names an operation or tensor that does not exist.
api::Problem nothingMatched(const QuantModel &model, const Entry &entry)
{
    Text hint;
    const Graph &graph = model.graph;
    std::vector<std::string> names;
    if (!entry.rule.match.op.empty() && graph.findOperation(entry.rule.match.op) == noOp) {
        hint = suggestion(entry.rule.match.op, knownNames(graph));
    } else if (!entry.rule.match.variable.empty() && graph.findVariable(entry.rule.match.variable) == noVar) {
        for (const VarId id : graph.variables()) names.push_back(graph.variable(id).name);
        hint = suggestion(entry.rule.match.variable, names);
    }
    return {.severity = api::Severity::Warning,
            .message =
                Text::sentences({QL_TEXT("%1 matches no tensor of a quantized operation.").with(entry.label()), hint}),
            .remedy = QL_TEXT("Check names, types and role; 'inspect' lists which operations are quantized.")};
}

Error inOverride(const Entry &entry, const QuantModel &model, Slot slot, const Text &message)
{
    const Operation &op = model.graph.operation(slot.op);
    return Error(ErrorKind::BadConfig, QL_TEXT("%1: %2").with(entry.label(), message), op.name,
                 model.graph.variable(variableOf(op, slot)).name);
}

/// Entries of the channel axis; 1 per tensor; 0 if the size is not known yet.
std::size_t channelsOf(const QuantModel &model, Slot slot, const TensorQuantConfig &config)
{
    if (!config.isPerChannel()) return 1;
    if (config.isGrouped()) {
        const at::Tensor &value = model.graph.variable(variableOf(model.graph.operation(slot.op), slot)).value;
        return value.defined() ? groupCount(value.sizes(), config) : 0;
    }
    const auto &shape = model.graph.variable(variableOf(model.graph.operation(slot.op), slot)).type.shape;
    const std::size_t axis = std::size_t(*config.channelAxis);
    if (!shape || axis >= shape->size() || (*shape)[axis].size < 0) return config.scale.size();
    return std::size_t((*shape)[axis].size);
}

void fixScale(QuantModel &model, const Entry &entry, Slot slot)
{
    const TensorQuantConfig &config = *model.plan.find(slot);
    std::vector<float> scale(entry.rule.set.scale.begin(), entry.rule.set.scale.end());
    std::vector<std::int32_t> zeroPoint = entry.rule.set.zeroPoint;
    if (entry.rule.set.range) {
        const ScaleZero solved = solveRange(entry.rule.set.range->first, entry.rule.set.range->second, config);
        scale = {solved.scale};
        zeroPoint = {solved.zeroPoint};
    }
    zeroPoint.resize(scale.size(), 0);
    const std::size_t channels = channelsOf(model, slot, config);
    if (scale.size() == 1 && channels > 1) {
        scale.assign(channels, scale[0]);
        zeroPoint.assign(channels, zeroPoint[0]);
    }
    if (scale.size() != channels && channels > 0)
        throw inOverride(
            entry, model, slot,
            QL_TEXT("scale has %1 entries, expected %2")
                .with(scale.size(), config.isGrouped() ? QL_TEXT("1 or %1, the number of groups").with(channels)
                                    : config.isPerChannel()
                                        ? QL_TEXT("1 or %1, the size of axis %2").with(channels, *config.channelAxis)
                                        : QL_TEXT("1: the tensor has one scale")))
            .withRemedy(QL_TEXT("Give one scale, or one scale per channel."));
    for (const std::int32_t zero : zeroPoint) {
        if (config.symmetric && zero != 0)
            throw inOverride(entry, model, slot, QL_TEXT("zero_point must be 0 because the config is symmetric"))
                .withRemedy(QL_TEXT("Set symmetric to false as well."));
        if (zero < config.quantMin || zero > config.quantMax)
            throw inOverride(
                entry, model, slot,
                QL_TEXT("zero_point %1 is outside the codes %2 to %3").with(zero, config.quantMin, config.quantMax))
                .withRemedy(QL_TEXT("Choose one of these, or set bits, quant_min and quant_max as well."));
    }
    int exponent = 0;
    for (const float value : scale)
        if (config.powerOfTwo && std::frexp(value, &exponent) != 0.5f)
            throw inOverride(entry, model, slot,
                             QL_TEXT("scale %1 is not a power of two, but the config requires one")
                                 .with(nlohmann::json(value).dump()))
                .withRemedy(QL_TEXT("Give a power of two, or set power_of_two to false as well."));
    model.plan.setScale(slot, std::move(scale), std::move(zeroPoint), QuantState::Active, entry.origin());
}

/// Scales by group of an activation are computed at run time, those of a constant are not. Such an activation needs no
/// calibration: its state becomes Active.
void activateDynamicGroups(QuantModel &model)
{
    for (const auto &[slot, config] : QuantPlan::Map(model.plan.configs())) {
        if (!config.isGrouped() || config.state == QuantState::Off) continue;
        const Operation &op = model.graph.operation(slot.op);
        const Variable &variable = model.graph.variable(variableOf(op, slot));
        const bool isConstant = model.graph.isParameter(variable.id);
        if (config.dynamic == isConstant)
            throw Error(ErrorKind::BadConfig,
                        isConstant ? QL_TEXT("a constant with a scale per group cannot be dynamic")
                                   : QL_TEXT("an activation with a scale per group must be dynamic"),
                        op.name, variable.name)
                .withRemedy(isConstant ? QL_TEXT("Set dynamic to false for constants.")
                                       : QL_TEXT("Set dynamic to true: its scales are computed at run time."));
        if (config.dynamic && config.state == QuantState::Initial)
            model.plan.setState(slot, QuantState::Active, model.plan.origin(config, ConfigField::Dynamic));
    }
}

} // namespace

void applySchemeOverrides(QuantModel &model, const std::vector<Rule> &overrides,
                          const std::function<void(api::Problem)> &report, const OperationNames &names)
{
    for (const Entry &entry : entriesOf(overrides)) {
        const std::vector<Slot> slots = matchedSlots(model, entry, names);
        if (slots.empty() && !matchesInBodies(entry.rule.match, model.graph)) report(nothingMatched(model, entry));
        if (!entry.rule.set.setsScheme()) continue;
        bool isUsed = false;
        for (const Slot slot : slots) {
            const Operation &op = model.graph.operation(slot.op);
            if (neverQuantizedReason(model.graph, op, slot)) continue;
            isUsed = true;
            TensorQuantConfig &config = *model.plan.find(slot);
            try {
                applyScheme(entry.rule.set, model.graph, op, slot, model.plan, config, entry.origin());
                config.validate();
            } catch (const Error &e) {
                throw inOverride(entry, model, slot, e.message).withRemedy(e.remedy);
            }
        }
        if (!slots.empty() && !isUsed)
            report({.severity = api::Severity::Warning,
                    .message = QL_TEXT("%1 matches only sizes, axes, indices and tensors that are not float32.")
                                   .with(entry.label()),
                    .remedy = QL_TEXT("These are never quantized. Match another tensor.")});
    }
    activateDynamicGroups(model);
}

/// "output 0 of 'relu'"
static Text nameOf(const QuantModel &model, Slot slot)
{
    return (slot.output ? QL_TEXT("output %1 of '%2'") : QL_TEXT("input %1 of '%2'"))
        .with(slot.index, model.graph.operation(slot.op).name);
}

std::vector<IneffectiveOverride> ineffectiveOverrides(const QuantModel &model, const std::vector<Rule> &overrides)
{
    std::vector<IneffectiveOverride> found;
    for (const Entry &entry : entriesOf(overrides)) {
        if (!entry.rule.set.setsScheme() || entry.rule.set.state || entry.rule.set.visibility)
            continue; // these always have one
        const std::vector<Slot> slots = matchedSlots(model, entry);
        const auto follows = [&](Slot slot) { // and is rounded differently from the request
            const TensorQuantConfig *config = model.plan.find(slot);
            if (!config || config->state != QuantState::Overlapped || model.plan.root(slot) == slot) return false;
            const TensorQuantConfig *root = model.plan.find(model.plan.root(slot));
            return !root || !root->sameScheme(*config) || lower(root->observer) != lower(config->observer);
        };
        if (slots.empty() || !std::all_of(slots.begin(), slots.end(), follows)) continue;
        const Operation &op = model.graph.operation(slots[0].op);
        found.push_back({entry.place,
                         {api::Severity::Warning, op.name, model.graph.variable(variableOf(op, slots[0])).name,
                          QL_TEXT("%1 has no effect: the tensor is rounded by the scale of %2.")
                              .with(entry.origin().text(), nameOf(model, model.plan.root(slots[0]))),
                          QL_TEXT("Write the override for the tensor that owns the scale.")}});
    }
    return found;
}

/// The slot whose scale is fixed through a matched one: a tensor that its producer rounds is one tensor for all
/// consumers.
static Slot fixedSlot(const QuantModel &model, Slot matched)
{
    const Slot root = model.plan.root(matched);
    return variableOf(model.graph, root) == variableOf(model.graph, matched) ? root : matched;
}

/// Why no scale can be fixed for the slot; empty if it can.
static Text whyNotFixed(const QuantModel &model, Slot slot)
{
    const TensorQuantConfig &config = *model.plan.find(slot);
    if (config.state == QuantState::Off) return QL_TEXT("the tensor is not quantized");
    if (config.state == QuantState::Baked) return QL_TEXT("the tensor is already rounded (baked)");
    if (const Slot root = model.plan.root(slot); root != slot)
        return QL_TEXT("the tensor takes its scale from %1").with(nameOf(model, root));
    return {};
}

std::set<Slot> slotsWithFixedScale(const QuantModel &model, const std::vector<Rule> &overrides,
                                   const OperationNames &names)
{
    std::set<Slot> slots;
    for (const Entry &entry : entriesOf(overrides)) {
        if (!entry.rule.set.fixesScale()) continue;
        for (const Slot matched : matchedSlots(model, entry, names)) {
            const Slot slot = fixedSlot(model, matched);
            const VarId id = variableOf(model.graph, slot);
            // For a tensor of unknown type, calibration determines whether it can be quantized at all
            if (id == noVar || model.graph.variable(id).type.dtype != at::kFloat) continue;
            if (whyNotFixed(model, slot).isEmpty()) slots.insert(slot);
        }
    }
    return slots;
}

void applyParameterScaleOverrides(QuantModel &model, const std::vector<Rule> &overrides, const OperationNames &names)
{
    for (const Entry &entry : entriesOf(overrides)) {
        if (!entry.rule.set.fixesScale()) continue;
        for (const Slot slot : matchedSlots(model, entry, names))
            if (!slot.output && model.graph.isParameter(variableOf(model.graph, slot)) &&
                whyNotFixed(model, slot).isEmpty())
                fixScale(model, entry, slot);
    }
}

void applyScaleOverrides(QuantModel &model, const std::vector<Rule> &overrides,
                         const std::function<void(api::Problem)> &report, const OperationNames &names)
{
    for (const Entry &entry : entriesOf(overrides)) {
        if (!entry.rule.set.fixesScale()) continue;
        bool isFixed = false;
        api::Problem why;
        for (const Slot matched : matchedSlots(model, entry, names)) {
            const Slot slot = fixedSlot(model, matched);
            const Operation &op = model.graph.operation(slot.op);
            const Text reason = whyNotFixed(model, slot);
            if (!reason.isEmpty()) {
                why = {api::Severity::Warning, op.name, model.graph.variable(variableOf(op, slot)).name,
                       QL_TEXT("%1 fixes no scale: %2.").with(entry.origin().text(), reason),
                       QL_TEXT("Write the override for the tensor that owns the scale.")};
                continue;
            }
            fixScale(model, entry, slot);
            isFixed = true;
        }
        if (!isFixed && !why.message.isEmpty()) report(why); // a missing match was already reported before calibration
    }
}

} // namespace ql
