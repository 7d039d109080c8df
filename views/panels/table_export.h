#pragma once

#include "views/plots/plot_style.h"

#include <QString>

class QAbstractItemModel;
class QAbstractItemView;
class QMenu;
class QTableView;

namespace ql {

/// The content of a table as comma-separated values with its headers; rows of a tree are indented by two spaces per
/// level.
QString tableCsv(const QAbstractItemModel &model);
/// A writer of the current table, by the extension of path (.csv, .png, .svg, .pdf); images have the first 500 rows.
FileWriter tableWriter(const QAbstractItemModel &model, const QString &path);
/// The same with every extension into folder, as tasks still to be done.
QVector<FileTask> tableTasks(const QAbstractItemModel &model, const QString &name, const QString &folder);
/// "Save table as CSV..." and the other forms, "Copy table" for a table or tree.
void addTableActions(QMenu &menu, QAbstractItemView &view, const QString &name);
/// The same as the context menu of a view that has none.
void attachTableMenu(QAbstractItemView &view, const QString &name);
/// Columns as wide as their content and headers, but not wider than most, in pixels.
void fitColumns(QTableView &table, int most);

} // namespace ql
