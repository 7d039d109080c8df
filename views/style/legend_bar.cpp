#include "views/style/legend_bar.h"

#include "views/style/theme.h"

#include <QPainter>
#include <algorithm>

namespace ql {

/// A legend shrinks in favour of its neighbours; this is room for "…", and its tool tip is complete.
static constexpr int minLegend = 24;
/// Width of a colour of a ramp with the space after it, in pixels.
static constexpr int widestStep = 17, usualStep = 13, narrowestStep = 5;

void LegendBar::setEntries(QVector<QPair<QColor, QString>> entries, bool isRamp)
{
    m_entries = std::move(entries);
    m_isRamp = isRamp;
    QStringList texts;
    for (const auto &[color, text] : m_entries)
        if (!text.isEmpty()) texts.append(text);
    setToolTip(texts.join(QLatin1Char('\n')));
    setMaximumWidth(std::max(minLegend, fullWidth()));
    updateGeometry();
    update();
}

/// Width of an entry with the space after it.
int LegendBar::widthOf(int entry) const
{
    const auto &[color, text] = m_entries[entry];
    return (color.isValid() ? 20 : 0) + fontMetrics().horizontalAdvance(text) + 10;
}

/// "50 dB" of "10⁻⁵ · 50 dB", for a narrow strip.
static QString shortText(const QString &text)
{
    return text.section(QStringLiteral(" · "), -1);
}

int LegendBar::rampWidth(bool isShort, int step) const
{
    if (m_entries.isEmpty()) return 0;
    int w = int(m_entries.size()) * step + 12;
    for (const auto &entry : {m_entries.front(), m_entries.back()})
        w += fontMetrics().horizontalAdvance(isShort ? shortText(entry.second) : entry.second);
    return w;
}

int LegendBar::fullWidth() const
{
    if (m_isRamp) return rampWidth(false, widestStep);
    int w = 0;
    for (int i = 0; i < m_entries.size(); ++i) w += widthOf(i);
    return w;
}

QSize LegendBar::sizeHint() const
{
    return {m_isRamp ? rampWidth(true, usualStep) : fullWidth(), 20};
}

QSize LegendBar::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), minLegend), 20};
}

void LegendBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = Theme::current();
    int x = 0;
    const bool isShort = m_isRamp && width() < rampWidth(false, widestStep);
    int step = widestStep;
    while (m_isRamp && step > narrowestStep && width() < rampWidth(isShort, step)) --step;
    const auto text = [&](const QString &whole) {
        const QString label = isShort ? shortText(whole) : whole;
        painter.setPen(theme.dim);
        const int w = fontMetrics().horizontalAdvance(label);
        painter.drawText(QRect(x, 0, w + 2, height()), Qt::AlignVCenter, label);
        x += w;
    };
    const auto swatch = [&](const QColor &color) {
        painter.setPen(theme.line);
        painter.setBrush(color);
        painter.drawRect(x, height() / 2 - 5, step - 3, 10);
    };
    if (m_isRamp && width() < rampWidth(true, step)) return text(QStringLiteral("…"));
    if (m_isRamp) x = std::max(0, width() - rampWidth(isShort, step)); // at the right end of its strip
    for (int i = 0; i < m_entries.size(); ++i) {
        // The tool tip has the text that does not fit
        const int rest = i + 1 < m_entries.size() ? fontMetrics().horizontalAdvance(QStringLiteral("…")) : 0;
        if (!m_isRamp && x + widthOf(i) - 10 + rest > width()) {
            text(QStringLiteral("…"));
            break;
        }
        if (m_isRamp && i == 0) {
            text(m_entries[i].second);
            x += 6;
        }
        if (m_entries[i].first.isValid()) {
            swatch(m_entries[i].first);
            x += m_isRamp ? step : 20;
        }
        if (m_isRamp && i + 1 < m_entries.size()) continue;
        if (m_isRamp) x += 3;
        text(m_entries[i].second);
        x += 10;
    }
}

} // namespace ql
