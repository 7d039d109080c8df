#include "views/models/search.h"

#include "views/bridge/engine_text.h"

#include <QCoreApplication>
#include <optional>

namespace ql {

static const QStringList textMembers{QStringLiteral("type"),  QStringLiteral("name"),   QStringLiteral("platform"),
                                     QStringLiteral("state"), QStringLiteral("reason"), QStringLiteral("shape")};
static const QStringList numberMembers{QStringLiteral("bits"),      QStringLiteral("error"),
                                       QStringLiteral("graphwise"), QStringLiteral("layerwise"),
                                       QStringLiteral("sqnr"),      QStringLiteral("cosine")};

/// "0.1", "0,1", "10%"; decibels may be named.
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

SearchQuery SearchQuery::parse(const QString &text)
{
    SearchQuery query;
    const QString whole = text.trimmed();
    if (whole.size() > 1 && whole.startsWith(QLatin1Char('/')) && whole.endsWith(QLatin1Char('/')) &&
        whole.size() > 2) {
        Term term;
        term.regex = QRegularExpression(whole.mid(1, whole.size() - 2), QRegularExpression::CaseInsensitiveOption);
        if (!term.regex.isValid())
            query.m_error =
                QCoreApplication::translate("SearchQuery", "No regular expression: %1").arg(term.regex.errorString());
        else
            query.m_terms.append(term);
        return query;
    }
    static const QRegularExpression comparison(QStringLiteral("^([a-z]+)(<=|>=|!=|<|>|=)(.+)$"),
                                               QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression spaced(QStringLiteral("\\s*(<=|>=|!=|<|>|=)\\s*")); // "error > 0.1"
    static const QRegularExpression memberText(QStringLiteral("^([a-z]+):(.*)$"),
                                               QRegularExpression::CaseInsensitiveOption);
    for (const QString &word :
         QString(whole).replace(spaced, QStringLiteral("\\1")).split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        Term term;
        if (const auto m = comparison.match(word); m.hasMatch() && numberMembers.contains(m.captured(1).toLower())) {
            term.member = m.captured(1).toLower();
            const QString sign = m.captured(2);
            term.compare = sign == QLatin1String("<=")   ? QLatin1Char('l')
                           : sign == QLatin1String(">=") ? QLatin1Char('g')
                                                         : sign.at(0);
            const std::optional<double> number = numberOf(m.captured(3));
            term.number = number.value_or(0);
            if (!number) query.m_error = QCoreApplication::translate("SearchQuery", "No number: %1").arg(m.captured(3));
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
            if (!compares(value, term.compare, term.number)) return false;
            continue;
        }
        const auto has = [&](const QString &text) { return text.contains(term.text, Qt::CaseInsensitive); };
        const bool found = term.member.isEmpty()                      ? has(row.name) || has(row.type)
                           : term.member == QLatin1String("type")     ? has(row.type)
                           : term.member == QLatin1String("name")     ? has(row.name)
                           : term.member == QLatin1String("platform") ? has(row.platform)
                           : term.member == QLatin1String("state")    ? has(row.state) || has(engineText(row.state))
                           : term.member == QLatin1String("shape")    ? has(row.shape)
                                                                      : has(row.reason);
        if (!found) return false;
    }
    return true;
}

} // namespace ql
