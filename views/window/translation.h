#pragma once

#include <QString>

class QLocale;

namespace ql {

/// Installs the translation of a language (by default the system's) into the application; English needs none.
void installTranslation();
void installTranslation(const QLocale &locale);
/// The English original of a text of the window in its current language, otherwise the text itself. Inserted values are
/// kept: "Colour by 平台".
QString englishOf(const QString &text);

} // namespace ql
