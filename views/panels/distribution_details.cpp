// Scatter, channels, grid and data of the distribution panel.
#include "views/models/operation_model.h"
#include "views/panels/distribution_panel.h"
#include "views/plots/plot_style.h"
#include "views/plots/qcp.h"

#include <QButtonGroup>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace ql {

/// Closer grid lines are indistinguishable.
static constexpr double minGridPixels = 3;

static QVector<double> numbersOf(const std::vector<std::optional<double>> &values)
{
    QVector<double> numbers;
    numbers.reserve(qsizetype(values.size()));
    for (const std::optional<double> &value : values) numbers.append(value.value_or(NAN));
    return numbers;
}

bool DistributionPanel::takeLimits()
{
    const ConfigInfo *c = config();
    if (!c || c->hasNoOwnLimits() || c->scale.size() != 1 || c->exponentBits > 0 || c->isFloat()) return false;
    const double zero = c->zeroPoint.isEmpty() ? 0 : double(c->zeroPoint.front());
    m_low = (double(c->quantMin) - zero) * c->scale.front();
    m_high = (double(c->quantMax) - zero) * c->scale.front();
    return true;
}

void DistributionPanel::rebuildScatter(const api::ValuePairs &pairs)
{
    const QVector<double> x = numbersOf(pairs.original), y = numbersOf(pairs.quantized);
    m_scatter->setData(x, y);
    double low = 0, high = 0;
    for (const QVector<double> &values : {x, y})
        for (const double value : values) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    takeLimits();
    m_diagonal->setVisible(true);
    makeLinear(*m_plot);
    showRange(*m_plot->xAxis, low, high);
    showRange(*m_plot->yAxis, low, high);
    m_plot->xAxis->setLabel(tr("float value"));
    m_plot->yAxis->setLabel(tr("quantized value"));
    m_facts->setText(tr("%n value(s), evenly sampled", nullptr, int(x.size())));
}

void DistributionPanel::rebuildChannels(const api::ChannelSpread &channels)
{
    m_plot->xAxis->setLabel(tr("channel (axis %1)").arg(channels.axis));
    if (m_logarithmic->isChecked()) return rebuildBars(channels);
    const QVector<double> low = numbersOf(channels.min), high = numbersOf(channels.max), q1 = numbersOf(channels.q1),
                          q3 = numbersOf(channels.q3), median = numbersOf(channels.median);
    double least = 0, most = 0, widest = 0, narrowest = INFINITY;
    for (qsizetype c = 0; c < low.size(); ++c) {
        if (!std::isfinite(low[c])) continue;
        m_boxes->addData(double(c), low[c], q1.value(c), median.value(c), q3.value(c), high[c]);
        least = std::min(least, low[c]);
        most = std::max(most, high[c]);
        const double range = std::max(std::abs(low[c]), std::abs(high[c]));
        widest = std::max(widest, range);
        if (range > 0) narrowest = std::min(narrowest, range);
    }
    m_boxes->setWidth(low.size() > 200 ? 1.0 : 0.6);
    m_boxes->setWhiskerWidth(low.size() > 64 ? 0 : 0.4);
    // The limits of each channel's scale
    if (const ConfigInfo *c = config(); c && !c->scale.isEmpty() && c->exponentBits == 0 && !c->isFloat()) {
        QVector<double> x, from, to;
        for (qsizetype i = 0; i < low.size(); ++i) {
            const qsizetype at = c->scale.size() == low.size() ? i : 0;
            const double zero = c->zeroPoint.isEmpty() ? 0 : double(c->zeroPoint.value(at, c->zeroPoint.front()));
            x.append(double(i));
            from.append((double(c->quantMin) - zero) * c->scale[at]);
            to.append((double(c->quantMax) - zero) * c->scale[at]);
            least = std::min(least, from.back());
            most = std::max(most, to.back());
        }
        m_channelLow->setData(x, from, true);
        m_channelHigh->setData(x, to, true);
    }
    makeLinear(*m_plot);
    showRange(*m_plot->yAxis, least, most);
    m_plot->yAxis->setLabel(tr("value"));
    m_plot->xAxis->setRange(-0.8, double(low.size()) - 0.2);
    if (!(narrowest < widest)) narrowest = widest > 0 ? widest : 1;
    m_facts->setText(tr("largest / smallest channel: %1 ×").arg(QLocale().toString(widest / narrowest, 'g', 3)));
}

void DistributionPanel::rebuildBars(const api::ChannelSpread &channels)
{
    const QVector<double> low = numbersOf(channels.min), high = numbersOf(channels.max);
    QVector<double> x, y;
    double most = 0, least = INFINITY;
    for (qsizetype i = 0; i < high.size(); ++i) {
        const double range = std::isfinite(low[i]) ? std::max(std::abs(low[i]), std::abs(high[i])) : 0;
        x.append(double(i));
        y.append(range);
        most = std::max(most, range);
        if (range > 0) least = std::min(least, range);
    }
    if (!(least < most)) least = most > 0 ? most / 10 : 0.1;
    m_ranges->setData(x, y, true);
    m_ranges->setWidth(0.8);
    makeLogarithmic(*m_plot);
    const double floor = std::pow(10, std::floor(std::log10(std::max(least * 0.7, 1e-12))));
    m_ranges->setBaseValue(floor);
    m_plot->yAxis->setRange(floor, std::max(most, floor * 5) * 2);
    m_plot->yAxis->setLabel(tr("largest |value|"));
    m_plot->xAxis->setRange(-0.8, double(x.size()) - 0.2);
    const int dead = int(std::count(y.begin(), y.end(), 0.0));
    QStringList facts{tr("largest / smallest channel: %1 ×").arg(QLocale().toString(most / least, 'g', 3))};
    if (dead > 0) facts.append(tr("%n channel(s) all zero", nullptr, dead));
    m_facts->setText(facts.join(QStringLiteral(" · ")));
}

void DistributionPanel::rebuildGrid()
{
    m_grid->data()->clear();
    const ConfigInfo *c = mode() == Mode::Values ? config() : nullptr;
    if (!c || c->scale.size() != 1 || c->exponentBits > 0 || c->isFloat() || m_float->data()->isEmpty()) return;
    const double step = c->scale.front();
    const double pixels = std::abs(m_plot->xAxis->coordToPixel(step) - m_plot->xAxis->coordToPixel(0));
    if (pixels < minGridPixels) return;
    const double zero = c->zeroPoint.isEmpty() ? 0 : double(c->zeroPoint.front());
    const QCPRange range = m_plot->xAxis->range();
    QVector<double> x, y;
    const double height = m_logarithmic->isChecked() ? 0.5 * std::pow(m_maxCount * 8, 0.06) : m_maxCount * 0.05;
    for (qint64 code = c->quantMin; code <= c->quantMax; ++code) {
        const double value = (double(code) - zero) * step;
        if (!range.contains(value)) continue;
        x.append(value);
        y.append(height);
    }
    m_grid->setData(x, y, true);
}

void DistributionPanel::placeLimits()
{
    const bool shown = m_low < m_high;
    const double values[2] = {m_low, m_high};
    const QFontMetrics metrics(m_handles[0]->font());
    int at[2], widths[2];
    for (int i = 0; i < 2; ++i) {
        m_lines[i]->setVisible(shown);
        m_handles[i]->setVisible(shown);
        m_lines[i]->point1->setCoords(values[i], 1);
        m_lines[i]->point2->setCoords(values[i], 10);
        const QString text = QLocale().toString(values[i], 'g', 4);
        m_handles[i]->setText(text);
        widths[i] = metrics.horizontalAdvance(text) + m_handles[i]->padding().left() + m_handles[i]->padding().right();
        at[i] = int(m_plot->xAxis->coordToPixel(values[i]));
    }
    // Both inside the limits; if these are close, each on its outer side, and below the other if that ends
    const bool fits = at[1] - at[0] > widths[0] + widths[1] + 4;
    const bool outside[2] = {!fits && at[0] - widths[0] >= 0, !fits && at[1] + widths[1] <= m_plot->width()};
    const double below = double(metrics.height() + 4) / std::max(1, m_plot->axisRect()->height());
    for (int i = 0; i < 2; ++i) {
        const bool toTheRight = (i == 0) != outside[i];
        m_handles[i]->setPositionAlignment((toTheRight ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop);
        const bool isLower = i == 1 && !fits && !(outside[0] && outside[1]);
        m_handles[i]->position->setCoords(values[i], isLower ? below : 0.0);
    }
}

QString DistributionPanel::tipAt(const QPoint &position) const
{
    if (!m_plot->axisRect()->rect().contains(position) || mode() != Mode::Channels) return {};
    const double at = std::round(m_plot->xAxis->pixelToCoord(position.x()));
    const auto number = [](double v) { return QLocale().toString(v, 'g', 4); };
    for (auto it = m_boxes->data()->constBegin(); it != m_boxes->data()->constEnd(); ++it)
        if (it->key == at)
            return tr("Channel %1\nminimum %2\nquartiles %3, %4, %5\nmaximum %6")
                .arg(int(at))
                .arg(number(it->minimum), number(it->lowerQuartile), number(it->median), number(it->upperQuartile),
                     number(it->maximum));
    for (auto it = m_ranges->data()->constBegin(); it != m_ranges->data()->constEnd(); ++it)
        if (it->key == at) return tr("Channel %1: largest |value| %2").arg(int(at)).arg(number(it->value));
    return {};
}

QString DistributionPanel::keysText()
{
    return tr("Zoom: wheel, + and −. Pan: drag, or Left and Right. Full range: double-click or Home.\nClip limits: "
              "drag an amber line in “values”.");
}

bool DistributionPanel::keyPressed(const QKeyEvent &event)
{
    QCPAxis &axis = *m_plot->xAxis;
    const double step = axis.range().size() / 10, zoom = 0.8;
    switch (event.key()) {
    case Qt::Key_Left: axis.moveRange(-step); break;
    case Qt::Key_Right: axis.moveRange(step); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: axis.scaleRange(zoom); break;
    case Qt::Key_Minus: axis.scaleRange(1 / zoom); break;
    case Qt::Key_Home: rebuild(); break;
    case Qt::Key_Escape:
        if (m_dragging < 0) return false;
        endDrag(false);
        break;
    default: return false;
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
    return true;
}

int DistributionPanel::pointCount() const
{
    switch (mode()) {
    case Mode::Values: return m_float->data()->size();
    case Mode::Scatter: return m_scatter->data()->size();
    case Mode::Channels: return std::max(m_boxes->data()->size(), m_ranges->data()->size());
    }
    return 0;
}

QString DistributionPanel::csv() const
{
    const auto number = [](double v) { return QString::number(v, 'g', 9); };
    QString out;
    if (mode() == Mode::Channels && !m_boxes->data()->isEmpty()) {
        const auto limit = [&](const QCPGraph *limits, double channel) {
            const auto it = limits->data()->findBegin(channel, false);
            return it != limits->data()->constEnd() && it->key == channel ? number(it->value) : QString();
        };
        out = QStringLiteral("channel,min,q1,median,q3,max,quantized_min,quantized_max\n");
        for (auto it = m_boxes->data()->constBegin(); it != m_boxes->data()->constEnd(); ++it)
            out += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8\n")
                       .arg(number(it->key), number(it->minimum), number(it->lowerQuartile), number(it->median),
                            number(it->upperQuartile), number(it->maximum), limit(m_channelLow, it->key),
                            limit(m_channelHigh, it->key));
    } else if (mode() == Mode::Channels) {
        out = QStringLiteral("channel,largest_absolute_value\n");
        for (auto it = m_ranges->data()->constBegin(); it != m_ranges->data()->constEnd(); ++it)
            out += QStringLiteral("%1,%2\n").arg(number(it->key), number(it->value));
    } else if (mode() == Mode::Scatter) {
        out = QStringLiteral("float,quantized\n");
        for (auto it = m_scatter->data()->constBegin(); it != m_scatter->data()->constEnd(); ++it)
            out += QStringLiteral("%1,%2\n").arg(number(it->key), number(it->value));
    } else {
        // Centres of the bins with their counts; then the limits and the step of the grid, which have none
        out = QStringLiteral("series,value,count\n");
        for (qsizetype i = 0; i < m_values.counts.size(); ++i)
            out += QStringLiteral("float,%1,%2\n")
                       .arg(number(m_values.low + (double(i) + 0.5) * m_values.width), number(m_values.counts[i]));
        for (auto it = m_quantized->data()->constBegin(); it != m_quantized->data()->constEnd(); ++it)
            out += QStringLiteral("quantized,%1,%2\n").arg(number(it->key), number(it->value));
        if (m_low < m_high)
            out += QStringLiteral("lower_limit,%1,\nupper_limit,%2,\n").arg(number(m_low), number(m_high));
        if (const ConfigInfo *c = config(); c && c->scale.size() == 1 && !c->isFloat())
            out += QStringLiteral("step,%1,\n").arg(number(c->scale.front()));
    }
    return out;
}

QVector<PlotSource> DistributionPanel::plots()
{
    const Mode before = mode();
    QVector<PlotSource> sources;
    for (const Mode mode : {Mode::Values, Mode::Scatter, Mode::Channels}) {
        setMode(mode);
        if (pointCount() > 0)
            sources.append({m_plot->property("fileName").toString(), m_plot, [this] { return csv(); },
                            [this, mode] { setMode(mode); }, [this, before] { setMode(before); }});
    }
    setMode(before);
    return sources;
}

} // namespace ql
