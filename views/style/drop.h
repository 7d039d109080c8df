#pragma once

#include <QDropEvent>
#include <QMimeData>

namespace ql {

/// Accepts dropped files, for dragEnter, dragMove and drop events. The files are never moved, even if a file manager
/// proposes it; if it offers nothing else, they are refused.
inline void acceptAsCopy(QDropEvent &event)
{
    if (!event.mimeData()->hasUrls() || !(event.possibleActions() & Qt::CopyAction)) return event.ignore();
    event.setDropAction(Qt::CopyAction);
    event.accept();
}

} // namespace ql
