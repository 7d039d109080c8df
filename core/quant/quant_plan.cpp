#include "core/quant/quant_plan.h"

#include "core/base/error.h"
#include "core/quant/groups.h"

#include <algorithm>
#include <cmath>

namespace ql {

const TensorQuantConfig *QuantPlan::find(Slot slot) const
{
    const auto it = m_configs.find(slot);
    return it == m_configs.end() ? nullptr : &it->second;
}

TensorQuantConfig *QuantPlan::find(Slot slot)
{
    const auto it = m_configs.find(slot);
    return it == m_configs.end() ? nullptr : &it->second;
}

TensorQuantConfig &QuantPlan::at(Slot slot)
{
    if (TensorQuantConfig *config = find(slot)) return *config;
    throw Error(ErrorKind::BadConfig, QL_TEXT("the slot has no quantization config; configure the operation first"));
}

void QuantPlan::set(Slot slot, TensorQuantConfig config)
{
    m_configs.insert_or_assign(slot, std::move(config));
}

bool QuantPlan::isQuantized(OpId op) const
{
    const auto it = m_configs.lower_bound(Slot{op, false, 0});
    return it != m_configs.end() && it->first.op == op;
}

void QuantPlan::erase(OpId op)
{
    for (auto &[slot, config] : m_configs) {
        if (!config.parent || config.parent->op != op || slot.op == op) continue;
        config.parent.reset();
        config.state = QuantState::Initial;
        config.scale.clear();
        config.zeroPoint.clear();
    }
    integerOps.erase(op);
    kernels.erase(op);
    bodies.erase(op);
    m_configs.erase(m_configs.lower_bound(Slot{op, false, 0}), m_configs.upper_bound(Slot{op, true, INT32_MAX}));
}

TargetKernel QuantPlan::kernelOf(OpId op) const
{
    const auto found = kernels.find(op);
    return found == kernels.end() ? TargetKernel() : found->second;
}

bool QuantPlan::hasSameKernel(const QuantPlan &other, OpId op) const
{
    const auto own = bodies.find(op), its = other.bodies.find(op);
    const bool haveSameBodies = own == bodies.end() || its == other.bodies.end()
                                    ? own == bodies.end() && its == other.bodies.end()
                                    : own->second == its->second;
    return haveSameBodies && integerOps.empty() == other.integerOps.empty() &&
           integerOps.contains(op) == other.integerOps.contains(op) && kernelOf(op) == other.kernelOf(op);
}

Slot QuantPlan::root(Slot slot) const
{
    const TensorQuantConfig *config = find(slot);
    while (config && config->parent) {
        slot = *config->parent;
        config = find(slot);
    }
    return slot;
}

const std::vector<float> &QuantPlan::scale(Slot slot) const
{
    static const std::vector<float> none;
    const TensorQuantConfig *config = find(root(slot));
    return config ? config->scale : none;
}

const std::vector<std::int32_t> &QuantPlan::zeroPoint(Slot slot) const
{
    static const std::vector<std::int32_t> none;
    const TensorQuantConfig *config = find(root(slot));
    return config ? config->zeroPoint : none;
}

const TensorQuantConfig *QuantPlan::simulated(Slot slot) const
{
    const TensorQuantConfig *config = find(slot);
    if (!config || !(config->isApplied() || config->state == QuantState::Baked)) return nullptr;
    return config->dynamic || hasScale(slot) ? config : nullptr;
}

std::vector<Slot> QuantPlan::slotsOf(OpId op) const
{
    std::vector<Slot> slots;
    for (auto it = m_configs.lower_bound(Slot{op, false, 0}); it != m_configs.end() && it->first.op == op; ++it)
        slots.push_back(it->first);
    return slots;
}

void QuantPlan::attach(Slot below, Slot above)
{
    if (below == above) throw Error(ErrorKind::BadConfig, QL_TEXT("a slot cannot take its scale from itself"));
    for (Slot slot = above;;) {
        if (slot == below)
            throw Error(ErrorKind::BadConfig,
                        QL_TEXT("two slots would take their scale from each other (cycle of scale sharing)"));
        const auto parent = at(slot).parent;
        if (!parent) break;
        slot = *parent;
    }
    TensorQuantConfig &config = at(below);
    config.parent = above;
    config.scale.clear();
    config.zeroPoint.clear();
}

void QuantPlan::overlap(Slot slot, Slot by, const Origin &origin)
{
    if (slot == by) throw Error(ErrorKind::BadConfig, QL_TEXT("a slot cannot be overlapped by itself"));
    const Slot top = root(by);
    const Slot ownTop = root(slot);
    at(slot);
    if (slot == top)
        throw Error(ErrorKind::BadConfig, QL_TEXT("two slots would overlap each other (cycle of scale sharing)"));
    if (ownTop == top) return;
    attach(ownTop, top);
    setState(ownTop, QuantState::Overlapped, origin);
    if (slot != ownTop) {
        attach(slot, top);
        setState(slot, QuantState::Overlapped, origin);
    }
}

void QuantPlan::share(Slot slot, Slot master, const Origin &origin)
{
    attach(slot, master);
    setState(slot, QuantState::Passive, origin);
    mark(at(slot), ConfigField::Scale, origin);
}

void QuantPlan::setScale(Slot slot, std::vector<float> scale, std::vector<std::int32_t> zeroPoint, QuantState state,
                         const Origin &origin)
{
    TensorQuantConfig &config = at(slot);
    if (config.state == QuantState::Baked || config.state == QuantState::Overlapped)
        throw Error(ErrorKind::BadConfig,
                    QL_TEXT("the scale of a slot in state '%1' cannot be set").with(toString(config.state)));
    config.parent.reset();
    config.scale = std::move(scale);
    config.zeroPoint = std::move(zeroPoint);
    config.zeroPoint.resize(config.scale.size(), 0);
    mark(config, ConfigField::Scale, origin);
    setState(slot, state, origin);
}

void QuantPlan::detach(Slot slot)
{
    TensorQuantConfig &config = at(slot);
    if (!config.parent) return;
    const Slot top = root(slot);
    config.scale = at(top).scale;
    config.zeroPoint = at(top).zeroPoint;
    config.parent.reset();
}

void QuantPlan::setState(Slot slot, QuantState state, const Origin &origin)
{
    TensorQuantConfig &config = at(slot);
    if (config.state == state) return;
    config.state = state;
    mark(config, ConfigField::State, origin);
}

std::uint16_t QuantPlan::internOrigin(const Origin &origin)
{
    const auto it = std::find(m_origins.begin(), m_origins.end(), origin);
    if (it != m_origins.end()) return std::uint16_t(it - m_origins.begin());
    if (m_origins.size() >= UINT16_MAX) return 0;
    m_origins.push_back(origin);
    return std::uint16_t(m_origins.size() - 1);
}

void QuantPlan::mark(TensorQuantConfig &config, ConfigField field, const Origin &origin)
{
    config.setBy[std::size_t(field)] = internOrigin(origin);
}

const Origin &QuantPlan::origin(const TensorQuantConfig &config, ConfigField field) const
{
    return m_origins[config.setBy[std::size_t(field)]];
}

const at::Tensor &QuantPlan::parameterValue(const Graph &graph, VarId id) const
{
    const auto own = parameterValues.find(id);
    return own == parameterValues.end() ? graph.variable(id).value : own->second;
}

/// What is wrong with the numbers of a config, whoever set them; empty: nothing.
static Text wrongNumber(const TensorQuantConfig &config)
{
    try {
        config.validate();
    } catch (const Error &error) {
        return error.message;
    }
    if (config.scale.size() > 1 && !config.isPerChannel())
        return QL_TEXT("a tensor with one scale has %1").with(config.scale.size());
    const auto isBad = [](float scale) { return !(scale > 0) || !std::isfinite(scale); };
    const auto bad = std::find_if(config.scale.begin(), config.scale.end(), isBad);
    return bad == config.scale.end() ? Text() : QL_TEXT("a scale of %1").with(Text::number(double(*bad)));
}

void QuantPlan::verify(const Graph &graph) const
{
    for (const auto &[slot, config] : m_configs) {
        if (!graph.contains(slot.op))
            throw Error(ErrorKind::Internal, QL_TEXT("a quantization config belongs to no operation"));
        const Operation &op = graph.operation(slot.op);
        const std::vector<VarId> &links = slot.output ? op.outputs : op.inputs;
        if (slot.index < 0 || std::size_t(slot.index) >= links.size())
            throw Error(ErrorKind::Internal, QL_TEXT("a quantization config belongs to no slot"), op.name);
        const VarId read = links[std::size_t(slot.index)];
        if (const Text wrong = wrongNumber(config); !wrong.isEmpty())
            throw Error(ErrorKind::Internal, wrong, op.name, read == noVar ? "" : graph.variable(read).name);
        Slot at = slot;
        for (std::size_t steps = 0; find(at) && find(at)->parent; ++steps) {
            at = *find(at)->parent;
            if (!find(at))
                throw Error(ErrorKind::Internal, QL_TEXT("a config takes its scale from a slot without config"),
                            op.name);
            if (steps > m_configs.size())
                throw Error(ErrorKind::Internal, QL_TEXT("scale sharing has a cycle"), op.name);
        }
        if (config.isPerChannel() && !config.scale.empty() && links[std::size_t(slot.index)] != noVar) {
            const Variable &variable = graph.variable(links[std::size_t(slot.index)]);
            const auto &shape = variable.type.shape;
            const std::size_t axis = std::size_t(*config.channelAxis);
            if (config.isGrouped()) {
                if (variable.value.defined() && groupCount(variable.value.sizes(), config) != config.scale.size())
                    throw Error(ErrorKind::Internal,
                                QL_TEXT("scale has %1 entries, which is not the number of groups of %2 along axis %3")
                                    .with(config.scale.size(), config.groupSize, axis),
                                op.name, variable.name);
                continue;
            }
            if (shape && axis < shape->size() && (*shape)[axis].size >= 0 &&
                std::size_t((*shape)[axis].size) != config.scale.size())
                throw Error(ErrorKind::Internal,
                            QL_TEXT("scale has %1 entries, axis %2 has %3")
                                .with(config.scale.size(), axis, (*shape)[axis].size),
                            op.name, variable.name);
        }
    }
}

std::string QuantModel::platformOf(OpId op) const
{
    const auto it = dispatch.find(op);
    return it == dispatch.end() ? std::string() : it->second.platform;
}

api::SlotRole roleOf(const Graph &graph, Slot slot)
{
    if (slot.output) return api::SlotRole::Output;
    return graph.isParameter(variableOf(graph, slot)) ? api::SlotRole::Parameter : api::SlotRole::Input;
}

static void takeBodies(const QuantModel &model, const BodyPath &path,
                       const std::function<void(const BodyPath &path, const QuantModel &body)> &take)
{
    if (model.plan.bodies.empty()) return;
    for (const OpId id : model.graph.topological()) {
        const auto found = model.plan.bodies.find(id);
        if (found == model.plan.bodies.end()) continue;
        for (const auto &[attribute, body] : found->second) {
            BodyPath inner = path;
            inner.emplace_back(id, attribute);
            take(inner, *body);
            takeBodies(*body, inner, take);
        }
    }
}

void forEachQuantizedBody(const QuantModel &model,
                          const std::function<void(const BodyPath &path, const QuantModel &body)> &take)
{
    takeBodies(model, {}, take);
}

} // namespace ql
