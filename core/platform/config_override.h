#pragma once

#include "core/api/params.h"
#include "core/platform/rule.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ql {

// Overrides: what the user wants otherwise than the platform, the rules of a recipe's "overrides" in their order.

// names: of the body that the model is; empty: the network itself.

/// Before calibration: everything except scale, zero_point and range. Later entries win. Slots that are never quantized
/// stay off. An entry that matches no slot of a quantized operation is reported as a warning.
/// @throws Error (BadConfig) naming operation and tensor if an entry does not fit them.
void applySchemeOverrides(QuantModel &model, const std::vector<api::Rule> &overrides,
                          const std::function<void(api::Problem)> &report, const OperationNames &names = {});
/// The slots whose scales overrides fix in the current plan, so that they need not be observed: float32, quantized, and
/// with their own scale.
std::set<Slot> slotsWithFixedScale(const QuantModel &model, const std::vector<api::Rule> &overrides,
                                   const OperationNames &names = {});
/// The fixed scales of parameters, before calibration runs the model; nothing is reported.
/// @throws as applyScaleOverrides
void applyParameterScaleOverrides(QuantModel &model, const std::vector<api::Rule> &overrides,
                                  const OperationNames &names = {});
/// After calibration: fixes scales, state Active; for a slot that is rounded at its producer, there. Slots that inherit
/// their scale and baked parameters keep it; an entry that fixes nothing is reported as a warning with the reason.
/// @throws Error (BadConfig): a number of scales that is neither 1 nor the number of channels, a zero point outside the
/// codes or not allowed in a symmetric config, a scale that must be a power of two but is not.
void applyScaleOverrides(QuantModel &model, const std::vector<api::Rule> &overrides,
                         const std::function<void(api::Problem)> &report, const OperationNames &names = {});
/// An override without any effect.
struct IneffectiveOverride
{
    std::size_t index; ///< index among the overrides
    api::Problem problem;
};
/// Those whose tensors all follow another one's scale (fused, or read as rounded by their producer). After the
/// quantization passes.
std::vector<IneffectiveOverride> ineffectiveOverrides(const QuantModel &model, const std::vector<api::Rule> &overrides);

} // namespace ql
