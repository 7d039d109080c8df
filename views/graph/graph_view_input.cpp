#include "views/bridge/engine_text.h"
#include "views/graph/graph_view.h"
#include "views/models/operation_model.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QToolTip>
#include <QWheelEvent>
#include <cmath>

namespace ql {

void GraphView::mousePressEvent(QMouseEvent *event)
{
    m_animation.stop();
    m_press = m_last = event->pos();
    m_isDragging = false;
    m_isInMinimap = !m_minimap.isNull() && !visibleScene().contains(sceneRect()) && minimapRect().contains(m_press);
    if (m_isInMinimap) mouseMoveEvent(event);
}

void GraphView::mouseMoveEvent(QMouseEvent *event)
{
    if (!scene()) return;
    if (!(event->buttons() & (Qt::LeftButton | Qt::MiddleButton))) {
        setCursor(nodeAt(event->position()) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
        return;
    }
    if (m_isInMinimap) {
        const QRect place = minimapRect();
        setView(minimapTransform().inverted().map(QPointF(event->pos() - place.topLeft())), m_zoom);
        return;
    }
    if (!m_isDragging && (event->pos() - m_press).manhattanLength() < QApplication::startDragDistance()) return;
    m_isDragging = true;
    if (event->modifiers() & Qt::ShiftModifier || !m_rubber.isNull()) {
        m_rubber = QRect(m_press, event->pos()).normalized();
        update();
        return;
    }
    setCursor(Qt::ClosedHandCursor);
    setView(m_center - QPointF(event->pos() - m_last) / m_zoom, m_zoom);
    m_last = event->pos();
}

void GraphView::mouseReleaseEvent(QMouseEvent *event)
{
    setCursor(Qt::ArrowCursor);
    if (m_isInMinimap || !scene()) return;
    if (!m_rubber.isNull()) {
        const QRectF area(m_center + (QPointF(m_rubber.topLeft()) - QPointF(width(), height()) / 2) / m_zoom,
                          QSizeF(m_rubber.size()) / m_zoom);
        QStringList names;
        for (int n = 0; n < scene()->view.nodes.size(); ++n)
            if (area.intersects(scene()->boxes[n]))
                for (const int op : scene()->view.nodes[n].operations)
                    names.append(scene()->graph->operations[op].name);
        m_rubber = {};
        update();
        if (!names.isEmpty()) Q_EMIT selectionRequested(names, names.front());
        return;
    }
    if (m_isDragging || event->button() != Qt::LeftButton) return;
    const int node = nodeAt(event->position());
    if (node >= 0) {
        const QPointF point = m_center + (event->position() - QPointF(width(), height()) / 2) / m_zoom;
        if (m_zoom >= 0.3 && m_picture.foldRect(node).contains(point) && toggleFold(node)) return;
    }
    clickNode(node, event->modifiers());
}

void GraphView::clickNode(int node, Qt::KeyboardModifiers modifiers)
{
    if (node < 0) return Q_EMIT selectionRequested({}, {});
    const ViewNode &clicked = scene()->view.nodes[node];
    if (clicked.operations.isEmpty()) return;
    QStringList all;
    for (const int op : clicked.operations) all.append(scene()->graph->operations[op].name);
    const QString name = all.front();
    const bool isGroup = clicked.kind == ViewNode::Kind::Group;
    if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier)) {
        QStringList names = m_selection;
        const bool removes = names.contains(name);
        for (const QString &one : isGroup ? all : QStringList{name}) {
            names.removeOne(one);
            if (!removes) names.append(one);
        }
        return Q_EMIT selectionRequested(names, names.contains(name) ? name : names.value(0));
    }
    if (isGroup) return Q_EMIT selectionRequested(all, name);
    Q_EMIT currentRequested(name);
}

bool GraphView::toggleFold(int node)
{
    const ViewNode &n = scene()->view.nodes[node];
    if (n.fold.isEmpty()) return false;
    Q_EMIT foldRequested(n.fold, n.isOpen);
    return true;
}

void GraphView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const int node = nodeAt(event->position());
    if (node >= 0 && !scene()->view.nodes[node].isOpen) toggleFold(node);
}

void GraphView::wheelEvent(QWheelEvent *event)
{
    if (!scene()) return;
    m_animation.stop();
    const QPointF angle = event->angleDelta();
    if (event->modifiers() & Qt::ControlModifier) {
        zoomBy(std::pow(1.0018, angle.y()), event->position());
    } else {
        QPointF delta = event->hasPixelDelta() ? QPointF(event->pixelDelta()) : angle * 0.6;
        // Shift scrolls sideways; so does the wheel alone if the graph only overflows sideways
        const QSizeF drawn = sceneRect().size() * m_zoom;
        const bool isWide =
            drawn.height() <= height() && drawn.width() > width() && std::abs(delta.y()) > std::abs(delta.x());
        if (isWide != bool(event->modifiers() & Qt::ShiftModifier)) delta = {delta.y(), delta.x()};
        setView(m_center - delta / m_zoom, m_zoom);
    }
    event->accept();
}

QString GraphView::tipOf(int node) const
{
    QStringList lines;
    const QVector<int> &operations = scene()->view.nodes[node].operations;
    const bool hasRows = m_rows->size() == scene()->graph->operations.size();
    const auto errorOf = [this](const OperationRow &row) -> QString {
        switch (m_overlay) {
        case OverlayKind::Graphwise: return row.graphwise ? errorText(row.graphwise) : QString();
        case OverlayKind::Layerwise:
            return row.layerwise ? estimateText(errorText(row.layerwise), row.isLayerwiseEstimated) : QString();
        case OverlayKind::Difference:
            if (!row.graphwise || !row.baseline || *row.graphwise <= 0 || *row.baseline <= 0) return {};
            return changeText(-10 * std::log10(*row.graphwise / *row.baseline));
        case OverlayKind::Platform:
        case OverlayKind::Precision:
        case OverlayKind::ScaleGroup: break;
        }
        return {};
    };
    bool hasError = false;
    for (const int op : operations.mid(0, 12)) {
        const OperationInfo &info = scene()->graph->operations[op];
        lines.append(QStringLiteral("<b>%1</b> · %2").arg(info.name.toHtmlEscaped(), info.type));
        if (!info.reason.isEmpty())
            lines.append(QStringLiteral("%1: %2").arg(info.platform, info.reason.toHtmlEscaped()));
        const QString error = hasRows ? errorOf(m_rows->at(op)) : QString();
        if (!error.isEmpty()) lines.append(QStringLiteral("%1: %2").arg(overlayName(m_overlay), error));
        hasError = hasError || !error.isEmpty();
    }
    if (operations.isEmpty()) lines.append(scene()->view.nodes[node].label.toHtmlEscaped());
    if (m_overlay == OverlayKind::ScaleGroup)
        lines += {QString(), tr("Operations with the same S number share one scale.")};
    if (hasError) {
        const bool isLayerwise = m_overlay == OverlayKind::Layerwise;
        lines.append(QString());
        lines.append(m_overlay == OverlayKind::Difference ? changeMeaning()
                     : isLayerwise                        ? layerwiseMeaning()
                                                          : graphwiseMeaning());
        if (scene()->view.nodes[node].kind == ViewNode::Kind::Group && m_overlay != OverlayKind::Difference)
            lines.append(tr("A group is coloured by its worst operation."));
        lines.append(measuredText(m_run, isLayerwise ? &RunData::layerwise : &RunData::graphwise));
    }
    return QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>")));
}

bool GraphView::event(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture) {
        auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomBy(1 + gesture->value(), gesture->position());
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && scene()) {
        auto *help = static_cast<QHelpEvent *>(event);
        const int node = nodeAt(help->pos());
        if (node < 0) {
            QToolTip::hideText();
            return true;
        }
        QToolTip::showText(help->globalPos(), tipOf(node), this);
        return true;
    }
    return QWidget::event(event);
}

void GraphView::stepAlong(bool forward)
{
    if (!scene()) return;
    const int from = currentNode();
    int to = -1;
    if (from < 0) {
        for (int n = 0; n < scene()->view.nodes.size() && to < 0; ++n)
            if (hasOperation(n)) to = n;
    } else {
        const bool isTurned = scene()->arrangement.leftToRight;
        double nearest = INFINITY;
        for (const ViewEdge &edge : scene()->view.edges) {
            const int other = forward ? edge.to : edge.from;
            if ((forward ? edge.from : edge.to) != from || !hasOperation(other)) continue;
            const QPointF d = scene()->boxes[other].center() - scene()->boxes[from].center();
            const double across = std::abs(isTurned ? d.y() : d.x()), along = std::abs(isTurned ? d.x() : d.y());
            if (across + 0.3 * along >= nearest) continue;
            nearest = across + 0.3 * along;
            to = other;
        }
    }
    goTo(to);
}

void GraphView::stepAcross(bool forward)
{
    const int from = scene() ? currentNode() : -1;
    if (from < 0) return stepAlong(true);
    const bool isTurned = scene()->arrangement.leftToRight;
    const QRectF &here = scene()->boxes[from];
    int to = -1;
    double nearest = INFINITY;
    for (int other = 0; other < scene()->boxes.size(); ++other) {
        const QRectF &there = scene()->boxes[other];
        const QPointF d = there.center() - here.center();
        const double distance = (isTurned ? d.y() : d.x()) * (forward ? 1 : -1);
        const bool isBeside = isTurned ? there.left() < here.right() && there.right() > here.left()
                                       : there.top() < here.bottom() && there.bottom() > here.top();
        if (other == from || !isBeside || distance <= 0 || distance >= nearest || !hasOperation(other)) continue;
        nearest = distance;
        to = other;
    }
    goTo(to);
}

bool GraphView::hasOperation(int node) const
{
    return !scene()->view.nodes[node].operations.isEmpty();
}

void GraphView::goTo(int node)
{
    if (node < 0) return;
    const QString name = scene()->graph->operations[scene()->view.nodes[node].operations.front()].name;
    Q_EMIT currentRequested(name);
    reveal(name);
}

void GraphView::keyPressEvent(QKeyEvent *event)
{
    // Arrows point where the boxes are; J and K follow the edges in any orientation
    const bool isTurned = scene() && scene()->arrangement.leftToRight;
    const auto arrow = [&](bool isVertical, bool forward) {
        return isVertical != isTurned ? stepAlong(forward) : stepAcross(forward);
    };
    const auto page = [&](int sign) {
        const QPointF way = isTurned ? QPointF(width(), 0) : QPointF(0, height());
        setView(m_center + way * (sign * 0.8 / m_zoom), m_zoom);
    };
    const auto end = [&](const QPointF &corner) {
        setView(isTurned ? QPointF(corner.x(), m_center.y()) : QPointF(m_center.x(), corner.y()), m_zoom);
    };
    switch (event->key()) {
    case Qt::Key_J: return stepAlong(true);
    case Qt::Key_K: return stepAlong(false);
    case Qt::Key_H: return stepAcross(false);
    case Qt::Key_L: return stepAcross(true);
    case Qt::Key_Down: return arrow(true, true);
    case Qt::Key_Up: return arrow(true, false);
    case Qt::Key_Left: return arrow(false, false);
    case Qt::Key_Right: return arrow(false, true);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(1.25, QPointF(width(), height()) / 2);
    case Qt::Key_Minus: return zoomBy(0.8, QPointF(width(), height()) / 2);
    case Qt::Key_PageDown: return page(1);
    case Qt::Key_PageUp: return page(-1);
    case Qt::Key_Home: return end(sceneRect().topLeft());
    case Qt::Key_End: return end(sceneRect().bottomRight());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (currentNode() >= 0) toggleFold(currentNode());
        return;
    case Qt::Key_Backspace: return Q_EMIT foldCurrentRequested();
    case Qt::Key_Escape: return Q_EMIT selectionRequested({}, {});
    default: QWidget::keyPressEvent(event);
    }
}

void GraphView::contextMenuEvent(QContextMenuEvent *event)
{
    // The menu key refers to the current operation, regardless of the mouse position
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const int node = byKey ? currentNode() : nodeAt(event->pos());
    QString name;
    if (node >= 0 && !scene()->view.nodes[node].operations.isEmpty())
        name = scene()->graph->operations[scene()->view.nodes[node].operations.front()].name;
    Q_EMIT contextMenuRequested(name, event->globalPos());
}

} // namespace ql
