#pragma once

#include <QString>
#include <QVector>

class QFormLayout;
class QLabel;

namespace ql {

/// Less prominent text: the name of a field, an explanation.
QLabel *dimLabel(const QString &text = {});
QLabel *headingLabel(const QString &text);
/// Fields of forms that are one above the other start at the same place.
void alignFields(const QVector<QFormLayout *> &forms);

} // namespace ql
