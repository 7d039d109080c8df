#pragma once

#include "core/api/problem.h"
#include "core/base/text.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ql::api {

/// One parameter of a pass, observer, analyser, exporter ...: enough for a generic editor. Written by name: {.name =
/// "steps", .type = "int", .fallback = 32, .meaning = "Batches to use."}.
struct ParamSpec
{
    std::string name;
    std::string type;                  ///< "bool", "int", "float", "string", "enum", "strings"; "observer": an id or ""
    nlohmann::json fallback = {};      ///< the default
    Text meaning = {};                 ///< one sentence
    std::string unit = {};             ///< "" if it has none
    nlohmann::json min = {}, max = {}; ///< numbers, null if unbounded
    std::vector<std::string> choices = {}; ///< for "enum"; for an observer, the catalogue lists them
    std::string follows = {}; ///< of a pass: the member of a platform ("fuse_activations") that provides the default

    friend bool operator==(const ParamSpec &, const ParamSpec &) = default;
};

/// One entry of a catalogue (platforms, passes, observers, exporters ...).
struct CatalogueItem
{
    std::string id;
    Text title = {};
    Text meaning = {}; ///< a sentence or two; for a pass: before and after
    std::vector<ParamSpec> params = {};
    std::string example = {}; ///< initial text for the editor (steps of the preprocessing)
};

/// Whether the entry has a parameter of this name.
bool hasParam(const CatalogueItem &item, std::string_view name);

/// given with every default filled in. @throws Error (BadConfig) for an unknown name (with the nearest known one), a
/// wrong type or a value out of range; what names the owner ("pass 'calibrate'").
nlohmann::json completeParams(const std::vector<ParamSpec> &specs, const nlohmann::json &given, const Text &what);

/// Whether a parameter can have the value: its type, range and choices.
bool isLegal(const ParamSpec &spec, const nlohmann::json &value);
/// The given value of a parameter, otherwise its default.
nlohmann::json paramOf(const nlohmann::json &given, const ParamSpec &spec);
/// The value as written on the command line, where "strings" are joined by +. Not checked.
nlohmann::json paramFromText(const std::string &text, const std::string &type);
/// The defaults of all parameters.
nlohmann::json defaultParams(const std::vector<ParamSpec> &specs);

} // namespace ql::api
