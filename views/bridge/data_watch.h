#pragma once

#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace ql {

/// Tells when what a run reads was changed by somebody else: files, and folders with all that lies in them. Whoever
/// writes into a file of a folder changes nothing of the folder itself, so all are looked at when the program comes to
/// the front, too; on another thread, as a folder may hold a hundred thousand samples.
class DataWatch : public QObject
{
    Q_OBJECT

public:
    explicit DataWatch(QObject *parent = nullptr);
    /// Replaces what is watched; as they are now they count as unchanged.
    void setPaths(const QStringList &paths);
    void look();

    static constexpr int calmMs = 400;

Q_SIGNALS:
    void changed(const QString &path); ///< others now, or back again
    void removed(const QString &path);

private:
    /// Names, sizes and times of a file or of all files of a folder, as a number; 0 when there is none.
    using State = quint64;
    static State stateOf(const QString &path);
    void take(const QHash<QString, State> &states);
    void watch();

    QFileSystemWatcher m_watcher;
    QTimer m_timer;
    QStringList m_paths;
    QHash<QString, State> m_known; ///< empty until they were looked at once
    int m_generation = 0;          ///< of m_paths: an answer about others is of no use
    bool m_isLooking = false;
};

} // namespace ql
