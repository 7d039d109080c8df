#pragma once

#include <QStringList>
#include <QWidget>
#include <cstdint>
#include <string>
#include <vector>

class QCheckBox;
class QListWidget;
class QPlainTextEdit;
class QSpinBox;
class QToolButton;

namespace ql {

class Document;
class ProgramField;

/// What a search is to reach, its limits, and the operations that it must not change.
class TuneForm : public QWidget
{
    Q_OBJECT

public:
    enum class Lock { Int8, Float, Keep };

    explicit TuneForm(Document &document, QWidget *parent = nullptr);

    std::vector<std::string> goals() const; ///< the lines that are not empty
    std::vector<std::string> locks() const; ///< GLOB=int8|float|keep
    double seconds() const;
    std::int64_t trials() const; ///< 0: no limit
    bool resumes() const;
    ProgramField &metric() { return *m_metric; } ///< of the user, instead of labels; its path may be empty
    void setGoals(const QString &lines);
    /// For a user who has not written any.
    void proposeGoals(bool hasMetric);
    void setTrials(int trials);
    /// Replaces the locks of these operations.
    void lock(const QStringList &operations, Lock lock);
    /// As NAME and kind, for the settings.
    QStringList lockLines() const;
    void setLocks(const QStringList &lines);
    /// A lock in words: "keep INT8".
    static QString lockText(Lock lock);
    void remember(); ///< goals and budget, for the next search of any document

Q_SIGNALS:
    void edited();
    void locksChanged(); ///< by the user

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *makeGoals();
    QWidget *makeLocks();
    void removeLocks(); ///< the selected ones
    void fitLocks();
    void addLock(const QString &operation, Lock lock);

    QPlainTextEdit *m_goals;
    QSpinBox *m_minutes, *m_trials;
    QListWidget *m_locks;
    QToolButton *m_remove;
    ProgramField *m_metric;
    QCheckBox *m_resume;
    QString m_proposed;
};

} // namespace ql
