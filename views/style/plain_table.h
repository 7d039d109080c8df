#pragma once

#include <QList>
#include <QStringList>

class QTableWidget;
class QWidget;

namespace ql {

/// A table of words without grid and without editing, whose rows may be as high as their words need. name: for screen
/// readers.
QTableWidget *plainTable(const QStringList &heads, const QString &name);
/// The same with one line per row, of which one can be chosen, without a frame: results of a page.
QTableWidget *lineTable(const QStringList &heads, const QString &name);
/// The results of a page, such as a plot and the table of what it shows, with their widths. Does not widen a small
/// window.
QWidget *sideBySide(const QList<QWidget *> &parts, const QList<int> &widths);

} // namespace ql
