#include "views/window/translation.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

namespace ql {

void installTranslation(const QLocale &locale)
{
    static QTranslator own, qt;
    QCoreApplication::removeTranslator(&own);
    QCoreApplication::removeTranslator(&qt);
    QLocale::setDefault(locale);
    if (own.load(locale, QStringLiteral("quantloupe"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QCoreApplication::installTranslator(&own);
    if (qt.load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&qt);
}

void installTranslation()
{
    const QString chosen = QSettings().value(QStringLiteral("language")).toString();
    installTranslation(chosen.isEmpty() ? QLocale::system() : QLocale(chosen));
}

} // namespace ql
