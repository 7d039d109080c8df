#pragma once

#include <QString>
#include <QStringList>
#include <functional>

class QObject;
class QWidget;

namespace ql {

/// Writes a file with prepared content, on any thread; returns whether it worked.
using FileWriter = std::function<bool()>;
/// A writer of text as UTF-8.
FileWriter textWriter(const QString &path, const QString &text);
/// Writes on another thread; done is called on the window's thread, unless context no longer exists.
void writeInBackground(FileWriter write, QObject &context, std::function<void(bool)> done);

/// One file still to be written; prepare captures its content, on the window's thread.
struct FileTask
{
    QString path;
    std::function<FileWriter()> prepare;
};

/// "csv", "png", "svg", "pdf": the formats of plots and tables.
const QStringList &exportEndings();
/// path as typed, with the requested extension (without dot).
QString withEnding(const QString &path, const QString &ending);
/// Asks for the name of a file to write; empty if there is none. A name without one of the extensions of the filters
/// ("PDF (*.pdf)") gets that of the selected filter. Nothing is replaced without asking: if the extension makes it the
/// name of an existing file, the dialog opens again with it.
QString chooseFile(QWidget *parent, const QString &title, const QString &proposal, const QStringList &filters);

} // namespace ql
