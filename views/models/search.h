#pragma once

#include "views/models/operation_rows.h"

#include <QRegularExpression>
#include <QString>
#include <QVector>

namespace ql {

/// What the find field understands, words apart by blanks, all of them must hold:
///   conv          name or type contains it (case does not matter)
///   type:Conv name:stem platform:FP32 state:passive reason:...   the member contains it, the state also as
///                 the window says it
///   bits<8  error>0.1  layerwise>=1%  sqnr < 20 dB  cosine<0.99  delta<0     numbers, with < <= > >= = !=; delta is
///                 the change against the baseline in decibels, positive is better
///   /regex/       name or type matches
///   "a b"         name or type contains it, blanks and signs as they are
class SearchQuery
{
public:
    static SearchQuery parse(const QString &text);
    bool isEmpty() const { return m_terms.isEmpty(); }
    /// Why the text is no query (a broken regular expression, an unknown number); empty when it is one.
    const QString &error() const { return m_error; }
    bool matches(const OperationRow &row) const;

private:
    struct Term
    {
        QString member, text;
        QChar compare; ///< '<', '>', '=', 'l' (<=), 'g' (>=), '!' (!=); null: text
        double number = 0;
        QRegularExpression regex; ///< when valid and not empty
    };
    QVector<Term> m_terms;
    QString m_error;
};

} // namespace ql
