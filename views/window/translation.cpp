#include "views/window/translation.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QSettings>
#include <QTranslator>

static void initTranslations()
{
    Q_INIT_RESOURCE(i18n);
}

namespace ql {

void installTranslation(const QLocale &locale)
{
    initTranslations();
    static QTranslator own, qt;
    QCoreApplication::removeTranslator(&own);
    QCoreApplication::removeTranslator(&qt);
    QLocale::setDefault(locale);
    if (own.load(locale, QStringLiteral("quantloupe"), QStringLiteral("_"), QStringLiteral(":/i18n")) ||
        own.load(QStringLiteral(":/i18n/quantloupe_en.qm"))) // English has forms of its own for one and many
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
