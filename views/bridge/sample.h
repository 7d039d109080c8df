#pragma once

#include <QString>

namespace ql {

/// The recipe of the sample that comes with the program; empty when it is not installed. It is looked for in
/// quantloupe/sample below the folders of XDG_DATA_HOME and XDG_DATA_DIRS, then beside the program and in its sources.
QString samplePath();

/// Whether path is a file of the sample, or its folder. Those are for everybody: they are read and never written.
bool isOfSample(const QString &path);

} // namespace ql
