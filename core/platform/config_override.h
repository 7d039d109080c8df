#pragma once

#include "core/api/params.h"
#include "core/platform/rule.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

namespace ql {

/// What the user wants otherwise than the platform: match as in a platform rule plus op and variable (shell patterns on
/// names), set as in a platform rule plus scale and zero_point, or range (the values that the codes shall span).
struct ConfigOverride
{
    ConfigMatch match;
    ConfigSet set;
    std::string place = {}; ///< in its document, for messages: "overrides[2]"; no part of what it means

    /// "override 'conv1*'": the origin of the fields that it sets.
    std::string origin() const;
    /// origin() with its place in front, for messages.
    std::string label() const;
    friend bool operator==(const ConfigOverride &a, const ConfigOverride &b)
    {
        return a.match == b.match && a.set == b.set;
    }
};

/// {"match": {...}, "set": {...}}. @throws Error (BadConfig) with the place of the mistake.
ConfigOverride configOverrideFromJson(const api::JsonNode &node);
nlohmann::json toJson(const ConfigOverride &entry);

/// Before calibration: everything but scale, zero_point and range. Later entries win. Slots that are never quantized
/// stay off. An entry that matches no slot of a quantized operation is reported as a warning.
/// @throws Error (BadConfig) naming operation and tensor when an entry does not fit them.
void applySchemeOverrides(QuantModel &model, const std::vector<ConfigOverride> &overrides,
                          const std::function<void(api::Problem)> &report);
/// The slots whose scales overrides fix as the plan is now, so that nobody needs to observe them: float32, quantized,
/// and with a scale of their own.
std::set<Slot> slotsWithFixedScale(const QuantModel &model, const std::vector<ConfigOverride> &overrides);
/// The fixed scales of parameters, before calibration shows data to the model; nothing is reported.
/// @throws as applyScaleOverrides
void applyParameterScaleOverrides(QuantModel &model, const std::vector<ConfigOverride> &overrides);
/// After calibration: fixes scales, state Active; of a slot that is rounded where its tensor is made, there. Slots that
/// take their scale from another tensor and baked parameters keep it; an entry that fixes nothing is reported as a
/// warning with the reason.
/// @throws Error (BadConfig): a number of scales that is neither 1 nor the number of channels, a zero point that the
/// codes do not hold or that a symmetric config cannot have, a scale that is no power of two where one is wanted.
void applyScaleOverrides(QuantModel &model, const std::vector<ConfigOverride> &overrides,
                         const std::function<void(api::Problem)> &report);
/// An override that sets nothing that is used.
struct IneffectiveOverride
{
    std::size_t place; ///< among the overrides
    api::Problem problem;
};
/// Those whose tensors all follow another one's scale (fused, or read as their producer rounds them). After the
/// quantization passes.
std::vector<IneffectiveOverride> ineffectiveOverrides(const QuantModel &model,
                                                      const std::vector<ConfigOverride> &overrides);

} // namespace ql
