#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ql {

/// The passes of a definition without the parameters that follow members of the platform (its lists of activations and
/// passive types), as declared in the catalogue: they follow other lists then.
nlohmann::json withoutFollowing(nlohmann::json passes, const nlohmann::json &catalogue);

/// The same platform, written as changes of another one ("extends", docs/platform-format.md). Members inherited so far
/// become its own, and those equal to the other's are omitted. Rules of the other one that it does not start with come
/// before its own.
/// @param before definition that it has extended so far, null for none @param base the other one, null for none
nlohmann::json extending(nlohmann::json definition, const nlohmann::json &before, const nlohmann::json &base,
                         const nlohmann::json &catalogue);

} // namespace ql
