#include "views/bridge/file_watch.h"

#include <QFileInfo>

namespace ql {

FileWatch::FileWatch(QObject *parent) : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(calmMs);
    connect(&m_timer, &QTimer::timeout, this, &FileWatch::look);
    m_missingTimer.setSingleShot(true);
    m_missingTimer.setInterval(goneMs);
    connect(&m_missingTimer, &QTimer::timeout, this, &FileWatch::findMissing);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_timer, QOverload<>::of(&QTimer::start));
    // A file that is replaced is no longer watched: its folder reports the new one
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_timer, QOverload<>::of(&QTimer::start));
}

FileWatch::State FileWatch::stateOf(const QString &file)
{
    const QFileInfo info(file);
    if (!info.exists()) return {};
    return {info.lastModified(), info.size()};
}

void FileWatch::setFiles(const QStringList &files)
{
    if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
        m_watcher.removePaths(watched);
    m_known.clear();
    for (const QString &file : files)
        if (!file.isEmpty()) m_known.insert(file, stateOf(file));
    watchAll();
}

void FileWatch::watchAll()
{
    for (auto it = m_known.constBegin(); it != m_known.constEnd(); ++it) {
        if (it->size >= 0 && !m_watcher.files().contains(it.key())) m_watcher.addPath(it.key());
        const QString folder = QFileInfo(it.key()).absolutePath();
        if (!m_watcher.directories().contains(folder) && QFileInfo(folder).isDir()) m_watcher.addPath(folder);
    }
}

void FileWatch::look()
{
    QStringList files;
    for (auto it = m_known.begin(); it != m_known.end(); ++it) {
        const State now = stateOf(it.key());
        if (now == *it) continue;
        if (now.size < 0) {
            m_missingTimer.start();
            continue;
        }
        *it = now;
        files.append(it.key());
    }
    watchAll();
    Q_EMIT looked();
    for (const QString &file : files) Q_EMIT changed(file);
}

void FileWatch::findMissing()
{
    QStringList files;
    for (auto it = m_known.begin(); it != m_known.end(); ++it) {
        if (it->size < 0 || stateOf(it.key()).size >= 0) continue;
        *it = {};
        files.append(it.key());
    }
    for (const QString &file : files) Q_EMIT removed(file);
}

} // namespace ql
