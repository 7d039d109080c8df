#include "core/analysis/only_operation.h"

#include <algorithm>
#include <functional>
#include <memory>

namespace ql {

bool isRoundedAlone(const QuantPlan &plan, Slot slot, bool sharedScales)
{
    if (plan.simulated(slot)) return true;
    const TensorQuantConfig *config = plan.find(slot);
    return sharedScales && config && config->state == QuantState::Overlapped &&
           (config->dynamic || plan.hasScale(slot));
}

bool hasEffectAlone(const QuantModel &model, const Operation &op, bool sharedScales)
{
    const std::vector<Slot> slots = slotsOf(op);
    return std::any_of(slots.begin(), slots.end(),
                       [&](Slot slot) { return isRoundedAlone(model.plan, slot, sharedScales); });
}

Measured withSharedScales(const QuantModel &model, const Operation &op)
{
    Measured measured{{op.id}, model.plan};
    QuantPlan &plan = measured.plan;
    const auto takeOver = [&](Slot slot) {
        const TensorQuantConfig *config = model.plan.find(slot);
        if (!config || config->state != QuantState::Overlapped || !model.plan.hasScale(slot)) return;
        const Slot root = model.plan.root(slot);
        TensorQuantConfig own = *model.plan.find(root);
        if (own.state == QuantState::Off) return;
        const std::vector<OpId> readers = model.graph.consumers(op.id);
        const bool isFused =
            slot.output && root.output && std::find(readers.begin(), readers.end(), root.op) != readers.end();
        if (!isFused) {
            own.state = QuantState::Active;
            plan.set(slot, std::move(own));
            return;
        }
        measured.operations.insert(root.op);
        for (const auto &[other, unused] : model.plan.configs())
            if (other.op == root.op && other != root) plan.setState(other, QuantState::Off, {});
    };
    for (const Slot slot : slotsOf(op)) takeOver(slot);
    return measured;
}

using SlotFilter = std::function<bool(const QuantPlan &plan, Slot slot)>;

/// The slots of a body that are kept as they are, without any other of the body.
static QuantModel withOnly(const QuantModel &body, const SlotFilter &isKept)
{
    QuantModel alone = body;
    alone.plan.bodies.clear();
    for (const auto &[slot, config] : body.plan.configs()) {
        TensorQuantConfig own = config;
        own.parent.reset();
        if (body.plan.simulated(slot) && isKept(body.plan, slot)) {
            own.scale = body.plan.scale(slot);
            own.zeroPoint = body.plan.zeroPoint(slot);
        } else {
            own.state = QuantState::Off;
        }
        alone.plan.set(slot, std::move(own));
    }
    return alone;
}

QuantPlan withOnlySlots(const QuantModel &model, const std::function<bool(const Graph &graph, Slot slot)> &isKept)
{
    QuantPlan plan = withOnly(model, [&](const QuantPlan &, Slot slot) { return isKept(model.graph, slot); }).plan;
    for (const auto &[owner, bodies] : model.plan.bodies)
        for (const auto &[attribute, body] : bodies) {
            QuantModel own = *body;
            own.plan = withOnlySlots(*body, isKept);
            plan.bodies[owner][attribute] = std::make_shared<const QuantModel>(std::move(own));
        }
    return plan;
}

/// body, at path[depth - 1], with only these slots of the body at path quantized
static std::shared_ptr<const QuantModel> withOnly(const QuantModel &body, const BodyPath &path,
                                                  const SlotFilter &isKept, std::size_t depth)
{
    if (depth == path.size()) return std::make_shared<const QuantModel>(withOnly(body, isKept));
    const auto &[owner, attribute] = path[depth];
    QuantModel alone = withOnly(body, [](const QuantPlan &, Slot) { return false; });
    alone.plan.bodies[owner][attribute] = withOnly(*body.plan.bodies.at(owner).at(attribute), path, isKept, depth + 1);
    return std::make_shared<const QuantModel>(std::move(alone));
}

static Measured withOnlyInBody(const QuantModel &model, const BodyPath &path, const SlotFilter &isKept)
{
    const auto &[owner, attribute] = path.front();
    Measured measured{{owner}, model.plan};
    for (const Slot slot : model.plan.slotsOf(owner)) measured.plan.setState(slot, QuantState::Off, {});
    const QuantModel &body = *model.plan.bodies.at(owner).at(attribute);
    measured.plan.bodies = {{owner, {{attribute, withOnly(body, path, isKept, 1)}}}};
    return measured;
}

Measured withBodyOperation(const QuantModel &model, const BodyOperation &place)
{
    return withOnlyInBody(model, place.first,
                          [op = place.second](const QuantPlan &, Slot slot) { return slot.op == op; });
}

Measured withBodyScale(const QuantModel &model, const BodySlot &owner)
{
    return withOnlyInBody(model, owner.path,
                          [root = owner.slot](const QuantPlan &plan, Slot slot) { return plan.root(slot) == root; });
}

} // namespace ql
