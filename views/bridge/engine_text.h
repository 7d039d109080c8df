#pragma once

#include "core/base/text.h"

#include <QString>
#include <exception>
#include <optional>
#include <string>

namespace ql {

/// A text of the engine in the language of the window: template and nested texts translated, numbers and lists
/// formatted for that language, options of the command line replaced by the window's place for the setting.
QString engineText(const Text &text);
/// A single word of the engine, such as a state or the readable name of a parameter; unchanged if it has no
/// translation.
QString engineText(const QString &word);

/// The name of a parameter or field, "force_overlap" as "force overlap"; engineText() translates many of them.
QString readableName(const std::string &name);

/// Message and remedy of an error, as consecutive sentences, after its file if it has one.
QString engineSentences(const Text &message, const Text &remedy, const std::string &file = {});
/// The same of an exception. Exceptions of the libraries stay as they are.
QString exceptionText(const std::exception &error);

} // namespace ql
