// Mouse, keyboard and tool tips of the error chart.
#include "views/models/operation_model.h"
#include "views/plots/error_plot.h"
#include "views/plots/qcp.h"

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace ql {

/// Of a bar on each side of the first and last one.
static constexpr double barMargin = 0.8;
/// The number of bars visible at the closest zoom.
static constexpr double minBars = 4;
/// The factor of the visible range for one step of the wheel, or a key.
static constexpr double zoomStep = 0.8;

QString ErrorPlot::keysText()
{
    return tr("Threshold: drag the dashed line, or press Up and Down (Shift: fine steps).\nZoom: wheel, + and −. Pan: "
              "drag. All bars: double-click or Home.");
}

void ErrorPlot::showBars(double first, double last)
{
    const double least = -barMargin, most = std::max(1.0, double(m_bars.size()) - 1 + barMargin), all = most - least;
    const double width = std::clamp(last - first, std::min(minBars, all), all);
    m_isZoomed = width < all * 0.999;
    first = std::max(least, std::min(first, most - width));
    m_plot->xAxis->setRange(first, first + width);
    m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ErrorPlot::showAll()
{
    showBars(-barMargin, double(m_bars.size()) + 1);
}

void ErrorPlot::zoom(double factor, double at)
{
    const QCPRange range = m_plot->xAxis->range();
    factor = std::max(factor, minBars / range.size());
    showBars(at - (at - range.lower) * factor, at + (range.upper - at) * factor);
}

int ErrorPlot::barAt(const QPoint &position) const
{
    if (!m_plot->axisRect()->rect().adjusted(-2, -4, 2, 4).contains(position)) return -1;
    const int at = int(std::lround(m_plot->xAxis->pixelToCoord(position.x())));
    return at >= 0 && at < m_bars.size() ? at : -1;
}

QPoint ErrorPlot::barCenter(int position) const
{
    const QRect area = m_plot->axisRect()->rect();
    return {int(m_plot->xAxis->coordToPixel(position)), area.bottom() - 3};
}

void ErrorPlot::moveThreshold(double threshold)
{
    setThreshold(threshold);
    Q_EMIT thresholdChanged(m_threshold);
}

QString ErrorPlot::tipAt(const QPoint &position) const
{
    const int bar = barAt(position);
    if (bar < 0) return keysText();
    const OperationRow &row = m_rows->at(m_bars[bar]);
    const bool isGraphwise = m_measure == Measure::Graphwise || m_measure == Measure::Difference;
    QStringList lines{QStringLiteral("<b>%1</b> · %2").arg(row.name.toHtmlEscaped(), row.type.toHtmlEscaped()),
                      tr("graphwise: %1").arg(errorText(row.graphwise)),
                      tr("layerwise: %1").arg(estimateText(errorText(row.layerwise), row.isLayerwiseEstimated))};
    if (const std::optional<double> before = ghost(row)) lines.append(tr("dashed: %1").arg(errorText(before)));
    if (isDifference()) lines.append(tr("change from baseline: %1").arg(changeText(*value(row))));
    lines.append(QString());
    lines.append(isGraphwise ? graphwiseMeaning() : layerwiseMeaning());
    lines.append(isDifference() ? changeMeaning() : tr("In decibels: −10 log₁₀ of noise / signal."));
    lines.append(measuredText(m_run, isGraphwise ? &RunData::graphwise : &RunData::layerwise));
    return QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>")));
}

bool ErrorPlot::mouseEvent(const QMouseEvent &event)
{
    const QPoint at = event.position().toPoint();
    const bool onLine =
        m_line->visible() && std::abs(m_plot->yAxis->coordToPixel(m_threshold) - event.position().y()) < 5;
    const bool isLeft = event.button() == Qt::LeftButton;
    switch (event.type()) {
    case QEvent::MouseButtonPress:
        if (!isLeft) return false;
        m_isDragging = onLine;
        m_pressedAt = onLine ? std::nullopt : std::optional(at);
        m_pressedFirst = m_plot->xAxis->range().lower;
        return true;
    case QEvent::MouseMove: {
        if (m_isDragging) {
            const QRect area = m_plot->axisRect()->rect(); // beyond it nobody would find the line again
            moveThreshold(m_plot->yAxis->pixelToCoord(std::clamp(at.y(), area.top(), area.bottom())));
            return true;
        }
        if (m_pressedAt && m_isZoomed && std::abs(at.x() - m_pressedAt->x()) >= QApplication::startDragDistance())
            m_isPanning = true;
        if (m_isPanning) {
            const double width = m_plot->xAxis->range().size();
            const double first =
                m_pressedFirst + (m_pressedAt->x() - at.x()) * width / std::max(1, m_plot->axisRect()->width());
            showBars(first, first + width);
        }
        m_plot->setCursor(onLine          ? Qt::SizeVerCursor
                          : m_isPanning   ? Qt::ClosedHandCursor
                          : barAt(at) < 0 ? Qt::ArrowCursor
                                          : Qt::PointingHandCursor);
        return m_isPanning;
    }
    case QEvent::MouseButtonRelease: {
        if (!isLeft) return false;
        const bool isClick =
            m_pressedAt && !m_isPanning && (at - *m_pressedAt).manhattanLength() < QApplication::startDragDistance();
        m_isDragging = m_isPanning = false;
        m_pressedAt.reset();
        if (const int bar = barAt(at); isClick && bar >= 0) Q_EMIT currentRequested(m_rows->at(m_bars[bar]).name);
        return true;
    }
    case QEvent::MouseButtonDblClick:
        if (isLeft && !onLine) showAll();
        return true;
    default: return false;
    }
}

bool ErrorPlot::keyPressed(const QKeyEvent &event)
{
    const int current = currentBar();
    const QCPRange shown = m_plot->xAxis->range(), heights = m_plot->yAxis->range();
    const double middle = current >= 0 && shown.contains(current) ? current : shown.center();
    switch (event.key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        if (m_bars.isEmpty()) return false;
        const int at = std::clamp(current + (event.key() == Qt::Key_Right ? 1 : -1), 0, int(m_bars.size()) - 1);
        Q_EMIT currentRequested(m_rows->at(m_bars[at]).name);
        return true;
    }
    case Qt::Key_Up:
    case Qt::Key_Down: {
        if (!m_line->visible()) return false;
        const double decibel = event.modifiers() & Qt::ShiftModifier ? 0.1 : 1;
        const double moved = m_threshold * std::pow(10, (event.key() == Qt::Key_Up ? decibel : -decibel) / 10);
        moveThreshold(std::clamp(moved, std::max(heights.lower, 1e-9), heights.upper));
        return true;
    }
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(zoomStep, middle); return true;
    case Qt::Key_Minus: zoom(1 / zoomStep, middle); return true;
    case Qt::Key_Home: showAll(); return true;
    default: return false;
    }
}

bool ErrorPlot::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_plot) return QWidget::eventFilter(watched, event);
    bool isDone = false;
    if (event->type() == QEvent::Resize) {
        labelOperations();
    } else if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), tipAt(help->pos()), m_plot);
        isDone = true;
    } else if (event->type() == QEvent::KeyPress) {
        isDone = keyPressed(*static_cast<QKeyEvent *>(event));
    } else if (event->type() == QEvent::Wheel) {
        auto *wheel = static_cast<QWheelEvent *>(event);
        const QPoint turned = wheel->angleDelta();
        const bool isSideways = wheel->modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y());
        const double steps = (std::abs(turned.x()) > std::abs(turned.y()) ? turned.x() : turned.y()) / 120.0;
        const QCPRange range = m_plot->xAxis->range();
        const double by = -steps * range.size() / 10;
        if (isSideways)
            showBars(range.lower + by, range.upper + by);
        else
            zoom(std::pow(zoomStep, steps), m_plot->xAxis->pixelToCoord(wheel->position().x()));
        wheel->accept();
        isDone = true;
    } else if (const auto *mouse = dynamic_cast<QMouseEvent *>(event)) {
        isDone = mouseEvent(*mouse);
    }
    return isDone || QWidget::eventFilter(watched, event);
}

} // namespace ql
