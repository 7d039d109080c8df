#include "views/window/translation.h"

#include <QCoreApplication>
#include <QHash>
#include <QLibraryInfo>
#include <QLocale>
#include <QMutex>
#include <QSettings>
#include <QTranslator>

static void initTranslations()
{
    Q_INIT_RESOURCE(i18n);
}

// Qt's own words in dialogs, for systems without Qt's translations
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

namespace {

/// Remembers the requested texts: the list of all commands also finds them by their English names.
class RecordingTranslator : public QTranslator
{
public:
    QString translate(const char *context, const char *source, const char *disambiguation, int n) const override
    {
        QString text = QTranslator::translate(context, source, disambiguation, n);
        if (!text.isEmpty()) {
            const QMutexLocker lock(&m_mutex); // the engine's link translates on another thread
            m_sources.insert(text, QString::fromUtf8(source));
        }
        return text;
    }
    QString sourceOf(const QString &text) const
    {
        const QMutexLocker lock(&m_mutex);
        if (const auto it = m_sources.constFind(text); it != m_sources.cend()) return *it;
        // With a value in it: the longest text around a value
        static const QString place = QStringLiteral("%1");
        QString found = text;
        qsizetype longest = 0;
        for (auto it = m_sources.cbegin(); it != m_sources.cend(); ++it) {
            const qsizetype at = it.key().indexOf(place), around = it.key().size() - place.size();
            if (at < 0 || around <= longest || around > text.size()) continue;
            const QStringView before = QStringView(it.key()).left(at), after = QStringView(it.key()).mid(at + 2);
            if (!text.startsWith(before) || !text.endsWith(after)) continue;
            longest = around;
            found = QString(it.value()).replace(place, text.mid(at, text.size() - around));
        }
        return found;
    }
    void forget()
    {
        const QMutexLocker lock(&m_mutex);
        m_sources.clear();
    }

private:
    mutable QMutex m_mutex;
    mutable QHash<QString, QString> m_sources; ///< by what they were translated into
};

RecordingTranslator &ownTranslator()
{
    static RecordingTranslator translator;
    return translator;
}

} // namespace

QString englishOf(const QString &text)
{
    return ownTranslator().sourceOf(text);
}

void installTranslation(const QLocale &locale)
{
    initTranslations();
    static QTranslator qt;
    RecordingTranslator &own = ownTranslator();
    own.forget();
    QCoreApplication::removeTranslator(&own);
    QCoreApplication::removeTranslator(&qt);
    QLocale::setDefault(locale);
    if (own.load(locale, QStringLiteral("quantloupe"), QStringLiteral("_"), QStringLiteral(":/i18n")) ||
        own.load(QStringLiteral(":/i18n/quantloupe_en.qm"))) // English has plural forms
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
