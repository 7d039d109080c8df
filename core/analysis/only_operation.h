#pragma once

#include "core/ir/subgraphs.h"
#include "core/quant/quant_plan.h"

#include <functional>
#include <set>
#include <utility>

namespace ql {

/// Whether a slot is rounded if only its operation is quantized. sharedScales: with scales that it inherits, too.
bool isRoundedAlone(const QuantPlan &plan, Slot slot, bool sharedScales);
bool hasEffectAlone(const QuantModel &model, const Operation &op, bool sharedScales);

/// The slots that are quantized when one operation is measured: those of operations in plan.
struct Measured
{
    std::set<OpId> operations;
    QuantPlan plan;
};

/// op with the scales that its slots inherit: an input is quantized as read by op (other consumers read it unchanged);
/// an output at the slot that owns its scale, after the activation that op was fused with, of which nothing else is
/// quantized.
Measured withSharedScales(const QuantModel &model, const Operation &op);

/// An operation in a quantized body.
using BodyOperation = std::pair<BodyPath, OpId>;
/// Only this operation: the weights that its body captures are parameters in it.
Measured withBodyOperation(const QuantModel &model, const BodyOperation &place);
/// Only the slots of a body that have the scale of owner.
Measured withBodyScale(const QuantModel &model, const BodySlot &owner);

/// The plan of a model with only the slots rounded for which isKept returns true, also in its bodies.
QuantPlan withOnlySlots(const QuantModel &model, const std::function<bool(const Graph &graph, Slot slot)> &isKept);

} // namespace ql
