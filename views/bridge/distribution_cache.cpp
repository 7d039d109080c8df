#include "views/bridge/distribution_cache.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"

#include <algorithm>
#include <string>

namespace ql {

/// Of all answers together, in kB. One takes some hundreds of them.
static constexpr int mostMemory = 16 * 1024;
/// How long the engine must have been idle.
static constexpr int idleMs = 80;

/// Approximate size of a value in memory, in bytes.
static qint64 memoryOf(const nlohmann::json &value)
{
    qint64 bytes = sizeof(value);
    if (value.is_string()) bytes += qint64(value.get_ref<const std::string &>().size()) + qint64(sizeof(std::string));
    if (!value.is_structured()) return bytes;
    constexpr qint64 node = 96; // of a map, with its key
    for (const nlohmann::json &part : value) bytes += memoryOf(part) + (value.is_object() ? node : 0);
    return bytes;
}

DistributionCache::DistributionCache(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_answers(mostMemory)
{
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleMs);
    connect(&m_idle, &QTimer::timeout, this, &DistributionCache::fetch);
    const auto look = [this] {
        if (!isFree()) giveWay();
        m_idle.start();
    };
    connect(&document.requests(), &EngineRequests::jobChanged, this, look);
    connect(&document.requests(), &EngineRequests::gatheringChanged, this, look);
    EngineClient &engine = document.requests().engine();
    connect(&engine, &EngineClient::finished, this,
            [this](RequestId id, const EngineAnswer &answer) { end(id, answer.data); });
    connect(&engine, &EngineClient::failed, this, [this](RequestId id) { end(id, {}); });
    connect(&engine, &EngineClient::cancelled, this, [this](RequestId id) { end(id, {}); });
}

void DistributionCache::end(RequestId id, const JsonPtr &answer)
{
    if (id != m_request || id == 0) return;
    m_request = 0;
    m_wanted.removeOne(m_fetched); // requested once
    const QString operation = m_fetched;
    if (answer && m_fetchedKey == keyOf(operation)) keep(operation, answer);
    fetch();
    Q_EMIT fetched(operation);
}

QString DistributionCache::keyOf(const QString &operation) const
{
    return operation + QLatin1Char('\n') + m_document.history().key() +
           m_document.absolutePath(m_document.recipe().model);
}

JsonPtr DistributionCache::find(const QString &operation) const
{
    const JsonPtr *answer = m_answers.object(keyOf(operation));
    return answer ? *answer : JsonPtr();
}

void DistributionCache::keep(const QString &operation, const JsonPtr &answer)
{
    m_answers.insert(keyOf(operation), new JsonPtr(answer), int(memoryOf(*answer) / 1024) + 1);
}

void DistributionCache::setWanted(const QStringList &operations)
{
    m_wanted = operations;
    m_idle.start();
}

void DistributionCache::giveWay()
{
    if (m_request) m_document.requests().engine().drop(m_request);
    m_request = 0;
}

bool DistributionCache::isFree() const
{
    const RunPtr &run = m_document.history().shown();
    return run && run->isComplete && !m_document.history().isStale() && !m_document.requests().job().isRunning &&
           !m_document.requests().isGathering();
}

void DistributionCache::fetch()
{
    if (m_request || !isFree()) return;
    while (!m_wanted.isEmpty() && find(m_wanted.front())) m_wanted.removeFirst();
    if (m_wanted.isEmpty()) return;
    m_fetched = m_wanted.front();
    m_fetchedKey = keyOf(m_fetched);
    nlohmann::json params = m_document.requests().params();
    params["op"] = m_fetched.toStdString();
    m_request = m_document.requests().engine().request(api::method::distribution, std::move(params));
}

QStringList likelyNext(const GraphSnapshot &graph, const RunData &run, const QString &operation)
{
    constexpr int mostWorst = 8;
    QStringList names;
    const auto add = [&](int op) {
        if (op < 0 || op >= graph.topLevel) return;
        const OperationInfo &info = graph.operations[op];
        if (info.isQuantized && info.name != operation && !names.contains(info.name)) names.append(info.name);
    };
    if (const int at = graph.find(operation); at >= 0) {
        const OperationInfo &op = graph.operations[at];
        for (int other = 0; other < graph.topLevel; ++other)
            for (const int input : graph.operations[other].inputs)
                if (op.outputs.contains(input)) add(other);
        for (const int input : op.inputs)
            if (input >= 0) add(graph.tensors[input].producer);
        for (const int step : {1, -1, 2, -2}) add(at + step);
    }
    QVector<ErrorInfo> errors = run.layerwise.isEmpty() ? run.graphwise : run.layerwise;
    std::stable_sort(errors.begin(), errors.end(), [](const ErrorInfo &a, const ErrorInfo &b) {
        return a.noiseRatio.value_or(0) > b.noiseRatio.value_or(0);
    });
    for (const ErrorInfo &error : errors.mid(0, mostWorst)) add(graph.find(error.operation));
    return names;
}

} // namespace ql
