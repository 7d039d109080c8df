#include "views/plots/bar_names.h"

#include "views/style/theme.h"

#include <algorithm>
#include <cmath>

namespace ql {

/// Pixels between a name and the ends of its bar; shorter names than minLength are useless.
static constexpr int gap = 4, minLength = 60, longestName = 170;

static QFont nameFont()
{
    QFont font = textFont();
    font.setPixelSize(11);
    return font;
}

void BarNames::setBars(const QVector<Bar> &bars, double base)
{
    m_bars = bars;
    m_base = base;
}

int BarNames::shownCount() const
{
    return int(labels().size());
}

QVector<BarNames::Label> BarNames::labels() const
{
    const QCPAxis &x = *mParentPlot->xAxis, &y = *mParentPlot->yAxis;
    const QRect area = mParentPlot->axisRect()->rect();
    const QFontMetrics metrics(nameFont());
    QVector<Label> found;
    if (std::abs(x.coordToPixel(1) - x.coordToPixel(0)) < metrics.height()) return found;
    const Theme &theme = Theme::current();
    const QCPRange range = x.range();
    const int last = std::min(int(m_bars.size()) - 1, int(std::floor(range.upper)));
    for (int i = std::max(0, int(std::ceil(range.lower))); i <= last; ++i) {
        const Bar &bar = m_bars[i];
        double top = y.coordToPixel(bar.value), bottom = y.coordToPixel(m_base);
        if (top > bottom) std::swap(top, bottom);
        top = std::max(top, double(area.top()));
        bottom = std::min(bottom, double(area.bottom()));
        const double inside = bottom - top - 2 * gap, above = top - area.top() - 2 * gap;
        const int wanted = std::min(metrics.horizontalAdvance(bar.name), longestName);
        const bool isInside = inside >= wanted || inside >= above;
        const double room = isInside ? inside : above;
        if (room < std::min(wanted, minLength)) continue;
        found.append({metrics.elidedText(bar.name, Qt::ElideMiddle, int(std::min<double>(room, longestName))),
                      {x.coordToPixel(i), (isInside ? bottom : top) - gap},
                      isInside ? Theme::textOn(bar.color) : theme.dim});
    }
    return found;
}

void BarNames::draw(QCPPainter *painter)
{
    painter->setFont(nameFont());
    const QFontMetrics metrics(painter->font());
    for (const Label &label : labels()) {
        painter->save();
        painter->translate(label.at);
        painter->rotate(-90);
        painter->setPen(label.color);
        painter->drawText(QPointF(0, metrics.ascent() / 2.0 - 1), label.text);
        painter->restore();
    }
}

} // namespace ql
