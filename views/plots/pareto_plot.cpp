#include "views/plots/pareto_plot.h"

#include "views/plots/qcp.h"
#include "views/style/theme.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ql {

/// Noise / signal that is drawn for outputs without any.
static constexpr double leastNoise = 1e-9;
/// A click this far from a point still chooses it, in pixels.
static constexpr double nearBy = 14;

ParetoPlot::ParetoPlot(QWidget *parent)
    : QWidget(parent), m_plot(new QCustomPlot), m_costs(new QComboBox), m_measures(new QComboBox)
{
    makeTools();
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_tools);
    box->addWidget(m_plot, 1);
    m_plot->setMinimumSize(40, 40);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleName(tr("Trials: cost against error"));
    m_plot->setToolTip(
        tr("Filled: kept. Hollow: rejected. Line: trials of which none is both cheaper and better. Bar: 95 % interval "
           "of the metric.\nClick a point, or press Left and Right, to choose a trial."));
    m_plot->installEventFilter(this);
    m_frontLine = m_plot->addGraph();
    m_rejected = m_plot->addGraph();
    m_kept = m_plot->addGraph();
    m_mark = m_plot->addGraph();
    m_frontLine->setLineStyle(QCPGraph::lsStepLeft);
    for (QCPGraph *graph : {m_rejected, m_kept, m_mark}) graph->setLineStyle(QCPGraph::lsNone);
    m_interval = new QCPErrorBars(m_plot->xAxis, m_plot->yAxis);
    m_interval->setDataPlottable(m_mark);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &ParetoPlot::restyle);
    restyle();
}

void ParetoPlot::makeTools()
{
    m_tools = new QWidget;
    auto *row = new QHBoxLayout(m_tools);
    row->setContentsMargins(8, 2, 8, 2);
    m_measures->addItems({tr("error"), tr("metric")}); // the axis says which error
    m_measures->setAccessibleName(tr("Vertical axis"));
    m_measures->setToolTip(m_measures->accessibleName());
    m_costs->addItems({tr("bits / MAC"), tr("weight bytes"), tr("trial")});
    m_costs->setAccessibleName(tr("Horizontal axis"));
    m_costs->setToolTip(m_costs->accessibleName());
    for (QComboBox *choice : {m_measures, m_costs}) {
        choice->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed); // a narrow dock
        row->addWidget(choice, 1);
    }
    row->addWidget(exportButton(*m_plot, QStringLiteral("tune"), [this] { return csv(); }));
    connect(m_measures, &QComboBox::activated, this, [this](int index) { setMeasure(Measure(index)); });
    connect(m_costs, &QComboBox::activated, this, [this](int index) { setCost(Cost(index)); });
}

void ParetoPlot::setCost(Cost cost)
{
    m_isCostChosen = true;
    showCost(cost);
    rebuild();
}

void ParetoPlot::showCost(Cost cost)
{
    m_cost = cost;
    m_costs->setCurrentIndex(int(cost));
}

void ParetoPlot::setMeasure(Measure measure)
{
    m_measure = measure;
    m_measures->setCurrentIndex(int(measure));
    rebuild();
}

void ParetoPlot::setTrials(std::vector<api::TuneTrial> trials, std::vector<std::int64_t> front)
{
    m_trials = std::move(trials);
    m_front = std::move(front);
    const bool hasMetric = std::any_of(m_trials.begin(), m_trials.end(),
                                       [](const auto &trial) { return trial.search.metric.has_value(); });
    m_measures->setEnabled(hasMetric);
    m_isDivergence = std::any_of(m_trials.begin(), m_trials.end(),
                                 [](const auto &trial) { return trial.search.divergence.has_value(); });
    const bool costsDiffer = std::any_of(m_trials.begin(), m_trials.end(), [this](const api::TuneTrial &trial) {
        return trial.cost && m_trials.front().cost && trial.cost->macBits != m_trials.front().cost->macBits;
    });
    if (!m_isCostChosen) showCost(costsDiffer ? Cost::MacBits : Cost::Trial); // otherwise all points are on one line
    if (!hasMetric && m_measure == Measure::Metric) return setMeasure(Measure::Error);
    rebuild();
}

void ParetoPlot::setCurrent(int trial)
{
    m_current = trial;
    scaleAxes();
    showCurrent();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ParetoPlot::rebuild()
{
    m_points.clear();
    for (const api::TuneTrial &trial : m_trials) {
        if (!trial.cost && m_cost != Cost::Trial) continue;
        const double x = m_cost == Cost::MacBits       ? trial.cost->macBits
                         : m_cost == Cost::WeightBytes ? trial.cost->weightBytes
                                                       : double(trial.id);
        const std::optional<double> y = m_measure == Measure::Metric ? trial.search.metric
                                        : m_isDivergence             ? trial.search.divergence
                                                                     : trial.search.noiseRatio;
        if (!y) continue;
        if (m_measure == Measure::Error)
            m_points.append({int(trial.id), x, std::max(*y, leastNoise), trial.kept});
        else
            m_points.append({int(trial.id), x, *y, trial.kept, trial.search.uncertainty.value_or(0)});
    }
    for (QCPGraph *graph : {m_rejected, m_kept}) {
        QVector<double> xs, ys;
        for (const Point &point : std::as_const(m_points)) {
            if (point.isKept != (graph == m_kept)) continue;
            xs.append(point.x);
            ys.append(point.y);
        }
        graph->setData(xs, ys);
    }
    drawFront();
    scaleAxes();
    showCurrent();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// On the axes that it is defined for.
void ParetoPlot::drawFront()
{
    QVector<double> xs, ys;
    if (m_cost == Cost::MacBits && m_measure == Measure::Error)
        for (const std::int64_t id : m_front)
            if (const Point *point = find(int(id))) {
                xs.append(point->x);
                ys.append(point->y);
            }
    m_frontLine->setData(xs, ys, true);
}

int ParetoPlot::frontCount() const
{
    return m_frontLine->dataCount();
}

void ParetoPlot::scaleAxes()
{
    const bool isError = m_measure == Measure::Error;
    if (isError)
        makeLogarithmic(*m_plot);
    else
        makeLinear(*m_plot);
    m_plot->yAxis2->setVisible(isError && !m_isDivergence);
    m_plot->yAxis->setLabel(!isError ? tr("metric") : m_isDivergence ? tr("KL divergence") : tr("noise / signal"));
    m_plot->yAxis2->setLabel(tr("SQNR, dB"));
    m_plot->xAxis->setLabel(m_costs->currentText());
    if (m_cost == Cost::Trial)
        makeWhole(*m_plot->xAxis);
    else
        makeRoomy(*m_plot->xAxis);
    if (m_points.isEmpty()) return;
    const auto [left, right] = std::minmax_element(m_points.cbegin(), m_points.cend(),
                                                   [](const Point &a, const Point &b) { return a.x < b.x; });
    const auto [low, high] = std::minmax_element(m_points.cbegin(), m_points.cend(),
                                                 [](const Point &a, const Point &b) { return a.y < b.y; });
    showRange(*m_plot->xAxis, left->x, right->x);
    const Point *current = find(m_current);
    if (isError) {
        constexpr double slack = 1.6; // a factor, on a logarithmic axis
        m_plot->yAxis->setRange(low->y / slack, high->y * slack);
    } else {
        showRange(*m_plot->yAxis, current ? std::min(low->y, current->y - current->around) : low->y,
                  current ? std::max(high->y, current->y + current->around) : high->y);
    }
    m_plot->yAxis2->setRange(m_plot->yAxis->range());
}

void ParetoPlot::showCurrent()
{
    const Point *point = find(m_current);
    m_mark->setData(point ? QVector<double>{point->x} : QVector<double>(),
                    point ? QVector<double>{point->y} : QVector<double>());
    m_interval->setData(QVector<double>(point ? 1 : 0, point ? point->around : 0));
    m_interval->setVisible(point && point->around > 0);
}

double ParetoPlot::shownUncertainty() const
{
    return m_interval->visible() ? m_interval->data()->front().errorPlus : 0;
}

void ParetoPlot::restyle()
{
    const Theme &theme = Theme::current();
    stylePlot(*m_plot);
    constexpr double pointSize = 7, markSize = 12;
    m_rejected->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.dim), Qt::NoBrush, pointSize));
    m_kept->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.text), theme.text, pointSize));
    m_mark->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(theme.accent, 2), Qt::NoBrush, markSize));
    m_frontLine->setPen(QPen(theme.dim, 1.2));
    m_interval->setPen(QPen(theme.accent, 1.5));
    rebuild();
}

const ParetoPlot::Point *ParetoPlot::find(int trial) const
{
    const auto found =
        std::find_if(m_points.begin(), m_points.end(), [&](const Point &point) { return point.trial == trial; });
    return found == m_points.end() ? nullptr : &*found;
}

QPoint ParetoPlot::pointOf(int trial) const
{
    const Point *point = find(trial);
    return point ? QPointF(m_plot->xAxis->coordToPixel(point->x), m_plot->yAxis->coordToPixel(point->y)).toPoint()
                 : QPoint();
}

int ParetoPlot::trialAt(const QPoint &position) const
{
    int nearest = -1;
    double least = nearBy;
    for (const Point &point : m_points) {
        const double dx = m_plot->xAxis->coordToPixel(point.x) - position.x();
        const double dy = m_plot->yAxis->coordToPixel(point.y) - position.y();
        const double distance = std::hypot(dx, dy);
        if (distance >= least) continue;
        least = distance;
        nearest = point.trial;
    }
    return nearest;
}

bool ParetoPlot::keyPressed(const QKeyEvent &event)
{
    const int step = event.key() == Qt::Key_Right ? 1 : event.key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.isEmpty()) return false;
    const Point *current = find(m_current);
    const qsizetype before = current ? current - m_points.constData() : step > 0 ? -1 : m_points.size();
    Q_EMIT trialRequested(m_points[std::clamp<qsizetype>(before + step, 0, m_points.size() - 1)].trial);
    return true;
}

bool ParetoPlot::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && keyPressed(*static_cast<QKeyEvent *>(event))) return true;
    if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove) {
        const auto &mouse = *static_cast<QMouseEvent *>(event);
        const int trial = trialAt(mouse.position().toPoint());
        if (event->type() == QEvent::MouseMove)
            m_plot->setCursor(trial < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
        else if (trial >= 0 && mouse.button() == Qt::LeftButton)
            Q_EMIT trialRequested(trial);
    }
    return QWidget::eventFilter(watched, event);
}

QString ParetoPlot::csv() const
{
    const auto text = [](const std::optional<double> &value) {
        return value ? QString::number(*value, 'g', 9) : QString();
    };
    QString csv =
        QStringLiteral("trial,kept,mac_bits,int8_macs,weight_bytes,noise_ratio,divergence,metric,uncertainty\n");
    for (const api::TuneTrial &trial : m_trials) {
        const auto cost = [&](double api::TuneCost::*member) {
            return trial.cost ? text(*trial.cost.*member) : QString();
        };
        csv +=
            QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8,%9\n")
                .arg(QString::number(trial.id), QString::number(int(trial.kept)), cost(&api::TuneCost::macBits),
                     cost(&api::TuneCost::int8Macs), cost(&api::TuneCost::weightBytes), text(trial.search.noiseRatio),
                     text(trial.search.divergence), text(trial.search.metric), text(trial.search.uncertainty));
    }
    return csv;
}

QVector<PlotSource> ParetoPlot::plots()
{
    if (m_points.isEmpty()) return {};
    return {{.name = QStringLiteral("tune"), .plot = m_plot, .csv = [this] { return csv(); }}};
}

} // namespace ql
