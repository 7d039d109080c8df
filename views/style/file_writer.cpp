#include "views/style/file_writer.h"

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>
#include <utility>

namespace ql {

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

} // namespace ql
