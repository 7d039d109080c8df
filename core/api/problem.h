#pragma once

#include "core/api/json_pair.h"
#include "core/api/rule.h"
#include "core/base/text.h"

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// A one-click fix for a problem, and the equivalent command-line option.
struct Action
{
    std::string id;                                    ///< of core/api/remedy_words.h
    std::vector<Rule> dispatch = {};                   ///< rules to add to those of the recipe
    std::vector<Rule> overrides = {};                  ///< the same
    std::map<std::string, nlohmann::json> fields = {}; ///< path, as accepted by api::withField(), to new value
    std::string pass = {};                             ///< to turn on
    std::optional<Rule> dropOverride = {};             ///< rule to remove from the recipe
    std::string option = {};                           ///< of 'run'; empty if there is none
    std::optional<double> gainDb = {};                 ///< if it was tried: of the worst output's SQNR
    std::optional<double> gainPoints = {}; ///< the same of equal integers, in percentage points, without an SQNR

    friend bool operator==(const Action &, const Action &) = default;
};

/// The most severe first. Error: what was asked for cannot be had; Info: nothing has to be done.
enum class Severity : std::int8_t { Error, Warning, Info };
const std::vector<std::string> &severityWords();
const char *toString(Severity severity); ///< error, warning, info
/// @throws Error (BadData) for another word.
Severity severityFromString(const std::string &text);

/// Something that needs attention, with the evidence in message and the fix in remedy.
struct Problem
{
    Severity severity = Severity::Warning;
    std::string op = {}, variable = {}; ///< names, or empty
    Text message, remedy = {};
    std::vector<Action> actions = {}; ///< the most effective first; only those that change something
    std::vector<double> values = {};  ///< the evidence as numbers
    Text valuesMeaning = {};

    friend bool operator==(const Problem &, const Problem &) = default;
};

QL_HAS_JSON(Severity)
QL_HAS_JSON(Action)
QL_HAS_JSON(Problem)

} // namespace ql::api
