#pragma once

#include "core/base/text.h"

#include <QString>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ql {

/// A text of the engine in the language of the window: template and nested texts translated, numbers and lists written
/// as in that language, options of the command line replaced by the place where the window sets them.
QString engineText(const Text &text);
/// The text that the engine has put under key of object (api::putText()); empty when there is none.
QString engineText(const nlohmann::json &object, const char *key);
/// The same, not yet in the language of the window.
Text engineTextOf(const nlohmann::json &object, const char *key);
/// A single word of the engine, such as a state or the readable name of a parameter; as it is when it has no
/// translation.
QString engineText(const QString &word);

/// The name of a parameter or field, "force_overlap" as "force overlap"; engineText() knows many of them.
QString readableName(const std::string &name);

/// Message and remedy of an error, as sentences one after the other.
QString engineSentences(const Text &message, const Text &remedy);

} // namespace ql
