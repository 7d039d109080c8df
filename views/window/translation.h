#pragma once

#include <QString>

class QLocale;

namespace ql {

/// Installs the texts of a language (the system's without one) into the application; English needs none.
void installTranslation();
void installTranslation(const QLocale &locale);
/// The English of a text of the window that was translated into the language it has now, the text itself otherwise.
/// What was put into a place holder stays where it was: "Colour by 平台".
QString englishOf(const QString &text);

} // namespace ql
