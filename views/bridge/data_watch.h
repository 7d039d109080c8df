#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace ql {

/// Reports when inputs of a run were changed by another program: files, and folders with their contents. Writing into a
/// file does not change its folder, so all are also checked when the program comes to the front; on another thread,
/// because a folder may contain a hundred thousand samples.
class DataWatch : public QObject
{
    Q_OBJECT

public:
    explicit DataWatch(QObject *parent = nullptr);
    /// Replaces the watched paths; their current state counts as unchanged.
    void setPaths(const QStringList &paths);
    void look();
    /// The current state of the paths is known: no check is running or scheduled.
    bool isCalm() const { return !m_isLooking && !m_timer.isActive() && (m_paths.isEmpty() || !m_known.isEmpty()); }

    static constexpr int calmMs = 400;

Q_SIGNALS:
    void changed(const QString &path); ///< changed, or restored
    void removed(const QString &path);

private:
    /// Names, sizes and times of a file or of all files of a folder, as a number; 0 if there is none.
    using State = quint64;
    static State stateOf(const QString &path);
    void take(const QHash<QString, State> &states);
    void watch();

    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    QStringList m_paths;
    QHash<QString, State> m_known; ///< empty until the first check
    int m_generation = 0;          ///< of m_paths: a result for other paths is discarded
    bool m_isLooking = false;
};

} // namespace ql
