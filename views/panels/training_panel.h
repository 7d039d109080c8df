#pragma once

#include "views/bridge/document.h"
#include "views/models/training_log.h"

#include <QHash>
#include <QStringList>
#include <QWidget>

class QLabel;
class QPushButton;
class QTableWidget;

namespace ql {

class TrainingPlot;

/// Training of the run in progress or of the shown run: the error of each block as it falls, and all blocks with their
/// errors before and after. A click on a block selects its operations.
class TrainingPanel : public QWidget
{
    Q_OBJECT

public:
    explicit TrainingPanel(Document &document, QWidget *parent = nullptr);
    /// For the title row of the dock.
    QWidget *tools() const { return m_tools; }
    TrainingPlot *plot() const { return m_plot; }
    QTableWidget *table() const { return m_table; }
    QString summary() const;                  ///< block, step, loss and time left; of a finished run its blocks
    int current() const { return m_current; } ///< the chosen block; negative: none
    void choose(int block);

Q_SIGNALS:
    /// Training goes on: blocks that are done, of all of the pass; 0 of 0 when it has ended.
    void progressed(int done, int count);

private:
    void makeTools();
    void follow();
    void take(const api::TrainingEvent &event);
    void showRun(); ///< unless one that trains is in progress
    void showLog();
    void fillRow(int row, const BlockCurve &block);
    void showSummary();
    QString progressText() const;
    QString resultText() const;
    QString passTitle(const QString &id) const;
    bool mayTrain() const; ///< a pass of the recipe trains

    Document &m_document;
    TrainingPlot *m_plot;
    QTableWidget *m_table;
    QLabel *m_summary;
    QPushButton *m_stop;
    QWidget *m_tools = nullptr, *m_found = nullptr;
    TrainingLog m_log;
    QHash<QString, TrainingLog> m_known; ///< curves of runs of this session, by RunData::key()
    QStringList m_order;                 ///< of m_known, the latest last
    bool m_isLive = false;               ///< m_log is that of a run in progress
    bool m_isStopped = false;            ///< ... that was stopped or failed
    int m_current = -1;
    double m_secondsLeft = -1;
};

} // namespace ql
