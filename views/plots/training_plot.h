#pragma once

#include "views/models/training_log.h"
#include "views/plots/plot_style.h"

#include <QWidget>

class QCPGraph;
class QCPItemRect;
class QCustomPlot;
class QToolButton;

namespace ql {

/// The error of each block while it is trained, relative to that before training: the loss of the steps as a line, the
/// tests on held-out samples as points. Blocks follow each other along the horizontal axis. A click chooses a block.
class TrainingPlot : public QWidget
{
    Q_OBJECT

public:
    explicit TrainingPlot(QWidget *parent = nullptr);

    void setLog(const TrainingLog &log);
    void setCurrent(int block); ///< position in the log; negative: none
    QCustomPlot *plot() const { return m_plot; }
    QToolButton *exportButton() const { return m_export; }
    int lossCount() const; ///< points of the curve of losses
    /// Where a block is drawn, in the plot's coordinates.
    QPoint centreOf(int block) const;
    QVector<PlotSource> plots();

Q_SIGNALS:
    void blockRequested(int block);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void rebuild();
    void restyle();
    int blockAt(const QPoint &position) const; ///< -1: none

    TrainingLog m_log;
    int m_current = -1;
    QCustomPlot *m_plot;
    QToolButton *m_export;
    QCPGraph *m_losses, *m_tests, *m_one;
    QCPItemRect *m_mark;
};

} // namespace ql
