#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace ql {

/// Reports when files were changed by another program, including replacement by a rename, as by editors and exporters,
/// and removal. Several changes in quick succession are reported once, after a pause.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(QObject *parent = nullptr);
    /// Replaces the watched files; their current state counts as unchanged.
    void setFiles(const QStringList &files);
    QStringList files() const { return m_known.keys(); }

    static constexpr int calmMs = 400;
    /// A removed one may reappear shortly: some programs write that way.
    static constexpr int goneMs = 2000;

Q_SIGNALS:
    void looked(); ///< after a change in a watched folder, before the others
    void changed(const QString &file);
    void removed(const QString &file);

private:
    struct State
    {
        QDateTime time;
        qint64 size = -1; ///< -1: does not exist
        bool operator==(const State &other) const { return time == other.time && size == other.size; }
    };
    static State stateOf(const QString &file);
    void look();
    void findMissing();
    void watchAll();

    QFileSystemWatcher m_watcher;
    QHash<QString, State> m_known;
    QTimer m_timer, m_missingTimer;
};

} // namespace ql
