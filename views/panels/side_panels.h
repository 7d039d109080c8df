#pragma once

#include "views/models/list_models.h"

#include <QWidget>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace ql {

struct JobState;

/// Stored runs: select the shown one, the baseline, restore a run's recipe.
class RunsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit RunsPanel(Document &document, QWidget *parent = nullptr);
    QTreeView *view() const { return m_view; }
    RunModel *model() const { return m_model; }
    /// The recipe of a run becomes the document's: one undoable step.
    void goBack(int number);

private:
    void makeMenu();
    int number() const;
    void remove(int number);
    void editNote(int number);

    Document &m_document;
    RunModel *m_model;
    QTreeView *m_view;
};

/// The job in progress and the log.
class JobsPanel : public QWidget
{
    Q_OBJECT

public:
    explicit JobsPanel(Document &document, QWidget *parent = nullptr);
    QPlainTextEdit *log() const { return m_log; }
    QWidget *tools() const { return m_tools; } ///< job, progress and Stop, for the title row of the dock

public Q_SLOTS:
    void addLine(const QString &text);

private:
    void refresh();
    void logStep(const JobState &job);

    Document &m_document;
    QString m_step; ///< written to the log
    QLabel *m_what, *m_facts;
    QWidget *m_tools;
    QProgressBar *m_bar;
    QPushButton *m_stop;
    QPlainTextEdit *m_log;
    bool m_followsEnd = true;
};

/// "1 min 5 s", "0.4 s".
QString durationText(double seconds);

} // namespace ql
