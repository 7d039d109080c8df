#include "views/graph/graph_view.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace ql {

/// A graph that is too long for the minimum zoom can still be seen as a whole.
static constexpr double minZoom = 0.002, maxZoom = 3;
static constexpr int margin = 24, closeMargin = 10;

GraphView::GraphView(QWidget *parent) : QWidget(parent), m_rows(std::make_shared<const QVector<OperationRow>>())
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Graph"));
    setAccessibleDescription(tr("The dispatched graph. Arrow keys move along edges."));
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
        m_styleTimer.start(); // as requested: styleNow() ends it
        styleNow();
    });
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &GraphView::restyle);
}

/// Where a box of one scene is in another one of the same model: by its first operation, or by its key.
static int boxIn(const Scene &other, const Scene &scene, int node)
{
    const ViewNode &n = scene.view.nodes[node];
    if (!n.operations.isEmpty()) {
        const int op = other.graph->find(scene.graph->operations[n.operations.front()].name);
        return op < 0 ? -1 : other.view.nodeOf[op];
    }
    for (int i = 0; i < other.view.nodes.size(); ++i)
        if (other.view.nodes[i].key == n.key) return i;
    return -1;
}

/// The point of a box that keeps its place when the box becomes a frame.
static QPointF anchorOf(const QRectF &box)
{
    return {box.center().x(), box.top()};
}

QPointF GraphView::movementTo(const Scene &after) const
{
    const Scene &before = *scene();
    const QPointF center = targetCenter();
    int anchor = shows(m_current) ? currentNode() : -1;
    if (anchor < 0) { // the box nearest to the centre that still exists
        QVector<QPair<double, int>> boxes;
        for (int n = 0; n < before.boxes.size(); ++n) {
            const QPointF d = before.boxes[n].center() - center;
            boxes.append({QPointF::dotProduct(d, d), n});
        }
        std::sort(boxes.begin(), boxes.end());
        constexpr qsizetype maxTried = 50;
        for (const auto &[distance, n] : boxes.mid(0, maxTried))
            if (boxIn(after, before, n) >= 0) {
                anchor = n;
                break;
            }
    }
    const int there = anchor < 0 ? -1 : boxIn(after, before, anchor);
    return there < 0 ? QPointF() : anchorOf(after.boxes[there]) - anchorOf(before.boxes[anchor]);
}

// NOLINTNEXTLINE(performance-unnecessary-value-param): it may be the one that is replaced
void GraphView::setScene(ScenePtr scene)
{
    const ScenePtr before = m_picture.scene();
    const bool wasUntouched = isUntouched();
    const bool sameModel = before && scene && before->graph->modelPath == scene->graph->modelPath &&
                           before->graph->sha256 == scene->graph->sha256;
    if (sameModel && m_hasView) {
        const QPointF movement = movementTo(*scene);
        for (QPointF *center : {&m_center, &m_fromCenter, &m_toCenter}) *center += movement;
    }
    m_picture.set(scene, m_rows);
    setSelection(m_selection, m_current);
    restyle();
    if (!sameModel || !m_hasView) {
        m_hasView = false;
        m_fitsNext = false;
        if (scene && isVisible()) fitAll();
    } else if (wasUntouched && scene && !m_fitsNext) {
        showStart();
    } else if (m_fitsNext) {
        m_fitsNext = false;
        animateTo(sceneRect().center(), std::min(fittingZoom(), 1.0));
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

QRectF GraphView::sceneAround(const QPointF &center, double zoom) const
{
    const QSizeF size = QSizeF(width(), height()) / zoom;
    return {center.x() - size.width() / 2, center.y() - size.height() / 2, size.width(), size.height()};
}

QRectF GraphView::visibleScene() const
{
    return sceneAround(m_center, m_zoom);
}

QPointF GraphView::targetCenter() const
{
    return m_animation.state() == QAbstractAnimation::Running ? m_toCenter : m_center;
}

double GraphView::targetZoom() const
{
    return m_animation.state() == QAbstractAnimation::Running ? m_toZoom : m_zoom;
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
    m_isAtStart = false;
    m_zoom = allowedZoom(zoom);
    const QRectF bounds = sceneRect();
    // Limited to the graph and a margin; a graph that fits can move freely. If the graph changed and a box kept its
    // place, the view may already be outside
    const auto within = [this](double value, double now, double low, double high, double half) {
        if (high - low > 2 * half) {
            low += half;
            high -= half;
        }
        if (m_hasView) {
            low = std::min(low, now);
            high = std::max(high, now);
        }
        return std::clamp(value, low, high);
    };
    const QSizeF half = QSizeF(size()) / (2 * m_zoom);
    m_center = {within(center.x(), m_center.x(), bounds.left() - 200, bounds.right() + 200, half.width()),
                within(center.y(), m_center.y(), bounds.top() - margin / m_zoom, bounds.bottom() + margin / m_zoom,
                       half.height())};
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
    if (!m_hasView && zoom < GraphPicture::blockZoom) return showStart();
    animateTo(bounds.center(), std::min(zoom, 1.0));
    if (zoom >= GraphPicture::blockZoom) return;
    // Too small to read: larger in columns
    const double aspect = double(std::max(1, width() - 2 * margin)) / std::max(1, height() - 2 * margin);
    const double now = scene()->arrangement.wrapAspect;
    if (now > 0 && std::abs(std::log(aspect / now)) < 0.15) return;
    m_fitsNext = true;
    Q_EMIT wrapRequested(aspect);
}

/// A readable initial view: the first boxes, as large as their rows allow and as shows eight of them. Rows that are too
/// wide even in small text do not matter: their middle is shown.
void GraphView::showStart()
{
    const bool isTurned = scene()->arrangement.leftToRight;
    const QRectF bounds = sceneRect();
    const double across = (isTurned ? height() : width()) - 2.0 * margin;
    const double along = (isTurned ? width() : height()) - 2.0 * closeMargin;
    const auto beginOf = [&](const QRectF &box) {
        return isTurned ? box.left() - bounds.left() : box.top() - bounds.top();
    };
    const auto endOf = [&](const QRectF &box) { return beginOf(box) + (isTurned ? box.width() : box.height()); };
    QVector<QRectF> boxes = scene()->boxes;
    std::sort(boxes.begin(), boxes.end(), [&](const QRectF &a, const QRectF &b) { return endOf(a) < endOf(b); });
    double zoom = 1;
    constexpr qsizetype fewBoxes = 8;
    constexpr double smallText = 0.8, smallestText = 0.7; // of the usual size
    if (!isTurned) zoom = std::clamp(along / endOf(boxes[std::min(fewBoxes, boxes.size() - 1)]), smallText, zoom);
    QRectF seen;
    for (const QRectF &box : boxes) {
        if (beginOf(box) * zoom > along) break;
        seen |= box;
        zoom = std::clamp(across / (isTurned ? seen.height() : seen.width()), smallestText, zoom);
    }
    // If not all of it fits, the first box is centred
    const bool fits = (isTurned ? seen.height() : seen.width()) * zoom <= across + 1;
    if (!fits) zoom = std::max(zoom, smallText);
    const QPointF middle = fits ? seen.center() : boxes.front().center();
    if (isTurned)
        setView({bounds.left() + (width() / 2.0 - closeMargin) / zoom, middle.y()}, zoom);
    else
        setView({middle.x(), bounds.top() + (height() / 2.0 - closeMargin) / zoom}, zoom);
    m_isAtStart = true;
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
    if (shows(operation) && !recentre) return;
    animateTo(scene()->boxes[scene()->view.nodeOf[op]].center(), std::max(targetZoom(), 0.7));
}

bool GraphView::shows(const QString &operation) const
{
    const int op = scene() ? scene()->graph->find(operation) : -1;
    if (op < 0 || targetZoom() < GraphPicture::dotZoom) return false;
    const QRectF area = sceneAround(targetCenter(), targetZoom());
    // A frame may be larger than the view
    const int node = scene()->view.nodeOf[op];
    const QRectF &box = scene()->boxes[node];
    return area.adjusted(10, 10, -10, -10).contains(box) ||
           (scene()->view.nodes[node].isOpen && area.contains(anchorOf(box)));
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
    // Frames are below the boxes, inner ones above outer ones
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
    const bool isLeft = m_minimapCorner == Qt::BottomLeftCorner || m_minimapCorner == Qt::TopLeftCorner,
               isTop = m_minimapCorner == Qt::TopLeftCorner || m_minimapCorner == Qt::TopRightCorner;
    return {isLeft ? 12 : width() - w - 12, isTop ? 12 : height() - h - 12, w, h};
}

void GraphView::placeMinimap()
{
    if (m_minimap.isNull() || m_isInMinimap) return;
    const auto coveredBoxes = [&] {
        const QRectF place = minimapRect();
        const QPointF corner = m_center + (place.topLeft() - QPointF(width(), height()) / 2) / m_zoom;
        const QRectF area(corner, place.size() / m_zoom);
        const auto [first, last] = scene()->bandsOf(area);
        int count = 0;
        for (int band = first; band <= last; ++band)
            for (const int node : scene()->bandNodes[band]) count += scene()->boxes[node].intersects(area);
        return count;
    };
    // It stays where it is as long as no other corner is better
    int least = coveredBoxes();
    Qt::Corner best = m_minimapCorner;
    for (const Qt::Corner corner :
         {Qt::BottomRightCorner, Qt::BottomLeftCorner, Qt::TopLeftCorner, Qt::TopRightCorner}) {
        if (least == 0) break;
        m_minimapCorner = corner;
        if (const int count = coveredBoxes(); count < least) {
            least = count;
            best = corner;
        }
    }
    m_minimapCorner = best;
}

QTransform GraphView::minimapTransform() const
{
    const QRectF bounds = sceneRect();
    const QSizeF size = minimapRect().size();
    const double sx = (size.width() - 12) / std::max(bounds.width(), 1.0);
    const double sy = (size.height() - 12) / std::max(bounds.height(), 1.0);
    // A long graph may be stretched sideways, so that its branches are visible
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
    placeMinimap();
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
    if (isUntouched()) showStart();
    redrawMinimap();
    Q_EMIT viewChanged();
}

} // namespace ql
