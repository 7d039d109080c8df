#include "views/style/strip.h"

#include <QEvent>

namespace ql {

Strip::Strip(QWidget *parent) : QWidget(parent), m_row(new QHBoxLayout(this)) {}

void Strip::setOptional(const QVector<QWidget *> &widgets, int spare)
{
    m_optional = widgets;
    m_spare = spare;
    fit();
}

int Strip::leastWidth() const
{
    int width = m_row->minimumSize().width();
    for (const QWidget *w : m_optional)
        if (!w->isHidden()) width -= w->minimumSizeHint().width() + m_row->spacing();
    return width;
}

QSize Strip::minimumSizeHint() const
{
    return {leastWidth(), m_row->minimumSize().height()};
}

void Strip::fit()
{
    int left = width() - leastWidth() - m_spare;
    for (auto it = m_optional.rbegin(); it != m_optional.rend(); ++it) {
        left -= (*it)->minimumSizeHint().width() + m_row->spacing();
        (*it)->setVisible(left >= 0);
    }
}

void Strip::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    fit();
}

bool Strip::event(QEvent *event)
{
    if (event->type() == QEvent::LayoutRequest) fit(); // a text has become longer
    return QWidget::event(event);
}

} // namespace ql
