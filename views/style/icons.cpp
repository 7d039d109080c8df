// Icons drawn with lines on a grid of 16 x 16.
#include "views/style/theme.h"

#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <algorithm>

namespace ql {

namespace {

using Draw = void (*)(QPainter &);

void line(QPainter &p, qreal x1, qreal y1, qreal x2, qreal y2)
{
    p.drawLine(QPointF(x1, y1), QPointF(x2, y2));
}

void polyline(QPainter &p, const QPolygonF &points)
{
    p.drawPolyline(points);
}

void drawUndo(QPainter &p)
{
    polyline(p, {{6, 3}, {3, 6}, {6, 9}});
    QPainterPath path({3, 6});
    path.lineTo(9.5, 6);
    path.arcTo(QRectF(6, 6, 7, 7), 90, -180);
    path.lineTo(6, 13);
    p.drawPath(path);
}

void drawAttention(QPainter &p)
{
    const QColor color = p.pen().color();
    p.setBrush(color);
    p.drawPolygon(QPolygonF({{8, 2.5}, {14.5, 13.5}, {1.5, 13.5}}));
    p.setPen(QPen(Theme::textOn(color), 1.6));
    line(p, 8, 6.5, 8, 9.8);
    p.drawPoint(QPointF(8, 11.8));
}

/// Rotated around the centre of the grid.
template <int degrees, Draw draw>
void turned(QPainter &p)
{
    p.translate(8, 8);
    p.rotate(degrees);
    p.translate(-8, -8);
    draw(p);
}

void drawArrowUp(QPainter &p)
{
    line(p, 8, 13, 8, 3);
    polyline(p, {{4.5, 6.5}, {8, 3}, {11.5, 6.5}});
}

/// Towards the right edge, where a dock becomes a tab.
void drawFold(QPainter &p)
{
    polyline(p, {{4.5, 4}, {8.5, 8}, {4.5, 12}});
    line(p, 12, 3.5, 12, 12.5);
}

using Drawings = QHash<QString, Draw>;

/// Of commands.
const Drawings &commandDrawings()
{
    static const Drawings all{
        {QStringLiteral("open"),
         [](QPainter &p) {
             polyline(p, {{2, 12.5}, {2, 3.5}, {6.5, 3.5}, {8, 5.5}, {13, 5.5}, {13, 7.5}});
             p.drawPolygon(QPolygonF({{2, 12.5}, {4.2, 7.5}, {15, 7.5}, {12.8, 12.5}}));
         }},
        {QStringLiteral("save"),
         [](QPainter &p) {
             p.drawPolygon(QPolygonF({{2.5, 2.5}, {11, 2.5}, {13.5, 5}, {13.5, 13.5}, {2.5, 13.5}}));
             polyline(p, {{5, 2.5}, {5, 6}, {10, 6}, {10, 2.5}});
             p.drawRect(QRectF(4.5, 9, 7, 4.5));
         }},
        {QStringLiteral("undo"), drawUndo},
        {QStringLiteral("redo"),
         [](QPainter &p) {
             p.translate(16, 0);
             p.scale(-1, 1);
             drawUndo(p);
         }},
        {QStringLiteral("reset"),
         [](QPainter &p) {
             p.drawArc(QRectF(3, 3, 10, 10), 150 * 16, -300 * 16); // sixteenths of a degree
             polyline(p, {{6.6, 4.3}, {3.7, 5.5}, {3.2, 2.3}});
         }},
        {QStringLiteral("run"),
         [](QPainter &p) {
             p.setBrush(p.pen().color());
             p.drawPolygon(QPolygonF({{4.5, 3}, {13, 8}, {4.5, 13}}));
         }},
        {QStringLiteral("stop"),
         [](QPainter &p) {
             p.setBrush(p.pen().color());
             p.drawRoundedRect(QRectF(4, 4, 8, 8), 1, 1);
         }},
        {QStringLiteral("find"),
         [](QPainter &p) {
             p.drawEllipse(QPointF(7, 7), 4, 4);
             line(p, 10, 10, 13.5, 13.5);
         }},
        {QStringLiteral("export"), [](QPainter &p) {
             line(p, 8, 2.5, 8, 9.5);
             polyline(p, {{5, 6.5}, {8, 9.5}, {11, 6.5}});
             polyline(p, {{3, 9.5}, {3, 13.5}, {13, 13.5}, {13, 9.5}});
         }}};
    return all;
}

/// Of signs, directions and docks.
const Drawings &signDrawings()
{
    static const Drawings all{{QStringLiteral("plus"),
                               [](QPainter &p) {
                                   line(p, 8, 3, 8, 13);
                                   line(p, 3, 8, 13, 8);
                               }},
                              {QStringLiteral("minus"), [](QPainter &p) { line(p, 3, 8, 13, 8); }},
                              {QStringLiteral("fit"),
                               [](QPainter &p) {
                                   polyline(p, {{2.5, 6}, {2.5, 2.5}, {6, 2.5}});
                                   polyline(p, {{10, 2.5}, {13.5, 2.5}, {13.5, 6}});
                                   polyline(p, {{13.5, 10}, {13.5, 13.5}, {10, 13.5}});
                                   polyline(p, {{6, 13.5}, {2.5, 13.5}, {2.5, 10}});
                               }},
                              {QStringLiteral("warning"), drawAttention},
                              {QStringLiteral("error"), drawAttention},
                              {QStringLiteral("info"),
                               [](QPainter &p) {
                                   p.drawEllipse(QPointF(8, 8), 5.5, 5.5);
                                   line(p, 8, 7.5, 8, 11);
                                   p.drawPoint(QPointF(8, 5));
                               }},
                              {QStringLiteral("copy"),
                               [](QPainter &p) {
                                   p.drawRoundedRect(QRectF(5.5, 5.5, 8, 8), 1.5, 1.5);
                                   polyline(p, {{3.5, 10.5}, {2.5, 10.5}, {2.5, 2.5}, {10.5, 2.5}, {10.5, 3.5}});
                               }},
                              {QStringLiteral("close"),
                               [](QPainter &p) {
                                   line(p, 4, 4, 12, 12);
                                   line(p, 12, 4, 4, 12);
                               }},
                              {QStringLiteral("more"),
                               [](QPainter &p) {
                                   p.setBrush(p.pen().color());
                                   for (const qreal x : {3.5, 8.0, 12.5}) p.drawEllipse(QPointF(x, 8), 0.7, 0.7);
                               }},
                              {QStringLiteral("float"),
                               [](QPainter &p) {
                                   p.drawRect(QRectF(2.5, 6, 7.5, 7.5));
                                   polyline(p, {{6, 5.8}, {6, 2.5}, {13.5, 2.5}, {13.5, 10}, {10.2, 10}});
                               }},
                              {QStringLiteral("up"), drawArrowUp},
                              {QStringLiteral("down"), turned<180, drawArrowUp>},
                              {QStringLiteral("left"), turned<-90, drawArrowUp>},
                              {QStringLiteral("right"), turned<90, drawArrowUp>},
                              {QStringLiteral("fold left"), turned<180, drawFold>},
                              {QStringLiteral("fold right"), drawFold},
                              {QStringLiteral("fold down"), turned<90, drawFold>}};
    return all;
}

/// Drawn when painted, so that it follows the theme.
class LineIconEngine : public QIconEngine
{
public:
    LineIconEngine(const QString &name, IconRole role) : m_name(name), m_role(role) {}

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        const Draw draw = commandDrawings().value(m_name, signDrawings().value(m_name));
        if (!draw) return;
        const Theme &theme = Theme::current();
        const QColor color = mode == QIcon::Disabled        ? theme.dim
                             : draw == drawAttention        ? theme.amber
                             : m_role == IconRole::OnAccent ? theme.accentText
                                                            : theme.text;
        const double size = std::min(rect.width(), rect.height());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->translate(QRectF(rect).center() - QPointF(size / 2, size / 2));
        painter->scale(size / 16, size / 16);
        painter->setPen(QPen(color, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->setBrush(Qt::NoBrush);
        draw(*painter);
        painter->restore();
    }
    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap drawn(size);
        drawn.fill(Qt::transparent);
        QPainter painter(&drawn);
        paint(&painter, drawn.rect(), mode, state);
        painter.end();
        return drawn;
    }
    QIconEngine *clone() const override { return new LineIconEngine(*this); }

private:
    QString m_name;
    IconRole m_role;
};

} // namespace

QIcon lineIcon(const QString &name, IconRole role)
{
    return QIcon(new LineIconEngine(name, role));
}

} // namespace ql
