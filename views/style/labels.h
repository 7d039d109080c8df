#pragma once

#include <QString>

class QLabel;

namespace ql {

/// Less prominent text: the name of a field, an explanation.
QLabel *dimLabel(const QString &text = {});
QLabel *headingLabel(const QString &text);

} // namespace ql
