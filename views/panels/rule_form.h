#pragma once

#include "core/api/rule.h"

#include <QWidget>
#include <functional>
#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QGridLayout;

namespace ql {

/// The fields of one rule of a platform (docs/platform-format.md): which slots it matches, and what it sets. It changes
/// nothing itself: it emits the edited rule. Text that is no value of its field is refused and stays there; whether the
/// values of a rule are legal together the engine reports.
class RuleForm : public QWidget
{
    Q_OBJECT

public:
    explicit RuleForm(QWidget *parent = nullptr);
    void setObservers(const QStringList &ids);
    /// No rule: nothing can be written.
    void setRule(const std::optional<api::Rule> &rule, bool isReadOnly);
    /// "Conv, Gemm · weight", "bits 4 · symmetric yes": for a list of rules.
    static QString words(const api::RuleMatch &match);
    static QString words(const api::RuleSet &set);

Q_SIGNALS:
    void edited(const ql::api::Rule &rule);
    /// reason: a sentence.
    void refused(const QString &reason);

private:
    using Show = std::function<void(const api::Rule &rule, bool isReadOnly)>;

    void addEditor(const QString &label, const QString &tip, QWidget *widget, const QString &name, bool isWide);
    /// take: false for a text that is no value.
    void addLine(const QString &label, const QString &tip, const QString &name,
                 const std::function<QString(const api::Rule &)> &textOf,
                 const std::function<bool(api::Rule &, const QString &)> &take, bool isWide = false);
    template <class Part, class Number>
    void addNumber(const QString &label, const QString &tip, const QString &name, Part api::Rule::*part,
                   std::optional<Number> Part::*member);
    template <class Part, class Value>
    QComboBox *addChoice(const QString &label, const QString &tip, const QString &name, Part api::Rule::*part,
                         std::optional<Value> Part::*member, const std::vector<Value> &values);
    template <class Word>
    void addWords(const QString &label, const QString &tip, const QString &name,
                  std::vector<Word> api::RuleMatch::*member, const std::vector<Word> &values);
    void addHeading(const QString &text);
    void addMatch();
    void addSet();
    void put(const std::function<void(api::Rule &)> &change);

    QGridLayout *m_grid;
    QComboBox *m_observer = nullptr;
    std::vector<Show> m_editors;
    std::optional<api::Rule> m_rule;
    bool m_isShowing = false;
    int m_row = 0, m_column = 0;
};

} // namespace ql
