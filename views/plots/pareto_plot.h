#pragma once

#include "core/api/tune.h"
#include "views/plots/plot_style.h"

#include <QPoint>
#include <QVector>
#include <QWidget>
#include <cstdint>
#include <vector>

class QCPErrorBars;
class QCPGraph;
class QComboBox;
class QCustomPlot;
class QKeyEvent;

namespace ql {

/// Trials of a search as points: what they cost and how well they do. Trials that were kept are filled; a line joins
/// those of which none is both cheaper and better. A click, or Left and Right, chooses a trial.
class ParetoPlot : public QWidget
{
    Q_OBJECT

public:
    enum class Cost { MacBits, WeightBytes, Trial };
    /// Error: what the search lowers, the divergence of the classes if it is known, otherwise the noise.
    enum class Measure { Error, Metric };

    explicit ParetoPlot(QWidget *parent = nullptr);

    /// front: ids of trials, the cheapest first.
    void setTrials(std::vector<api::TuneTrial> trials, std::vector<std::int64_t> front);
    void setCurrent(int trial); ///< its id; negative: none
    void setCost(Cost cost);    ///< until then: bits per MAC if they differ, otherwise the order of the trials
    Cost cost() const { return m_cost; }
    void setMeasure(Measure measure);
    QCustomPlot *plot() const { return m_plot; }
    QWidget *tools() const { return m_tools; } ///< the choice of the axes
    /// Where a trial is drawn, in the plot's coordinates.
    QPoint pointOf(int trial) const;
    int pointCount() const { return int(m_points.size()); }
    int frontCount() const;
    /// Half the height of the interval drawn around the current trial; 0: none.
    double shownUncertainty() const;
    QString csv() const;
    QVector<PlotSource> plots();

Q_SIGNALS:
    void trialRequested(int trial);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Point
    {
        int trial = 0;
        double x = 0, y = 0;
        bool isKept = false;
        double around = 0; ///< half of the 95 % interval of y; 0: unknown
    };
    void makeTools();
    void showCost(Cost cost);
    void rebuild();
    void restyle();
    void scaleAxes();
    void showCurrent();
    void drawFront();
    const Point *find(int trial) const;
    int trialAt(const QPoint &position) const; ///< -1: none is near
    bool keyPressed(const QKeyEvent &event);

    std::vector<api::TuneTrial> m_trials;
    std::vector<std::int64_t> m_front;
    QVector<Point> m_points; ///< those that have both values, in the order of trials
    int m_current = -1;
    Cost m_cost = Cost::MacBits;
    bool m_isCostChosen = false; ///< by the user
    Measure m_measure = Measure::Error;
    bool m_isDivergence = false; ///< of the error
    QCustomPlot *m_plot;
    QWidget *m_tools = nullptr;
    QComboBox *m_costs, *m_measures;
    QCPErrorBars *m_interval = nullptr;
    QCPGraph *m_rejected = nullptr, *m_kept = nullptr, *m_frontLine = nullptr, *m_mark = nullptr;
};

} // namespace ql
