#include "views/bridge/command_text.h"

#include <QDir>
#include <QRegularExpression>

namespace ql {

namespace {

/// Reads one command.
class CommandReader
{
public:
    explicit CommandReader(const QString &text) : m_text(text) {}

    QStringList words()
    {
        while (m_at < m_text.size()) {
            const QChar next = take();
            if (next.isSpace())
                endWord();
            else if (next == QLatin1Char('\''))
                takeLiteral();
            else if (next == QLatin1Char('"'))
                takeQuoted();
            else if (next == QLatin1Char('\\') && m_at < m_text.size())
                add(take());
            else if (next == QLatin1Char('$'))
                takeVariable();
            else if (next == QLatin1Char('~') && !m_isInWord && isEndOfName())
                add(QDir::homePath());
            else
                add(next);
        }
        endWord();
        return m_words;
    }

private:
    QChar take() { return m_text[m_at++]; }
    bool isAt(char letter) const { return m_at < m_text.size() && m_text[m_at] == QLatin1Char(letter); }
    bool isEndOfName() const { return m_at == m_text.size() || isAt('/') || m_text[m_at].isSpace(); }

    void add(const QString &part)
    {
        m_word += part;
        m_isInWord = true;
    }

    void endWord()
    {
        if (m_isInWord) m_words.append(m_word);
        m_word.clear();
        m_isInWord = false;
    }

    void takeLiteral()
    {
        add(QString()); // '' is a word
        while (m_at < m_text.size())
            if (const QChar next = take(); next != QLatin1Char('\''))
                add(next);
            else
                return;
    }

    void takeQuoted()
    {
        add(QString());
        while (m_at < m_text.size()) {
            const QChar next = take();
            if (next == QLatin1Char('"')) return;
            if (next == QLatin1Char('$'))
                takeVariable();
            else if (next == QLatin1Char('\\') && (isAt('"') || isAt('\\') || isAt('$') || isAt('`')))
                add(take());
            else
                add(next);
        }
    }

    /// After the $. An unset variable is empty.
    void takeVariable()
    {
        static const QRegularExpression name(
            QStringLiteral("\\G(?:([A-Za-z_][A-Za-z0-9_]*)|\\{([A-Za-z_][A-Za-z0-9_]*)\\})"));
        const QRegularExpressionMatch match = name.match(m_text, m_at);
        if (!match.hasMatch()) return add(QStringLiteral("$"));
        m_at = match.capturedEnd();
        const QString value = qEnvironmentVariable((match.captured(1) + match.captured(2)).toLatin1().constData());
        if (!value.isEmpty()) add(value);
    }

    const QString &m_text;
    qsizetype m_at = 0;
    QString m_word;
    bool m_isInWord = false;
    QStringList m_words;
};

} // namespace

QStringList splitCommand(const QString &text)
{
    return CommandReader(text).words();
}

QString commandText(const QStringList &words)
{
    static const QRegularExpression plain(QStringLiteral("^[\\w@%+=:,./{}-]+$"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    QStringList texts = words;
    static const QRegularExpression special(QStringLiteral("[\"\\\\$`]")); // inside double quotes
    for (QString &word : texts)
        if (word.contains(QLatin1Char('\'')) && !special.match(word).hasMatch())
            word = QLatin1Char('"') + word + QLatin1Char('"');
        else if (!plain.match(word).hasMatch())
            word = QLatin1Char('\'') + word.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
    return texts.join(QLatin1Char(' '));
}

} // namespace ql
