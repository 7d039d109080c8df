#include "views/style/plain_table.h"

#include <QHeaderView>
#include <QSplitter>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <algorithm>

namespace ql {

namespace {

/// Rows as high as their words need, plus the padding of the style sheet.
class WrapDelegate : public QStyledItemDelegate
{
public:
    explicit WrapDelegate(QTableView &table) : QStyledItemDelegate(&table), m_table(table) {}
    QSize sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const override
    {
        constexpr int around = 20, above = 12;
        const int width = std::max(20, m_table.columnWidth(index.column()) - around);
        const QRect text =
            m_table.fontMetrics().boundingRect(QRect(0, 0, width, 10000), Qt::TextWordWrap, index.data().toString());
        return {width, text.height() + above};
    }

private:
    QTableView &m_table;
};

} // namespace

QTableWidget *plainTable(const QStringList &heads, const QString &name)
{
    auto *table = new QTableWidget(0, int(heads.size()));
    table->setHorizontalHeaderLabels(heads);
    table->verticalHeader()->hide();
    table->setShowGrid(false);
    table->setItemDelegate(new WrapDelegate(*table));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->setAccessibleName(name);
    table->setTabKeyNavigation(false); // to the next widget
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    return table;
}

QTableWidget *lineTable(const QStringList &heads, const QString &name)
{
    constexpr int rowHeight = 26;
    QTableWidget *table = plainTable(heads, name);
    table->setItemDelegate(new QStyledItemDelegate(table));
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->setWordWrap(false);
    return table;
}

QWidget *sideBySide(const QList<QWidget *> &parts, const QList<int> &widths)
{
    auto *splitter = new QSplitter;
    for (QWidget *part : parts) splitter->addWidget(part);
    splitter->setSizes(widths);
    splitter->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    return splitter;
}

} // namespace ql
