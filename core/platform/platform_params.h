#pragma once

#include "core/base/registry.h"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace ql {

struct PlatformDefinition;

/// Parameters of a pass whose defaults are those of the platform that lists it. Passes are above this room: they enter
/// the registry by their id.
struct PlatformParams
{
    static constexpr const char *kindName = "pass";
    /// Parameter -> the member of the platform that it follows ("activations" -> "fuse_activations"). A platform that
    /// extends another and gives that member does not inherit the parameter.
    std::map<std::string, std::string> follows;
    /// The values for a platform; without those that stay at the pass's own default.
    std::function<nlohmann::json(const PlatformDefinition &)> values;
};

} // namespace ql
