#pragma once

#include "core/api/json_pair.h"
#include "core/api/json_text.h"
#include "core/api/params.h"
#include "core/api/rule.h"
#include "core/api/step.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ql::api {

/// A deployment target as data: what its file says and everything that it inherits; docs/platform-format.md describes
/// the file.
struct PlatformDefinition
{
    std::string id;
    std::string title;
    std::string description;
    std::vector<std::string> aliases;                 ///< other ids that recipes and the command line accept
    std::vector<ParamSpec> params;                    ///< that rules refer to
    nlohmann::json values = nlohmann::json::object(); ///< of all params; the rules' fields have them
    std::vector<std::string> quantizable;             ///< operator types that the target runs in low precision
    std::vector<Rule> rules;                          ///< inherited ones first
    std::vector<std::string> fuseActivations;
    std::vector<std::string> passiveTypes; ///< empty: the usual ones
    std::vector<StepRequest> passes;       ///< in order of execution
    std::vector<std::string> exporters;    ///< the best suited first
    std::string dispatcher = "conservative";
    bool integerArithmetic = false; ///< see core/quant/integer_arithmetic.h

    friend bool operator==(const PlatformDefinition &, const PlatformDefinition &) = default;
};

/// What a platform's file says itself. An unset member is inherited, or has its default.
struct PlatformFile
{
    std::string schema = {}; ///< "$schema", for editors
    std::string id;
    std::string title;
    std::string extends = {}; ///< id of the platform that it inherits from; empty: none
    std::optional<std::string> description = {};
    std::optional<std::vector<std::string>> quantizable = {}, fuseActivations = {}, passiveTypes = {}, exporters = {};
    std::vector<std::string> aliases = {}; ///< never inherited
    std::vector<ParamSpec> params = {};    ///< added to the inherited ones
    std::optional<std::vector<Rule>> rules = {};
    std::optional<std::vector<StepRequest>> passes = {};
    std::optional<std::string> dispatcher = {};
    std::optional<bool> integerArithmetic = {};

    friend bool operator==(const PlatformFile &, const PlatformFile &) = default;
};

/// Known keys of a file, for the reader and for the test that keeps the JSON schema in step.
const std::vector<std::string> &platformKeys();
/// Whether the file gives the member of this key itself ("fuse_activations").
bool definesMember(const PlatformFile &file, const std::string &key);

/// @throws Error (BadConfig) with file, line and reason for anything that is wrong.
PlatformFile platformFileFromJson(const JsonNode &root);
PlatformFile platformFileFromJson(const JsonText &text);
/// Where the "set" of rule number index of a file that was read is written, for messages about it.
JsonNode placeOfSet(const JsonText &text, std::size_t index);
/// The id in a file that was read, for messages about it.
JsonNode placeOfId(const JsonText &text);
nlohmann::json toJson(const PlatformFile &file);

/// Parameters that the definition's own rules, from number first on, refer to must exist, and be tested for values that
/// they can have. text: the file. @throws Error (BadConfig) with the place of one that does not
void checkParams(const PlatformDefinition &definition, std::size_t first, const JsonText &text);

/// What the file says, on top of base; null: it extends nothing.
PlatformDefinition resolved(const PlatformFile &file, const PlatformDefinition *base);
/// The definition with other values of its parameters; those not given have their defaults.
/// @throws Error (BadConfig) for an unknown parameter and a value out of range, with the legal ones.
PlatformDefinition withParams(PlatformDefinition definition, const nlohmann::json &given);
/// The definition as a file that extends nothing.
PlatformFile wholeFile(const PlatformDefinition &definition);
/// Every field, nothing inherited: reading it back gives an equal definition.
nlohmann::json toJson(const PlatformDefinition &definition);
QL_HAS_JSON(PlatformDefinition)

} // namespace ql::api
