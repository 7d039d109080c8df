#pragma once

#include "core/base/registry.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace ql {

struct PlatformDefinition;

/// Parameters of a pass whose defaults come from the platform that lists it. Passes are above this room: they register
/// by their id.
struct PlatformParams
{
    static constexpr const char *kindName = "pass";
    /// Parameter -> the member of the platform that it follows ("activations" -> "fuse_activations"). A platform that
    /// extends another and sets that member does not inherit the parameter.
    std::map<std::string, std::string> follows;
    /// The values for a platform, without those equal to the pass's own default.
    std::function<nlohmann::json(const PlatformDefinition &)> values;
};

} // namespace ql
