#include "views/style/labels.h"

#include <QLabel>

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

} // namespace ql
