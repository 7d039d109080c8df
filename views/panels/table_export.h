#pragma once

#include "views/plots/plot_style.h"

#include <QString>

class QAbstractItemModel;
class QAbstractItemView;
class QMenu;
class QTableView;

namespace ql {

/// What a table shows, as comma-separated values with its heads; rows of a tree are indented by two spaces a level.
QString tableCsv(const QAbstractItemModel &model);
/// What writes a table as it is now, by the ending of path (.csv, .png, .svg, .pdf); pictures have the first 500 rows.
FileWriter tableWriter(const QAbstractItemModel &model, const QString &path);
/// The same with every ending into folder, as tasks that are still to be done.
QVector<FileTask> tableTasks(const QAbstractItemModel &model, const QString &name, const QString &folder);
/// "Save table as CSV..." and the other forms, "Copy table" for a table or tree.
void addTableActions(QMenu &menu, QAbstractItemView &view, const QString &name);
/// The same as the context menu of a view that has none.
void attachTableMenu(QAbstractItemView &view, const QString &name);
/// Columns as wide as what they hold and as their heads, but not wider than most, in pixels.
void fitColumns(QTableView &table, int most);

} // namespace ql
