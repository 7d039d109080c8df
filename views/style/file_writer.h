#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QObject;

namespace ql {

/// Writes a file whose content is at hand, on any thread; tells whether it worked.
using FileWriter = std::function<bool()>;
/// Writes on a thread of its own; done is called on the window's thread, unless context is gone by then.
void writeInBackground(FileWriter write, QObject &context, std::function<void(bool)> done);

/// One file that is still to be written; prepare takes what it holds, on the window's thread.
struct FileTask
{
    QString path;
    std::function<FileWriter()> prepare;
};

/// "csv", "png", "svg", "pdf": what plots and tables are saved as.
const QStringList &exportEndings();
/// path as it was typed, with the ending (without dot) of what was asked for.
QString withEnding(const QString &path, const QString &ending);

} // namespace ql
