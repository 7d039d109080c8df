#pragma once

#include "core/api/methods.h"
#include "views/bridge/engine_link.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QHash>
#include <QMap>
#include <QThread>
#include <QTimer>
#include <type_traits>

namespace ql {

/// The engine, for the window: requests by id, answers as signals. Never blocks. If an engine dies, its requests fail,
/// this is reported, and a new one is started.
class EngineClient : public QObject
{
    Q_OBJECT

public:
    enum class State { Starting, Ready, Failed };
    Q_ENUM(State)

    /// @param command program and arguments; empty: quantloupe-cli next to this program
    explicit EngineClient(QStringList command = {}, QObject *parent = nullptr);
    ~EngineClient() override;

    /// Starts the engine, or ends the running one and starts this one. @pre command is not empty
    void setCommand(const QStringList &command);
    const QStringList &command() const { return m_command; }
    /// Whether the command starts something other than quantloupe-cli itself: ssh, a script. Then its files are
    /// elsewhere.
    bool isRemote() const;
    void start();
    void restart();

    State state() const { return m_state; }
    QString version() const { return m_version; }
    qint64 pid() const { return m_pid; }

    /// Sent immediately, or when the engine is ready. If it has failed, it is started once more, but only retryDelay()
    /// after the failure: until then, failed() follows.
    template <class Request, class Answer>
    RequestId request(const api::MethodOf<Request, Answer> &method, const std::type_identity_t<Request> &request)
    {
        return ask(method, request);
    }
    /// cancelled() follows within patience: an engine that does not answer in that time is killed and started again,
    /// and its other requests go to the next one.
    void cancel(RequestId id, int patience = patienceMs);
    /// Cancels a request that nobody waits for: killing an engine loses its cache in memory, so it may finish its step.
    void drop(RequestId id) { cancel(id, dropPatienceMs); }
    bool isPending(RequestId id) const { return m_pending.contains(id); }
    /// Time until the engine is killed if it answers none of the cancelled requests, ms; -1: nothing was cancelled.
    int patienceLeft() const { return m_patience.remainingTime(); }
    qint64 retryDelay() const { return m_retryMs; }
    void setRetryDelay(qint64 ms) { m_retryMs = ms; }

    /// Time for a cancelled job to end before it is killed, ms.
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
    /// The program has been running for a while without identifying itself as an engine; written: its output.
    void silent(const QString &written);
    /// The process has ended, for any reason.
    void ended(qint64 pid);
    /// The engine has ended; failed() was emitted for its requests. willRestart: a new one is being started.
    void died(const QString &what, bool willRestart);

    // To the thread of the link.
    void startLink(const QString &program, const QStringList &arguments);
    void killLink();
    void requestLink(const ql::RequestPtr &request);
    void cancelLink(ql::RequestId id);

private:
    RequestId ask(const api::Method &method, nlohmann::json params);
    void onReady(const QString &version, qint64 pid);
    void onDied(const QString &what, const QString &tail);
    void onPatienceEnded();
    void setState(State state);
    bool settle(RequestId id); ///< @returns whether the request was still pending
    void watchCancelling();

    QThread m_thread;
    EngineLink *m_link;
    QStringList m_command;
    State m_state = State::Starting;
    QString m_version;
    qint64 m_pid = 0;
    RequestId m_nextId = 1;
    QMap<RequestId, RequestPtr> m_pending; ///< in the order of requests
    QVector<RequestPtr> m_waiting;         ///< those of them that wait until the engine is ready
    QHash<RequestId, QDeadlineTimer> m_cancelling;
    QTimer m_patience; ///< to the first of the deadlines
    QElapsedTimer m_started, m_sinceFailure;
    QString m_failure;       ///< left behind by the failed engine
    qint64 m_retryMs = 1000; ///< after a failure
    int m_quickDeaths = 0;   ///< in a row, including programs that never became ready
    bool m_isForced = false; ///< it was killed because a cancelled request did not end
};

} // namespace ql
