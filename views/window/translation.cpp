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

// Words of Qt's own that every dialog has, for systems without Qt's translations
[[maybe_unused]] static const char *const qtTexts[] = {QT_TRANSLATE_NOOP("QPlatformTheme", "OK"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Cancel"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Close"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "&Yes"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "&No"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Save"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Discard"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Open"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Apply"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Reset"),
                                                       QT_TRANSLATE_NOOP("QPlatformTheme", "Help"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "&Undo"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "&Redo"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "Cu&t"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "&Copy"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "&Paste"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "Delete"),
                                                       QT_TRANSLATE_NOOP("QLineEdit", "Select All"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "&Undo"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "&Redo"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "Cu&t"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "&Copy"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "&Paste"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "Delete"),
                                                       QT_TRANSLATE_NOOP("QWidgetTextControl", "Select All")};

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
