#include "views/style/strip.h"

#include "views/style/buttons.h"

#include <QEvent>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

namespace ql {

Strip::Strip(QWidget *parent) : QWidget(parent), m_row(new QHBoxLayout(this)) {}

void Strip::setOptional(const QVector<QWidget *> &widgets, int spare)
{
    m_optional = widgets;
    m_spare = spare;
    const bool hasButtons = std::any_of(widgets.begin(), widgets.end(), [](const QWidget *widget) {
        return qobject_cast<const QToolButton *>(widget) != nullptr;
    });
    if (hasButtons && !m_more) {
        m_more = menuButton(QStringLiteral("more"), tr("More tools"), *new QMenu);
        connect(m_more->menu(), &QMenu::aboutToShow, this, &Strip::fillMore);
        m_row->addWidget(m_more);
    }
    fit();
}

void Strip::fillMore()
{
    m_more->menu()->clear();
    for (auto it = m_optional.rbegin(); it != m_optional.rend(); ++it) {
        auto *button = qobject_cast<QToolButton *>(*it);
        if (!button || !button->isHidden()) continue;
        if (button->menu())
            m_more->menu()->addActions(button->menu()->actions());
        else
            addToggleAction(*m_more->menu(), *button);
    }
}

int Strip::minWidth() const
{
    int width = m_row->minimumSize().width();
    const auto without = [&](const QWidget *widget) {
        if (!widget->isHidden()) width -= widget->minimumSizeHint().width() + m_row->spacing();
    };
    for (const QWidget *widget : m_optional) without(widget);
    if (m_more) without(m_more);
    return width;
}

QSize Strip::minimumSizeHint() const
{
    const int more = m_more ? m_more->minimumSizeHint().width() + m_row->spacing() : 0;
    return {minWidth() + more, m_row->minimumSize().height()};
}

void Strip::fit()
{
    const auto widthOf = [this](const QWidget *widget) { return widget->minimumSizeHint().width() + m_row->spacing(); };
    int left = width() - minWidth() - m_spare, all = 0;
    for (const QWidget *widget : m_optional) all += widthOf(widget);
    if (m_more) {
        if (all > left) left -= widthOf(m_more);
        m_more->setVisible(all > left);
    }
    for (auto it = m_optional.rbegin(); it != m_optional.rend(); ++it) {
        left -= widthOf(*it);
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
