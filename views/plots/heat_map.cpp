#include "views/plots/heat_map.h"

#include "views/models/operation_model.h"
#include "views/plots/qcp.h"
#include "views/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <limits>

namespace ql {

/// Noise / signal at the ends of the colours, as powers of ten: those of Theme::errorStep().
static constexpr double leastPower = -5.0 - 0.3125, mostPower = -0.3125;

HeatMap::HeatMap(QWidget *parent) : QWidget(parent), m_plot(new QCustomPlot)
{
    m_plot->setMinimumSize(40, 40);
    m_plot->setFocusPolicy(Qt::StrongFocus);
    m_plot->setAccessibleName(tr("Noise of each operation and sample"));
    m_plot->installEventFilter(this);
    m_map = new QCPColorMap(m_plot->xAxis, m_plot->yAxis);
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false);
    m_plot->yAxis->setRangeReversed(true); // the first operation on top
    m_mark = new QCPItemRect(m_plot);
    m_sampleMark = new QCPItemRect(m_plot);
    m_export = ql::exportButton(*m_plot, QStringLiteral("heat_map"), [this] { return csv(); });
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(m_plot, 1);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &HeatMap::restyle);
    restyle();
}

void HeatMap::restyle()
{
    const Theme &theme = Theme::current();
    stylePlot(*m_plot);
    makeWhole(*m_plot->xAxis);
    makeWhole(*m_plot->yAxis);
    m_plot->xAxis->setLabel(tr("sample"));
    m_plot->yAxis->setLabel(tr("operation"));
    m_plot->yAxis->grid()->setVisible(false);
    QCPColorGradient colours;
    colours.clearColorStops();
    colours.setLevelCount(int(theme.ramp.size()));
    for (std::size_t i = 0; i < theme.ramp.size(); ++i)
        colours.setColorStopAt(double(i) / double(theme.ramp.size() - 1), theme.ramp[i]);
    colours.setNanHandling(QCPColorGradient::nhNanColor);
    colours.setNanColor(theme.panel);
    m_map->setGradient(colours);
    m_map->setDataRange({leastPower, mostPower});
    for (QCPItemRect *mark : {m_mark, m_sampleMark}) {
        mark->setPen(QPen(theme.accent, 2));
        mark->setBrush(Qt::NoBrush);
    }
    rebuild();
}

void HeatMap::setExplanation(const ExplanationPtr &explanation)
{
    m_explanation = explanation;
    m_sample = -1;
    rebuild();
}

int HeatMap::rowCount() const
{
    return m_explanation ? int(m_explanation->operations.size()) : 0;
}

void HeatMap::setCurrent(int row)
{
    m_current = row;
    m_mark->setVisible(row >= 0 && row < rowCount());
    if (m_mark->visible()) {
        m_mark->topLeft->setCoords(0.5, row + 0.5);
        m_mark->bottomRight->setCoords(double(m_explanation->samples.size()) + 0.5, row + 1.5);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void HeatMap::setSample(int column)
{
    m_sample = column;
    m_sampleMark->setVisible(m_explanation && column >= 0 && column < int(m_explanation->samples.size()));
    if (m_sampleMark->visible()) {
        m_sampleMark->topLeft->setCoords(column + 0.5, 0.5);
        m_sampleMark->bottomRight->setCoords(column + 1.5, rowCount() + 0.5);
    }
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void HeatMap::rebuild()
{
    const int rows = std::max(1, rowCount());
    const int samples = m_explanation ? std::max(1, int(m_explanation->samples.size())) : 1;
    m_map->data()->setSize(samples, rows);
    m_map->data()->setRange({1, double(samples)}, {1, double(rows)});
    m_map->data()->fill(std::numeric_limits<double>::quiet_NaN());
    for (int row = 0; row < rowCount(); ++row) {
        const auto &noise = m_explanation->operations[std::size_t(row)].samples;
        for (int sample = 0; sample < std::min(samples, int(noise.size())); ++sample)
            if (const auto &value = noise[std::size_t(sample)])
                m_map->data()->setCell(sample, row, std::log10(std::max(*value, 1e-12)));
    }
    m_plot->xAxis->setRange(0.5, samples + 0.5);
    m_plot->yAxis->setRange(0.5, rows + 0.5);
    setCurrent(m_current);
    setSample(m_sample);
}

QPoint HeatMap::centreOf(int row, int sample) const
{
    return QPointF(m_plot->xAxis->coordToPixel(sample + 1), m_plot->yAxis->coordToPixel(row + 1)).toPoint();
}

int HeatMap::rowAt(const QPoint &position) const
{
    if (!m_plot->axisRect()->rect().contains(position)) return -1;
    const int row = int(std::floor(m_plot->yAxis->pixelToCoord(position.y()) - 0.5));
    return row >= 0 && row < rowCount() ? row : -1;
}

int HeatMap::sampleAt(const QPoint &position) const
{
    const int sample = int(std::floor(m_plot->xAxis->pixelToCoord(position.x()) - 0.5));
    return m_explanation && sample >= 0 && sample < int(m_explanation->samples.size()) ? sample : -1;
}

QString HeatMap::tipAt(const QPoint &position) const
{
    const int row = rowAt(position), sample = sampleAt(position);
    if (row < 0 || sample < 0) return {};
    const api::NoiseOrigin &operation = m_explanation->operations[std::size_t(row)];
    if (sample >= int(operation.samples.size())) return {};
    return tr("%1\n%2: noise / signal %3")
        .arg(QString::fromStdString(operation.op), QString::fromStdString(m_explanation->samples[std::size_t(sample)]),
             noiseText(operation.samples[std::size_t(sample)]));
}

bool HeatMap::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::KeyPress && rowCount() > 0) {
        const int key = static_cast<QKeyEvent *>(event)->key();
        if (const int step = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0; step != 0) {
            Q_EMIT rowRequested(std::clamp(m_current + step, 0, rowCount() - 1));
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        const auto &help = *static_cast<QHelpEvent *>(event);
        QToolTip::showText(help.globalPos(), tipAt(help.pos()), m_plot);
        return true;
    }
    if (event->type() == QEvent::MouseButtonPress) {
        const auto &mouse = *static_cast<QMouseEvent *>(event);
        const int row = rowAt(mouse.position().toPoint());
        if (row >= 0 && mouse.button() == Qt::LeftButton) Q_EMIT rowRequested(row);
    }
    return QWidget::eventFilter(watched, event);
}

QString HeatMap::csv() const
{
    QString csv = QStringLiteral("operation,sample,noise_ratio\n");
    for (int row = 0; row < rowCount(); ++row) {
        const api::NoiseOrigin &operation = m_explanation->operations[std::size_t(row)];
        for (std::size_t i = 0; i < std::min(operation.samples.size(), m_explanation->samples.size()); ++i)
            csv += QStringLiteral("\"%1\",\"%2\",%3\n")
                       .arg(QString::fromStdString(operation.op), QString::fromStdString(m_explanation->samples[i]),
                            operation.samples[i] ? QString::number(*operation.samples[i], 'g', 9) : QString());
    }
    return csv;
}

QVector<PlotSource> HeatMap::plots()
{
    if (rowCount() == 0) return {};
    return {{.name = QStringLiteral("heat_map"), .plot = m_plot, .csv = [this] { return csv(); }}};
}

} // namespace ql
