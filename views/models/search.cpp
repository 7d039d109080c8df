#include "views/models/search.h"

#include "views/bridge/engine_text.h"

#include <QCoreApplication>
#include <optional>

namespace ql {

static const QStringList textMembers{QStringLiteral("type"),  QStringLiteral("name"),   QStringLiteral("platform"),
                                     QStringLiteral("state"), QStringLiteral("reason"), QStringLiteral("shape")};
static const QStringList numberMembers{
    QStringLiteral("bits"), QStringLiteral("error"),  QStringLiteral("graphwise"), QStringLiteral("layerwise"),
    QStringLiteral("sqnr"), QStringLiteral("cosine"), QStringLiteral("delta")};

/// "0.1", "0,1", "10%"; decibels may have a unit.
static std::optional<double> numberOf(QString text)
{
    if (text.endsWith(QLatin1String("db"), Qt::CaseInsensitive)) text.chop(2);
    const bool isPercent = text.endsWith(QLatin1Char('%'));
    if (isPercent) text.chop(1);
    bool isNumber = false;
    const double number = text.replace(QLatin1Char(','), QLatin1Char('.')).toDouble(&isNumber);
    if (!isNumber) return std::nullopt;
    return isPercent ? number / 100 : number;
}

/// The words of text: separated by spaces, except between quotes or slashes and around the sign and the unit of "error
/// > 10 %". A quoted word keeps its first quote.
static QStringList wordsOf(const QString &text)
{
    static const QRegularExpression word(
        QStringLiteral("\"([^\"]*)\"|/.+/(?=\\s|$)|([a-z]+\\s*(?:<=|>=|!=|<|>|=)\\s*\\S*(?:\\s*(?:%|dB\\b))?)|\\S+"),
        QRegularExpression::CaseInsensitiveOption);
    QStringList words;
    for (auto it = word.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        words.append(match.hasCaptured(1)   ? QLatin1Char('"') + match.captured(1)
                     : match.hasCaptured(2) ? match.captured().remove(QLatin1Char(' '))
                                            : match.captured());
    }
    return words;
}

SearchQuery SearchQuery::parse(const QString &text)
{
    SearchQuery query;
    static const QRegularExpression comparison(QStringLiteral("^([a-z]+)(<=|>=|!=|<|>|=)(.*)$"),
                                               QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression memberText(QStringLiteral("^([a-z]+):(.*)$"),
                                               QRegularExpression::CaseInsensitiveOption);
    const auto fail = [&](const QString &why) {
        if (query.m_error.isEmpty()) query.m_error = why;
    };
    for (const QString &word : wordsOf(text.trimmed())) {
        Term term;
        if (word.startsWith(QLatin1Char('"'))) {
            term.text = word.mid(1);
        } else if (word.size() > 2 && word.startsWith(QLatin1Char('/')) && word.endsWith(QLatin1Char('/'))) {
            term.regex = QRegularExpression(word.mid(1, word.size() - 2), QRegularExpression::CaseInsensitiveOption);
            if (!term.regex.isValid()) {
                fail(QCoreApplication::translate("SearchQuery", "Not a regular expression: %1")
                         .arg(term.regex.errorString()));
                continue;
            }
        } else if (const auto m = comparison.match(word); m.hasMatch()) {
            term.member = m.captured(1).toLower();
            const QString sign = m.captured(2);
            term.compare = sign == QLatin1String("<=")   ? QLatin1Char('l')
                           : sign == QLatin1String(">=") ? QLatin1Char('g')
                                                         : sign.at(0);
            const std::optional<double> number = numberOf(m.captured(3));
            term.number = number.value_or(0);
            if (!numberMembers.contains(term.member))
                fail(QCoreApplication::translate("SearchQuery", "There is no number called %1; use one of: %2")
                         .arg(m.captured(1), numberMembers.join(QStringLiteral(", "))));
            else if (!number)
                fail(QCoreApplication::translate("SearchQuery", "Not a number: %1").arg(m.captured(3)));
        } else if (const auto t = memberText.match(word);
                   t.hasMatch() && textMembers.contains(t.captured(1).toLower())) {
            term.member = t.captured(1).toLower();
            term.text = t.captured(2);
        } else {
            term.text = word;
        }
        query.m_terms.append(term);
    }
    return query;
}

static bool compares(std::optional<double> value, QChar compare, double number)
{
    if (!value) return false;
    switch (compare.toLatin1()) {
    case '<': return *value < number;
    case '>': return *value > number;
    case 'l': return *value <= number;
    case 'g': return *value >= number;
    case '!': return *value != number;
    default: return *value == number;
    }
}

bool SearchQuery::matches(const OperationRow &row) const
{
    for (const Term &term : m_terms) {
        if (term.regex.isValid() && !term.regex.pattern().isEmpty()) {
            if (!term.regex.match(row.name).hasMatch() && !term.regex.match(row.type).hasMatch()) return false;
            continue;
        }
        if (!term.compare.isNull()) {
            std::optional<double> value = row.graphwise;
            if (term.member == QLatin1String("bits"))
                value = row.bits > 0 ? std::optional<double>(row.bits) : std::nullopt;
            if (term.member == QLatin1String("error") && !value) value = row.layerwise;
            if (term.member == QLatin1String("layerwise")) value = row.layerwise;
            if (term.member == QLatin1String("sqnr")) value = row.sqnrDb;
            if (term.member == QLatin1String("cosine")) value = row.cosine;
            if (term.member == QLatin1String("delta")) value = row.changeDb();
            if (!compares(value, term.compare, term.number)) return false;
            continue;
        }
        const auto has = [&](const QString &text) { return text.contains(term.text, Qt::CaseInsensitive); };
        const auto hasState = [&] {
            return row.state && (has(wordOf(*row.state)) || has(engineText(wordOf(*row.state))));
        };
        const bool found = term.member.isEmpty()                      ? has(row.name) || has(row.type)
                           : term.member == QLatin1String("type")     ? has(row.type)
                           : term.member == QLatin1String("name")     ? has(row.name)
                           : term.member == QLatin1String("platform") ? has(row.platform)
                           : term.member == QLatin1String("state")    ? hasState()
                           : term.member == QLatin1String("shape")    ? has(row.shape)
                                                                      : has(row.reason);
        if (!found) return false;
    }
    return true;
}

} // namespace ql
