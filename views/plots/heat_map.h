#pragma once

#include "core/api/noise.h"
#include "views/plots/plot_style.h"

#include <QWidget>
#include <memory>

class QCPColorMap;
class QCPItemRect;
class QCustomPlot;
class QToolButton;

namespace ql {

using ExplanationPtr = std::shared_ptr<const api::Explanation>;

/// Noise of each operation (rows, in execution order) in each sample (columns), in the colours of errors. A click, or
/// Up and Down, chooses an operation.
class HeatMap : public QWidget
{
    Q_OBJECT

public:
    explicit HeatMap(QWidget *parent = nullptr);
    void setExplanation(const ExplanationPtr &explanation); ///< null: none
    void setCurrent(int row);                               ///< negative: none
    void setSample(int column);                             ///< marks it; negative: none
    QCustomPlot *plot() const { return m_plot; }
    QToolButton *exportButton() const { return m_export; }
    /// Where a cell is drawn, in the plot's coordinates.
    QPoint centreOf(int row, int sample) const;
    QString tipAt(const QPoint &position) const; ///< operation, sample and noise
    QString csv() const;
    QVector<PlotSource> plots();

Q_SIGNALS:
    void rowRequested(int row);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void rebuild();
    void restyle();
    int rowCount() const;
    int rowAt(const QPoint &position) const; ///< -1: none
    int sampleAt(const QPoint &position) const;

    ExplanationPtr m_explanation;
    int m_current = -1, m_sample = -1;
    QCustomPlot *m_plot;
    QToolButton *m_export;
    QCPColorMap *m_map;
    QCPItemRect *m_mark, *m_sampleMark; ///< of the row, of the column
};

} // namespace ql
