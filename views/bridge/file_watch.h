#pragma once

#include <QDateTime>
#include <QFileSystemWatcher>
#include <QHash>
#include <QObject>
#include <QStringList>
#include <QTimer>

namespace ql {

/// Tells when files were changed by somebody else, also when they are replaced by a rename, as editors and exporters
/// do, or taken away. Several changes that follow each other are told once, when it has become calm.
class FileWatch : public QObject
{
    Q_OBJECT

public:
    explicit FileWatch(QObject *parent = nullptr);
    /// Replaces what is watched; files as they are now count as unchanged.
    void setFiles(const QStringList &files);
    QStringList files() const { return m_known.keys(); }

    static constexpr int calmMs = 400;
    /// One that is gone may come back in a moment: some programs write so.
    static constexpr int goneMs = 2000;

Q_SIGNALS:
    void changed(const QString &file);
    void removed(const QString &file);

private:
    struct State
    {
        QDateTime time;
        qint64 size = -1; ///< -1: not there
        bool operator==(const State &other) const { return time == other.time && size == other.size; }
    };
    static State stateOf(const QString &file);
    void look();
    void lookForMissing();
    void watchAll();

    QFileSystemWatcher m_watcher;
    QHash<QString, State> m_known;
    QTimer m_timer, m_missingTimer;
};

} // namespace ql
