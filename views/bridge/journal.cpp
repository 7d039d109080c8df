#include "views/bridge/journal.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>
#include <csignal>

namespace ql {

using nlohmann::json;

Journal::Journal(Document &document, QObject *parent) : QObject(parent), m_document(document)
{
    static int number = 0;
    QDir().mkpath(folder());
    m_fileName = QStringLiteral("%1/%2-%3.json").arg(folder()).arg(QCoreApplication::applicationPid()).arg(++number);
    connect(&document, &Document::recipeChanged, this, &Journal::write);
    connect(&document, &Document::fileChanged, this, &Journal::write);
    connect(&document.undoStack(), &QUndoStack::cleanChanged, this, &Journal::write);
}

Journal::~Journal()
{
    QFile::remove(m_fileName);
}

QString Journal::folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/journal");
}

void Journal::write()
{
    if (m_document.isEmpty() || m_document.undoStack().isClean()) {
        QFile::remove(m_fileName);
        return;
    }
    const std::string bytes = json{
        {"file", m_document.filePath().toStdString()},
        {"folder", m_document.folder().toStdString()},
        {"recipe",
         m_document.recipeJson()}}.dump();
    // Renamed into place: a kill in between leaves the state before. A folder that cannot be written costs the
    // recovery, not the edit.
    QSaveFile file(m_fileName);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()))
        file.commit();
}

QVector<Journal::Entry> Journal::lost()
{
    QVector<Entry> entries;
    for (const QFileInfo &info : QDir(folder()).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        const qint64 pid = info.baseName().section(QLatin1Char('-'), 0, 0).toLongLong();
        const bool isAlive = pid > 0 && (::kill(pid_t(pid), 0) == 0 || errno == EPERM);
        if (isAlive) continue;
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray bytes = file.readAll();
        const json value = json::parse(bytes.begin(), bytes.end(), nullptr, false);
        if (!value.is_object() || !value.contains("recipe")) {
            QFile::remove(info.filePath());
            continue;
        }
        entries.append(
            {info.filePath(), textOf(value, "file"), textOf(value, "folder"), value["recipe"], info.lastModified()});
    }
    return entries;
}

void Journal::discard(const Entry &entry)
{
    QFile::remove(entry.journalFile);
}

} // namespace ql
