#pragma once

#include "core/api/json_text.h"
#include "core/api/params.h"
#include "core/api/ppq_setting.h"
#include "core/api/recipe.h"

#include <string>
#include <vector>

namespace ql {

/// A setting of PPQ as a recipe, and what it could not express.
struct ConvertedSetting
{
    api::Recipe recipe;                 ///< without a model
    std::vector<api::Problem> problems; ///< what has no meaning here, or needs what this version lacks
};

/// The recipe with the effect of a setting file of PPQ: the JSON of QuantizationSetting.to_json(), or of the beginners'
/// UnbelievableUserFriendlyQuantizationSetting. Members that the file omits have PPQ's defaults.
/// resources/settings/ppq.json says what each member becomes; docs/ppq-settings.md is made from it.
/// @param platform id of the target; empty: that of the file, otherwise the default
/// @throws Error (BadConfig) with the place of an unknown member, and of a value that the recipe cannot have
ConvertedSetting convertPpqSetting(const api::JsonText &text, const std::string &platform);

/// How each member of the setting is converted.
const std::vector<api::SettingField> &ppqSettingFields();

} // namespace ql
