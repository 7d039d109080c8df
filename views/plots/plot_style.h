#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>

class QCustomPlot;
class QWidget;
class QMenu;
class QToolButton;

namespace ql {

/// Colours, fonts and grid of the theme.
void stylePlot(QCustomPlot &plot);
/// A logarithmic value axis with labels as powers of ten.
void makeLogarithmic(QCustomPlot &plot);
/// Back to a linear value axis.
void makeLinear(QCustomPlot &plot);
/// "Save as picture or data...", "Copy picture", "Copy data" for a plot; csv gives the data as comma-separated text.
void addExportActions(QMenu &menu, QCustomPlot &plot, const QString &name, const std::function<QString()> &csv);
/// A button with that menu, for the strip above a plot.
QToolButton *exportButton(QCustomPlot &plot, const QString &name, const std::function<QString()> &csv);
/// Writes by the ending of path (.png, .svg, .pdf, .csv). @returns whether that worked
bool savePlot(QCustomPlot &plot, const QString &path, const std::function<QString()> &csv);

/// One picture among "all plots at once".
struct PlotSource
{
    QString name; ///< part of the file's name
    QCustomPlot *plot = nullptr;
    std::function<QString()> csv;
    std::function<void()> show, restore; ///< make the plot what the name says, and what it was; may be empty
};
/// Writes every source with every ending ("png", "svg", "pdf", "csv") into folder. @returns the files; those that
/// could not be written are in failed.
QStringList savePlots(const QVector<PlotSource> &sources, const QString &folder, const QStringList &endings,
                      QStringList *failed = nullptr);

} // namespace ql
