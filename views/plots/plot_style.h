#pragma once

#include <QString>
#include <functional>

class QCustomPlot;
class QWidget;
class QMenu;

namespace ql {

/// Colours, fonts and grid of the theme.
void stylePlot(QCustomPlot &plot);
/// A logarithmic value axis with labels as powers of ten.
void makeLogarithmic(QCustomPlot &plot);
/// "PNG...", "SVG...", "PDF...", "CSV...", "Copy" for a plot; csv gives the data as comma-separated text.
void addExportActions(QMenu &menu, QCustomPlot &plot, const QString &name, const std::function<QString()> &csv);
/// Writes by the ending of path (.png, .svg, .pdf, .csv). @returns whether that worked
bool savePlot(QCustomPlot &plot, const QString &path, const std::function<QString()> &csv);

} // namespace ql
