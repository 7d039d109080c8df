#include "views/bridge/sample.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>

namespace ql {

QStringList sampleFolders()
{
    QStringList folders;
    for (const QString &folder : QStandardPaths::standardLocations(QStandardPaths::GenericDataLocation))
        folders.append(QDir::cleanPath(folder + QStringLiteral("/quantloupe/sample")));
    const QDir program(QCoreApplication::applicationDirPath());
    for (const char *place :
         {"../share/quantloupe/sample", "../../../resources/sample", "../../../../resources/sample"})
        folders.append(QDir::cleanPath(program.filePath(QLatin1String(place))));
    folders.removeDuplicates();
    return folders;
}

QString samplePath()
{
    for (const QString &folder : sampleFolders())
        if (const QString path = folder + QStringLiteral("/sample.quantloupe"); QFileInfo::exists(path)) return path;
    return {};
}

bool isOfSample(const QString &path)
{
    const QString asked = QFileInfo(path).canonicalFilePath();
    const QStringList folders = sampleFolders();
    return !asked.isEmpty() && std::any_of(folders.begin(), folders.end(), [&](const QString &folder) {
        const QString sample = QFileInfo(folder).canonicalFilePath();
        return !sample.isEmpty() && QFileInfo::exists(sample + QStringLiteral("/sample.quantloupe")) &&
               (asked == sample || asked.startsWith(sample + QLatin1Char('/')));
    });
}

} // namespace ql
