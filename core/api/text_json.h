#pragma once

#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace ql::api {

/// A text in JSON: a string (verbatim), an integer, {"number": x, "digits": n}, {"option": words}, {"list": [...],
/// "join": "comma"} or {"text": template, "args": [...]}.
nlohmann::json toJson(const Text &text);
/// @throws Error (BadData) for anything else
Text textFromJson(const nlohmann::json &value);

/// The English under key, and, if it has arguments, the text itself under key + "_text": scripts read the first, a
/// window in another language the second.
void putText(nlohmann::json &object, const std::string &key, const Text &text);
/// The text written by putText(); empty if object has no key. A string alone is a template without arguments.
/// @throws Error (BadData) as textFromJson()
Text textAt(const nlohmann::json &object, const std::string &key);

/// A list of texts: their English under key, the texts themselves under key + "_text" if one has arguments.
void putTexts(nlohmann::json &object, const std::string &key, const std::vector<Text> &texts);
/// The texts written by putTexts(). @throws Error (BadData) as textFromJson()
std::vector<Text> textsAt(const nlohmann::json &object, const std::string &key);

} // namespace ql::api
