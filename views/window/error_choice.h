#pragma once

#include "views/plots/error_plot.h"

#include <QObject>
#include <QStringList>

namespace ql {

class CenterView;
enum class OverlayKind;

/// The error shown everywhere, graphwise, layerwise or the change from the baseline, and whether the worst comes first:
/// one choice for the chart, the colours of graph and table, the order of the table, and stepping through the worst
/// operations. Wherever it is changed, the others follow.
class ErrorChoice : public QObject
{
    Q_OBJECT

public:
    ErrorChoice(ErrorPlot &chart, CenterView &center, QObject *parent = nullptr);

    /// Names of the operations that have this error, worst first.
    QStringList worstFirst() const;

private:
    void takeMeasure(ErrorPlot::Measure measure);
    void takeOrder(ErrorPlot::Order order);
    void takeOverlay(OverlayKind kind);
    void takeTableOrder(int column, Qt::SortOrder order);
    void sortTable();

    ErrorPlot &m_chart;
    CenterView &m_center;
    bool m_isFollowing = false;
};

} // namespace ql
