#pragma once

#include "core/api/json_text.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// A pass, analysis or export with its parameters; omitted ones have their defaults.
struct StepRequest
{
    std::string id;
    bool enabled = true; ///< passes only
    std::string path;    ///< exports only: the file to write
    nlohmann::json params = nlohmann::json::object();

    friend bool operator==(const StepRequest &, const StepRequest &) = default;
};

/// What a list of steps is, which decides how one is written. Pass: {"id", "enabled", "params"}; Analysis: {"id",
/// "params"}; both also as the id alone. Export: {"format", "path", "params"}.
enum class StepKind { Pass, Analysis, Export };
/// @throws Error (BadConfig) with line and path of what is wrong.
std::vector<StepRequest> stepsFromJson(const JsonNode &list, StepKind kind);
StepRequest stepFromJson(const JsonNode &node, StepKind kind);
/// The parameters of a step as written, for messages about them; unset if it has none.
std::optional<JsonNode> placeOfParams(const JsonNode &step);
nlohmann::json toJson(const std::vector<StepRequest> &steps, StepKind kind);
nlohmann::json toJson(const StepRequest &step, StepKind kind);

} // namespace ql::api
