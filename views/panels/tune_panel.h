#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_requests.h"
#include "views/panels/tune_form.h"

#include <QTimer>
#include <QVector>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QTableWidget;
class QToolButton;

namespace ql {

class NoteArea;
class ParetoPlot;

/// A search for a recipe that meets goals: its trials as they are measured, what each of them changes, and a button
/// that makes one of them the document's recipe.
class TunePanel : public QWidget
{
    Q_OBJECT

public:
    explicit TunePanel(Document &document, QWidget *parent = nullptr);
    /// Buttons and progress, for the title row of the dock.
    QWidget *tools() const { return m_tools; }
    TuneForm *form() const { return m_form; }
    ParetoPlot *plot() const { return m_plot; }
    QTableWidget *table() const { return m_table; }
    QString summary() const; ///< of the search and of the chosen trial
    int trialCount() const { return int(m_steps.size()); }
    int current() const { return m_current; } ///< the chosen trial; negative: none
    void choose(int trial);

Q_SIGNALS:
    /// Operations whose settings differ between the chosen trial and the first recipe.
    void markRequested(const QStringList &operations);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void makeTools();
    QWidget *makeForm();
    QWidget *makeResult();
    void followEngine();
    void followDocument();
    void start();
    void take(const TuneStepPtr &step);
    void addRow(const api::TuneTrial &trial);
    double gainOf(const api::TuneTrial &trial) const; ///< dB over its parent; NaN: unknown
    void showTrials();
    void showJob();
    void showSummary();
    QStringList reportLines() const;
    QStringList trialLines(const api::TuneStep &step) const;
    void adopt();
    /// The recipe of a trial with what a search does not decide: as in the document.
    api::Recipe recipeOf(const api::TuneStep &step) const;
    void pick(int trial); ///< by the user: its errors are measured, and shown
    void showErrors();
    QString shownRun(const api::TuneStep &step) const; ///< the run whose errors the window shows; empty: another one's
    QString lockKey() const;
    void restoreLocks();
    void clear();
    void fitColumns();
    const api::TuneStep *chosen() const;
    QStringList changedOperations(const api::TuneStep &step) const;

    Document &m_document;
    TuneForm *m_form;
    ParetoPlot *m_plot;
    QTableWidget *m_table;
    QLabel *m_result;
    QPushButton *m_start, *m_stop, *m_mark, *m_adopt;
    QProgressBar *m_bar;
    QToolButton *m_settings;
    QWidget *m_tools = nullptr, *m_found = nullptr;
    NoteArea *m_resultArea = nullptr;
    QVector<TuneStepPtr> m_steps; ///< at the position of the trial's id
    TuneReportPtr m_report;       ///< null until the search has finished; stopped ones have none
    QStringList m_hashes;         ///< of the recipe that is searched from, and of adopted ones
    QString m_folder;             ///< that relative paths of the trials' recipes start from
    QString m_progress;           ///< while it goes on
    QString m_why;                ///< the search ended early
    int m_current = -1;
    bool m_isChosen = false; ///< by the user, while the search goes on
    double m_budget = 0;     ///< seconds
    QTimer m_errorsTimer;    ///< while the user moves from trial to trial
    QString m_lockedFile;    ///< whose locks the form has
};

} // namespace ql
