#pragma once

#include <QStringList>

class QTableWidget;

namespace ql {

/// A table of words without grid and without editing, whose rows may be as high as their words need. name: for screen
/// readers.
QTableWidget *plainTable(const QStringList &heads, const QString &name);

} // namespace ql
