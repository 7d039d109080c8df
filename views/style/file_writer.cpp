#include "views/style/file_writer.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>
#include <utility>

namespace ql {

FileWriter textWriter(const QString &path, const QString &text)
{
    return [path, text] {
        QSaveFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(text.toUtf8()) >= 0 && file.commit();
    };
}

void writeInBackground(FileWriter write, QObject &context, std::function<void(bool)> done)
{
    QThreadPool::globalInstance()->start(
        [self = QPointer<QObject>(&context), write = std::move(write), done = std::move(done)] {
            const bool good = write();
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, done, good] {
                    if (self) done(good);
                },
                Qt::QueuedConnection);
        });
}

const QStringList &exportEndings()
{
    static const QStringList endings{QStringLiteral("csv"), QStringLiteral("png"), QStringLiteral("svg"),
                                     QStringLiteral("pdf")};
    return endings;
}

QString withEnding(const QString &path, const QString &ending)
{
    const QString wanted = QLatin1Char('.') + ending;
    return path.endsWith(wanted, Qt::CaseInsensitive) ? path : path + wanted;
}

QString chooseFile(QWidget *parent, const QString &title, const QString &proposal, const QString &ending,
                   const QString &filter)
{
    QString path = proposal;
    for (;;) {
        const QString typed = QFileDialog::getSaveFileName(parent, title, path, filter);
        if (typed.isEmpty()) return {};
        path = withEnding(typed, ending);
        if (path == typed || !QFileInfo::exists(path)) return path;
    }
}

} // namespace ql
