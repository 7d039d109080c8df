#pragma once

#include "views/style/file_writer.h"

#include <QString>
#include <QVector>
#include <functional>

class QCPAxis;
class QCustomPlot;
class QWidget;
class QMenu;
class QToolButton;

namespace ql {

/// Colours, fonts and grid of the theme.
void stylePlot(QCustomPlot &plot);
/// The legend inside of the axes, in this corner of them.
void styleLegend(QCustomPlot &plot, Qt::Alignment corner);
/// A logarithmic value axis with labels as powers of ten. The axis on the right, where a plot shows it and gives it the
/// range of the left one, is labelled in decibels: -10 log10 of the value on the left.
void makeLogarithmic(QCustomPlot &plot);
/// Back to a linear value axis, and the same of the right one.
void makeLinear(QCustomPlot &plot);
/// Round numbers with as many digits as it takes to tell them apart, and no more of them than there is room for.
void makeRoomy(QCPAxis &axis);
/// From low to high with some room around, also where both are the same.
void showRange(QCPAxis &axis, double low, double high);
/// Of channels: no 2.5 between them.
void makeWhole(QCPAxis &axis);
/// "Save as picture or data...", "Copy image", "Copy data" for a plot; csv gives the data as comma-separated text.
void addExportActions(QMenu &menu, QCustomPlot &plot, const QString &name, const std::function<QString()> &csv);
/// A button with that menu, for the strip above a plot, and below `toggles` as the plot's context menu, too.
QToolButton *exportButton(QCustomPlot &plot, const QString &name, const std::function<QString()> &csv,
                          const QVector<QToolButton *> &toggles = {});
/// What writes the plot as it is now, by the ending of path (.png, .svg, .pdf, .csv).
FileWriter plotWriter(QCustomPlot &plot, const QString &path, const std::function<QString()> &csv);

/// One picture among "all plots at once".
struct PlotSource
{
    QString name; ///< part of the file's name
    QCustomPlot *plot = nullptr;
    std::function<QString()> csv;
    std::function<void()> show, restore; ///< make the plot what the name says, and what it was; may be empty
};
/// Every source with every ending into folder; a plot is put back after each file.
QVector<FileTask> plotTasks(const QVector<PlotSource> &sources, const QString &folder);

} // namespace ql
