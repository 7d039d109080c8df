#pragma once

#include "views/bridge/document.h"

#include <QWidget>
#include <functional>
#include <string>
#include <vector>

class QComboBox;
class QGridLayout;

namespace ql {

/// The fields of one rule of a platform (docs/platform-format.md): which slots it matches, and what it sets. It changes
/// nothing itself: it emits the edited rule. Invalid input is put into the rule as text, so that the engine reports the
/// error; unknown members are kept.
class RuleForm : public QWidget
{
    Q_OBJECT

public:
    explicit RuleForm(QWidget *parent = nullptr);
    void setObservers(const QStringList &ids);
    void setRule(const nlohmann::json &rule, bool isReadOnly);
    /// "Conv, Gemm · weight", "bits 4 · symmetric yes": for a list of rules.
    static QString words(const nlohmann::json &part);

Q_SIGNALS:
    void edited(const nlohmann::json &rule);

private:
    using Path = std::vector<std::string>; ///< {"match", "types"}
    struct Editor
    {
        Path path;
        std::function<void(const nlohmann::json &value, bool isReadOnly)> show; ///< null: omitted
    };

    void addEditor(const QString &label, const QString &tip, QWidget *widget, const Path &path, bool isWide);
    void addLine(const QString &label, const QString &tip, const Path &path,
                 QString (*textOfValue)(const nlohmann::json &), nlohmann::json (*valueOfText)(const QString &),
                 bool isWide = false);
    QComboBox *addChoice(const QString &label, const QString &tip, const Path &path,
                         const std::vector<nlohmann::json> &values);
    void addWords(const QString &label, const QString &tip, const Path &path, const QStringList &words);
    void addHeading(const QString &text);
    void put(const Path &path, const nlohmann::json &value);

    QGridLayout *m_grid;
    QComboBox *m_observer = nullptr;
    std::vector<Editor> m_editors;
    nlohmann::json m_rule;
    bool m_isShowing = false;
    int m_row = 0, m_column = 0;
};

} // namespace ql
