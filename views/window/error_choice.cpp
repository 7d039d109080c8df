#include "views/window/error_choice.h"

#include "views/window/center_view.h"

#include <QHeaderView>
#include <QScopedValueRollback>
#include <QTableView>
#include <algorithm>
#include <optional>

namespace ql {

using Measure = ErrorPlot::Measure;

static OverlayKind overlayOf(Measure measure)
{
    switch (measure) {
    case Measure::Graphwise: return OverlayKind::Graphwise;
    case Measure::Layerwise: return OverlayKind::Layerwise;
    case Measure::Difference:
    case Measure::LayerwiseDifference: break;
    }
    return OverlayKind::Difference;
}

/// Unset for colours that do not show an error.
static std::optional<Measure> measureOf(OverlayKind kind)
{
    switch (kind) {
    case OverlayKind::Graphwise: return Measure::Graphwise;
    case OverlayKind::Layerwise: return Measure::Layerwise;
    case OverlayKind::Difference: return Measure::Difference;
    case OverlayKind::Platform:
    case OverlayKind::Precision:
    case OverlayKind::ScaleGroup: break;
    }
    return {};
}

static int columnOf(Measure measure)
{
    return measure == Measure::Graphwise   ? OperationModel::GraphwiseSqnr
           : measure == Measure::Layerwise ? OperationModel::LayerwiseSqnr
                                           : OperationModel::Change;
}

ErrorChoice::ErrorChoice(ErrorPlot &chart, CenterView &center, QObject *parent)
    : QObject(parent), m_chart(chart), m_center(center)
{
    connect(&chart, &ErrorPlot::measureChosen, this, &ErrorChoice::takeMeasure);
    connect(&chart, &ErrorPlot::orderChosen, this, &ErrorChoice::takeOrder);
    connect(&center, &CenterView::overlayChanged, this, &ErrorChoice::takeOverlay);
    connect(center.table()->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, &ErrorChoice::takeTableOrder);
}

void ErrorChoice::takeMeasure(Measure measure)
{
    if (m_isFollowing) return;
    const QScopedValueRollback following(m_isFollowing, true);
    m_center.setOverlay(overlayOf(measure));
    sortTable();
}

void ErrorChoice::takeOrder(ErrorPlot::Order order)
{
    if (m_isFollowing) return;
    const QScopedValueRollback following(m_isFollowing, true);
    if (order == ErrorPlot::Order::Sorted)
        m_center.table()->sortByColumn(columnOf(m_chart.measure()), Qt::AscendingOrder);
    else
        m_center.table()->sortByColumn(OperationModel::Position, Qt::AscendingOrder);
}

void ErrorChoice::takeOverlay(OverlayKind kind)
{
    const std::optional<Measure> measure = measureOf(kind);
    if (m_isFollowing || !measure || overlayOf(m_chart.measure()) == kind) return;
    const QScopedValueRollback following(m_isFollowing, true);
    m_chart.setMeasure(*measure);
    sortTable();
}

void ErrorChoice::takeTableOrder(int column, Qt::SortOrder order)
{
    if (m_isFollowing) return;
    const QScopedValueRollback following(m_isFollowing, true);
    if (column == OperationModel::Position && order == Qt::AscendingOrder)
        return m_chart.setOrder(ErrorPlot::Order::Execution);
    for (const Measure measure : {Measure::Graphwise, Measure::Layerwise, Measure::Difference}) {
        if (columnOf(measure) != column) continue;
        if (columnOf(m_chart.measure()) != column) m_chart.setMeasure(measure);
        m_center.setOverlay(overlayOf(measure));
        m_chart.setOrder(order == Qt::AscendingOrder ? ErrorPlot::Order::Sorted : ErrorPlot::Order::Execution);
    }
}

/// By the chosen error, if it is sorted by an error.
void ErrorChoice::sortTable()
{
    const int sorted = m_center.table()->horizontalHeader()->sortIndicatorSection();
    for (const Measure measure : {Measure::Graphwise, Measure::Layerwise, Measure::Difference})
        if (columnOf(measure) == sorted)
            return m_center.table()->sortByColumn(columnOf(m_chart.measure()),
                                                  m_center.table()->horizontalHeader()->sortIndicatorOrder());
}

QStringList ErrorChoice::worstFirst() const
{
    QVector<QPair<double, QString>> worst;
    for (const OperationRow &row : *m_center.rows())
        if (const std::optional<double> cost = m_chart.cost(row)) worst.append({-*cost, row.name});
    std::stable_sort(worst.begin(), worst.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    QStringList names;
    for (const auto &[cost, name] : worst) names.append(name);
    return names;
}

} // namespace ql
