#include "views/window/breadcrumbs.h"

#include "views/style/theme.h"

#include <QPainter>
#include <QToolButton>

namespace ql {

static constexpr int signWidth = 12, maxText = 180, minFile = 48;
/// A longer path takes what its neighbours leave.
static constexpr int usualWidth = 160;

Breadcrumbs::Breadcrumbs(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    setMinimumWidth(20);
    setAccessibleName(tr("Path of the current operation"));
}

void Breadcrumbs::setCrumbs(const QVector<Crumb> &crumbs, const QString &note)
{
    const bool same = note == m_note && crumbs.size() == m_crumbs.size() &&
                      std::equal(crumbs.begin(), crumbs.end(), m_crumbs.begin(),
                                 [](const Crumb &a, const Crumb &b) { return a.key == b.key && a.text == b.text; });
    if (same) return;
    m_crumbs = crumbs;
    m_note = note;
    while (m_buttons.size() > crumbs.size()) delete m_buttons.takeLast();
    while (m_buttons.size() < crumbs.size()) {
        auto *button = new QToolButton(this);
        const int number = int(m_buttons.size());
        button->setAutoRaise(true);
        button->setProperty("crumb", true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(button, &QToolButton::clicked, this, [this, number] { Q_EMIT chosen(m_crumbs[number].key); });
        connect(button, &QWidget::customContextMenuRequested, this, [this, button, number](const QPoint &at) {
            Q_EMIT menuRequested(m_crumbs[number].key, button->mapToGlobal(at));
        });
        m_buttons.append(button);
    }
    m_texts.clear();
    m_widths.clear();
    for (int i = 0; i < crumbs.size(); ++i) {
        m_texts.append(fontMetrics().elidedText(crumbs[i].text, Qt::ElideMiddle, maxText));
        m_buttons[i]->setText(m_texts[i]);
        m_buttons[i]->ensurePolished();
        m_widths.append(m_buttons[i]->sizeHint().width() + signWidth);
        m_buttons[i]->setToolTip(crumbs[i].toolTip);
        m_buttons[i]->setAccessibleName(crumbs[i].text);
    }
    updateGeometry();
    arrange();
}

QSize Breadcrumbs::sizeHint() const
{
    int width = 0;
    for (const int w : m_widths) width += w;
    return {std::min(width, usualWidth), 22};
}

void Breadcrumbs::arrange()
{
    m_signs.clear();
    m_dots = {};
    m_notePlace = {};
    const QVector<int> &widths = m_widths;
    int total = 0;
    for (const int w : widths) total += w;
    // The first one and the last ones stay
    qsizetype hidden = 0;
    while (total + (hidden ? 2 * signWidth : 0) > width() && hidden + 2 < widths.size()) total -= widths[1 + hidden++];
    // The name of the file, which is also in the title bar, shrinks in favour of the others
    const int excess = std::max(0, total + (hidden ? 2 * signWidth : 0) - width());
    int x = 0;
    for (qsizetype i = 0; i < m_buttons.size(); ++i) {
        const bool isShown = i == 0 || i > hidden;
        m_buttons[i]->setVisible(isShown);
        if (!isShown) continue;
        if (i > 0) {
            const bool isFileSeen = m_buttons[0]->text() != QStringLiteral("…"); // an elided file needs no second "…"
            if (i == hidden + 1 && hidden > 0 && isFileSeen) {
                m_dots = {x, height() / 2};
                x += signWidth + 4;
            }
            m_signs.append({x, height() / 2});
            x += signWidth;
        }
        const int wanted = widths[i] - signWidth;
        const int room = i == 0 && widths.size() > 1 ? std::max(minFile, wanted - excess) : std::max(20, width() - x);
        const int w = std::min(wanted, room);
        // A button elides its text on both sides
        const int left = m_buttons[i]->fontMetrics().horizontalAdvance(m_texts[i]) - (wanted - w);
        m_buttons[i]->setText(w < wanted ? fontMetrics().elidedText(m_texts[i], Qt::ElideMiddle, left) : m_texts[i]);
        m_buttons[i]->setGeometry(x, 0, w, height());
        x += w;
    }
    const int noteWidth = fontMetrics().horizontalAdvance(m_note);
    if (hidden == 0 && x + noteWidth + 10 <= width()) m_notePlace = {x + 8, 0, noteWidth + 4, height()};
    update();
}

void Breadcrumbs::resizeEvent(QResizeEvent *)
{
    arrange();
}

void Breadcrumbs::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setPen(Theme::current().dim);
    for (const QPoint &sign : m_signs)
        painter.drawText(QRect(sign.x(), 0, signWidth, height()), Qt::AlignCenter, QStringLiteral("›"));
    if (!m_dots.isNull())
        painter.drawText(QRect(m_dots.x(), 0, signWidth + 4, height()), Qt::AlignCenter, QStringLiteral("…"));
    painter.drawText(m_notePlace, Qt::AlignVCenter | Qt::AlignLeft, m_note);
}

} // namespace ql
