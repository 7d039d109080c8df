#pragma once

#include <QScreen>
#include <QWidget>

namespace ql {

/// Gives window the requested size, limited to its screen or parent window.
inline void resizeOnScreen(QWidget &window, const QSize &wanted)
{
    QSize room = window.screen()->availableSize() * 0.95;
    if (const QWidget *parent = window.parentWidget()) room = room.expandedTo(parent->window()->size());
    window.resize(wanted.boundedTo(room));
}

} // namespace ql
