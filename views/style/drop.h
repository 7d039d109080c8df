#pragma once

#include <QDropEvent>
#include <QMimeData>

namespace ql {

/// Takes dropped files, for dragEnter, dragMove and drop events. The files stay where they are, also when a file
/// manager proposes to move them; where it offers nothing else, they are not taken.
inline void acceptAsCopy(QDropEvent &event)
{
    if (!event.mimeData()->hasUrls() || !(event.possibleActions() & Qt::CopyAction)) return event.ignore();
    event.setDropAction(Qt::CopyAction);
    event.accept();
}

} // namespace ql
