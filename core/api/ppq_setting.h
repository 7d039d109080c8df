#pragma once

#include "core/api/json_text.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// PPQ's settings as data: what each member becomes (resources/settings), and files of them.
namespace ql::api {

/// A member of PPQ's QuantizationSetting, and its counterpart in a recipe.
struct SettingField
{
    std::string field;                             ///< "equalization_setting.iterations"
    nlohmann::json fallback;                       ///< PPQ's default
    std::string path = {};                         ///< of the recipe; empty: see the others
    std::string none = {};                         ///< why it has no meaning here
    bool isQuiet = false;                          ///< has no effect in PPQ either: not reported
    bool isOtherOnly = false;                      ///< only a value other than the default is reported
    bool isDispatch = false;                       ///< the table of platforms by operation
    bool isLowerCase = false;                      ///< PPQ ignores the case of the value
    std::string onlyIf = {};                       ///< a field that must be true for this one to have an effect
    std::string both = {};                         ///< true in the recipe if this field and that one are
    std::map<std::string, std::string> words = {}; ///< values with another name here
    std::map<std::string, nlohmann::json> fieldsIfOff = {}; ///< fields of the recipe if it is false
};

struct SettingTable
{
    std::vector<SettingField> fields;
    std::map<std::string, std::string> platforms; ///< ids by PPQ's numbers, and by names that differ from the ids
    std::set<std::string> samples;                ///< operation names of the explanatory entries in PPQ's table
};
/// @throws Error (BadConfig) with the place of what is wrong.
SettingTable settingTableFromJson(const JsonText &text);

/// PPQ's UnbelievableUserFriendlyQuantizationSetting, as parameters of a preset.
struct SimpleSetting
{
    std::string platform;
    nlohmann::json params = nlohmann::json::object(); ///< of the preset "beginner"
    bool hasOutputs = false;                          ///< gives interested_outputs, which PPQ does not read
};
/// Unset for the complete setting. @throws Error (BadConfig) with the place of what is wrong.
std::optional<SimpleSetting> simpleSettingFromJson(const JsonText &text);

} // namespace ql::api
