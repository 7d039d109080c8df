#include "views/plots/error_plot.h"

#include "views/models/operation_model.h"
#include "views/plots/bar_names.h"
#include "views/plots/qcp.h"
#include "views/style/buttons.h"
#include "views/style/elided_label.h"
#include "views/style/strip.h"
#include "views/style/theme.h"

#include <QButtonGroup>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <utility>

namespace ql {

/// Of a bar, in steps of the axis.
static constexpr double barWidth = 0.86;
/// From here on bars are too narrow for an outline or a pattern. Thousands of them are hatched together,
/// and ghosts have no dashes: one by one, both take a tenth of a second.
static constexpr int manyBars = 400;

ErrorPlot::ErrorPlot(QWidget *parent)
    : QWidget(parent), m_rows(std::make_shared<const QVector<OperationRow>>()), m_plot(new QCustomPlot)
{
    makeTools();
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(m_tools);
    box->addWidget(m_plot, 1);
    m_plot->setMinimumHeight(90);
    m_plot->setAccessibleName(tr("Error of every operation"));
    m_plot->setAccessibleDescription(keysText());
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->installEventFilter(this);
    makeItems();
    const auto chosen = [this] {
        setMeasure(Measure(m_measures->checkedId() + (m_difference->isChecked() ? 2 : 0)));
        Q_EMIT measureChosen(m_measure);
    };
    connect(m_measures, &QButtonGroup::idClicked, this, chosen);
    connect(m_difference, &QToolButton::clicked, this, chosen);
    connect(m_sorted, &QToolButton::clicked, this, [this](bool on) {
        setOrder(on ? Order::Sorted : Order::Execution);
        Q_EMIT orderChosen(m_order);
    });
    connect(m_logarithmic, &QToolButton::clicked, this, &ErrorPlot::setLogarithmic);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &ErrorPlot::restyle);
    restyle();
}

void ErrorPlot::makeTools()
{
    auto *strip = new Strip;
    m_tools = strip;
    QHBoxLayout *stripBox = strip->row();
    stripBox->setContentsMargins(10, 6, 10, 2);
    stripBox->setSpacing(6);
    m_measures = addSegments(*strip, {tr("graphwise"), tr("layerwise")});
    m_measures->button(0)->setToolTip(tr("Error of each operation's output with the whole model quantized: the error "
                                         "accumulated up to this operation."));
    m_measures->button(1)->setToolTip(tr("Error at the graph outputs with only this operation quantized: the cost of "
                                         "this operation alone."));
    m_difference =
        toggleButton(tr("Δ baseline"), tr("Change in SQNR from the baseline run, in dB; positive is better."), false);
    m_sorted = toggleButton(tr("sorted"), tr("Worst first instead of execution order"), false);
    m_logarithmic = toggleButton(tr("log"), tr("Logarithmic error axis"), true);
    for (QToolButton *button : {m_difference, m_sorted, m_logarithmic}) stripBox->addWidget(button);
    m_thresholdText = new ElidedLabel;
    m_thresholdText->setProperty("warn", true);
    stripBox->addWidget(m_thresholdText, 1);
    stripBox->addStretch(); // shown instead of the plot while it is hidden
    QVector<QToolButton *> toggles{m_difference, m_sorted, m_logarithmic};
    for (QAbstractButton *measure : m_measures->buttons()) toggles.append(static_cast<QToolButton *>(measure));
    std::rotate(toggles.begin(), toggles.begin() + 3, toggles.end());
    stripBox->addWidget(exportButton(
        *m_plot, tr("errors"), [this] { return csv(); }, toggles));
    const int shortText = QFontMetrics(textFont()).horizontalAdvance(QStringLiteral("100 > 0.01"));
    strip->setOptional({m_logarithmic, m_sorted, m_difference}, shortText); // in the context menu, too
}

void ErrorPlot::makeItems()
{
    m_ghostGround = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    m_ghost = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    for (int i = 0; i < 8; ++i) m_steps.append(new QCPBars(m_plot->xAxis, m_plot->yAxis));
    m_steps.append(new QCPBars(m_plot->xAxis, m_plot->yAxis)); // better than the baseline
    m_estimateBar = new QCPBars(m_plot->xAxis, m_plot->yAxis);
    m_estimateText = new QCPItemText(m_plot);
    m_hatch = new QCPItemRect(m_plot);
    m_hatch->topLeft->setType(QCPItemPosition::ptAxisRectRatio);
    m_hatch->bottomRight->setType(QCPItemPosition::ptAxisRectRatio);
    m_hatch->topLeft->setCoords(0, 0);
    m_hatch->bottomRight->setCoords(1, 1);
    m_hatch->setPen(Qt::NoPen);
    m_hatch->setSelectable(false);
    m_names = new BarNames(m_plot);
    m_mark = new QCPItemRect(m_plot);
    m_line = new QCPItemStraightLine(m_plot);
    m_lineText = new QCPItemText(m_plot);
    m_lineDecibels = new QCPItemText(m_plot);
    m_empty = new QCPItemText(m_plot);
    m_empty->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_empty->position->setCoords(0.5, 0.5);
    for (QCPItemText *text : {m_lineText, m_lineDecibels}) {
        text->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        text->position->setTypeY(QCPItemPosition::ptPlotCoords);
        text->setLayer(QStringLiteral("overlay")); // over the labels of the axes
    }
    m_lineText->setPositionAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_lineDecibels->setPositionAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (QCPItemText *text : {m_lineText, m_lineDecibels, m_empty, m_estimateText}) text->setClipToAxisRect(false);
}

void ErrorPlot::setCaption(const QString &text, const QString &ghosts)
{
    if (m_caption == text && m_ghostCaption == ghosts) return;
    m_caption = text;
    m_ghostCaption = ghosts;
    labelOperations();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// What the bars show and how they were measured; on several lines if the axis is too narrow.
void ErrorPlot::labelOperations()
{
    const QString separator = QStringLiteral(" · ");
    QString label = m_order == Order::Sorted ? tr("operations, worst first") : tr("operations in execution order");
    QStringList parts{m_ghost->data()->isEmpty() ? QString() : m_ghostCaption, m_caption};
    parts.removeAll(QString());
    if (const QString caption = parts.join(separator); !caption.isEmpty()) {
        const QMargins least = m_plot->axisRect()->minimumMargins(), now = m_plot->axisRect()->margins();
        const int room = m_plot->width() - std::max(least.left(), now.left()) - std::max(least.right(), now.right());
        const QFontMetrics metrics(m_plot->xAxis->labelFont());
        const auto fits = [&](const QString &line) { return metrics.horizontalAdvance(line) <= room; };
        if (const QString line = label + QStringLiteral("   ·   ") + caption; fits(line)) {
            label = line;
        } else {
            QString last;
            for (const QString &part : caption.split(separator)) {
                const QString longer = last.isEmpty() ? part : last + separator + part;
                if (last.isEmpty() || fits(longer))
                    last = longer;
                else
                    label += QLatin1Char('\n') + std::exchange(last, part);
            }
            label += QLatin1Char('\n') + last;
        }
    }
    m_plot->xAxis->setLabel(label);
}

bool ErrorPlot::hasManyBars() const
{
    return m_bars.size() > manyBars;
}

std::optional<double> ErrorPlot::value(const OperationRow &row) const
{
    const auto gain = [](std::optional<double> now, std::optional<double> before) -> std::optional<double> {
        if (!now || !before || *now <= 0 || *before <= 0) return {};
        return -10 * std::log10(*now / *before);
    };
    switch (m_measure) {
    case Measure::Graphwise: return row.graphwise;
    case Measure::Layerwise: return row.layerwise;
    case Measure::Difference: return gain(row.graphwise, row.baseline);
    case Measure::LayerwiseDifference: return gain(row.layerwise, row.baselineLayerwise);
    }
    return {};
}

std::optional<double> ErrorPlot::cost(const OperationRow &row) const
{
    const std::optional<double> shown = value(row);
    return shown && isDifference() ? -*shown : shown;
}

/// Differences already refer to the baseline.
std::optional<double> ErrorPlot::ghost(const OperationRow &row) const
{
    if (isDifference()) return {};
    return m_measure == Measure::Graphwise ? row.ghost : row.ghostLayerwise;
}

void ErrorPlot::setRows(OperationRows rows, bool isStale)
{
    m_rows = std::move(rows);
    m_isStale = isStale;
    if (!isStale) m_estimate.reset(); // measured now
    rebuild();
}

void ErrorPlot::setEstimate(const QString &operation, std::optional<double> change)
{
    m_estimateOf = operation;
    m_estimate = change;
    showEstimate();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

std::optional<double> ErrorPlot::estimatedRatio() const
{
    constexpr double least = 1e-9;
    const int at = m_estimate && !isDifference() ? barOf(m_estimateOf) : -1;
    return at < 0 ? std::nullopt : std::optional(std::max(*value(m_rows->at(m_bars[at])) + *m_estimate, least));
}

void ErrorPlot::showEstimate()
{
    const std::optional<double> estimated = estimatedRatio();
    m_estimateBar->setVisible(estimated.has_value());
    m_estimateText->setVisible(estimated.has_value());
    if (!estimated) return;
    const double ratio = *estimated;
    const int at = barOf(m_estimateOf);
    m_estimateBar->setData({double(at)}, {std::max(ratio, m_floor)}, true);
    m_estimateBar->setBaseValue(m_floor);
    m_estimateText->position->setCoords(at, std::max(ratio, m_floor));
    m_estimateText->setText(tr("≈ %1").arg(decibelText(decibels(ratio))));
}

void ErrorPlot::setMeasure(Measure measure)
{
    m_measure = measure;
    m_measures->button(int(measure) % 2)->setChecked(true);
    m_difference->setChecked(isDifference());
    rebuild();
}

void ErrorPlot::setOrder(Order order)
{
    m_order = order;
    m_isZoomed = false;
    m_sorted->setChecked(order == Order::Sorted);
    rebuild();
}

void ErrorPlot::rebuild()
{
    const qsizetype barsBefore = m_bars.size();
    m_bars.clear();
    for (int i = 0; i < m_rows->size(); ++i)
        if (value(m_rows->at(i))) m_bars.append(i);
    if (m_order == Order::Sorted)
        std::stable_sort(m_bars.begin(), m_bars.end(), [&](int a, int b) {
            const double x = *value(m_rows->at(a)), y = *value(m_rows->at(b));
            return isDifference() ? x < y : x > y;
        });
    m_logarithmic->setEnabled(!isDifference());
    scaleAxes();
    fillBars();
    fillGhosts();
    nameBars();
    if (!m_isZoomed || m_bars.size() != barsBefore) showAll();
    labelOperations();
    m_empty->setVisible(m_bars.isEmpty());
    const bool isMeasured = m_run && !(m_measure == Measure::Layerwise ? m_run->layerwise : m_run->graphwise).isEmpty();
    m_empty->setText(isDifference()                    ? tr("No other run to compare with")
                     : isMeasured && m_rows->isEmpty() ? tr("Errors appear when the model has been read")
                     : isMeasured                      ? tr("The errors are not finite: see Problems")
                                                       : tr("Press F5 to measure the error of each operation"));
    updateThreshold();
    showCurrent();
    showEstimate();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

/// The vertical axes, and the floor that bars begin at.
void ErrorPlot::scaleAxes()
{
    double low = 1e-5, high = 1, most = 1;
    double top = 1e-6; // of a linear axis
    for (const int i : m_bars) {
        const double v = *value(m_rows->at(i)), before = ghost(m_rows->at(i)).value_or(0);
        if (v > 0) low = std::min(low, std::pow(10, std::floor(std::log10(std::max(v, 1e-12)))));
        high = std::max({high, v, before});
        most = std::max(most, std::abs(v));
        top = std::max({top, v, before, m_threshold});
    }
    m_floor = m_isLogarithmic ? low : 0;
    if (isDifference()) {
        m_floor = 0;
        makeLinear(*m_plot);
        m_plot->yAxis->setRange(-most * 1.1, most * 1.1);
        m_plot->yAxis->setLabel(tr("Δ SQNR, dB"));
    } else {
        if (m_isLogarithmic)
            makeLogarithmic(*m_plot);
        else
            makeLinear(*m_plot);
        m_plot->yAxis->setRange(m_floor, m_isLogarithmic ? high * 1.6 : top * 1.08);
        m_plot->yAxis->setLabel(tr("noise / signal"));
    }
    // The same heights in decibels
    m_plot->yAxis2->setVisible(!isDifference());
    m_plot->yAxis2->setRange(m_plot->yAxis->range());
    m_plot->yAxis2->setLabel(tr("SQNR, dB"));
}

/// A plottable for each step of the colour ramp, and one for what is better than the baseline.
void ErrorPlot::fillBars()
{
    const Theme &theme = Theme::current();
    QVector<QVector<double>> keys(9), values(9);
    for (int p = 0; p < m_bars.size(); ++p) {
        const double v = *value(m_rows->at(m_bars[p]));
        const int step = isDifference() ? (v >= 0 ? 8 : 4) : Theme::errorStep(v);
        keys[step].append(p);
        values[step].append(isDifference() ? v : std::max(v, m_floor));
    }
    for (int s = 0; s < 9; ++s) {
        m_steps[s]->setData(keys[s], values[s], true);
        m_steps[s]->setBaseValue(m_floor);
        m_steps[s]->setWidth(barWidth);
        const QColor color = s < 8 ? theme.ramp[std::size_t(s)] : theme.category[0];
        // The lightest steps need an edge on a light background
        m_steps[s]->setAntialiased(!hasManyBars());
        m_steps[s]->setPen(hasManyBars() ? Qt::NoPen
                                         : QPen(theme.isDark ? color.lighter(115) : color.darker(115), 0.6));
        m_steps[s]->setBrush(m_isStale && !hasManyBars() ? QBrush(color, Qt::BDiagPattern) : QBrush(color));
    }
    m_hatch->setBrush(QBrush(theme.panel, Qt::BDiagPattern));
    m_hatch->setVisible(m_isStale && hasManyBars());
}

void ErrorPlot::fillGhosts()
{
    const Theme &theme = Theme::current();
    QVector<double> keys, values;
    for (int p = 0; p < m_bars.size(); ++p)
        if (const std::optional<double> before = ghost(m_rows->at(m_bars[p]))) {
            keys.append(p);
            values.append(std::max(*before, m_floor));
        }
    QPen dashed(theme.dim, 1);
    if (!hasManyBars()) dashed.setDashPattern({2, 2});
    m_ghost->setPen(dashed);
    // Inside a dark bar the dashes alone are not visible
    m_ghostGround->setPen(QPen(theme.panel, 1));
    for (QCPBars *ghosts : {m_ghostGround, m_ghost}) {
        ghosts->setAntialiased(!hasManyBars());
        ghosts->setData(keys, values, true);
        ghosts->setBaseValue(m_floor);
        ghosts->setWidth(barWidth);
    }
}

void ErrorPlot::nameBars()
{
    const Theme &theme = Theme::current();
    QVector<BarNames::Bar> named;
    for (const int i : m_bars) {
        const double v = *value(m_rows->at(i));
        const QColor color = isDifference() ? (v >= 0 ? theme.category[0] : theme.ramp[4]) : theme.errorColor(v);
        named.append({m_rows->at(i).name, isDifference() ? v : std::max(v, m_floor), color});
    }
    m_names->setBars(m_isStale ? QVector<BarNames::Bar>() : named, m_floor); // unreadable over hatching
}

void ErrorPlot::restyle()
{
    const Theme &theme = Theme::current();
    stylePlot(*m_plot);
    m_plot->xAxis->setTicks(false); // bars have their names
    m_plot->xAxis->setTickLabels(false);
    // Room for the threshold between the numbers and the name of an axis
    m_plot->yAxis->setLabelPadding(12);
    m_plot->yAxis2->setLabelPadding(30);
    m_plot->axisRect()->setMinimumMargins(QMargins(52, 6, 52, 16));
    m_ghost->setBrush(Qt::NoBrush);
    m_ghostGround->setBrush(Qt::NoBrush);
    m_estimateBar->setPen(QPen(theme.amber, 1.4, Qt::DashLine));
    m_estimateBar->setBrush(QBrush(theme.amber, Qt::Dense6Pattern));
    m_estimateBar->setWidth(barWidth);
    m_estimateText->setColor(theme.amber);
    m_estimateText->setBrush(theme.panel);
    m_estimateText->setPadding(QMargins(3, 1, 3, 1));
    m_estimateText->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    m_mark->setPen(QPen(theme.accent, 2));
    m_mark->setBrush(Qt::NoBrush);
    m_line->setPen(QPen(theme.amber, 1.2, Qt::DashLine));
    QFont small = textFont();
    small.setPixelSize(11);
    for (QCPItemText *text : {m_lineText, m_lineDecibels}) {
        text->setColor(theme.amber);
        text->setBrush(theme.panel);
        text->setPadding(QMargins(text == m_lineText ? 12 : 3, 1, 3, 1)); // over the number of a power of ten, too
        text->setFont(small);
    }
    m_empty->setColor(theme.dim);
    m_empty->setBrush(theme.panel); // over the grid
    m_empty->setPadding(QMargins(6, 1, 6, 1));
    m_empty->setFont(textFont());
    rebuild();
}

void ErrorPlot::setLogarithmic(bool on)
{
    m_isLogarithmic = on;
    m_logarithmic->setChecked(on);
    rebuild();
}

void ErrorPlot::setThreshold(double threshold)
{
    m_threshold = std::clamp(threshold, 1e-9, 1e3);
    updateThreshold();
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ErrorPlot::updateThreshold()
{
    const bool shown = !isDifference() && !m_bars.isEmpty();
    m_line->setVisible(shown);
    m_lineText->setVisible(shown);
    m_lineDecibels->setVisible(shown);
    m_thresholdText->setVisible(shown);
    if (!shown) return;
    m_line->point1->setCoords(0, m_threshold);
    m_line->point2->setCoords(1, m_threshold);
    const int above =
        int(std::count_if(m_bars.begin(), m_bars.end(), [&](int i) { return *value(m_rows->at(i)) > m_threshold; }));
    const QString noise = noiseText(m_threshold), decibel = decibelText(decibels(m_threshold));
    m_thresholdText->setText(tr("%n above %1 (%2)", "operations", above).arg(noise, decibel));
    m_thresholdText->setShortText(QStringLiteral("%1 > %2").arg(above).arg(noise));
    if (m_thresholdText->property("warn").toBool() != (above > 0)) { // zero operations need no warning
        m_thresholdText->setProperty("warn", above > 0);
        repolish(*m_thresholdText);
    }
    m_thresholdText->setToolTip(tr("%n op(s) above %1 (%2)", nullptr, above).arg(noise, decibel) + QLatin1Char('\n') +
                                keysText());
    m_thresholdText->setAccessibleDescription(m_thresholdText->toolTip());
    m_plot->setAccessibleDescription(m_thresholdText->toolTip());
    // At both axes, not over the bars
    m_lineText->setText(noise);
    m_lineText->position->setCoords(-0.004, m_threshold);
    m_lineDecibels->setText(decibel);
    m_lineDecibels->position->setCoords(1.004, m_threshold);
}

QString ErrorPlot::thresholdText() const
{
    return m_thresholdText->text();
}

void ErrorPlot::setCurrent(const QString &operation)
{
    const bool isOther = m_current != operation;
    m_current = operation;
    showCurrent();
    if (const int at = currentBar(); isOther && at >= 0 && !m_plot->xAxis->range().contains(at)) {
        const double half = m_plot->xAxis->range().size() / 2;
        showBars(at - half, at + half);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

int ErrorPlot::namedCount() const
{
    return m_names->shownCount();
}

int ErrorPlot::barOf(const QString &operation) const
{
    for (int p = 0; p < m_bars.size(); ++p)
        if (m_rows->at(m_bars[p]).name == operation) return p;
    return -1;
}

void ErrorPlot::showCurrent()
{
    const int at = currentBar();
    m_mark->setVisible(at >= 0);
    if (at < 0) return;
    const double v = *value(m_rows->at(m_bars[at]));
    m_mark->topLeft->setCoords(at - 0.5, isDifference() ? std::max(v, 0.0) : std::max(v, m_floor));
    m_mark->bottomRight->setCoords(at + 0.5, isDifference() ? std::min(v, 0.0) : m_floor);
}

QString ErrorPlot::csv() const
{
    QString out = QStringLiteral("operation,type,graphwise_noise_ratio,sqnr_db,layerwise_noise_ratio,"
                                 "baseline_noise_ratio,baseline_layerwise_noise_ratio%1\n")
                      .arg(isDifference() ? QStringLiteral(",change_of_sqnr_db") : QString());
    const auto number = [](std::optional<double> v) { return v ? QString::number(*v, 'g', 9) : QString(); };
    for (const int i : m_bars) {
        const OperationRow &row = m_rows->at(i);
        QString name = row.name;
        name.replace(QLatin1Char('"'), QStringLiteral("\"\""));
        out += QStringLiteral("\"%1\",%2,%3,%4,%5,%6,%7%8\n")
                   .arg(name, row.type, number(row.graphwise), number(row.sqnrDb), number(row.layerwise),
                        number(row.baseline), number(row.baselineLayerwise),
                        isDifference() ? QLatin1Char(',') + number(value(row)) : QString());
    }
    return out;
}

QVector<PlotSource> ErrorPlot::plots()
{
    const Measure before = m_measure;
    QVector<PlotSource> sources;
    const QVector<QPair<Measure, QString>> measures{
        {Measure::Graphwise, QStringLiteral("error_graphwise")},
        {Measure::Layerwise, QStringLiteral("error_layerwise")},
        {Measure::Difference, QStringLiteral("error_graphwise_difference")},
        {Measure::LayerwiseDifference, QStringLiteral("error_layerwise_difference")}};
    for (const auto &[measure, name] : measures) {
        m_measure = measure;
        if (std::none_of(m_rows->begin(), m_rows->end(), [this](const auto &row) { return value(row).has_value(); }))
            continue;
        sources.append({name, m_plot, [this] { return csv(); }, [this, m = measure] { setMeasure(m); },
                        [this, before] { setMeasure(before); }});
    }
    m_measure = before;
    return sources;
}

} // namespace ql
