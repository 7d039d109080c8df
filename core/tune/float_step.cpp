#include "core/tune/float_step.h"

#include "core/analysis/slot_noise.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/pass/slots.h"
#include "core/platform/dispatcher.h"
#include "core/tune/cost.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

namespace ql {

namespace {

/// Relative to all multiplications: what a step costs that moves none of them, because a target still has to convert
/// numbers.
constexpr double conversion = 0.01;
/// Steps that remove less than this fraction of the noise are left out.
constexpr double tooLittle = 0.005;

bool holds(const std::vector<Slot> &slots, Slot slot)
{
    return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

/// Finds steps, one after the other.
class StepFinder
{
public:
    /// allowed: operations with weights that may run in float32; nullptr: all of them.
    StepFinder(const QuantModel &model, const std::map<Slot, double> &noise, const Locks &locks,
               const std::set<OpId> *allowed = nullptr)
        : m_graph(model.graph), m_plan(model.plan), m_locks(locks), m_allowed(allowed),
          m_shares(shareOfMacs(model.graph)), m_noise(noiseOfScales(model.plan, noise))
    {
        for (const auto &[slot, config] : model.plan.configs()) {
            if (config.state == QuantState::Off) continue;
            const Slot root = model.plan.root(slot);
            if (isOfLayer(slot))
                m_ofParameters[slot.op] += noiseAt(slot);
            else if (!isOfLayer(root))
                m_groups[root].push_back(slot);
        }
        for (const auto &[root, value] : m_noise) m_all += value;
    }

    std::vector<FloatStep> run()
    {
        std::vector<FloatStep> steps;
        while (std::optional<FloatStep> step = best()) {
            m_float.insert(step->operations.begin(), step->operations.end());
            steps.push_back(std::move(*step));
        }
        return steps;
    }

private:
    double noiseAt(Slot slot) const
    {
        const auto noise = m_noise.find(slot);
        return noise == m_noise.end() ? 0 : noise->second;
    }
    /// A parameter that moves to float32 only with its operation. Constants of others, such as the anchors that an Add
    /// adds to boxes, are tensors like activations.
    bool isOfLayer(Slot slot) const { return m_shares.contains(slot.op) && isParameterSlot(m_graph, slot); }
    bool mayBeFloat(OpId id) const
    {
        if (m_allowed && m_shares.contains(id) && !m_allowed->contains(id)) return false;
        return m_locks.mayBeFloat(m_graph.operation(id).name);
    }

    /// After the steps so far and this one.
    bool isFloat(const FloatStep &step, OpId id) const
    {
        return m_float.contains(id) ||
               std::find(step.operations.begin(), step.operations.end(), id) != step.operations.end();
    }

    void moveToFloat(FloatStep &step, OpId id) const
    {
        if (isFloat(step, id)) return;
        step.operations.push_back(id);
        step.share += m_shares.at(id);
        if (const auto own = m_ofParameters.find(id); own != m_ofParameters.end()) step.gain += own->second;
        for (std::size_t i = 0; i < m_graph.operation(id).outputs.size(); ++i) keepFused(step, outputSlot(id, i));
    }

    /// The target fuses an operation with the activation after it and does not round the tensors in between. It cannot
    /// fuse with an operation in float32, so these slots would be rounded for the first time.
    void keepFused(FloatStep &step, Slot from) const
    {
        if (!isOverlapped(from)) return;
        for (const Use &use : m_graph.variable(variableOf(m_graph, from)).uses) {
            if (use.op == noOp || m_shares.contains(use.op)) continue;
            const Slot read = inputSlot(use.op, std::size_t(use.index)), next = outputSlot(use.op);
            if (!isOverlapped(read) || holds(step.fused, read)) continue;
            step.fused.push_back(read);
            if (!isOverlapped(next)) continue;
            if (!holds(step.fused, next)) step.fused.push_back(next);
            keepFused(step, next);
        }
    }

    bool isOverlapped(Slot slot) const
    {
        const TensorQuantConfig *config = m_plan.find(slot);
        return config && config->state == QuantState::Overlapped;
    }

    /// Without rounding of a group. Nothing if a lock forbids it.
    std::optional<FloatStep> withoutGroup(Slot root, const std::vector<Slot> &group) const
    {
        FloatStep step;
        step.group = group;
        step.gain = noiseAt(root);
        for (const Slot slot : group) {
            if (slot.output && m_shares.contains(slot.op) ? !m_locks.mayBeFloat(m_graph.operation(slot.op).name)
                                                          : !mayBeFloat(slot.op))
                return std::nullopt;
            if (!slot.output && m_shares.contains(slot.op)) moveToFloat(step, slot.op);
        }
        for (const Slot slot : group)
            if (!isFloat(step, slot.op)) step.slots.push_back(slot);
        if (step.operations.empty() && step.slots.empty()) return std::nullopt; // earlier steps remove it
        return step;
    }

    /// The best next step, which is not found again.
    std::optional<FloatStep> best()
    {
        std::optional<FloatStep> found;
        Slot root{};
        const auto consider = [&](std::optional<FloatStep> step, Slot of) {
            if (!step || step->gain <= tooLittle * m_all) return;
            const auto worth = [](const FloatStep &s) { return s.gain / (conversion + s.share); };
            if (found && worth(*found) >= worth(*step)) return;
            found = std::move(step);
            root = of;
        };
        for (const auto &[of, group] : m_groups) consider(withoutGroup(of, group), of);
        for (const auto &[id, noise] : m_ofParameters) {
            if (m_float.contains(id) || !mayBeFloat(id)) continue;
            FloatStep step;
            moveToFloat(step, id);
            consider(std::move(step), inputSlot(noOp, 0));
        }
        m_groups.erase(root);
        return found;
    }

    const Graph &m_graph;
    const QuantPlan &m_plan;
    const Locks &m_locks;
    const std::set<OpId> *m_allowed;
    const std::map<OpId, double> m_shares;
    const std::map<Slot, double> m_noise; ///< by the slot that owns the scale
    double m_all = 0;
    std::map<OpId, double> m_ofParameters;
    std::map<Slot, std::vector<Slot>> m_groups; ///< tensors that have one scale, by the slot that owns it
    std::set<OpId> m_float;                     ///< of the steps so far
};

} // namespace

std::vector<FloatStep> floatSteps(const QuantModel &model, const std::map<Slot, double> &noise, const Locks &locks)
{
    return StepFinder(model, noise, locks).run();
}

/// Operations with weights that belong together: of the same type, kernel and grouping; the first ones of the
/// network; the last ones. The first set, for tensors that no operation with weights reads, is empty.
static std::vector<std::set<OpId>> kindsOf(const Graph &graph, const std::map<OpId, double> &shares)
{
    std::map<std::string, std::set<OpId>> kinds;
    std::set<OpId> first, last;
    std::map<VarId, std::set<OpId>> sources; // operations with weights that a tensor comes from, none in between
    for (const OpId id : graph.topological()) {
        const Operation &op = graph.operation(id);
        std::set<OpId> from;
        for (const VarId input : op.inputs)
            if (const auto known = sources.find(input); known != sources.end())
                from.insert(known->second.begin(), known->second.end());
        if (const auto share = shares.find(id); share != shares.end()) {
            if (from.empty()) first.insert(id);
            for (const OpId before : from) last.erase(before);
            last.insert(id);
            from = {id};
            const auto &weights = traitsOf(op).weights; // none: they are in its bodies
            const at::Tensor weight =
                weights ? graph.variable(op.inputs[std::size_t(weights->weight)]).value : at::Tensor();
            std::string kind = op.type + (op.intAttribute("group", 1) == 1 ? "" : " grouped");
            for (std::int64_t axis = 2; weight.defined() && axis < weight.dim(); ++axis)
                kind += " " + std::to_string(weight.size(axis));
            kinds[kind].insert(id);
        }
        if (!from.empty())
            for (const VarId output : op.outputs) sources[output] = from;
    }
    std::vector<std::set<OpId>> all{{}, first, last};
    for (auto &[kind, operations] : kinds) all.push_back(std::move(operations));
    return all;
}

std::vector<std::vector<FloatStep>> floatGroups(const QuantModel &model, const std::map<Slot, double> &noise,
                                                const Locks &locks)
{
    constexpr double cheap = 0.2; // of all multiplications
    struct Group
    {
        std::vector<FloatStep> steps;
        double worth = 0;
    };
    const std::map<OpId, double> shares = shareOfMacs(model.graph);
    std::vector<Group> groups;
    for (const std::set<OpId> &kind : kindsOf(model.graph, shares)) {
        Group group{StepFinder(model, noise, locks, &kind).run()};
        double gain = 0, share = 0;
        for (const FloatStep &step : group.steps) {
            gain += step.gain;
            share += step.share;
        }
        group.worth = gain / (conversion + share);
        const bool isOne = group.steps.size() == 1 && share > 0; // a step of its own
        if (!group.steps.empty() && !isOne && share <= cheap) groups.push_back(std::move(group));
    }
    std::stable_sort(groups.begin(), groups.end(), [](const Group &a, const Group &b) { return a.worth > b.worth; });
    std::vector<std::vector<FloatStep>> sorted;
    for (Group &group : groups) sorted.push_back(std::move(group.steps));
    return sorted;
}

constexpr std::size_t mostNames = 6; ///< in the text of a move

/// The activations; constants only if there is nothing else: those of a Clip share the scale of its input.
static std::vector<std::string> namesOf(const Graph &graph, const std::vector<Slot> &slots)
{
    std::vector<std::string> activations, constants;
    for (const Slot slot : slots) {
        const VarId id = variableOf(graph.operation(slot.op), slot);
        std::vector<std::string> &names = graph.isParameter(id) ? constants : activations;
        const std::string &name = graph.variable(id).name;
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return activations.empty() ? constants : activations;
}

/// A move of steps, and its parts, each a move of one of them.
template <typename MoveOf>
static Move withParts(const std::vector<FloatStep> &steps, const MoveOf &moveOf)
{
    Move move = moveOf(steps);
    for (const FloatStep &step : steps) {
        Move part = moveOf({step});
        part.macs = step.share;
        part.noise = step.gain;
        move.parts.push_back(std::move(part));
    }
    return move;
}

static Move toFloat(const Graph &graph, const std::vector<FloatStep> &steps)
{
    Move move;
    const auto withoutRounding = [&](Slot slot) {
        const api::RuleMatch match = matchOf(graph, slot);
        if (std::none_of(move.overrides.begin(), move.overrides.end(),
                         [&](const api::Rule &rule) { return rule.match == match; }))
            move.overrides.push_back({.match = match, .set = {.state = QuantState::Off}});
    };
    std::vector<std::string> names;
    std::vector<Slot> slots;
    for (const FloatStep &step : steps) {
        for (const OpId id : step.operations) {
            names.push_back(graph.operation(id).name);
            move.dispatch.push_back({.match = {.op = globEscaped(names.back())}, .set = {.platform = fp32Platform}});
        }
        for (const Slot slot : step.slots) withoutRounding(slot);
        slots.insert(slots.end(), step.slots.begin(), step.slots.end());
        for (const Slot slot : step.fused) withoutRounding(slot);
    }
    const Text tensors = Text::firstOf(namesOf(graph, slots), mostNames);
    move.text = slots.empty() ? QL_TEXT("float32 for %1").with(Text::firstOf(names, mostNames))
                : names.empty()
                    ? QL_TEXT("no rounding of %1").with(tensors)
                    : QL_TEXT("float32 for %1, no rounding of %2").with(Text::firstOf(names, mostNames), tensors);
    move.names = std::move(names);
    return move;
}

Move floatMove(const Graph &graph, const std::vector<FloatStep> &steps)
{
    return withParts(steps, [&](const std::vector<FloatStep> &some) { return toFloat(graph, some); });
}

static Move toWide(const Graph &graph, const std::vector<FloatStep> &steps)
{
    constexpr int bits = 16;
    Move move;
    std::vector<Slot> slots;
    for (const FloatStep &step : steps)
        for (const Slot slot : step.group) {
            move.overrides.push_back({.match = matchOf(graph, slot), .set = {.bits = bits, .observer = "minmax"}});
            slots.push_back(slot);
        }
    move.names = namesOf(graph, slots);
    move.text = QL_TEXT("%1 bits for %2").with(bits, Text::firstOf(move.names, mostNames));
    return move;
}

Move wideMove(const Graph &graph, const std::vector<FloatStep> &steps)
{
    return withParts(steps, [&](const std::vector<FloatStep> &some) { return toWide(graph, some); });
}

constexpr int wideWeightBits = 8, wideWeightExponentBits = 4; // integers, or floats: E4M3
constexpr int narrowFloatBits = 4;                            // 6 bits are as accurate within a group as E4M3

/// Weights of an operation that 8 bits make much more accurate: integers of fewer bits, floats of 4.
static std::vector<Slot> narrowWeights(const QuantModel &model, OpId id)
{
    std::vector<Slot> slots = model.plan.slotsOf(id);
    std::erase_if(slots, [&](Slot slot) {
        const TensorQuantConfig *config = model.plan.simulated(slot);
        if (!isParameterSlot(model.graph, slot) || !config || config->codebook != api::Codebook::None) return true;
        return config->isFloating() ? config->bits > narrowFloatBits : config->bits >= wideWeightBits;
    });
    return slots;
}

static Move toWideWeights(const QuantModel &model, const std::vector<FloatStep> &steps)
{
    Move move;
    for (const FloatStep &step : steps)
        for (const OpId id : step.operations) {
            for (const Slot slot : narrowWeights(model, id)) {
                api::Rule rule{.match = matchOf(model.graph, slot), .set = {.bits = wideWeightBits}};
                if (model.plan.find(slot)->isFloating()) rule.set.exponentBits = wideWeightExponentBits;
                move.overrides.push_back(std::move(rule));
            }
            move.names.push_back(model.graph.operation(id).name);
        }
    move.text = QL_TEXT("%1 bits for the weights of %2").with(wideWeightBits, Text::firstOf(move.names, mostNames));
    return move;
}

Move wideWeightMove(const QuantModel &model, const std::vector<FloatStep> &steps)
{
    return withParts(steps, [&](const std::vector<FloatStep> &some) { return toWideWeights(model, some); });
}

Move raiseMove(Raise raise, const QuantModel &model, const std::vector<FloatStep> &steps)
{
    return raise == Raise::WideTensors   ? wideMove(model.graph, steps)
           : raise == Raise::WideWeights ? wideWeightMove(model, steps)
                                         : floatMove(model.graph, steps);
}

std::vector<FloatStep> stepsFor(Raise raise, const QuantModel &model, std::vector<FloatStep> steps)
{
    constexpr int floatBits = 32;
    std::erase_if(steps, [&](FloatStep &step) {
        if (raise == Raise::WideTensors) return step.group.empty();
        if (raise == Raise::WideWeights)
            std::erase_if(step.operations, [&](OpId id) { return narrowWeights(model, id).empty(); });
        for (const OpId id : step.operations)
            step.bytes += addedWeightBytes(model, id, raise == Raise::WideWeights ? wideWeightBits : floatBits);
        return raise == Raise::WideWeights && step.operations.empty();
    });
    return steps;
}

} // namespace ql
