#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QObject;
class QWidget;

namespace ql {

/// Writes a file whose content is at hand, on any thread; tells whether it worked.
using FileWriter = std::function<bool()>;
/// What writes text as UTF-8.
FileWriter textWriter(const QString &path, const QString &text);
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
/// Asks for the name of a file to write; empty when there is none. A name without one of the endings of the filters
/// ("PDF (*.pdf)") gets that of the chosen filter. Nothing is replaced unasked: where the ending makes it the name of a
/// file that exists, the dialog comes again with it.
QString chooseFile(QWidget *parent, const QString &title, const QString &proposal, const QStringList &filters);

} // namespace ql
