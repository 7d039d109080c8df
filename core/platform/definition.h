#pragma once

#include "core/api/params.h"
#include "core/platform/rule.h"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// One rule of a platform: what it writes into which configs. Rules apply in order, so later ones win.
struct PlatformRule
{
    std::string name; ///< a few words for users
    ConfigMatch match;
    ConfigSet set;

    friend bool operator==(const PlatformRule &, const PlatformRule &) = default;
};

/// A pass in a platform's pipeline. The platform room does not know the passes: ids and parameters are checked when the
/// pipeline is made.
struct PlatformPass
{
    std::string id;
    nlohmann::json params = nlohmann::json::object();
    bool enabled = true;

    friend bool operator==(const PlatformPass &, const PlatformPass &) = default;
};

/// A deployment target as data; docs/platform-format.md describes the file.
struct PlatformDefinition
{
    std::string id;
    std::string title;
    std::string description;
    std::vector<std::string> quantizable; ///< operator types that the target runs in low precision
    std::vector<PlatformRule> rules;      ///< inherited ones first
    std::vector<std::string> fuseActivations;
    std::vector<std::string> passiveTypes; ///< empty: the types of isPassive()
    std::vector<PlatformPass> passes;      ///< in order of execution
    std::vector<std::string> exporters;    ///< the best suited first
    std::string dispatcher = "conservative";
    bool integerArithmetic = false; ///< "arithmetic": "integer"; see core/quant/integer_arithmetic.h
    std::string file;               ///< where it was read; not part of the definition

    bool isQuantizable(std::string_view type) const;
    bool isBuiltIn() const { return file.starts_with("platforms/"); }
    /// "platform TRT_INT8: rule 3 (bias in float)": the origin of fields that rule number index sets.
    std::string origin(std::size_t index) const;
    friend bool operator==(const PlatformDefinition &a, const PlatformDefinition &b);
};

/// Known keys of a file and of a pass entry, for the reader and for the test that keeps the JSON schema in step.
const std::vector<std::string> &platformKeys();
const std::vector<std::string> &platformRuleKeys();
const std::vector<std::string> &platformPassKeys();

/// Reads a definition. "extends" is looked up with platform(). The pass quantize_fusion, where it is listed, gets the
/// parameters that follow from fuse_activations and passive.
/// @throws Error (BadConfig) with file, line and reason for anything that is wrong.
PlatformDefinition platformFromJson(const api::JsonText &text);
PlatformDefinition platformFromText(std::string_view text, const std::string &file);
/// Every field, nothing inherited: reading it back gives an equal definition.
nlohmann::json definitionToJson(const PlatformDefinition &definition);

/// The built-in definition or the one from the user's folder with this id. The reference stays valid.
/// @throws Error (BadConfig) naming the nearest known id, and the user's files that were refused.
const PlatformDefinition &platform(std::string_view id);
/// nullptr when there is none.
const PlatformDefinition *findPlatform(std::string_view id);
/// All definitions, built-in first, each group by id.
std::vector<const PlatformDefinition *> platforms();
/// Reads one file and adds its definition; a file of the same id that was added before is replaced (references to the
/// old one stay valid). @throws Error: (Io) unreadable, (BadConfig) a mistake in it, or the id of a built-in platform.
const PlatformDefinition &loadPlatformFile(const std::filesystem::path &file);
/// The file of an own platform, that may be removed. @throws Error (BadConfig) when there is no platform of this id, it
/// is built in, its file is not of the user's folder, or another file there extends it.
std::filesystem::path removablePlatformFile(std::string_view id);
/// Removes the file of an own platform and forgets it; references to it stay valid.
/// @throws Error as removablePlatformFile; (Io) when the file cannot be removed.
void removePlatform(std::string_view id);
/// Every *.json of folder by name; what is refused becomes a problem and the rest is added. A folder that does not
/// exist is empty.
std::vector<api::Problem> loadPlatformFolder(const std::filesystem::path &folder);
/// Reads the user's folder again when a file in it was added, changed or removed since.
void refreshPlatforms();
/// Problems of the files in the user's folder, read when the first platform was asked for.
const std::vector<api::Problem> &platformProblems();
/// $XDG_DATA_HOME/quantloupe/platforms, else ~/.local/share/quantloupe/platforms; empty when neither is known.
std::filesystem::path userPlatformFolder();

} // namespace ql
