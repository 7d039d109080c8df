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
/// Once: moves the legend from the axes, where it would hide curves, to a row of its own above them.
void putLegendAbove(QCustomPlot &plot);
/// In the colours of the theme.
void styleLegend(QCustomPlot &plot);
/// A logarithmic value axis with labels as powers of ten. If a plot shows the axis on the right with the same range, it
/// is labelled in decibels: -10 log10 of the value on the left.
void makeLogarithmic(QCustomPlot &plot);
/// Back to linear value axes, left and right.
void makeLinear(QCustomPlot &plot);
/// Round numbers with as many digits as needed to distinguish them, and no more of them than there is room for.
void makeRoomy(QCPAxis &axis);
/// From low to high with some margin, even if both are equal.
void showRange(QCPAxis &axis, double low, double high);
/// Of channels: no 2.5 between them.
void makeWhole(QCPAxis &axis);
/// "Save as image or data...", "Copy image", "Copy data" for a plot; csv returns the data as comma-separated text.
void addExportActions(QMenu &menu, QCustomPlot &plot, const QString &name, const std::function<QString()> &csv);
/// A button with that menu, for the strip above a plot, and below `toggles` also as the plot's context menu.
QToolButton *exportButton(QCustomPlot &plot, const QString &name, const std::function<QString()> &csv,
                          const QVector<QToolButton *> &toggles = {});
/// Writes the current plot, by the extension of path (.png, .svg, .pdf, .csv).
FileWriter plotWriter(QCustomPlot &plot, const QString &path, const std::function<QString()> &csv);

/// One image when all plots are saved.
struct PlotSource
{
    QString name; ///< part of the file's name
    QCustomPlot *plot = nullptr;
    std::function<QString()> csv;
    std::function<void()> show = {}, restore = {}; ///< switch the plot to this state, and back; may be empty
};
/// Writes every source with every extension to folder; a plot is restored after each file.
QVector<FileTask> plotTasks(const QVector<PlotSource> &sources, const QString &folder);

} // namespace ql
