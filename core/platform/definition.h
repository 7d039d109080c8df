#pragma once

#include "core/api/params.h"
#include "core/api/platform.h"
#include "core/base/origin.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ql {

/// A deployment target, and where it comes from.
struct PlatformDefinition : api::PlatformDefinition
{
    std::string file; ///< where it was read; not part of what two definitions are compared by

    bool isQuantizable(std::string_view type) const;
    bool isBuiltIn() const { return file.starts_with("platforms/"); }
    /// Whether the rule has an effect with the values of the platform's parameters.
    bool applies(const api::Rule &rule) const { return rule.appliesWith(values); }
    /// Of fields that rule number index sets.
    Origin origin(std::size_t index) const;
};

/// Reads a definition. "extends" is looked up with platform(). The pass quantize_fusion, if listed, gets the parameters
/// derived from fuse_activations and passive.
/// @throws Error (BadConfig) with file, line and reason for any error.
PlatformDefinition platformFromJson(const api::JsonText &text);
PlatformDefinition platformFromText(std::string_view text, const std::string &file);

/// The built-in definition or the one from the user's folder with this id or, if there is none, alias. The reference
/// stays valid.
/// @throws Error (BadConfig) naming the nearest known id, and the user's files that were refused.
const PlatformDefinition &platform(std::string_view id);
/// nullptr if there is none.
const PlatformDefinition *findPlatform(std::string_view id);
/// Whether id is a platform of PPQ that computes in 16-bit floats; here these are no platforms.
bool isHalfFloat(std::string_view id);
/// What to use instead of a platform that does not exist.
std::vector<Text> unknownPlatformRemedy(std::string_view id, const std::vector<std::string> &known);
/// How a run finds the definition of an id: nullptr if there is none.
using PlatformLookup = std::function<const PlatformDefinition *(std::string_view id)>;
/// All definitions, built-in first, each group by id.
std::vector<const PlatformDefinition *> platforms();
/// Reads one file and adds its definition; replaces a previously added file with the same id (references to the old one
/// stay valid). @throws Error: (Io) unreadable, (BadConfig) an error in it, or the id of a built-in platform.
const PlatformDefinition &loadPlatformFile(const std::filesystem::path &file);
/// The file of a user platform that may be removed. @throws Error (BadConfig) if there is no platform with this id, it
/// is built in, its file is outside the user's folder, or another file there extends it.
std::filesystem::path removablePlatformFile(std::string_view id);
/// Removes the file of a user platform and the platform; references to it stay valid.
/// @throws Error as removablePlatformFile; (Io) if the file cannot be removed.
void removePlatform(std::string_view id);
/// Reads the user's folder again if a file in it was added, changed or removed.
void refreshPlatforms();
/// Problems of the files in the user's folder, which is read when the first platform is requested.
const std::vector<api::Problem> &platformProblems();
/// A platform of a plug-in: the text of a platform file.
struct PlatformEntry
{
    static constexpr const char *kindName = "platform";
    std::string json;
};
/// `const PlatformRegistrar board{"BOARD_INT8", R"({"id": "BOARD_INT8", ...})"};`
struct PlatformRegistrar
{
    PlatformRegistrar(const std::string &id, std::string json);
};
/// $XDG_DATA_HOME/quantloupe/platforms, otherwise ~/.local/share/quantloupe/platforms; empty if neither is known.
std::filesystem::path userPlatformFolder();

} // namespace ql
