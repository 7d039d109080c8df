#pragma once

#include <QColor>
#include <QStyledItemDelegate>
#include <QVector>

namespace ql {

/// Cells of the operation table: the column of the current overlay is tinted, and errors of an earlier recipe are
/// hatched, as in the chart.
class OperationDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;
    /// colors: of the rows of the source model; invalid ones leave a cell unchanged
    void setTint(int column, const QVector<QColor> &colors);
    /// Invalid: none.
    QColor tintOf(const QModelIndex &index) const;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    int m_column = -1;
    QVector<QColor> m_colors;
};

} // namespace ql
