#pragma once

#include <QCoreApplication>

namespace ql {

/// A text of the window outside of classes, in the user's language. count: for texts with %n.
inline QString tr(const char *text, const char *comment = nullptr, int count = -1)
{
    return QCoreApplication::translate("ql", text, comment, count);
}

} // namespace ql
