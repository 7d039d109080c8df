#include "views/graph/graph_view.h"

#include "views/bridge/engine_text.h"
#include "views/models/operation_model.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace ql {

/// A graph that is too long for the least one can be seen as a whole all the same.
static constexpr double minZoom = 0.002, maxZoom = 3;
static constexpr int margin = 24;

GraphView::GraphView(QWidget *parent) : QWidget(parent), m_rows(std::make_shared<const QVector<OperationRow>>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    setAccessibleDescription(tr("The dispatched graph. Arrow keys step along edges."));
    setMinimumSize(160, 120);
    m_animation.setDuration(140);
    m_animation.setStartValue(0.0);
    m_animation.setEndValue(1.0);
    m_animation.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_animation, &QVariantAnimation::valueChanged, this, [this](const QVariant &value) {
        const double t = value.toDouble();
        setView(m_fromCenter + (m_toCenter - m_fromCenter) * t,
                std::exp(std::log(m_fromZoom) + (std::log(m_toZoom) - std::log(m_fromZoom)) * t));
    });
    m_styleTimer.setSingleShot(true);
    m_styleTimer.setInterval(0);
    connect(&m_styleTimer, &QTimer::timeout, this, [this] {
        m_styleTimer.start(); // as asked for: styleNow() ends it
        styleNow();
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &GraphView::restyle);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): it may be the one that is replaced
void GraphView::setScene(ScenePtr scene)
{
    const ScenePtr before = m_picture.scene();
    const bool sameModel = before && scene && before->graph->modelPath == scene->graph->modelPath &&
                           before->graph->sha256 == scene->graph->sha256;
    m_picture.set(scene, m_rows);
    if (sameModel && m_hasView) {
        // What was in the middle stays in the middle; when it is gone, what was next to it
        QHash<QString, int> now;
        for (int n = 0; n < scene->view.nodes.size(); ++n) now.insert(scene->view.nodes[n].key, n);
        int anchor = -1;
        double nearest = INFINITY;
        for (int n = 0; n < before->boxes.size(); ++n) {
            const QPointF d = before->boxes[n].center() - m_center;
            const double distance = QPointF::dotProduct(d, d);
            if (distance >= nearest || !now.contains(before->view.nodes[n].key)) continue;
            nearest = distance;
            anchor = n;
        }
        if (anchor >= 0)
            m_center +=
                scene->boxes[now.value(before->view.nodes[anchor].key)].center() - before->boxes[anchor].center();
    }
    setSelection(m_selection, m_current);
    restyle();
    if (!sameModel || !m_hasView) {
        m_hasView = false;
        if (scene && isVisible()) fitAll();
    }
    Q_EMIT viewChanged();
}

void GraphView::setRows(OperationRows rows)
{
    m_rows = std::move(rows);
    m_picture.set(m_picture.scene(), m_rows);
    restyle();
}

void GraphView::setOverlay(OverlayKind kind)
{
    m_overlay = kind;
    restyle();
}

void GraphView::setMarked(const QSet<int> &operations, bool isActive)
{
    m_search = {operations, isActive};
    restyle();
}

void GraphView::setPlaceholder(const QString &text)
{
    m_placeholder = text;
    update();
}

void GraphView::restyle()
{
    m_styleTimer.start();
    update();
}

void GraphView::styleNow()
{
    if (!m_styleTimer.isActive()) return;
    m_styleTimer.stop();
    m_picture.style(m_overlay, m_search);
    redrawMinimap();
    update();
    Q_EMIT styled();
}

void GraphView::redrawMinimap()
{
    m_minimap = {};
    if (m_styleTimer.isActive()) return; // comes with the colours
    // It has the same colours
    if (const ScenePtr &drawn = scene(); drawn && !drawn->bounds.isEmpty() && drawn->view.nodes.size() > 12) {
        m_minimap = QImage(minimapRect().size() * 2, QImage::Format_ARGB32_Premultiplied);
        m_minimap.fill(Qt::transparent);
        QPainter painter(&m_minimap);
        painter.scale(2, 2);
        painter.setTransform(minimapTransform(), true);
        painter.setPen(Qt::NoPen);
        m_picture.paintOverview(painter, minimapTransform().m22());
    }
}

void GraphView::setSelection(const QStringList &operations, const QString &current)
{
    m_selection = operations;
    m_current = current;
    QSet<int> nodes;
    int currentNode = -1;
    if (const ScenePtr &drawn = scene()) {
        for (const QString &name : operations)
            if (const int op = drawn->graph->find(name); op >= 0) nodes.insert(drawn->view.nodeOf[op]);
        if (const int op = drawn->graph->find(current); op >= 0) currentNode = drawn->view.nodeOf[op];
    }
    m_picture.select(std::move(nodes), currentNode);
    update();
}

// Geometry

QRectF GraphView::sceneRect() const
{
    return scene() ? scene()->bounds : QRectF();
}

QPointF GraphView::toWidget(const QPointF &scenePoint) const
{
    return (scenePoint - m_center) * m_zoom + QPointF(width(), height()) / 2;
}

QRectF GraphView::visibleScene() const
{
    const QSizeF size = QSizeF(width(), height()) / m_zoom;
    return {m_center.x() - size.width() / 2, m_center.y() - size.height() / 2, size.width(), size.height()};
}

double GraphView::fittingZoom() const
{
    const QRectF bounds = sceneRect();
    return std::min(std::max(1, width() - 2 * margin) / std::max(1.0, bounds.width()),
                    std::max(1, height() - 2 * margin) / std::max(1.0, bounds.height()));
}

double GraphView::allowedZoom(double zoom) const
{
    return std::clamp(zoom, std::min(minZoom, fittingZoom()), maxZoom);
}

void GraphView::setView(const QPointF &center, double zoom)
{
    m_zoom = allowedZoom(zoom);
    const QRectF bounds = sceneRect();
    // No further than the graph goes, with a margin; what fits is free to move
    const auto within = [](double value, double low, double high, double half) {
        return high - low > 2 * half ? std::clamp(value, low + half, high - half) : std::clamp(value, low, high);
    };
    m_center = {
        within(center.x(), bounds.left() - 200, bounds.right() + 200, width() / 2.0 / m_zoom),
        within(center.y(), bounds.top() - margin / m_zoom, bounds.bottom() + margin / m_zoom, height() / 2.0 / m_zoom)};
    m_hasView = true;
    update();
    Q_EMIT viewChanged();
}

void GraphView::animateTo(const QPointF &center, double zoom)
{
    m_animation.stop();
    m_fromCenter = m_center;
    m_fromZoom = m_zoom;
    m_toCenter = center;
    m_toZoom = allowedZoom(zoom);
    if (!isVisible() || !m_hasView)
        setView(center, zoom);
    else
        m_animation.start();
}

void GraphView::fitAll()
{
    const QRectF bounds = sceneRect();
    if (bounds.isEmpty()) return;
    const double zoom = fittingZoom();
    if (!m_hasView && zoom < GraphPicture::blockZoom) {
        // A first look that can be read: the beginning
        const double readable =
            std::clamp((width() - 2.0 * margin) / bounds.width(), GraphPicture::blockZoom + 0.05, 1.0);
        double x = bounds.center().x(), top = INFINITY;
        for (const QRectF &box : scene()->boxes)
            if (box.top() < top) {
                top = box.top();
                x = box.center().x();
            }
        return setView({x, bounds.top() + (height() / 2.0 - margin) / readable}, readable);
    }
    animateTo(bounds.center(), std::min(zoom, 1.0));
}

void GraphView::fitSelection()
{
    QRectF box;
    for (const int node : m_picture.selected()) box |= scene()->boxes[node];
    if (box.isEmpty()) return fitAll();
    const double zoom = std::min((width() - 4.0 * margin) / box.width(), (height() - 4.0 * margin) / box.height());
    animateTo(box.center(), std::min(zoom, 1.2));
}

void GraphView::zoomBy(double factor, const QPointF &at)
{
    if (!scene()) return;
    m_animation.stop();
    const QPointF offset = at - QPointF(width(), height()) / 2;
    const QPointF point = m_center + offset / m_zoom;
    const double zoom = allowedZoom(m_zoom * factor);
    setView(point - offset / zoom, zoom);
}

void GraphView::reveal(const QString &operation, bool recentre)
{
    const int op = scene() ? scene()->graph->find(operation) : -1;
    if (op < 0) return;
    const QRectF box = scene()->boxes[scene()->view.nodeOf[op]];
    const QRectF area = visibleScene();
    const bool seen = area.adjusted(10, 10, -10, -10).contains(box) && m_zoom >= GraphPicture::dotZoom;
    if (seen && !recentre) return;
    animateTo(box.center(), std::max(m_zoom, 0.7));
}

void GraphView::revealMarked()
{
    styleNow();
    if (!scene()) return;
    const QRectF area = visibleScene();
    QRectF all, first;
    for (int n = 0; n < scene()->boxes.size(); ++n) {
        if (!m_picture.isMarked(n) || scene()->view.nodes[n].isOpen) continue;
        const QRectF &box = scene()->boxes[n];
        if (area.contains(box) && m_zoom >= GraphPicture::dotZoom) return;
        if (first.isEmpty() || box.top() < first.top()) first = box;
        all |= box;
    }
    if (all.isEmpty()) return;
    const double zoom = std::min((width() - 4.0 * margin) / all.width(), (height() - 4.0 * margin) / all.height());
    if (zoom >= GraphPicture::blockZoom)
        animateTo(all.center(), std::min({zoom, std::max(m_zoom, 0.7), 1.2}));
    else
        animateTo(first.center(), std::max(m_zoom, 0.7));
}

int GraphView::nodeAt(const QPointF &position) const
{
    if (!scene()) return -1;
    const QPointF point = m_center + (position - QPointF(width(), height()) / 2) / m_zoom;
    const double slack = 3 / m_zoom;
    const auto [first, last] = scene()->bandsOf({point - QPointF(slack, slack), QSizeF(2 * slack, 2 * slack)});
    for (int band = first; band <= last; ++band)
        for (const int node : scene()->bandNodes[band])
            if (scene()->boxes[node].adjusted(-slack, -slack, slack, slack).contains(point)) return node;
    // Frames lie behind the boxes, the inner ones in front
    for (auto it = scene()->frames.rbegin(); it != scene()->frames.rend(); ++it)
        if (scene()->boxes[*it].contains(point)) return *it;
    return -1;
}

// Painting

QRect GraphView::minimapRect() const
{
    const QRectF bounds = sceneRect();
    if (bounds.isEmpty()) return {};
    const double scale = std::min(120.0 / bounds.width(), std::min(190.0, height() * 0.4) / bounds.height());
    const int w = std::max(44, int(bounds.width() * scale) + 12), h = std::max(44, int(bounds.height() * scale) + 12);
    return {width() - w - 12, height() - h - 12, w, h};
}

QTransform GraphView::minimapTransform() const
{
    const QRectF bounds = sceneRect();
    const QSizeF size = minimapRect().size();
    const double sx = (size.width() - 12) / std::max(bounds.width(), 1.0);
    const double sy = (size.height() - 12) / std::max(bounds.height(), 1.0);
    // A long graph may be stretched sideways, so that its branches are seen
    const double s = std::min(sx, sy);
    QTransform t;
    t.translate(size.width() / 2, 6);
    t.scale(std::min(sx, s * 8), s);
    t.translate(-bounds.center().x(), -bounds.top());
    return t;
}

void GraphView::paintMinimap(QPainter &painter) const
{
    if (m_minimap.isNull()) return;
    const QRectF bounds = sceneRect();
    if (visibleScene().contains(bounds)) return;
    const Theme &theme = Theme::current();
    const QRect place = minimapRect();
    painter.setPen(theme.line);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.drawImage(place, m_minimap);
    QRectF view = minimapTransform().mapRect(visibleScene() & bounds.adjusted(-200, -50, 200, 50));
    view = view.translated(place.topLeft()) & QRectF(place).adjusted(2, 2, -2, -2);
    if (view.height() < 3) view.adjust(0, -1.5, 0, 1.5);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.4));
    painter.drawRect(view);
}

void GraphView::paintEvent(QPaintEvent *)
{
    styleNow();
    QPainter painter(this);
    const Theme &theme = Theme::current();
    painter.fillRect(rect(), theme.canvas);
    if (!scene() || scene()->view.nodes.isEmpty()) {
        painter.setPen(theme.dim);
        painter.drawText(rect().adjusted(30, 30, -30, -30), Qt::AlignCenter | Qt::TextWordWrap, m_placeholder);
        return;
    }
    const QRectF area = visibleScene().adjusted(-20 / m_zoom, -40, 20 / m_zoom, 40);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, m_zoom >= GraphPicture::dotZoom);
    painter.translate(width() / 2.0, height() / 2.0);
    painter.scale(m_zoom, m_zoom);
    painter.translate(-m_center);
    m_picture.paint(painter, area, m_zoom);
    painter.restore();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!m_rubber.isNull()) {
        QColor fill = theme.accent;
        fill.setAlphaF(0.12f);
        painter.setPen(theme.accent);
        painter.setBrush(fill);
        painter.drawRect(m_rubber);
    }
    paintMinimap(painter);
    if (hasFocus() && currentNode() < 0) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void GraphView::resizeEvent(QResizeEvent *)
{
    if (scene() && !m_hasView) fitAll();
    redrawMinimap();
    Q_EMIT viewChanged();
}

// Input

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
        if (event->modifiers() & Qt::ShiftModifier) delta = {delta.y(), delta.x()};
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
        case OverlayKind::Layerwise: return row.layerwise ? errorText(row.layerwise) : QString();
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
            lines.append(QStringLiteral("%1: %2").arg(info.platform, engineText(info.reason).toHtmlEscaped()));
        const QString error = hasRows ? errorOf(m_rows->at(op)) : QString();
        if (!error.isEmpty()) lines.append(QStringLiteral("%1: %2").arg(overlayName(m_overlay), error));
        hasError = hasError || !error.isEmpty();
    }
    if (operations.isEmpty()) lines.append(scene()->view.nodes[node].label.toHtmlEscaped());
    if (m_overlay == OverlayKind::ScaleGroup)
        lines += {QString(), tr("Operations with the same S and number share one scale.")};
    if (hasError) {
        const bool isLayerwise = m_overlay == OverlayKind::Layerwise;
        lines.append(QString());
        lines.append(m_overlay == OverlayKind::Difference ? changeMeaning()
                     : isLayerwise                        ? layerwiseMeaning()
                                                          : graphwiseMeaning());
        if (scene()->view.nodes[node].kind == ViewNode::Kind::Group && m_overlay != OverlayKind::Difference)
            lines.append(tr("A group shows its worst operation."));
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

/// To the next box along an edge (sideways 0), or to a neighbour of the row.
void GraphView::step(bool down, int sideways)
{
    if (!scene()) return;
    const int from = currentNode();
    int to = -1;
    const auto hasOperation = [&](int node) { return !scene()->view.nodes[node].operations.isEmpty(); };
    if (from < 0) {
        for (int n = 0; n < scene()->view.nodes.size() && to < 0; ++n)
            if (hasOperation(n)) to = n;
    } else if (sideways != 0) {
        // The nearest box beside it
        const QRectF &here = scene()->boxes[from];
        double nearest = INFINITY;
        const auto [first, last] = scene()->bandsOf(here);
        for (int band = first; band <= last; ++band)
            for (const int other : scene()->bandNodes[band]) {
                const QRectF &there = scene()->boxes[other];
                const double distance = (there.center().x() - here.center().x()) * sideways;
                const bool isBeside = there.top() < here.bottom() && there.bottom() > here.top();
                if (other == from || !isBeside || distance <= 0 || distance >= nearest || !hasOperation(other))
                    continue;
                nearest = distance;
                to = other;
            }
    } else {
        double nearest = INFINITY;
        for (const ViewEdge &edge : scene()->view.edges) {
            const int other = down ? edge.to : edge.from;
            if ((down ? edge.from : edge.to) != from || !hasOperation(other)) continue;
            const QPointF d = scene()->boxes[other].center() - scene()->boxes[from].center();
            if (const double distance = std::abs(d.x()) + 0.3 * std::abs(d.y()); distance < nearest) {
                nearest = distance;
                to = other;
            }
        }
    }
    if (to < 0) return;
    const QString name = scene()->graph->operations[scene()->view.nodes[to].operations.front()].name;
    Q_EMIT currentRequested(name);
    reveal(name);
}

void GraphView::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_J:
    case Qt::Key_Down: return step(true, 0);
    case Qt::Key_K:
    case Qt::Key_Up: return step(false, 0);
    case Qt::Key_H:
    case Qt::Key_Left: return step(false, -1);
    case Qt::Key_L:
    case Qt::Key_Right: return step(false, 1);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(1.25, QPointF(width(), height()) / 2);
    case Qt::Key_Minus: return zoomBy(0.8, QPointF(width(), height()) / 2);
    case Qt::Key_PageDown: return setView(m_center + QPointF(0, height() * 0.8 / m_zoom), m_zoom);
    case Qt::Key_PageUp: return setView(m_center - QPointF(0, height() * 0.8 / m_zoom), m_zoom);
    case Qt::Key_Home: return setView({m_center.x(), sceneRect().top()}, m_zoom);
    case Qt::Key_End: return setView({m_center.x(), sceneRect().bottom()}, m_zoom);
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
    // The menu key is about the current operation, wherever the mouse is
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const int node = byKey ? currentNode() : nodeAt(event->pos());
    QString name;
    if (node >= 0 && !scene()->view.nodes[node].operations.isEmpty())
        name = scene()->graph->operations[scene()->view.nodes[node].operations.front()].name;
    Q_EMIT contextMenuRequested(name, event->globalPos());
}

} // namespace ql
