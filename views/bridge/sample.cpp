#include "views/bridge/sample.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>

namespace ql {

QString samplePath()
{
    const QString installed = QStandardPaths::locate(QStandardPaths::GenericDataLocation,
                                                     QStringLiteral("quantloupe/sample/sample.quantloupe"));
    if (!installed.isEmpty()) return QDir::cleanPath(installed);
    const QDir program(QCoreApplication::applicationDirPath());
    for (const char *place :
         {"../share/quantloupe/sample", "../../../resources/sample", "../../../../resources/sample"})
        if (const QString path = program.filePath(QLatin1String(place) + QStringLiteral("/sample.quantloupe"));
            QFileInfo::exists(path))
            return QDir::cleanPath(path);
    return {};
}

bool isOfSample(const QString &path)
{
    const QString sample = QFileInfo(samplePath()).canonicalPath(), asked = QFileInfo(path).canonicalFilePath();
    return !sample.isEmpty() && (asked == sample || asked.startsWith(sample + QLatin1Char('/')));
}

} // namespace ql
