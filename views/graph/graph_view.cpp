#include "views/graph/graph_view.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QNativeGestureEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

namespace ql {

static constexpr double minZoom = 0.002, maxZoom = 3;
/// Below: a box is a coloured block; text goes.
static constexpr double blockZoom = 0.5;
/// Below: edges are plain lines and boxes are not outlined.
static constexpr double dotZoom = 0.16;
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
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &GraphView::restyle);
}

void GraphView::setScene(ScenePtr scene)
{
    const ScenePtr before = std::exchange(m_scene, std::move(scene));
    const bool sameModel = before && m_scene && before->graph->modelPath == m_scene->graph->modelPath &&
                           before->graph->sha256 == m_scene->graph->sha256;
    if (sameModel && m_hasView) {
        // What was in the middle stays in the middle
        int anchor = -1;
        double nearest = INFINITY;
        for (int n = 0; n < before->layout.nodes.size(); ++n) {
            const QPointF d = before->layout.nodes[n].center() - m_center;
            if (const double distance = QPointF::dotProduct(d, d); distance < nearest) {
                nearest = distance;
                anchor = n;
            }
        }
        for (int n = 0; anchor >= 0 && n < m_scene->view.nodes.size(); ++n)
            if (m_scene->view.nodes[n].key == before->view.nodes[anchor].key) {
                m_center += m_scene->layout.nodes[n].center() - before->layout.nodes[anchor].center();
                break;
            }
    }
    m_seen.fill(0, m_scene ? m_scene->view.edges.size() : 0);
    m_stamp = 0;
    setSelection(m_selection, m_current);
    restyle();
    if (!sameModel || !m_hasView) {
        m_hasView = false;
        if (m_scene && isVisible()) fitAll();
    }
    Q_EMIT viewChanged();
}

void GraphView::setRows(OperationRows rows)
{
    m_rows = std::move(rows);
    restyle();
}

void GraphView::setOverlay(OverlayKind kind)
{
    m_overlay = kind;
    restyle();
}

void GraphView::setMarked(const QSet<int> &operations, bool isActive)
{
    m_marked = operations;
    m_isSearching = isActive;
    restyle();
}

void GraphView::setPlaceholder(const QString &text)
{
    m_placeholder = text;
    update();
}

const OperationRow *GraphView::rowOf(int node) const
{
    const QVector<int> &operations = m_scene->view.nodes[node].operations;
    if (operations.isEmpty() || operations.front() >= m_rows->size()) return nullptr;
    return &m_rows->at(operations.front());
}

void GraphView::restyle()
{
    m_styles.clear();
    m_minimap = {};
    if (!m_scene) return update();
    const Theme &theme = Theme::current();
    m_styles.resize(m_scene->view.nodes.size());
    const bool rowsFit = m_rows->size() == m_scene->graph->operations.size();
    for (int n = 0; n < m_styles.size() && rowsFit; ++n) {
        NodeStyle &style = m_styles[n];
        const ViewNode &node = m_scene->view.nodes[n];
        double worst = -1;
        for (const int op : node.operations) {
            const OperationRow &row = m_rows->at(op);
            style.isMarked = style.isMarked || m_marked.contains(op);
            const OverlayValue value = overlayValue(m_overlay, row, theme);
            const double error =
                m_overlay == OverlayKind::Layerwise ? row.layerwise.value_or(0) : row.graphwise.value_or(0);
            // A fused activation speaks for the box; a group shows its worst
            const bool replaces = node.kind == ViewNode::Kind::Group && isRamp(m_overlay) ? error > worst : true;
            if (value.color.isValid() && (replaces || !style.color.isValid())) {
                style.color = value.color;
                style.pill = value.text;
                worst = std::max(worst, error);
            }
        }
        if (!node.operations.isEmpty()) style.isDashed = !m_rows->at(node.operations.front()).isQuantized;
    }
    // The minimap has the same colours
    const QRectF bounds = m_scene->layout.bounds;
    if (!bounds.isEmpty() && m_scene->view.nodes.size() > 12) {
        const QSize size = minimapRect().size() * 2;
        m_minimap = QImage(size, QImage::Format_ARGB32_Premultiplied);
        m_minimap.fill(Qt::transparent);
        QPainter painter(&m_minimap);
        painter.scale(2, 2);
        painter.setTransform(minimapTransform(), true);
        painter.setPen(Qt::NoPen);
        for (int n = 0; n < m_styles.size(); ++n) {
            const QColor color = m_styles[n].color.isValid() ? m_styles[n].color : theme.line;
            QRectF box = m_scene->layout.nodes[n];
            const double least = 1.2 / minimapTransform().m22();
            if (box.height() < least) box.setHeight(least);
            painter.fillRect(box, color);
        }
    }
    update();
}

void GraphView::setSelection(const QStringList &operations, const QString &current)
{
    m_selection = operations;
    m_current = current;
    m_selectedNodes.clear();
    if (m_scene)
        for (const QString &name : operations)
            if (const int op = m_scene->graph->find(name); op >= 0) m_selectedNodes.insert(m_scene->view.nodeOf[op]);
    update();
}

int GraphView::currentNode() const
{
    const int op = m_scene ? m_scene->graph->find(m_current) : -1;
    return op < 0 ? -1 : m_scene->view.nodeOf[op];
}

// Geometry

QRectF GraphView::sceneRect() const
{
    return m_scene ? m_scene->layout.bounds : QRectF();
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

void GraphView::setView(const QPointF &center, double zoom)
{
    m_zoom = std::clamp(zoom, minZoom, maxZoom);
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
    m_toZoom = std::clamp(zoom, minZoom, maxZoom);
    if (!isVisible() || !m_hasView)
        setView(center, zoom);
    else
        m_animation.start();
}

void GraphView::fitAll()
{
    const QRectF bounds = sceneRect();
    if (bounds.isEmpty()) return;
    const double zoom = std::min((width() - 2 * margin) / bounds.width(), (height() - 2 * margin) / bounds.height());
    if (!m_hasView && zoom < blockZoom) {
        // A first look that can be read: the beginning
        const double readable = std::clamp((width() - 2.0 * margin) / bounds.width(), blockZoom + 0.05, 1.0);
        double x = bounds.center().x();
        if (!m_scene->rowNodes.isEmpty() && !m_scene->rowNodes[0].isEmpty())
            x = m_scene->layout.nodes[m_scene->rowNodes[0].front()].center().x();
        return setView({x, bounds.top() + (height() / 2.0 - margin) / readable}, readable);
    }
    animateTo(bounds.center(), std::min(zoom, 1.0));
}

void GraphView::fitSelection()
{
    QRectF box;
    for (const int node : m_selectedNodes) box |= m_scene->layout.nodes[node];
    if (box.isEmpty()) return fitAll();
    const double zoom = std::min((width() - 4.0 * margin) / box.width(), (height() - 4.0 * margin) / box.height());
    animateTo(box.center(), std::min(zoom, 1.2));
}

void GraphView::zoomBy(double factor, const QPointF &at)
{
    if (!m_scene) return;
    m_animation.stop();
    const QPointF offset = at - QPointF(width(), height()) / 2;
    const QPointF point = m_center + offset / m_zoom;
    const double zoom = std::clamp(m_zoom * factor, minZoom, maxZoom);
    setView(point - offset / zoom, zoom);
}

void GraphView::reveal(const QString &operation, bool recentre)
{
    const int op = m_scene ? m_scene->graph->find(operation) : -1;
    if (op < 0) return;
    const QRectF box = m_scene->layout.nodes[m_scene->view.nodeOf[op]];
    const QRectF area = visibleScene();
    const bool seen = area.adjusted(10, 10, -10, -10).contains(box) && m_zoom >= dotZoom;
    if (seen && !recentre) return;
    animateTo(box.center(), std::max(m_zoom, 0.7));
}

QPair<int, int> GraphView::visibleRows(const QRectF &area) const
{
    const auto &top = m_scene->layout.rowTop, &bottom = m_scene->layout.rowBottom;
    const int first = int(std::lower_bound(bottom.begin(), bottom.end(), area.top()) - bottom.begin());
    const int last = int(std::upper_bound(top.begin(), top.end(), area.bottom()) - top.begin()) - 1;
    return {std::max(0, first - 1), std::min(int(top.size()) - 1, last + 1)};
}

int GraphView::nodeAt(const QPointF &position) const
{
    if (!m_scene) return -1;
    const QPointF point = m_center + (position - QPointF(width(), height()) / 2) / m_zoom;
    const double slack = 3 / m_zoom;
    const auto [first, last] = visibleRows({point, QSizeF(1, 1)});
    for (int row = first; row <= last; ++row)
        for (const int node : m_scene->rowNodes[row])
            if (m_scene->layout.nodes[node].adjusted(-slack, -slack, slack, slack).contains(point)) return node;
    return -1;
}

// Painting

static QPainterPath edgePath(const QVector<QPointF> &points)
{
    QPainterPath path(points.front());
    for (qsizetype i = 1; i < points.size(); ++i) {
        const QPointF a = points[i - 1], b = points[i];
        if (std::abs(a.x() - b.x()) < 0.5) {
            path.lineTo(b);
            continue;
        }
        const double bend = std::max(8.0, std::abs(b.y() - a.y()) * 0.5);
        path.cubicTo({a.x(), a.y() + bend}, {b.x(), b.y() - bend}, b);
    }
    return path;
}

void GraphView::paintEdges(QPainter &painter, const QRectF &area, double zoom) const
{
    const Theme &theme = Theme::current();
    const auto [first, last] = visibleRows(area);
    const int stamp = ++m_stamp;
    if (m_seen.size() != m_scene->view.edges.size()) m_seen.fill(0, m_scene->view.edges.size());
    const int current = currentNode();
    QVector<QLineF> lines;
    QVector<int> highlighted;
    QColor color = theme.dim;
    color.setAlphaF(zoom < dotZoom ? 0.35f : 0.75f);
    painter.setBrush(Qt::NoBrush);
    QPen pen(color, zoom < dotZoom ? 0 : 1.1);
    painter.setPen(pen);
    QPolygonF arrows;
    for (int row = first; row <= last; ++row)
        for (const int e : m_scene->rowEdges[row]) {
            if (m_seen[e] == stamp) continue;
            m_seen[e] = stamp;
            const ViewEdge &edge = m_scene->view.edges[e];
            const QVector<QPointF> &points = m_scene->layout.edges[e];
            if (edge.from == current || edge.to == current ||
                (m_selectedNodes.contains(edge.from) && m_selectedNodes.contains(edge.to))) {
                highlighted.append(e);
                continue;
            }
            if (zoom < dotZoom) {
                for (qsizetype i = 1; i < points.size(); ++i) lines.append({points[i - 1], points[i]});
                continue;
            }
            painter.drawPath(edgePath(points));
            arrows.append(points.back());
        }
    if (!lines.isEmpty()) painter.drawLines(lines);
    for (const int e : highlighted) {
        painter.setPen(QPen(theme.accent, std::max(1.6, 1.2 / zoom * (zoom < dotZoom ? 1 : 0))));
        painter.drawPath(edgePath(m_scene->layout.edges[e]));
    }
    if (zoom < dotZoom) return;
    painter.setPen(Qt::NoPen);
    const auto head = [&](const QPointF &tip, const QColor &fill) {
        painter.setBrush(fill);
        const QPointF triangle[3] = {tip, tip + QPointF(-3.6, -6.2), tip + QPointF(3.6, -6.2)};
        painter.drawConvexPolygon(triangle, 3);
    };
    for (const QPointF &tip : arrows) head(tip, theme.dim);
    for (const int e : highlighted) head(m_scene->layout.edges[e].back(), theme.accent);
}

QString GraphView::titleOf(int node) const
{
    const ViewNode &n = m_scene->view.nodes[node];
    if (n.kind == ViewNode::Kind::Input || n.kind == ViewNode::Kind::Output) return n.label;
    if (n.kind == ViewNode::Kind::Group)
        return n.label.isEmpty() ? tr("shape computation · %n op(s)", nullptr, int(n.operations.size()))
                                 : tr("%1 · %n op(s)", nullptr, int(n.operations.size())).arg(n.label);
    QString title;
    for (const int op : n.operations)
        title += (title.isEmpty() ? QString() : QStringLiteral(" + ")) + m_scene->graph->operations[op].type;
    return title;
}

void GraphView::paintNode(QPainter &painter, int node, double zoom) const
{
    const Theme &theme = Theme::current();
    const ViewNode &n = m_scene->view.nodes[node];
    const NodeStyle &style = m_styles[node];
    const QRectF box = m_scene->layout.nodes[node];
    const bool selected = m_selectedNodes.contains(node);
    const bool faded = m_isSearching && !style.isMarked;
    const bool pill = n.kind == ViewNode::Kind::Input || n.kind == ViewNode::Kind::Output;
    const bool block = zoom < blockZoom;
    painter.setOpacity(faded ? 0.3 : 1.0);
    QColor body = theme.panel;
    if (block && style.color.isValid()) body = style.color;
    if (zoom < dotZoom) {
        painter.fillRect(box, style.color.isValid() ? style.color : theme.line);
        if (selected) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.accent, 2.5 / zoom));
            painter.drawRect(box.adjusted(-3 / zoom, -3 / zoom, 3 / zoom, 3 / zoom));
        }
        painter.setOpacity(1);
        return;
    }
    QPen pen(selected ? theme.accent : style.isMarked ? theme.amber : theme.line, selected || style.isMarked ? 2 : 1);
    if (style.isDashed && !selected) {
        pen.setStyle(Qt::CustomDashLine);
        pen.setDashPattern({3, 2.5});
        pen.setColor(style.isMarked ? theme.amber : theme.dim);
    }
    painter.setPen(pen);
    painter.setBrush(pill ? theme.raised : body);
    const double radius = pill ? box.height() / 2 : 6;
    painter.drawRoundedRect(box, radius, radius);
    if (pill) {
        if (zoom >= blockZoom) {
            painter.setPen(theme.dim);
            painter.setFont(textFont());
            painter.drawText(box.adjusted(8, 0, -8, 0), Qt::AlignCenter,
                             painter.fontMetrics().elidedText(n.label, Qt::ElideMiddle, int(box.width() - 20)));
        }
        painter.setOpacity(1);
        return;
    }
    if (block) {
        if (zoom > 0.3) { // the type alone, larger
            QFont font = textFont(true);
            font.setPixelSize(18);
            painter.setFont(font);
            painter.setPen(style.color.isValid() ? Theme::textOn(style.color) : theme.text);
            painter.drawText(box.adjusted(8, 0, -8, 0), Qt::AlignCenter,
                             painter.fontMetrics().elidedText(titleOf(node), Qt::ElideRight, int(box.width() - 16)));
        }
        painter.setOpacity(1);
        return;
    }
    if (style.color.isValid()) { // the strip
        QPainterPath clip;
        clip.addRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 5.5, 5.5);
        painter.save();
        painter.setClipPath(clip, Qt::IntersectClip);
        painter.fillRect(QRectF(box.left(), box.top(), 7, box.height()), style.color);
        painter.restore();
        if (selected) {
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(box, 6, 6);
        }
    }
    const OperationRow *row = rowOf(node);
    double right = box.right() - 8;
    const QRectF upper(box.left() + 15, box.top() + 4, 0, 18), lower(box.left() + 15, box.bottom() - 22, 0, 18);
    QFont small = textFont();
    small.setPixelSize(10);
    QFont smallBold = textFont(true);
    smallBold.setPixelSize(10);
    const auto badge = [&](const QString &text, const QColor &frame, const QColor &ink) {
        painter.setFont(small);
        const double w = painter.fontMetrics().horizontalAdvance(text) + 9;
        const QRectF place(right - w, upper.top() + 1.5, w, 15);
        painter.setPen(QPen(frame, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(place, 3.5, 3.5);
        painter.setPen(ink);
        painter.drawText(place, Qt::AlignCenter, text);
        right -= w + 4;
    };
    if (row && n.kind == ViewNode::Kind::Operation) {
        if (row->isOverridden) badge(QStringLiteral("✎"), theme.accent, theme.accent);
        if (row->isUnsupported) badge(QStringLiteral("!"), theme.amber, theme.amber);
        if (row->isPerChannel) badge(QStringLiteral("c"), theme.line, theme.dim);
        badge(row->precision, theme.line, theme.dim);
    }
    painter.setFont(textFont(true));
    painter.setPen(theme.text);
    painter.drawText(QRectF(upper.left(), upper.top(), right - upper.left(), upper.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(titleOf(node), Qt::ElideRight, int(right - upper.left())));
    right = box.right() - 8;
    if (!style.pill.isEmpty()) {
        painter.setFont(smallBold);
        const double w = std::max(50.0, painter.fontMetrics().horizontalAdvance(style.pill) + 12.0);
        const QRectF place(right - w, lower.top() + 1.5, w, 15);
        painter.setPen(Qt::NoPen);
        painter.setBrush(style.color);
        painter.drawRoundedRect(place, 4, 4);
        painter.setPen(Theme::textOn(style.color));
        painter.drawText(place, Qt::AlignCenter, style.pill);
        right -= w + 4;
    }
    QString detail;
    if (n.kind == ViewNode::Kind::Group) {
        QStringList types;
        for (const int op : n.operations)
            if (types.size() < 4 && !types.contains(m_scene->graph->operations[op].type))
                types.append(m_scene->graph->operations[op].type);
        detail = types.join(QStringLiteral(", ")) + (n.operations.size() > 4 ? QStringLiteral(" …") : QString());
    } else if (row) {
        // The batch tells nothing
        QStringList sizes = row->shape.split(QLatin1Char('x'));
        if (sizes.size() > 2) sizes.removeFirst();
        const QString shape = sizes.join(QChar(0x00d7));
        detail = QStringList{row->essentials, shape}.join(QStringLiteral("  ")).trimmed();
        if (row->essentials.isEmpty() && shape.isEmpty()) detail = row->name;
    }
    QFont detailFont = textFont();
    detailFont.setPixelSize(11);
    painter.setFont(detailFont);
    painter.setPen(theme.dim);
    painter.drawText(QRectF(lower.left(), lower.top(), right - lower.left(), lower.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(detail, Qt::ElideRight, int(right - lower.left())));
    painter.setOpacity(1);
}

void GraphView::paintNodes(QPainter &painter, const QRectF &area, double zoom) const
{
    const auto [first, last] = visibleRows(area);
    for (int row = first; row <= last; ++row) {
        const QVector<int> &nodes = m_scene->rowNodes[row];
        auto it = std::lower_bound(nodes.begin(), nodes.end(), area.left(),
                                   [&](int node, double x) { return m_scene->layout.nodes[node].right() < x; });
        for (; it != nodes.end() && m_scene->layout.nodes[*it].left() <= area.right(); ++it)
            paintNode(painter, *it, zoom);
    }
}

void GraphView::paintAll(QPainter &painter) const
{
    if (!m_scene) return;
    painter.setRenderHint(QPainter::Antialiasing);
    paintEdges(painter, sceneRect(), 1);
    paintNodes(painter, sceneRect(), 1);
}

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
    QPainter painter(this);
    const Theme &theme = Theme::current();
    painter.fillRect(rect(), theme.canvas);
    if (!m_scene || m_scene->view.nodes.isEmpty()) {
        painter.setPen(theme.dim);
        painter.drawText(rect().adjusted(30, 30, -30, -30), Qt::AlignCenter | Qt::TextWordWrap, m_placeholder);
        return;
    }
    const QRectF area = visibleScene().adjusted(-20 / m_zoom, -40, 20 / m_zoom, 40);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, m_zoom >= dotZoom);
    painter.translate(width() / 2.0, height() / 2.0);
    painter.scale(m_zoom, m_zoom);
    painter.translate(-m_center);
    paintEdges(painter, area, m_zoom);
    paintNodes(painter, area, m_zoom);
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
    if (m_scene && !m_hasView) fitAll();
    if (m_scene) restyle();
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
    if (!m_scene) return;
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
    if (m_isInMinimap || !m_scene) return;
    if (!m_rubber.isNull()) {
        const QRectF area(m_center + (QPointF(m_rubber.topLeft()) - QPointF(width(), height()) / 2) / m_zoom,
                          QSizeF(m_rubber.size()) / m_zoom);
        QStringList names;
        for (int n = 0; n < m_scene->view.nodes.size(); ++n)
            if (area.intersects(m_scene->layout.nodes[n]))
                for (const int op : m_scene->view.nodes[n].operations)
                    names.append(m_scene->graph->operations[op].name);
        m_rubber = {};
        update();
        if (!names.isEmpty()) Q_EMIT selectionRequested(names, names.front());
        return;
    }
    if (m_isDragging || event->button() != Qt::LeftButton) return;
    const int node = nodeAt(event->position());
    if (node < 0) return Q_EMIT selectionRequested({}, {});
    const QVector<int> &operations = m_scene->view.nodes[node].operations;
    if (operations.isEmpty()) return;
    const QString name = m_scene->graph->operations[operations.front()].name;
    if (event->modifiers() & Qt::ControlModifier) {
        QStringList names = m_selection;
        if (!names.removeOne(name)) names.append(name);
        return Q_EMIT selectionRequested(names, names.contains(name) ? name : names.value(0));
    }
    Q_EMIT currentRequested(name);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent *event)
{
    const int node = nodeAt(event->position());
    if (node < 0) return;
    const ViewNode &n = m_scene->view.nodes[node];
    if (n.kind == ViewNode::Kind::Group) Q_EMIT foldRequested(n.label, false);
}

void GraphView::wheelEvent(QWheelEvent *event)
{
    if (!m_scene) return;
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

bool GraphView::event(QEvent *event)
{
    if (event->type() == QEvent::NativeGesture) {
        auto *gesture = static_cast<QNativeGestureEvent *>(event);
        if (gesture->gestureType() == Qt::ZoomNativeGesture) {
            zoomBy(1 + gesture->value(), gesture->position());
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip && m_scene) {
        auto *help = static_cast<QHelpEvent *>(event);
        const int node = nodeAt(help->pos());
        if (node < 0) {
            QToolTip::hideText();
            return true;
        }
        QStringList lines;
        const QVector<int> &operations = m_scene->view.nodes[node].operations;
        for (const int op : operations.mid(0, 12)) {
            const OperationInfo &info = m_scene->graph->operations[op];
            lines.append(QStringLiteral("<b>%1</b> · %2").arg(info.name.toHtmlEscaped(), info.type));
            if (!info.reason.isEmpty())
                lines.append(QStringLiteral("%1: %2").arg(info.platform, info.reason.toHtmlEscaped()));
        }
        if (operations.isEmpty()) lines.append(m_scene->view.nodes[node].label.toHtmlEscaped());
        QToolTip::showText(help->globalPos(), QStringLiteral("<qt>%1</qt>").arg(lines.join(QStringLiteral("<br>"))),
                           this);
        return true;
    }
    return QWidget::event(event);
}

/// To the next box along an edge (sideways 0), or to a neighbour of the row.
void GraphView::step(bool down, int sideways)
{
    if (!m_scene) return;
    const int from = currentNode();
    int to = -1;
    const auto hasOperation = [&](int node) { return !m_scene->view.nodes[node].operations.isEmpty(); };
    if (from < 0) {
        for (int n = 0; n < m_scene->view.nodes.size() && to < 0; ++n)
            if (hasOperation(n)) to = n;
    } else if (sideways != 0) {
        const QVector<int> &row = m_scene->rowNodes[m_scene->layout.rank[from]];
        for (qsizetype i = row.indexOf(from) + sideways; i >= 0 && i < row.size() && to < 0; i += sideways)
            if (hasOperation(row[i])) to = row[i];
    } else {
        double nearest = INFINITY;
        for (const ViewEdge &edge : m_scene->view.edges) {
            const int other = down ? edge.to : edge.from;
            if ((down ? edge.from : edge.to) != from || !hasOperation(other)) continue;
            const QPointF d = m_scene->layout.nodes[other].center() - m_scene->layout.nodes[from].center();
            if (const double distance = std::abs(d.x()) + 0.3 * std::abs(d.y()); distance < nearest) {
                nearest = distance;
                to = other;
            }
        }
    }
    if (to < 0) return;
    const QString name = m_scene->graph->operations[m_scene->view.nodes[to].operations.front()].name;
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
    case Qt::Key_Escape: return Q_EMIT selectionRequested({}, {});
    default: QWidget::keyPressEvent(event);
    }
}

void GraphView::contextMenuEvent(QContextMenuEvent *event)
{
    const int node = nodeAt(event->pos());
    QString name;
    if (node >= 0 && !m_scene->view.nodes[node].operations.isEmpty())
        name = m_scene->graph->operations[m_scene->view.nodes[node].operations.front()].name;
    Q_EMIT contextMenuRequested(name, event->globalPos());
}

} // namespace ql
