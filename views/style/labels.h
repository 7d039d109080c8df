#pragma once

#include <QString>

class QLabel;

namespace ql {

/// Of less weight than what it stands next to: the name of a field, an explanation.
QLabel *dimLabel(const QString &text = {});
QLabel *headingLabel(const QString &text);

} // namespace ql
