#include "views/bridge/data_watch.h"

#include <QDateTime>
#include <QDirIterator>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPointer>
#include <QThreadPool>
#include <utility>

namespace ql {

/// Files beyond this number are not tracked individually.
static constexpr int maxFiles = 200000;

DataWatch::DataWatch(QObject *parent) : QObject(parent)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(calmMs);
    connect(&m_timer, &QTimer::timeout, this, &DataWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_timer, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_timer, qOverload<>(&QTimer::start));
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive) look();
    });
}

DataWatch::State DataWatch::stateOf(const QString &path)
{
    const auto of = [](const QFileInfo &file, const QString &name) {
        return State(qHashMulti(0, name, file.size(), file.lastModified().toMSecsSinceEpoch()));
    };
    const QFileInfo info(path);
    if (!info.isDir()) return info.exists() ? of(info, {}) | 1 : 0;
    State state = 1;
    QDirIterator it(path, QDir::Files, QDirIterator::Subdirectories);
    for (int count = 0; it.hasNext() && count < maxFiles; ++count) {
        it.next();
        state += of(it.fileInfo(), it.filePath()); // in any order
    }
    return state;
}

void DataWatch::setPaths(const QStringList &paths)
{
    if (paths == m_paths) return;
    m_paths = paths;
    m_known.clear();
    ++m_generation;
    if (const QStringList watched = m_watcher.files() + m_watcher.directories(); !watched.isEmpty())
        m_watcher.removePaths(watched);
    watch();
    m_isLooking = false; // a check in progress belongs to an older generation
    look();
}

/// A folder does not report that it was moved away, and a replaced one is no longer watched: its parent folder reports
/// it.
void DataWatch::watch()
{
    const QStringList known = m_watcher.files() + m_watcher.directories();
    for (const QString &path : m_paths)
        for (const QString &each : {path, QFileInfo(path).absolutePath()})
            if (!known.contains(each) && QFileInfo::exists(each)) m_watcher.addPath(each);
}

void DataWatch::look()
{
    if (m_isLooking) {
        m_timer.start();
        return;
    }
    if (m_paths.isEmpty()) return;
    m_isLooking = true;
    QThreadPool::globalInstance()->start(
        [watch = QPointer<DataWatch>(this), paths = m_paths, generation = m_generation] {
            QHash<QString, State> states;
            for (const QString &path : paths) states.insert(path, stateOf(path));
            QMetaObject::invokeMethod(
                qGuiApp,
                [watch, states, generation] {
                    if (watch && watch->m_generation == generation) watch->take(states);
                },
                Qt::QueuedConnection);
        });
}

void DataWatch::take(const QHash<QString, State> &states)
{
    m_isLooking = false;
    const QHash<QString, State> before = std::exchange(m_known, states);
    watch();
    if (before.isEmpty()) return;
    for (const QString &path : QStringList(m_paths))
        if (const State now = states.value(path); before.value(path) != now)
            Q_EMIT(now ? changed(path) : removed(path));
}

} // namespace ql
