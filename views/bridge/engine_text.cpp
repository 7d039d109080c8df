#include "views/bridge/engine_text.h"

#include <QCache>
#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
#include <QVector>

namespace ql {

/// Of engine_texts.cpp and engine_errors.cpp; both end with a null pointer.
extern const char *const engineTexts[];
extern const char *const engineErrors[];

namespace {

struct Pattern
{
    const char *source;
    QRegularExpression expression;
    QString head, tail;    ///< in front of the first place holder, and behind the last one
    QVector<int> places;   ///< number of the place holder that each group stands for
    bool endsWithSentence; ///< what stands for the last place holder is a sentence, too: "pass %1: %2"
};

/// "quantized by %1, %2" as an expression with a group for each place holder.
Pattern patternOf(const char *source)
{
    Pattern pattern{source, {}, {}, {}, {}, false};
    const QString text = QString::fromUtf8(source);
    QString expression;
    for (qsizetype i = 0; i < text.size(); ++i) {
        if (text[i] == QLatin1Char('%') && i + 1 < text.size() && text[i + 1].isDigit()) {
            if (pattern.places.isEmpty()) pattern.head = text.left(i);
            pattern.tail = text.mid(i + 2);
            pattern.places.append(text[++i].digitValue());
            expression += QStringLiteral("(.+?)");
        } else {
            expression += QRegularExpression::escape(QString(text[i]));
        }
    }
    const QString before = text.chopped(pattern.tail.size() + 2);
    pattern.endsWithSentence =
        pattern.tail.isEmpty() && (before.endsWith(QLatin1String(": ")) || before.endsWith(QLatin1String(", found ")));
    pattern.expression.setPattern(QRegularExpression::anchoredPattern(expression));
    pattern.expression.setPatternOptions(QRegularExpression::DotMatchesEverythingOption);
    return pattern;
}

const QVector<Pattern> &patterns()
{
    static const QVector<Pattern> all = [] {
        QVector<Pattern> list;
        const QRegularExpression placeHolder(QStringLiteral("%\\d"));
        for (const char *const *texts : {engineTexts, engineErrors})
            for (const char *const *text = texts; *text; ++text)
                if (QString::fromUtf8(*text).contains(placeHolder)) list.append(patternOf(*text));
        return list;
    }();
    return all;
}

/// Whether the language of the window has the engine's sentences at all.
bool isTranslated()
{
    return QCoreApplication::translate("Engine", engineErrors[0]) != QLatin1String(engineErrors[0]);
}

/// The translation with what the groups of the match hold.
QString filled(const QString &translated, const Pattern &pattern, const QRegularExpressionMatch &match)
{
    QString out;
    for (qsizetype i = 0; i < translated.size(); ++i) {
        if (translated[i] != QLatin1Char('%') || i + 1 >= translated.size() || !translated[i + 1].isDigit()) {
            out += translated[i];
            continue;
        }
        const auto group = pattern.places.indexOf(translated[++i].digitValue());
        if (group < 0) continue;
        const QString text = match.captured(int(group) + 1);
        out += pattern.endsWithSentence && group + 1 == pattern.places.size() ? engineText(text) : text;
    }
    return out;
}

/// A list of lines, and "A sentence. Did you mean 'x'?": each part by itself. Empty: there is one part only.
QString partByPart(const QString &english)
{
    if (english.contains(QLatin1Char('\n'))) {
        QStringList lines = english.split(QLatin1Char('\n'));
        for (QString &line : lines) line = engineText(line);
        return lines.join(QLatin1Char('\n'));
    }
    static const QLatin1String tails[] = {QLatin1String(" Did you mean "), QLatin1String("; the same of "),
                                          QLatin1String(", with the sample ")};
    for (const QLatin1String tail : tails)
        if (const auto at = english.lastIndexOf(tail); at > 0)
            return engineText(english.left(at)) + engineText(english.mid(at));
    return {};
}

/// "Conv: the kernel does not fit into the input" and "rules[0].set: the rule sets nothing": behind one word.
QString behindWord(const QString &english)
{
    const auto colon = english.indexOf(QLatin1String(": "));
    if (colon < 1 || english.indexOf(QLatin1Char(' ')) < colon) return english;
    return english.left(colon + 2) + engineText(english.mid(colon + 2));
}

/// Remedies name options of the command line; in the window these have places.
QString withPlaces(QString text)
{
    if (!text.contains(QLatin1String("--"))) return text;
    static const QRegularExpression shape(QStringLiteral("--input-shape(?: (?:NAME=SIZES|名称=大小))?")),
        steps(QStringLiteral("--preprocess")), data(QStringLiteral("--(?:calib|eval)(?: (?:PATH|路径))?(?![\\w-])")),
        device(QStringLiteral("--device (\\S+?)(?=[\\s,;:.，；：。]|$)"));
    text.replace(shape, QCoreApplication::translate("EngineText", "“Edit › Model inputs and device”"));
    text.replace(steps, QCoreApplication::translate("EngineText", "the steps of “Edit › Data”"));
    text.replace(data, QCoreApplication::translate("EngineText", "“Edit › Data”"));
    text.replace(device, QCoreApplication::translate("EngineText", "the device “%1” (Edit › Model inputs and device)")
                             .arg(QStringLiteral("\\1")));
    return text;
}

QString lookedUp(const QString &english)
{
    const QByteArray utf8 = english.toUtf8();
    const QString exact = QCoreApplication::translate("Engine", utf8.constData());
    if (exact != english) return exact;
    if (const QString parts = partByPart(english); !parts.isEmpty()) return parts;
    for (const Pattern &pattern : patterns()) {
        if (!english.startsWith(pattern.head) || !english.endsWith(pattern.tail)) continue;
        const QRegularExpressionMatch match = pattern.expression.match(english);
        if (!match.hasMatch()) continue;
        const QString translated = QCoreApplication::translate("Engine", pattern.source);
        if (translated == QLatin1String(pattern.source)) continue; // not in this language
        return filled(translated, pattern, match);
    }
    return behindWord(english);
}

/// A table shows the same sentences again and again: looked up once each.
QString translated(const QString &english)
{
    if (english.isEmpty() || !isTranslated()) return english;
    static thread_local QCache<QString, QString> known(2000);
    static thread_local QLocale language;
    if (const QLocale now; now != language) {
        known.clear();
        language = now;
    }
    if (const QString *text = known.object(english)) return *text;
    const QString text = lookedUp(english);
    known.insert(english, new QString(text));
    return text;
}

} // namespace

QString engineText(const QString &english)
{
    return withPlaces(translated(english));
}

QString readableName(const std::string &name)
{
    return QString::fromStdString(name).replace(QLatin1Char('_'), QLatin1Char(' '));
}

std::optional<RuleOrigin> ruleOrigin(const QString &origin)
{
    static const QRegularExpression rule(QStringLiteral("^platform (\\S+): rule (\\d+)(?: \\((.*)\\))?$"));
    const QRegularExpressionMatch match = rule.match(origin);
    if (!match.hasMatch()) return std::nullopt;
    return RuleOrigin{match.captured(1), match.captured(2), engineText(match.captured(3))};
}

QString engineSentences(const QString &message, const QString &remedy)
{
    QString text = engineText(message).trimmed();
    static const QString ends = QStringLiteral(".?!。？！");
    const bool isChinese = !text.isEmpty() && text.back().unicode() > 0x2e80;
    if (!text.isEmpty() && !ends.contains(text.back())) text += isChinese ? QStringLiteral("。") : QStringLiteral(".");
    return (text + QLatin1Char(' ') + engineText(remedy)).trimmed();
}

} // namespace ql
