#pragma once

#include <QString>
#include <QStringList>

namespace ql {

/// The words of a command that the user types, split as by a shell: quotes of both kinds and backslashes, outside
/// single quotes $NAME and ${NAME}, at the start of a word ~. A quote without end reaches to the end. What only a shell
/// can do (pipes, lists of commands, * and {a,b}) is not done: those characters stay. {model} is a word like any other.
QStringList splitCommand(const QString &text);
/// As it can be typed: the inverse of splitCommand().
QString commandText(const QStringList &words);

} // namespace ql
