// The table of the centre view: columns, selection and scrolling.
#include "views/window/center_view.h"
#include "views/window/operation_delegate.h"

#include <QAction>
#include <QFontMetrics>
#include <QHeaderView>
#include <QMenu>
#include <QSettings>
#include <QTableView>
#include <algorithm>
#include <vector>

namespace ql {

/// Of a column's title, with the arrow of the sorted one.
static constexpr int headerPadding = 26;

/// Changes with the columns: saved states of other columns are invalid.
static QString tableSetting()
{
    return QStringLiteral("window/columns%1").arg(int(OperationModel::ColumnCount));
}

CenterView::~CenterView()
{
    QSettings().setValue(tableSetting(), m_table->horizontalHeader()->saveState());
}

void CenterView::makeTable()
{
    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(OperationModel::Position, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_table->setShowGrid(false);
    m_table->setAlternatingRowColors(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle); // names of a network differ in their end
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionsMovable(true);
    m_table->horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setContextMenuPolicy(Qt::CustomContextMenu);
    m_table->setAccessibleName(tr("Operations"));
    m_delegate = new OperationDelegate(m_table);
    m_table->setItemDelegate(m_delegate);
    const QVector<int> widths{44, 190, 90, 80, 80, 82, 70, 124, 100, 74, 84, 300, 110, 110};
    const QFontMetrics metrics(m_table->horizontalHeader()->font());
    for (int c = 0; c < widths.size(); ++c) {
        const QString title = m_model->headerData(c, Qt::Horizontal).toString();
        m_table->setColumnWidth(c, std::max(widths[c], metrics.horizontalAdvance(title) + headerPadding));
    }
    for (const int c : {OperationModel::Graphwise, OperationModel::Layerwise}) m_table->setColumnHidden(c, true);
    // Restore the columns
    m_table->horizontalHeader()->restoreState(QSettings().value(tableSetting()).toByteArray());
    connect(m_filter, &QAbstractItemModel::layoutAboutToBeChanged, this, [this] { m_followsRow = showsCurrentRow(); });
    // After the table's own handler, which sorts. The worst rows are expected at the top
    connect(m_table->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this, [this] {
        if (m_followsRow)
            scrollToCurrentRow();
        else
            m_table->scrollToTop();
    });
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint &at) {
        Q_EMIT contextMenuRequested(m_table->indexAt(at).data(OperationModel::OperationRole).toString(),
                                    m_table->viewport()->mapToGlobal(at));
    });
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &CenterView::takeTableSelection);
    m_columnMenu = new QMenu(tr("Table col&umns"), this);
    connect(m_columnMenu, &QMenu::aboutToShow, this, &CenterView::fillColumnMenu);
    connect(m_table->horizontalHeader(), &QWidget::customContextMenuRequested, m_columnMenu,
            [this](const QPoint &at) { m_columnMenu->exec(m_table->horizontalHeader()->mapToGlobal(at)); });
}

void CenterView::takeTableSelection()
{
    if (m_isTaking) return;
    std::vector<int> rows; // selectedRows() compares every range with every other
    for (const QItemSelectionRange &range : m_table->selectionModel()->selection())
        for (int row = range.top(); row <= range.bottom(); ++row) rows.push_back(row);
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    QStringList names;
    for (const int row : rows) names.append(m_filter->index(row, 0).data(OperationModel::OperationRole).toString());
    const QString current = m_table->currentIndex().data(OperationModel::OperationRole).toString();
    m_isTaking = true;
    m_document.setSelection(names, names.contains(current) ? current : names.value(0));
    m_isTaking = false;
}

void CenterView::showSelection()
{
    refreshRowsNow();
    m_graph->setSelection(m_document.selection(), m_document.current());
    refreshPage();
    selectInTable();
}

void CenterView::selectInTable()
{
    if (m_isTaking) return;
    m_isTaking = true;
    QItemSelection selection;
    QModelIndex current;
    for (const QString &name : m_document.selection()) {
        const int row = m_model->rowOf(name);
        if (row < 0) continue;
        const QModelIndex index = m_filter->mapFromSource(m_model->index(row, 0));
        if (!index.isValid()) continue;
        selection.select(index, index.siblingAtColumn(OperationModel::ColumnCount - 1));
        if (name == m_document.current()) current = index;
    }
    m_table->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (current.isValid()) {
        m_table->selectionModel()->setCurrentIndex(current, QItemSelectionModel::NoUpdate);
        m_table->scrollTo(current);
    }
    m_isTaking = false;
}

QModelIndex CenterView::currentRow() const
{
    const int row = m_model->rowOf(m_document.current());
    return row < 0 ? QModelIndex() : m_filter->mapFromSource(m_model->index(row, 0));
}

bool CenterView::showsCurrentRow() const
{
    const QModelIndex current = currentRow();
    if (!current.isValid()) return false;
    const int top = m_table->rowViewportPosition(current.row());
    return top + m_table->rowHeight(current.row()) > 0 && top < m_table->viewport()->height();
}

void CenterView::scrollToCurrentRow()
{
    // Not sideways
    if (const QModelIndex current = currentRow(); current.isValid())
        m_table->scrollTo(current.siblingAtColumn(std::max(0, m_table->columnAt(0))));
}

void CenterView::fillColumnMenu()
{
    m_columnMenu->clear();
    for (int column = 1; column < OperationModel::ColumnCount; ++column) {
        auto *action = m_columnMenu->addAction(m_model->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
        action->setCheckable(true);
        action->setChecked(!m_table->isColumnHidden(column));
        connect(action, &QAction::toggled, m_table,
                [this, column](bool shown) { m_table->setColumnHidden(column, !shown); });
    }
}

} // namespace ql
