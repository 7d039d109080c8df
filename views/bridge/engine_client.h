#pragma once

#include "core/api/methods.h"
#include "views/bridge/engine_link.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QHash>
#include <QMap>
#include <QThread>
#include <QTimer>

namespace ql {

/// The engine as the window sees it: requests by id, answers as signals. Never blocks. An engine that dies fails its
/// requests, says so, and is started again.
class EngineClient : public QObject
{
    Q_OBJECT

public:
    enum class State { Starting, Ready, Failed };
    Q_ENUM(State)

    /// @param command program and arguments; empty: quantloupe-cli beside this program
    explicit EngineClient(QStringList command = {}, QObject *parent = nullptr);
    ~EngineClient() override;

    /// Starts the engine, or ends the running one and starts this one. @pre command is not empty
    void setCommand(const QStringList &command);
    const QStringList &command() const { return m_command; }
    /// The words of a command as a shell reads them: quotes of both kinds, ~ and variables. Where that is not possible
    /// (a pipe, a list of commands), QProcess's own way: double quotes alone.
    static QStringList splitCommand(const QString &text);
    /// The command as it is typed: splitCommand() gives it back.
    QString commandText() const;
    /// Whether the command starts something else than quantloupe-cli itself: ssh, a script. Its files are elsewhere
    /// then.
    bool isRemote() const;
    void start();
    void restart();

    State state() const { return m_state; }
    QString version() const { return m_version; }
    qint64 pid() const { return m_pid; }

    /// Sent at once, or when the engine is ready. Where it has failed, it is tried once more, but not more often than
    /// every second: failed() follows then.
    RequestId request(const api::Method &method, nlohmann::json params);
    /// cancelled() follows within patience: an engine that does not answer in that time is ended and started again, and
    /// what else it was asked goes to the next one.
    void cancel(RequestId id, int patience = patienceMs);
    /// cancel() of what nobody waits for: ending an engine costs its cache in memory, so it may finish its step.
    void drop(RequestId id) { cancel(id, dropPatienceMs); }
    bool isPending(RequestId id) const { return m_pending.contains(id); }

    /// Time that a cancelled job has to end by itself, ms.
    static constexpr int patienceMs = 170;
    static constexpr int dropPatienceMs = 5000;
    static QStringList defaultCommand();

Q_SIGNALS:
    void stateChanged(ql::EngineClient::State state);
    void progress(ql::RequestId id, const ql::EngineProgress &progress);
    void section(ql::RequestId id, const ql::EngineAnswer &answer);
    void finished(ql::RequestId id, const ql::EngineAnswer &answer);
    void failed(ql::RequestId id, const ql::EngineError &error);
    void cancelled(ql::RequestId id);
    void log(const QString &text);
    /// The program has been started for a while and has not said that it is an engine; written: what it wrote instead.
    void silent(const QString &written);
    /// The process is gone, for whatever reason.
    void ended(qint64 pid);
    /// The engine is gone; failed() has been told for its requests. willRestart: a new one is on its way.
    void died(const QString &what, bool willRestart);

    // To the thread of the link.
    void startLink(const QString &program, const QStringList &arguments);
    void killLink();
    void sendLink(const ql::JsonPtr &message);

private:
    void onReady(const QString &version, qint64 pid);
    void onDied(const QString &what, const QString &tail);
    void onPatienceEnded();
    void setState(State state);
    bool settle(RequestId id); ///< @returns whether the request was still waited for
    void watchCancelling();

    QThread m_thread;
    EngineLink *m_link;
    QStringList m_command;
    State m_state = State::Starting;
    QString m_version;
    qint64 m_pid = 0;
    RequestId m_nextId = 1;
    QMap<RequestId, JsonPtr> m_pending; ///< in the order of asking
    QVector<JsonPtr> m_waiting;         ///< those of them that wait until the engine is ready
    QHash<RequestId, QDeadlineTimer> m_cancelling;
    QTimer m_patience; ///< to the first of the deadlines
    QElapsedTimer m_started, m_sinceFailure;
    QString m_failure;       ///< what the engine that failed has left behind
    int m_quickDeaths = 0;   ///< in a row, those of programs that never were ready among them
    bool m_isForced = false; ///< it was killed because a cancelled request did not end
};

} // namespace ql
