#include "views/bridge/engine_text.h"
#include "views/graph/graph_picture.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

namespace ql {

QString GraphPicture::titleOf(int node) const
{
    const ViewNode &n = m_scene->view.nodes[node];
    if (isPill(node) || n.kind == ViewNode::Kind::Body) return n.label;
    if (n.kind == ViewNode::Kind::Group) {
        const int count = int(n.operations.size());
        if (n.label.isEmpty())
            return QCoreApplication::translate("ql::GraphView", "shape computation · %n op(s)", nullptr, count);
        return QCoreApplication::translate("ql::GraphView", "%1 · %n op(s)", nullptr, count).arg(n.label);
    }
    QStringList types;
    for (const int op : n.operations) types.append(m_scene->graph->operations[op].type);
    // An activation that the model composes of several operations has its own name
    for (const auto &[parts, name] :
         {std::pair(QStringList{QStringLiteral("Sigmoid"), QStringLiteral("Mul")}, "SiLU"),
          std::pair(QStringList{QStringLiteral("Softplus"), QStringLiteral("Tanh"), QStringLiteral("Mul")}, "Mish")})
        if (types.mid(1) == parts) types = {types.front(), QLatin1String(name)};
    return types.join(QStringLiteral(" + "));
}

QString operationDetail(const OperationRow &row, const QFontMetrics &metrics, int width)
{
    QStringList sizes = row.shape.split(QLatin1Char('x'));
    if (sizes.size() > 2) sizes.removeFirst(); // the batch
    const QString times(QChar(0x00d7)), gap = QStringLiteral("  ");
    const QString shape = sizes.join(times);
    QStringList candidates{row.essentials + gap + shape};
    const bool namesChannels = row.channels > 0;
    if (namesChannels && QString::number(row.channels) == sizes.front() && sizes.size() > 1)
        candidates.append(row.essentials + gap + sizes.mid(1).join(times));
    if (namesChannels) candidates.append(row.essentials);
    candidates.append(shape);
    for (const QString &text : candidates)
        if (metrics.horizontalAdvance(text.trimmed()) <= width) return text.trimmed();
    return metrics.elidedText(shape, Qt::ElideRight, width);
}

QString GraphPicture::detailOf(int node, const QFontMetrics &metrics, int width) const
{
    const auto elided = [&](const QString &text) { return metrics.elidedText(text, Qt::ElideRight, width); };
    const ViewNode &n = m_scene->view.nodes[node];
    const GraphSnapshot &graph = *m_scene->graph;
    if (n.kind == ViewNode::Kind::Group) {
        QHash<QString, int> counts;
        for (const int op : n.operations) ++counts[graph.operations[op].type];
        QVector<QPair<int, QString>> types;
        for (auto it = counts.constBegin(); it != counts.constEnd(); ++it) types.append({-it.value(), it.key()});
        std::sort(types.begin(), types.end());
        QStringList parts;
        for (const auto &[count, type] : types.mid(0, 4))
            parts.append(count < -1 ? QStringLiteral("%1 %2").arg(-count).arg(type) : type);
        return elided(parts.join(QStringLiteral(", ")) + (types.size() > 4 ? QStringLiteral(" …") : QString()));
    }
    const OperationRow *row = rowOf(node);
    if (!row) return {};
    if (n.fold.startsWith(QLatin1String("body:"))) {
        QStringList parts;
        for (const int number : graph.operations[n.operations.front()].bodies) {
            const BodyInfo &body = graph.bodies[number];
            const int count = int(body.operations.size());
            parts.append(
                QCoreApplication::translate("ql::GraphView", "%1: %n op(s)", nullptr, count).arg(body.attribute));
        }
        return elided(parts.join(QStringLiteral(", ")));
    }
    return operationDetail(*row, metrics, width);
}

/// The colour over a part of the box proportional to the value, and only the type, larger.
void GraphPicture::paintBlock(QPainter &painter, int node, double zoom) const
{
    const NodeStyle &style = m_styles[node];
    const QRectF &box = m_scene->boxes[node];
    if (style.color.isValid()) {
        painter.setPen(style.isStale ? QPen(style.color) : QPen(Qt::NoPen));
        painter.setBrush(brushOf(style, painter));
        QRectF part = box.adjusted(1, 1, -1, -1);
        part.setWidth(part.width() * std::max(style.level, 0.06));
        painter.drawRoundedRect(part, 5, 5);
    } else { // it has no value, but a position: when zoomed out, an outline alone is invisible
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.line);
        painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 5, 5);
    }
    if (zoom < titleZoom) return;
    // As large as on the screen in full detail, if it fits
    constexpr double minOnScreen = 7.5, onScreen = 12;
    const double most = 0.76 * box.height(), least = std::min(most, std::max(18.0, minOnScreen / zoom));
    QFont font = m_bold;
    font.setPixelSize(int(std::clamp(onScreen / zoom, least, most)));
    const QString title = titleOf(node);
    const double width = QFontMetricsF(font).horizontalAdvance(title), room = box.width() - 12;
    if (width > room) font.setPixelSize(int(std::max(least, font.pixelSize() * room / width)));
    painter.setFont(font);
    const QString text = painter.fontMetrics().elidedText(title, Qt::ElideRight, int(room));
    const auto draw = [&](const QColor &color, const QRectF &clip) {
        painter.save();
        painter.setClipRect(clip, Qt::IntersectClip);
        painter.setPen(color);
        painter.drawText(box.adjusted(4, 0, -4, 0), Qt::AlignCenter, text);
        painter.restore();
    };
    const bool isFilled = style.color.isValid() && !style.isStale;
    const double split = isFilled ? box.left() + box.width() * std::max(style.level, 0.06) : box.left();
    if (isFilled && style.level > 0.99) {
        painter.setPen(Theme::textOn(style.color));
        painter.drawText(box.adjusted(4, 0, -4, 0), Qt::AlignCenter, text);
        return;
    }
    draw(m_theme.text, {split, box.top(), box.right() - split, box.height()});
    if (isFilled) draw(Theme::textOn(style.color), {box.left(), box.top(), split - box.left(), box.height()});
}

void GraphPicture::paintTexts(QPainter &painter, int node) const
{
    const ViewNode &n = m_scene->view.nodes[node];
    const NodeStyle &style = m_styles[node];
    const QRectF &box = m_scene->boxes[node];
    if (style.color.isValid()) { // the strip
        painter.setPen(Qt::NoPen);
        painter.setBrush(brushOf(style, painter));
        painter.drawRoundedRect(QRectF(box.left() + 1, box.top() + 1, 7, box.height() - 2), 5, 5);
        painter.drawRect(QRectF(box.left() + 4, box.top() + 1, 4, box.height() - 2));
    }
    const OperationRow *row = rowOf(node);
    double right = box.right() - 8;
    constexpr double lineHeight = 16, badgeHeight = 14;
    const QRectF upper(box.left() + 15, box.top() + 2, 0, lineHeight);
    const QRectF lower(box.left() + 15, box.bottom() - lineHeight - 2, 0, lineHeight);
    QFont small = m_font, smallBold = m_bold, detailFont = m_font;
    small.setPixelSize(10);
    smallBold.setPixelSize(10);
    detailFont.setPixelSize(11);
    const auto badge = [&](const QString &text, const QColor &frame, const QColor &ink) {
        painter.setFont(small);
        const double w = painter.fontMetrics().horizontalAdvance(text) + 9;
        const QRectF place(right - w, upper.top() + 1, w, badgeHeight);
        painter.setPen(QPen(frame, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(place, 3.5, 3.5);
        painter.setPen(ink);
        painter.drawText(place, Qt::AlignCenter, text);
        right -= w + 4;
    };
    if (!n.fold.isEmpty()) {
        paintFold(painter, node);
        right -= 20;
    }
    if (row && n.kind == ViewNode::Kind::Operation) {
        if (row->isOverridden) badge(QStringLiteral("✎"), m_theme.accent, m_theme.accent);
        if (row->isUnsupported) badge(QStringLiteral("!"), m_theme.amber, m_theme.amber);
        if (row->isPerChannel) badge(QStringLiteral("c"), m_theme.line, m_theme.dim);
        badge(row->precision, m_theme.line, m_theme.dim);
        // Unusual states; that of a fused activation is drawn with it
        using State = api::QuantState;
        const State state = row->state.value_or(State::Initial);
        const bool isUsual = state == State::Initial || state == State::Active || state == State::Off;
        if (!isUsual && n.operations.size() == 1) badge(engineText(wordOf(state)), m_theme.line, m_theme.dim);
    }
    painter.setFont(m_bold);
    painter.setPen(m_theme.text);
    painter.drawText(QRectF(upper.left(), upper.top(), right - upper.left(), upper.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(titleOf(node), Qt::ElideRight, int(right - upper.left())));
    right = box.right() - 8;
    painter.setFont(detailFont);
    if (n.kind == ViewNode::Kind::Operation && row) {
        painter.setPen(m_theme.text);
        painter.drawText(QRectF(upper.left(), box.center().y() - lineHeight / 2, right - upper.left(), lineHeight),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(row->name, Qt::ElideLeft, int(right - upper.left())));
    }
    if (!style.pill.isEmpty()) {
        painter.setFont(smallBold);
        const double w = std::max(50.0, painter.fontMetrics().horizontalAdvance(style.pill) + 12.0);
        const QRectF place(right - w, lower.top() + 1, w, badgeHeight);
        painter.setPen(style.isStale ? QPen(style.color) : QPen(Qt::NoPen));
        painter.setBrush(brushOf(style, painter, style.isStale ? 0.3f : 1)); // it has a text
        painter.drawRoundedRect(place, 4, 4);
        painter.setPen(style.isStale ? m_theme.text : Theme::textOn(style.color));
        painter.drawText(place, Qt::AlignCenter, style.pill);
        right -= w + 4;
    }
    painter.setFont(detailFont);
    painter.setPen(m_theme.dim);
    painter.drawText(QRectF(lower.left(), lower.top(), right - lower.left(), lower.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     detailOf(node, painter.fontMetrics(), int(right - lower.left())));
}

} // namespace ql
