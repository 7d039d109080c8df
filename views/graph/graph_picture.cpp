#include "views/graph/graph_picture.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

namespace ql {

/// Below: the edges of adjacent rows overlap; only boxes are drawn.
static constexpr double hazeZoom = 0.02;

GraphPicture::GraphPicture() : m_rows(std::make_shared<const QVector<OperationRow>>()), m_theme(Theme::current()) {}

void GraphPicture::set(ScenePtr scene, OperationRows rows)
{
    const bool isOther = scene != m_scene;
    m_scene = std::move(scene);
    m_rows = std::move(rows);
    m_seen.fill(0, m_scene ? m_scene->edges.size() : 0);
    m_stamp = 0;
    m_styles.resize(m_scene ? m_scene->view.nodes.size() : 0);
    if (isOther) select({}, -1);
}

void GraphPicture::select(QSet<int> nodes, int current)
{
    m_selected = std::move(nodes);
    m_current = current;
    m_highlighted.clear();
    if (!m_scene || (m_current < 0 && m_selected.size() < 2)) return;
    for (int e = 0; e < m_scene->view.edges.size(); ++e) {
        const ViewEdge &edge = m_scene->view.edges[e];
        if (edge.from == m_current || edge.to == m_current ||
            (m_selected.contains(edge.from) && m_selected.contains(edge.to)))
            m_highlighted.append(e);
    }
}

void GraphPicture::style(OverlayKind kind, const Search &search)
{
    m_theme = Theme::current();
    m_font = textFont();
    m_bold = textFont(true);
    m_isSearching = search.isActive;
    m_styles.clear();
    m_legend.clear();
    if (!m_scene) return;
    m_styles.resize(m_scene->view.nodes.size());
    if (m_rows->size() != m_scene->graph->operations.size()) return;
    Overlay overlay = makeOverlay(kind, *m_rows, m_theme);
    m_legend = std::move(overlay.legend);
    // Only platforms and precisions belong to the current recipe
    const bool isOfRun = kind != OverlayKind::Platform && kind != OverlayKind::Precision;
    for (int n = 0; n < m_styles.size(); ++n) {
        NodeStyle &style = m_styles[n];
        const ViewNode &node = m_scene->view.nodes[n];
        const bool isGroup = node.kind == ViewNode::Kind::Group;
        bool isMixed = false;
        for (const int op : node.operations) {
            style.isMarked = style.isMarked || search.found.contains(op);
            const OverlayValue &value = overlay.values[op];
            if (!value.color.isValid()) continue;
            // A fused activation determines the box's value; a group shows its worst
            const bool replaces = !style.color.isValid() || !isGroup || (isRamp(kind) && value.level > style.level);
            isMixed = isMixed || (style.color.isValid() && value.text != style.pill);
            if (!replaces) continue;
            style.color = value.color;
            style.pill = value.text;
            style.level = value.level;
            style.isStale = isOfRun && m_rows->at(op).isStale;
        }
        if (kind == OverlayKind::Precision && !isGroup) style.pill.clear(); // it has a badge
        if (isGroup && isMixed && !isRamp(kind)) {
            style.pill = QCoreApplication::translate("ql::GraphView", "mixed");
            style.color = m_theme.line;
        }
        // Operations of a closed body are marked at its owner
        if (!node.operations.isEmpty()) style.isDashed = !m_rows->at(node.operations.front()).isQuantized;
    }
    if (search.isActive)
        for (const int op : search.found)
            if (const int node = m_scene->view.nodeOf.value(op, -1); node >= 0) m_styles[node].isMarked = true;
}

const OperationRow *GraphPicture::rowOf(int node) const
{
    const QVector<int> &operations = m_scene->view.nodes[node].operations;
    if (operations.isEmpty() || operations.front() >= m_rows->size()) return nullptr;
    return &m_rows->at(operations.front());
}

bool GraphPicture::isPill(int node) const
{
    const ViewNode::Kind kind = m_scene->view.nodes[node].kind;
    return kind == ViewNode::Kind::Input || kind == ViewNode::Kind::Output;
}

QRectF GraphPicture::foldRect(int node) const
{
    const ViewNode &n = m_scene->view.nodes[node];
    if (n.fold.isEmpty()) return {};
    const QRectF &box = m_scene->boxes[node];
    return {box.right() - 24, box.top() + 5, 17, 17};
}

template <typename Use>
void GraphPicture::eachNode(const QRectF &area, const Use &use) const
{
    const auto [first, last] = m_scene->bandsOf(area);
    for (int band = first; band <= last; ++band)
        for (const int node : m_scene->bandNodes[band]) {
            // One that touches several bands is drawn with the first of them
            if (band > first && m_scene->firstBand(node) != band) continue;
            if (m_scene->boxes[node].intersects(area)) use(node);
        }
}

void GraphPicture::paint(QPainter &painter, const QRectF &area, double zoom) const
{
    if (!m_scene || m_styles.size() != m_scene->view.nodes.size()) return;
    paintFrames(painter, area, zoom);
    if (zoom >= hazeZoom) paintEdges(painter, area, zoom);
    if (zoom < dotZoom)
        paintDots(painter, area, zoom);
    else
        eachNode(area, [&](int node) { paintNode(painter, node, zoom); });
}

QBrush GraphPicture::brushOf(const NodeStyle &style, const QPainter &painter, float opacity)
{
    QColor color = style.color;
    color.setAlphaF(opacity);
    if (!style.isStale) return color;
    QBrush hatch(color, Qt::BDiagPattern);
    const QTransform &toWidget = painter.worldTransform();
    hatch.setTransform(QTransform::fromScale(1 / toWidget.m11(), 1 / toWidget.m22())); // the same width at every zoom
    return hatch;
}

void GraphPicture::paintOverview(QPainter &painter, double scaleY) const
{
    const double least = 1.2 / scaleY;
    for (int n = 0; n < m_styles.size(); ++n) {
        if (m_scene->view.nodes[n].isOpen) continue;
        QRectF box = m_scene->boxes[n];
        if (box.height() < least) box.setHeight(least);
        painter.setOpacity(m_isSearching && !m_styles[n].isMarked ? 0.3 : 1.0);
        if (!m_styles[n].color.isValid() || m_styles[n].isStale) painter.fillRect(box, m_theme.line);
        if (m_styles[n].color.isValid()) painter.fillRect(box, brushOf(m_styles[n], painter));
    }
    painter.setOpacity(1);
    if (!m_isSearching) return;
    // A bar to the left of each marked box, wide enough to be visible on a graph of any size
    const double wide = 3 * least;
    for (int n = 0; n < m_styles.size(); ++n) {
        if (m_scene->view.nodes[n].isOpen || !m_styles[n].isMarked) continue;
        const QRectF &box = m_scene->boxes[n];
        painter.fillRect(QRectF(box.left() - wide, box.top(), wide, std::max(box.height(), 2 * least)), m_theme.amber);
    }
}

// Edges

/// Lines with rounded corners.
static QPainterPath edgePath(const QVector<QPointF> &points, qsizetype from)
{
    constexpr double radius = 6;
    QPainterPath path(points[from]);
    for (qsizetype i = from + 1; i + 1 < points.size(); ++i) {
        const QPointF &corner = points[i];
        const QLineF in(corner, points[i - 1]), out(corner, points[i + 1]);
        const double bend = std::min({radius, in.length() / 2, out.length() / 2});
        if (bend < 0.5) {
            path.lineTo(corner);
            continue;
        }
        path.lineTo(in.pointAt(bend / in.length()));
        path.quadTo(corner, out.pointAt(bend / out.length()));
    }
    path.lineTo(points.back());
    return path;
}

/// The head of an arrow at the end of an edge.
static void paintHead(QPainter &painter, const QVector<QPointF> &points)
{
    const QPointF &tip = points.back(), &before = points[points.size() - 2];
    const QPointF way = tip - before;
    const double length = std::hypot(way.x(), way.y());
    if (length < 1e-6) return;
    const QPointF along = way * (6.2 / length), aside(-along.y() * 0.58, along.x() * 0.58);
    const QPointF triangle[3] = {tip, tip - along + aside, tip - along - aside};
    painter.drawConvexPolygon(triangle, 3);
}

/// Opaque, since edges of a net cover each other.
static QColor mixed(const QColor &color, const QColor &ground, double share)
{
    const auto part = [&](int a, int b) { return int(std::lround(a * share + b * (1 - share))); };
    return {part(color.red(), ground.red()), part(color.green(), ground.green()), part(color.blue(), ground.blue())};
}

void GraphPicture::paintEdges(QPainter &painter, const QRectF &area, double zoom) const
{
    const auto [first, last] = m_scene->bandsOf(area);
    const int stamp = ++m_stamp;
    const bool far = zoom < dotZoom;
    QVector<QLineF> lines;
    QVector<int> drawn;
    const QColor color = mixed(m_theme.dim, m_theme.canvas, far ? 0.35 : 0.75);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, far ? 0 : 1.1));
    for (int band = first; band <= last; ++band)
        for (const int e : m_scene->bandEdges[band]) {
            if (m_seen[e] == stamp) continue;
            m_seen[e] = stamp;
            const QVector<QPointF> &points = m_scene->edges[e];
            if (far) {
                for (qsizetype i = m_scene->ownFrom[e] + 1; i < points.size(); ++i)
                    lines.append({points[i - 1], points[i]});
                continue;
            }
            if (!m_scene->ownArea(e).adjusted(-1, -1, 1, 1).intersects(area)) continue;
            painter.drawPath(edgePath(points, m_scene->ownFrom[e]));
            drawn.append(e);
        }
    if (!lines.isEmpty()) painter.drawLines(lines);
    for (const int e : m_highlighted) {
        painter.setPen(QPen(m_theme.accent, std::max(1.6, far ? 1.2 / zoom : 0)));
        painter.drawPath(edgePath(m_scene->edges[e], 0));
    }
    if (far) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.dim);
    for (const int e : drawn) paintHead(painter, m_scene->edges[e]);
    painter.setBrush(m_theme.accent);
    for (const int e : m_highlighted) paintHead(painter, m_scene->edges[e]);
}

// Boxes

void GraphPicture::paintFrames(QPainter &painter, const QRectF &area, double zoom) const
{
    for (const int node : m_scene->frames) {
        const QRectF &box = m_scene->boxes[node];
        if (!box.intersects(area)) continue;
        const ViewNode &n = m_scene->view.nodes[node];
        const bool isBody = n.kind == ViewNode::Kind::Body;
        const bool selected = m_selected.contains(node);
        painter.setPen(QPen(selected                  ? m_theme.accent
                            : m_styles[node].isMarked ? m_theme.amber
                                                      : m_theme.line,
                            selected || m_styles[node].isMarked ? 2
                            : zoom < dotZoom                    ? 0
                                                                : 1));
        painter.setBrush(isBody ? m_theme.canvas : m_theme.panel);
        painter.drawRoundedRect(box, 8, 8);
        if (zoom < 0.3) continue;
        painter.setFont(isBody ? m_font : m_bold);
        painter.setPen(isBody ? m_theme.dim : m_theme.text);
        const QRectF header(box.left() + 12, box.top() + 4, box.width() - 44, 20);
        painter.drawText(
            header, Qt::AlignLeft | Qt::AlignVCenter,
            painter.fontMetrics().elidedText(isBody ? n.label
                                                    : titleOf(node) + QStringLiteral("  ") +
                                                          m_scene->graph->operations[n.operations.front()].name,
                                             Qt::ElideMiddle, int(header.width())));
        paintFold(painter, node);
    }
}

void GraphPicture::paintFold(QPainter &painter, int node) const
{
    const QRectF place = foldRect(node);
    if (place.isEmpty()) return;
    painter.setPen(QPen(m_theme.dim, 1));
    painter.setBrush(m_theme.raised);
    painter.drawRoundedRect(place, 4, 4);
    painter.setPen(QPen(m_theme.text, 1.4));
    const QPointF c = place.center();
    painter.drawLine(c - QPointF(4.5, 0), c + QPointF(4.5, 0));
    if (!m_scene->view.nodes[node].isOpen) painter.drawLine(c - QPointF(0, 4.5), c + QPointF(0, 4.5));
}

/// Zoomed out: a block whose length also shows the value.
void GraphPicture::paintDots(QPainter &painter, const QRectF &area, double zoom) const
{
    const double least = 1 / zoom;
    eachNode(area, [&](int node) {
        const NodeStyle &style = m_styles[node];
        QRectF box = m_scene->boxes[node];
        box.setHeight(std::max(box.height(), least));
        // A long chain that is seen as a whole is thinner than a pixel
        if (const double thin = 4 * least - box.width(); thin > 0) box.adjust(-thin / 2, 0, thin / 2, 0);
        const float opacity = m_isSearching && !style.isMarked ? 0.3f : 1;
        QColor rest = m_theme.line;
        rest.setAlphaF(opacity);
        if (!style.color.isValid() || style.level < 1 || style.isStale) painter.fillRect(box, rest);
        if (!style.color.isValid()) return;
        if (style.level < 1) box.setWidth(box.width() * std::max(style.level, 0.06));
        painter.fillRect(box, brushOf(style, painter, opacity));
    });
    painter.setBrush(Qt::NoBrush);
    const auto outline = [&](int node, const QColor &color) {
        painter.setPen(QPen(color, 2.5 / zoom));
        painter.drawRect(m_scene->boxes[node].adjusted(-3 / zoom, -3 / zoom, 3 / zoom, 3 / zoom));
    };
    for (const int node : m_selected)
        if (m_scene->boxes[node].intersects(area)) outline(node, m_theme.accent);
}

void GraphPicture::paintNode(QPainter &painter, int node, double zoom) const
{
    const NodeStyle &style = m_styles[node];
    const QRectF &box = m_scene->boxes[node];
    const bool selected = m_selected.contains(node);
    const bool pill = isPill(node);
    painter.setOpacity(m_isSearching && !style.isMarked ? 0.3 : 1.0);
    QPen pen(selected         ? m_theme.accent
             : style.isMarked ? m_theme.amber
                              : m_theme.line,
             selected || style.isMarked ? 2 : 1);
    if (style.isDashed && !selected) {
        pen.setStyle(Qt::CustomDashLine);
        pen.setDashPattern({3, 2.5});
        pen.setColor(style.isMarked ? m_theme.amber : m_theme.dim);
    }
    const double radius = pill ? box.height() / 2 : 6;
    if (m_scene->view.nodes[node].kind == ViewNode::Kind::Group && zoom >= blockZoom) { // a stack of boxes
        painter.setPen(QPen(m_theme.line, 1));
        painter.setBrush(m_theme.panel);
        painter.drawRoundedRect(box.translated(4, 4), radius, radius);
    }
    painter.setPen(pen);
    painter.setBrush(pill ? m_theme.raised : m_theme.panel);
    painter.drawRoundedRect(box, radius, radius);
    if (pill && zoom >= blockZoom) {
        painter.setPen(m_theme.dim);
        painter.setFont(m_font);
        painter.drawText(
            box.adjusted(8, 0, -8, 0), Qt::AlignCenter,
            painter.fontMetrics().elidedText(m_scene->view.nodes[node].label, Qt::ElideMiddle, int(box.width() - 20)));
    } else if (!pill) {
        if (zoom < blockZoom)
            paintBlock(painter, node, zoom);
        else
            paintTexts(painter, node);
    }
    painter.setOpacity(1);
}

} // namespace ql
