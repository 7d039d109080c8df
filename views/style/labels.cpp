#include "views/style/labels.h"

#include <QFormLayout>
#include <QLabel>
#include <algorithm>
#include <utility>

namespace ql {

QLabel *dimLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setProperty("dim", true);
    return label;
}

QLabel *headingLabel(const QString &text)
{
    auto *label = new QLabel(text);
    label->setProperty("heading", true);
    return label;
}

void alignFields(const QVector<QFormLayout *> &forms)
{
    QVector<QWidget *> labels;
    for (const QFormLayout *form : forms)
        for (int row = 0; row < form->rowCount(); ++row)
            if (const QLayoutItem *item = form->itemAt(row, QFormLayout::LabelRole)) labels.append(item->widget());
    int widest = 0;
    for (const QWidget *label : std::as_const(labels)) widest = std::max(widest, label->sizeHint().width());
    for (QWidget *label : std::as_const(labels)) label->setMinimumWidth(widest);
}

} // namespace ql
