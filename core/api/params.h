#pragma once

#include "core/api/rule.h"
#include "core/base/text.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// One parameter of a pass, observer, analyser, exporter ...: enough for an editor that does not know what it edits.
/// Written by name: {.name = "steps", .type = "int", .fallback = 32, .meaning = "Batches to use."}.
struct ParamSpec
{
    std::string name;
    std::string type;                  ///< "bool", "int", "float", "string", "enum", "strings"; "observer": an id or ""
    nlohmann::json fallback = {};      ///< the default
    Text meaning = {};                 ///< one sentence
    std::string unit = {};             ///< "" when it has none
    nlohmann::json min = {}, max = {}; ///< numbers, null when unbounded
    std::vector<std::string> choices = {}; ///< for "enum"; of an observer, the catalogue knows them
    std::string follows = {}; ///< of a pass: the member of a platform ("fuse_activations") that gives the default

    friend bool operator==(const ParamSpec &, const ParamSpec &) = default;
};

/// One entry of a catalogue (platforms, passes, observers, exporters ...).
struct CatalogueItem
{
    std::string id;
    Text title = {};
    Text meaning = {}; ///< a sentence or two; for a pass: before and after
    std::vector<ParamSpec> params = {};
    std::string example = {}; ///< what to write to begin with, where that is text (steps of the preprocessing)
};

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
};

/// given with every default filled in. @throws Error (BadConfig) for an unknown name (with the nearest known one), a
/// wrong type or a value out of range; what names the owner ("pass 'calibrate'").
nlohmann::json completeParams(const std::vector<ParamSpec> &specs, const nlohmann::json &given, const Text &what);

/// Whether a parameter can have the value: its type, range and choices.
bool isLegal(const ParamSpec &spec, const nlohmann::json &value);
/// The value of a parameter among given ones; its default where there is none.
nlohmann::json paramOf(const nlohmann::json &given, const ParamSpec &spec);
/// The defaults of all.
nlohmann::json defaultParams(const std::vector<ParamSpec> &specs);

nlohmann::json toJson(const Action &action);
/// @throws Error (BadConfig) for what toJson() does not write
Action actionFromJson(const nlohmann::json &row);
nlohmann::json toJson(const Problem &problem);
/// @throws nlohmann::json::exception, Error (BadData) for what toJson() does not write
Problem problemFromJson(const nlohmann::json &row);

} // namespace ql::api
