#pragma once

#include "views/models/operation_rows.h"
#include "views/plots/plot_style.h"

#include <QPoint>
#include <QVector>
#include <QWidget>
#include <optional>

class QButtonGroup;
class QCPBars;
class QCPItemRect;
class QCPItemStraightLine;
class QCPItemText;
class QCustomPlot;
class QKeyEvent;
class QMouseEvent;
class QToolButton;

namespace ql {

class BarNames;
class ElidedLabel;

/// Error of every operation as bars on a log axis of noise / signal, with decibels on the right; in execution order or
/// sorted, with the baseline as ghosts and a threshold that can be dragged. A click makes an operation the current one;
/// the wheel zooms, a drag pans. Everything also works by keyboard.
class ErrorPlot : public QWidget
{
    Q_OBJECT

public:
    enum class Measure { Graphwise, Layerwise, Difference, LayerwiseDifference };
    enum class Order { Execution, Sorted };

    explicit ErrorPlot(QWidget *parent = nullptr);

    /// isStale: the errors belong to another recipe than the current one; they are hatched.
    void setRows(OperationRows rows, bool isStale);
    void setRun(RunPtr run) { m_run = std::move(run); } ///< operations that the errors of the rows refer to
    void setCurrent(const QString &operation);
    /// Expected noise / signal of an operation: its bar follows, dashed, until rows come that are not stale. Unset: no
    /// expectation.
    void setEstimate(const QString &operation, std::optional<double> change);
    /// Noise / signal of the estimated bar; unset if there is none.
    std::optional<double> estimatedRatio() const;
    void setMeasure(Measure measure);
    void setOrder(Order order);
    void setLogarithmic(bool on);
    bool isLogarithmic() const { return m_isLogarithmic; }
    Measure measure() const { return m_measure; }
    /// text: samples, staleness; ghosts: the meaning of dashed bars, shown if there are any.
    void setCaption(const QString &text, const QString &ghosts = {});
    double threshold() const { return m_threshold; }
    void setThreshold(double threshold);
    /// Operations as they are drawn, left to right.
    const QVector<int> &order() const { return m_bars; }
    QCustomPlot *plot() const { return m_plot; }
    QWidget *tools() const { return m_tools; } ///< the row above the plot, for the title of a dock
    /// How many bars have room for their name.
    int namedCount() const;
    /// The dashed bars.
    const QCPBars &ghosts() const { return *m_ghost; }
    QString csv() const;
    /// Every measure that has values, for saving all plots.
    QVector<PlotSource> plots();
    QString thresholdText() const;
    /// Middle of a bar in the plot's coordinates, for tests.
    QPoint barCenter(int position) const;
    /// The tool tip of the bar there, or how to use the chart if there is none.
    QString tipAt(const QPoint &position) const;
    bool isZoomed() const { return m_isZoomed; }

    /// The chosen measure of an operation, larger for a worse one; unset if it was not measured.
    std::optional<double> cost(const OperationRow &row) const;

Q_SIGNALS:
    void measureChosen(ql::ErrorPlot::Measure measure); ///< by the user
    void orderChosen(ql::ErrorPlot::Order order);       ///< by the user
    void currentRequested(const QString &operation);
    void thresholdChanged(double threshold);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    std::optional<double> value(const OperationRow &row) const;
    std::optional<double> ghost(const OperationRow &row) const;
    bool isDifference() const { return m_measure == Measure::Difference || m_measure == Measure::LayerwiseDifference; }
    void makeTools();
    void makeItems();
    void rebuild();
    void scaleAxes();
    void fillBars();
    void fillGhosts();
    void nameBars();
    bool hasManyBars() const;
    void restyle();
    void showCurrent();
    void showEstimate();
    int barOf(const QString &operation) const; ///< its position, -1 if it has none
    void updateThreshold();
    void labelOperations();
    int barAt(const QPoint &position) const;
    int currentBar() const { return barOf(m_current); }
    static QString keysText();
    /// A range of bars, limited to them; first and last on the axis.
    void showBars(double first, double last);
    void showAll();
    /// factor: of the visible range of the axis; at stays in place.
    void zoom(double factor, double at);
    void moveThreshold(double threshold);
    bool mouseEvent(const QMouseEvent &event);
    bool keyPressed(const QKeyEvent &event);

    OperationRows m_rows;
    RunPtr m_run;
    QVector<int> m_bars;
    bool m_isStale = false, m_isDragging = false, m_isLogarithmic = true, m_isZoomed = false, m_isPanning = false;
    std::optional<QPoint> m_pressedAt; ///< for a click or to move the bars
    double m_pressedFirst = 0;         ///< of the axis then
    Measure m_measure = Measure::Graphwise;
    Order m_order = Order::Execution;
    double m_threshold = 0.1, m_floor = 1e-5;
    QString m_current;
    QCustomPlot *m_plot;
    QWidget *m_tools = nullptr;
    QVector<QCPBars *> m_steps;
    QCPBars *m_ghost = nullptr, *m_ghostGround = nullptr;
    QCPItemRect *m_hatch = nullptr, *m_mark = nullptr; ///< over stale bars; around the current one
    BarNames *m_names = nullptr;
    QCPBars *m_estimateBar = nullptr;
    QCPItemText *m_estimateText = nullptr;
    QString m_estimateOf;
    std::optional<double> m_estimate; ///< change of noise / signal
    QCPItemStraightLine *m_line = nullptr;
    QCPItemText *m_lineText = nullptr, *m_lineDecibels = nullptr, *m_empty = nullptr;
    ElidedLabel *m_thresholdText;
    QString m_caption, m_ghostCaption;
    QToolButton *m_logarithmic;
    QButtonGroup *m_measures;
    QToolButton *m_difference, *m_sorted;
};

} // namespace ql
