#include "views/bridge/engine_client.h"

#include <QCoreApplication>
#include <QStandardPaths>
#include <algorithm>

namespace ql {

/// An engine that dies this soon after its start this many times in a row will not recover.
static constexpr qint64 quickDeathMs = 3000;
static constexpr int quickDeaths = 3;

EngineClient::EngineClient(QStringList command, QObject *parent)
    : QObject(parent), m_link(new EngineLink), m_command(std::move(command))
{
    if (m_command.isEmpty()) m_command = defaultCommand();
    qRegisterMetaType<ql::RequestId>("ql::RequestId");
    qRegisterMetaType<ql::RequestPtr>("ql::RequestPtr");
    qRegisterMetaType<ql::EngineError>("ql::EngineError");
    qRegisterMetaType<ql::EngineProgress>("ql::EngineProgress");
    qRegisterMetaType<ql::EngineAnswer>("ql::EngineAnswer");
    m_thread.setObjectName(QStringLiteral("engine link"));
    m_link->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_link, &QObject::deleteLater);
    connect(this, &EngineClient::startLink, m_link, &EngineLink::start);
    connect(this, &EngineClient::killLink, m_link, &EngineLink::kill);
    connect(this, &EngineClient::requestLink, m_link, &EngineLink::request);
    connect(this, &EngineClient::cancelLink, m_link, &EngineLink::cancel);
    connect(m_link, &EngineLink::ready, this, &EngineClient::onReady);
    connect(m_link, &EngineLink::died, this, &EngineClient::onDied);
    connect(m_link, &EngineLink::silent, this, &EngineClient::silent);
    connect(m_link, &EngineLink::log, this, &EngineClient::log);
    connect(m_link, &EngineLink::progress, this, [this](RequestId id, const EngineProgress &value) {
        if (isPending(id) && !m_cancelling.contains(id)) Q_EMIT progress(id, value);
    });
    connect(m_link, &EngineLink::section, this, [this](RequestId id, const EngineAnswer &answer) {
        if (isPending(id) && !m_cancelling.contains(id)) Q_EMIT section(id, answer);
    });
    connect(m_link, &EngineLink::finished, this, [this](RequestId id, const EngineAnswer &answer) {
        if (settle(id)) Q_EMIT finished(id, answer);
    });
    connect(m_link, &EngineLink::failed, this, [this](RequestId id, const EngineError &error) {
        if (settle(id)) Q_EMIT failed(id, error);
    });
    connect(m_link, &EngineLink::cancelled, this, [this](RequestId id) {
        if (settle(id)) Q_EMIT cancelled(id);
    });
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &EngineClient::onPatienceEnded);
    m_thread.start();
}

EngineClient::~EngineClient()
{
    m_link->disconnect(this);
    m_thread.quit();
    m_thread.wait();
}

bool EngineClient::isRemote() const
{
    return !m_command.value(0).endsWith(QLatin1String("quantloupe-cli"));
}

QStringList EngineClient::defaultCommand()
{
    QString program =
        QStandardPaths::findExecutable(QStringLiteral("quantloupe-cli"), {QCoreApplication::applicationDirPath()});
    if (program.isEmpty()) program = QStandardPaths::findExecutable(QStringLiteral("quantloupe-cli"));
    if (program.isEmpty()) program = QStringLiteral("quantloupe-cli");
    return {program, QStringLiteral("serve")};
}

void EngineClient::start()
{
    m_started.start();
    setState(State::Starting);
    Q_EMIT startLink(m_command.value(0), m_command.mid(1));
}

void EngineClient::setCommand(const QStringList &command)
{
    m_command = command;
    restart();
}

void EngineClient::restart()
{
    m_quickDeaths = 0;
    const QList<RequestId> lost = m_pending.keys();
    m_pending.clear();
    m_waiting.clear();
    m_cancelling.clear();
    watchCancelling();
    for (const RequestId id : lost) Q_EMIT cancelled(id);
    start();
}

void EngineClient::setState(State state)
{
    if (m_state == state) return;
    m_state = state;
    Q_EMIT stateChanged(state);
}

RequestId EngineClient::ask(const api::Method &method, nlohmann::json params)
{
    const RequestId id = m_nextId++;
    const auto request = std::make_shared<const api::RequestMessage>(
        api::RequestMessage{id, std::string(method.name), std::move(params)});
    m_pending.insert(id, request);
    if (m_state == State::Ready)
        Q_EMIT requestLink(request);
    else
        m_waiting.append(request);
    if (m_state != State::Failed) return id;
    if (m_sinceFailure.elapsed() >= m_retryMs) {
        m_quickDeaths = quickDeaths - 1; // one try
        start();
    } else { // when the id is known
        QTimer::singleShot(0, this, [this, id] {
            if (m_state != State::Failed || !m_pending.remove(id)) return;
            m_waiting.clear();
            Q_EMIT failed(id, windowError(engineDied, m_failure));
        });
    }
    return id;
}

void EngineClient::cancel(RequestId id, int patience)
{
    if (!isPending(id)) return;
    for (qsizetype i = 0; i < m_waiting.size(); ++i)
        if (m_waiting[i]->id == id) {
            m_waiting.remove(i);
            m_pending.remove(id);
            Q_EMIT cancelled(id);
            return;
        }
    const QDeadlineTimer deadline(patience);
    if (!m_cancelling.contains(id)) {
        m_cancelling.insert(id, deadline);
        Q_EMIT cancelLink(id);
    } else if (deadline < m_cancelling.value(id)) {
        m_cancelling.insert(id, deadline);
    }
    watchCancelling();
}

void EngineClient::watchCancelling()
{
    if (m_cancelling.isEmpty()) return m_patience.stop();
    const QDeadlineTimer first = *std::min_element(m_cancelling.cbegin(), m_cancelling.cend());
    m_patience.start(int(first.remainingTime()));
}

bool EngineClient::settle(RequestId id)
{
    if (!m_pending.remove(id)) return false;
    if (m_cancelling.remove(id)) {
        watchCancelling();
        // A result that arrived after the cancellation is no longer wanted
        Q_EMIT cancelled(id);
        return false;
    }
    return true;
}

void EngineClient::onPatienceEnded()
{
    if (m_cancelling.isEmpty()) return;
    m_isForced = true;
    const QHash<RequestId, QDeadlineTimer> dropped = std::exchange(m_cancelling, {});
    for (const RequestId id : dropped.keys())
        if (m_pending.remove(id)) Q_EMIT cancelled(id);
    setState(State::Starting); // nothing is sent to the one that is ending
    Q_EMIT killLink();
}

void EngineClient::onReady(const QString &version, qint64 pid)
{
    m_version = version;
    m_pid = pid;
    setState(State::Ready);
    const QVector<RequestPtr> waiting = std::exchange(m_waiting, {});
    for (const RequestPtr &request : waiting) Q_EMIT requestLink(request);
}

void EngineClient::onDied(const QString &what, const QString &tail)
{
    const bool forced = std::exchange(m_isForced, false);
    const bool isQuick = m_state != State::Ready || m_started.elapsed() < quickDeathMs;
    m_quickDeaths = !forced && isQuick ? m_quickDeaths + 1 : 0;
    const bool again = m_quickDeaths < quickDeaths;
    Q_EMIT ended(std::exchange(m_pid, 0));
    m_cancelling.clear();
    watchCancelling();
    // Unsent requests go to the next engine, as do the other requests of an engine that had to be killed
    QMap<RequestId, RequestPtr> lost;
    if (!forced) {
        std::swap(lost, m_pending);
        for (const RequestPtr &request : m_waiting)
            if (const RequestPtr kept = lost.take(request->id)) m_pending.insert(request->id, kept);
    }
    m_waiting = again ? QVector<RequestPtr>(m_pending.cbegin(), m_pending.cend()) : QVector<RequestPtr>();
    const QString text = tail.isEmpty() ? what : what + QLatin1Char('\n') + tail;
    if (again) {
        start();
    } else {
        m_failure = text;
        m_sinceFailure.start();
        setState(State::Failed);
    }
    for (const RequestId id : lost.keys())
        Q_EMIT failed(id, windowError(engineDied, text,
                                      again ? tr("A new engine was started; finished stages are cached.") : QString()));
    if (!again) {
        const QList<RequestId> never = m_pending.keys();
        m_pending.clear();
        for (const RequestId id : never) Q_EMIT failed(id, windowError(engineDied, text));
    }
    if (!forced) Q_EMIT died(text, again);
}

} // namespace ql
