#pragma once

#include "views/models/operation_rows.h"

#include <QRegularExpression>
#include <QString>
#include <QVector>

namespace ql {

/// Syntax of the find field: words separated by spaces, all of which must match:
///   conv          name or type contains it (case-insensitive)
///   type:Conv name:stem platform:FP32 state:passive reason:...   the member contains it, the state also in the
///                 window's language
///   bits<8  error>0.1  layerwise>=1%  sqnr < 20 dB  cosine<0.99  delta<0     numbers, with < <= > >= = !=; delta is
///                 the change from the baseline in decibels, positive is better
///   /regex/       name or type matches
///   "a b"         name or type contains the literal text
class SearchQuery
{
public:
    static SearchQuery parse(const QString &text);
    bool isEmpty() const { return m_terms.isEmpty(); }
    /// Why the text is not a query (an invalid regular expression, an unknown number); empty if it is one.
    const QString &error() const { return m_error; }
    bool matches(const OperationRow &row) const;

private:
    struct Term
    {
        QString member, text;
        QChar compare; ///< '<', '>', '=', 'l' (<=), 'g' (>=), '!' (!=); null: text
        double number = 0;
        QRegularExpression regex; ///< if valid and not empty
    };
    QVector<Term> m_terms;
    QString m_error;
};

} // namespace ql
