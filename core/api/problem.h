#pragma once

#include "core/api/json_pair.h"
#include "core/api/rule.h"
#include "core/base/text.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// What one click does about a problem, and the option of the command line that does the same.
struct Action
{
    std::string id;                                    ///< of core/api/remedy_words.h
    std::vector<Rule> dispatch = {};                   ///< rules to add to those of the recipe
    std::vector<Rule> overrides = {};                  ///< the same
    std::map<std::string, nlohmann::json> fields = {}; ///< path, as api::withField() takes it, to new value
    std::string pass = {};                             ///< to turn on
    std::optional<Rule> dropOverride = {};             ///< rule to take out of the recipe
    std::string option = {};                           ///< of 'run'; empty: there is none

    bool changesRecipe() const
    {
        return !dispatch.empty() || !overrides.empty() || !fields.empty() || !pass.empty() || dropOverride;
    }

    friend bool operator==(const Action &, const Action &) = default;
};

/// Something that needs attention, with the evidence in message and what to do in remedy.
struct Problem
{
    std::string severity;               ///< "error", "warning", "info"
    std::string op = {}, variable = {}; ///< names, empty when it is about none
    Text message, remedy = {};
    std::vector<Action> actions = {}; ///< what helps most first; only what changes something
    std::vector<double> values = {};  ///< the evidence as numbers
    Text valuesMeaning = {};

    friend bool operator==(const Problem &, const Problem &) = default;
};

QL_HAS_JSON(Action)
QL_HAS_JSON(Problem)

} // namespace ql::api
