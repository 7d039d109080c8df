#include "views/bridge/journal.h"

#include "core/api/kept_run.h"
#include "core/base/error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <cstdio>
#include <utility>

namespace ql {

using nlohmann::json;

static QString lockName(const QString &journalFile)
{
    return journalFile + QStringLiteral(".lock");
}

/// A unique name: process ids are reused.
static QString newName(const QString &folder)
{
    QDir().mkpath(folder);
    return QStringLiteral("%1/%2-%3.json")
        .arg(folder)
        .arg(QCoreApplication::applicationPid())
        .arg(QRandomGenerator::global()->generate(), 8, 16, QLatin1Char('0'));
}

Journal::Journal(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_fileName(newName(folder())), m_lock(lockName(m_fileName))
{
    m_lock.setStaleLockTime(0); // as long as the process lives
    m_lock.tryLock(0);
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
    const json edit = api::KeptEdit{m_document.filePath().toStdString(), m_document.folder().toStdString(),
                                    api::toJson(m_document.recipe())};
    const std::string bytes = edit.dump();
    // Renamed into place: if the program is killed in between, the previous state remains. No sync to disk: data
    // written by the program survives its crash. If the folder cannot be written, recovery is lost, not the edit.
    const QString part = m_fileName + QStringLiteral(".part");
    QFile file(part);
    if (!file.open(QIODevice::WriteOnly | QIODevice::Truncate)) return;
    const bool isWhole = file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size()) && file.flush();
    file.close();
    if (isWhole) std::rename(QFile::encodeName(part).constData(), QFile::encodeName(m_fileName).constData());
}

QVector<Journal::Entry> Journal::lost()
{
    QVector<Entry> entries;
    for (const QFileInfo &info : QDir(folder()).entryInfoList({QStringLiteral("*.json")}, QDir::Files, QDir::Time)) {
        // The lock of a dead process can be acquired
        auto lock = std::make_shared<QLockFile>(lockName(info.filePath()));
        lock->setStaleLockTime(0);
        if (!lock->tryLock(0)) continue;
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly)) continue;
        const QByteArray bytes = file.readAll();
        const json value = json::parse(bytes.begin(), bytes.end(), nullptr, false);
        if (value.is_discarded()) {
            QFile::remove(info.filePath());
            continue;
        }
        try {
            auto edit = value.get<api::KeptEdit>();
            entries.append({info.filePath(), QString::fromStdString(edit.file), QString::fromStdString(edit.folder),
                            api::JsonText::wrap(edit.recipe), info.lastModified(), lock});
        } catch (const Error &) { // of another version, which may read it
            continue;
        }
    }
    return entries;
}

void Journal::discard(const Entry &entry)
{
    QFile::remove(entry.journalFile);
    QFile::remove(entry.journalFile + QStringLiteral(".part"));
}

} // namespace ql
