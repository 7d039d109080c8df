#pragma once

#include "core/platform/definition.h"
#include "core/quant/quant_plan.h"

namespace ql {

/// Gives every slot of every operation that model.dispatch assigns to a platform its first config and replaces the
/// plan. Slots start with the defaults of TensorQuantConfig, state Initial, or Off if the operator expects sizes,
/// indices or plain floats; then the platform's rules apply in order; slots that are never quantized end as Off. Every
/// field records the rule that set it. An operation assigned to another known platform than definition gets that
/// platform's rules (mixed precision), as find knows it; an unknown id gets definition's.
/// @throws Error (BadConfig) naming operation and tensor if a rule does not fit them.
void configure(QuantModel &model, const PlatformDefinition &definition, const PlatformLookup &find = findPlatform);

/// Why no rule and no override can quantize a slot, as the origin of its state: it is a size, an axis or an index, or
/// its tensor has a known type other than float32. Nothing if it can be quantized.
std::optional<Origin> neverQuantizedReason(const Graph &graph, const Operation &op, Slot slot);

} // namespace ql
