#pragma once

#include <QString>
#include <optional>
#include <string>

namespace ql {

/// What the engine says, in the language of the window. The engine's English is data; sentences that are known
/// (engine_texts.cpp) are translated, with their names and numbers put back in. Others stay as they are.
QString engineText(const QString &english);

/// The name of a parameter or field, "force_overlap" as "force overlap"; engineText() knows many of them.
QString readableName(const std::string &name);

/// The rule of a platform that set a field, "platform TRT_INT8: rule 3 (bias in float32)".
struct RuleOrigin
{
    QString platform, number, name; ///< name: in the language of the window; may be empty
};
/// Nothing where origin (ConfigInfo::setBy) is no rule.
std::optional<RuleOrigin> ruleOrigin(const QString &origin);

/// Message and remedy of an error, as sentences behind each other.
QString engineSentences(const QString &message, const QString &remedy);

} // namespace ql
