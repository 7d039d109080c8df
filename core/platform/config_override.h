#pragma once

#include "core/api/params.h"
#include "core/platform/rule.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace ql {

// Overrides: what the user wants otherwise than the platform, the rules of a recipe's "overrides" in their order.

/// Before calibration: everything but scale, zero_point and range. Later entries win. Slots that are never quantized
/// stay off. An entry that matches no slot of a quantized operation is reported as a warning.
/// @throws Error (BadConfig) naming operation and tensor when an entry does not fit them.
void applySchemeOverrides(QuantModel &model, const std::vector<api::Rule> &overrides,
                          const std::function<void(api::Problem)> &report);
/// The slots whose scales overrides fix as the plan is now, so that nobody needs to observe them: float32, quantized,
/// and with a scale of their own.
std::set<Slot> slotsWithFixedScale(const QuantModel &model, const std::vector<api::Rule> &overrides);
/// The fixed scales of parameters, before calibration shows data to the model; nothing is reported.
/// @throws as applyScaleOverrides
void applyParameterScaleOverrides(QuantModel &model, const std::vector<api::Rule> &overrides);
/// After calibration: fixes scales, state Active; of a slot that is rounded where its tensor is made, there. Slots that
/// take their scale from another tensor and baked parameters keep it; an entry that fixes nothing is reported as a
/// warning with the reason.
/// @throws Error (BadConfig): a number of scales that is neither 1 nor the number of channels, a zero point that the
/// codes do not hold or that a symmetric config cannot have, a scale that is no power of two where one is wanted.
void applyScaleOverrides(QuantModel &model, const std::vector<api::Rule> &overrides,
                         const std::function<void(api::Problem)> &report);
/// An override that sets nothing that is used.
struct IneffectiveOverride
{
    std::size_t index; ///< among the overrides
    api::Problem problem;
};
/// Those whose tensors all follow another one's scale (fused, or read as their producer rounds them). After the
/// quantization passes.
std::vector<IneffectiveOverride> ineffectiveOverrides(const QuantModel &model, const std::vector<api::Rule> &overrides);

} // namespace ql
