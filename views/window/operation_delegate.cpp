#include "views/window/operation_delegate.h"

#include "views/models/operation_model.h"
#include "views/style/theme.h"

#include <QPainter>
#include <QSortFilterProxyModel>

namespace ql {

void OperationDelegate::setTint(int column, const QVector<QColor> &colors)
{
    m_column = column;
    m_colors = colors;
}

QColor OperationDelegate::tintOf(const QModelIndex &index) const
{
    if (index.column() != m_column) return {};
    const auto *proxy = qobject_cast<const QSortFilterProxyModel *>(index.model());
    return m_colors.value(proxy ? proxy->mapToSource(index).row() : index.row());
}

void OperationDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (tintOf(index).isValid()) option->text.clear(); // drawn on the tint
}

void OperationDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Theme &theme = Theme::current();
    const bool isStale = index.data(OperationModel::IsStaleRole).toBool();
    QStyleOptionViewItem plain = option;
    if (isStale)
        for (const QPalette::ColorRole role : {QPalette::Text, QPalette::HighlightedText})
            plain.palette.setColor(role, theme.dim);
    QStyledItemDelegate::paint(painter, plain, index);
    if (const QColor tint = tintOf(index); tint.isValid()) {
        // A pill, as in the boxes of the graph, over the highlight of the selected row
        const QRectF pill = QRectF(option.rect).adjusted(3, 3, -3, -3);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        // For an earlier recipe an outline, hatched like its bar in the chart: the text stays readable
        painter->setPen(isStale ? QPen(tint, 1) : QPen(Qt::NoPen));
        painter->setBrush(isStale ? theme.staleBrush() : QBrush(tint));
        painter->drawRoundedRect(pill, 4, 4);
        painter->setFont(option.font);
        painter->setPen(isStale ? theme.text : Theme::textOn(tint));
        const QRect inside = option.rect.adjusted(9, 0, -9, 0);
        painter->drawText(inside, index.data(Qt::TextAlignmentRole).toInt(),
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inside.width()));
        painter->restore();
        return;
    }
    if (!isStale) return;
    painter->setBrushOrigin(0, 0); // also over the highlight of the selected row
    painter->fillRect(option.rect, theme.staleBrush());
}

} // namespace ql
