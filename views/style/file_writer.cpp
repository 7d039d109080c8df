#include "views/style/file_writer.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QSaveFile>
#include <QThreadPool>
#include <algorithm>
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

/// "pdf" of "PDF (*.pdf)".
static QString endingOf(const QString &filter)
{
    return filter.section(QStringLiteral("*."), 1).remove(QLatin1Char(')'));
}

QString chooseFile(QWidget *parent, const QString &title, const QString &proposal, const QStringList &filters)
{
    QString path = proposal;
    for (;;) {
        QString chosen = filters.front();
        const QString typed =
            QFileDialog::getSaveFileName(parent, title, path, filters.join(QStringLiteral(";;")), &chosen);
        if (typed.isEmpty()) return {};
        const bool isKnown = std::any_of(filters.begin(), filters.end(), [&](const QString &filter) {
            return withEnding(typed, endingOf(filter)) == typed;
        });
        path = isKnown ? typed : withEnding(typed, endingOf(chosen));
        if (path == typed || !QFileInfo::exists(path)) return path;
    }
}

} // namespace ql
