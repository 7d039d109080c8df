#pragma once

#include "views/bridge/document.h"
#include "views/bridge/recipe_difference.h"
#include "views/plots/plot_style.h"

#include <QDialog>

class QButtonGroup;
class QCustomPlot;
class QLabel;
class QPushButton;
class QTableWidget;

namespace ql {

struct RunRecord;

/// Runs of a document in one table and one plot, with check boxes for the runs to plot. Below, the edits from the
/// baseline to the selected run; the baseline can be changed here, and any run's recipe restored.
class CompareDialog : public QDialog
{
    Q_OBJECT

public:
    enum class Measure { Graphwise, Layerwise, Output };

    CompareDialog(Document &document, int number, QWidget *parent = nullptr);
    QTableWidget *table() const { return m_table; }
    QCustomPlot *plot() const { return m_plot; }
    QString differences() const;
    /// The table as comma-separated values.
    QString csv() const;
    QString plotCsv() const;
    void setMeasure(Measure measure);
    /// The table and every plot of all runs as files in folder, still to be written; document outlives them.
    static QVector<FileTask> fileTasks(Document &document, const QString &folder);
    /// Of the selected row; 0 for none.
    int chosen() const;

private:
    void makeTable();
    QWidget *makePlotSide();
    QWidget *makeDifferenceSide();
    QWidget *makeButtons();
    void fill(int number);
    QVector<const RunRecord *> ticked() const; ///< until a run is added
    void drawOutputs();
    void drawErrors(bool isLayerwise);
    int arrangeLegend(const QVector<const RunRecord *> &runs);
    void showDifference();
    void rebuild();
    QString operationAt(const QPoint &at) const; ///< of the nearest point; empty outside the axes
    QString pointText(const QPoint &at) const;   ///< its name and errors

    Document &m_document;
    QTableWidget *m_table;
    QLabel *m_title, *m_difference;
    QCustomPlot *m_plot;
    QButtonGroup *m_measures;
    QPushButton *m_setBaseline, *m_goBack;
    bool m_isFilling = false;
};

} // namespace ql
