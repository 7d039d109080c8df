#include "views/bridge/engine_text.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>
#include <QVector>

namespace ql {

/// Of engine_texts.cpp; ends with a null pointer.
extern const char *const engineTexts[];

namespace {

struct Pattern
{
    const char *source;
    QRegularExpression expression;
    QVector<int> places; ///< number of the place holder that each group stands for
};

/// "quantized by %1, %2" as an expression with a group for each place holder.
Pattern patternOf(const char *source)
{
    Pattern pattern{source, {}, {}};
    const QString text = QString::fromUtf8(source);
    QString expression;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('%') && i + 1 < text.size() && text[i + 1].isDigit()) {
            pattern.places.append(text[++i].digitValue());
            expression += QStringLiteral("(.+?)");
        } else {
            expression += QRegularExpression::escape(QString(text[i]));
        }
    }
    pattern.expression.setPattern(QRegularExpression::anchoredPattern(expression));
    pattern.expression.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    return pattern;
}

const QVector<Pattern> &patterns()
{
    static const QVector<Pattern> all = [] {
        QVector<Pattern> list;
        for (const char *const *text = engineTexts; *text; ++text)
            if (QString::fromUtf8(*text).contains(QRegularExpression(QStringLiteral("%\\d"))))
                list.append(patternOf(*text));
        return list;
    }();
    return all;
}

} // namespace

QString engineText(const QString &english)
{
    if (english.isEmpty()) return english;
    const QByteArray utf8 = english.toUtf8();
    const QString exact = QCoreApplication::translate("Engine", utf8.constData());
    if (exact != english) return exact;
    for (const Pattern &pattern : patterns()) {
        const QString translated = QCoreApplication::translate("Engine", pattern.source);
        if (translated == QLatin1String(pattern.source)) continue; // not in this language
        const QRegularExpressionMatch match = pattern.expression.match(english);
        if (!match.hasMatch()) continue;
        QString out;
        for (qsizetype i = 0; i < translated.size(); ++i) {
            if (translated[i] != QLatin1Char('%') || i + 1 >= translated.size() || !translated[i + 1].isDigit()) {
                out += translated[i];
                continue;
            }
            const auto group = pattern.places.indexOf(translated[++i].digitValue());
            if (group >= 0) out += match.captured(int(group) + 1);
        }
        return out;
    }
    return english;
}

} // namespace ql
