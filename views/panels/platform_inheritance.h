#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ql {

/// The passes of a definition without the parameters that follow members of the platform (its lists of activations and
/// passive types), as the catalogue says: they follow other lists then.
nlohmann::json withoutFollowing(nlohmann::json passes, const nlohmann::json &catalogue);

/// The same platform, written as what it changes of another one ("extends", docs/platform-format.md). What it has
/// inherited so far becomes its own, and what the other has, too, is left out. Rules of the other one that it does not
/// begin with come in front of its own.
/// @param before definition that it extends so far, null for none @param base the other one, null for none
nlohmann::json extending(nlohmann::json definition, const nlohmann::json &before, const nlohmann::json &base,
                         const nlohmann::json &catalogue);

} // namespace ql
