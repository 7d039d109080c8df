#pragma once

#include <QStringList>

namespace ql {

/// The recipe of the included sample; empty if it is not installed. Searched in quantloupe/sample below the folders of
/// XDG_DATA_HOME and XDG_DATA_DIRS, then next to the program and in its sources.
QString samplePath();
/// Where it is expected, in the order of the search.
QStringList sampleFolders();

/// Whether path is a file of a sample in one of these folders, or the folder. Those are shared: they are read and never
/// written.
bool isOfSample(const QString &path);

} // namespace ql
