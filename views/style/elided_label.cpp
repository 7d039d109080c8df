#include "views/style/elided_label.h"

#include <QPainter>
#include <QRegularExpression>

namespace ql {

ElidedLabel::ElidedLabel(const QString &text, Qt::TextElideMode mode, QWidget *parent)
    : QLabel(text, parent), m_mode(mode)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {16, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::setShortText(const QString &text)
{
    m_short = text;
    update();
}

void ElidedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    const QRect area = contentsRect();
    QString shown = text();
    if (fontMetrics().horizontalAdvance(shown) > area.width()) { // an addition goes first
        static const QRegularExpression addition(QStringLiteral("\\s*[(（][^()（）]*[)）]$"));
        shown.remove(addition);
        if (!m_short.isEmpty() && fontMetrics().horizontalAdvance(shown) > area.width()) shown = m_short;
        if (shown == m_short && fontMetrics().horizontalAdvance(shown) > area.width()) return; // the tool tip has it
    }
    painter.drawText(area, int(alignment()), fontMetrics().elidedText(shown, m_mode, area.width()));
}

} // namespace ql
