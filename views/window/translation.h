#pragma once

class QLocale;

namespace ql {

/// Installs the texts of a language (the system's without one) into the application; English needs none.
void installTranslation();
void installTranslation(const QLocale &locale);

} // namespace ql
