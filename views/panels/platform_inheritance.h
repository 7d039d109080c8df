#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ql {

/// The passes of a definition without what its quantize_fusion takes from the lists of activations and passive types:
/// the fusion follows other lists then.
nlohmann::json withFollowingFusion(nlohmann::json passes);

/// The same platform, written as what it changes of another one ("extends", docs/platform-format.md). What it has
/// inherited so far becomes its own, and what the other has, too, is left out. Rules of the other one that it does not
/// begin with come in front of its own.
/// @param before definition that it extends so far, null for none @param base the other one, null for none
nlohmann::json extending(nlohmann::json definition, const nlohmann::json &before, const nlohmann::json &base);

} // namespace ql
