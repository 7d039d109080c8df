#include "views/bridge/distribution_cache.h"

#include "views/bridge/engine_requests.h"
#include "views/bridge/run_history.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace ql {

/// Maximum size of all answers together, in kB. One answer takes a few hundred kB.
static constexpr int maxMemory = 16 * 1024;
/// How long the engine must have been idle.
static constexpr int idleMs = 80;

static qint64 memoryOf(const api::Distribution &distribution)
{
    const qint64 levels = distribution.levels ? qint64(distribution.levels->counts.size()) : 0;
    return qint64(sizeof(distribution)) + 8 * qint64(distribution.histogram.counts.size()) + 24 * levels;
}

/// Approximate size of an answer in memory, in bytes.
static qint64 memoryOf(const api::Distributions &answer)
{
    qint64 bytes = sizeof(answer);
    for (const auto *rows : {&answer.rows, &answer.parameters})
        for (const api::DistributionRow &row : *rows)
            bytes += memoryOf(row.original) + memoryOf(row.quantized) + memoryOf(row.noise) + qint64(sizeof(row));
    for (const api::DetailRow &row : answer.details) {
        const qint64 channels = row.channels ? qint64(row.channels->min.size()) : 0;
        bytes += qint64(sizeof(row)) + 16 * (2 * qint64(row.pairs.original.size()) + 5 * channels);
    }
    return bytes;
}

DistributionCache::DistributionCache(Document &document, QObject *parent)
    : QObject(parent), m_document(document), m_answers(maxMemory)
{
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleMs);
    connect(&m_idle, &QTimer::timeout, this, &DistributionCache::fetch);
    const auto look = [this] {
        if (!isFree()) cancelPrefetch();
        m_idle.start();
    };
    connect(&document.requests(), &EngineRequests::jobChanged, this, look);
    connect(&document.requests(), &EngineRequests::gatheringChanged, this, look);
    EngineClient &engine = document.requests().engine();
    connect(&engine, &EngineClient::finished, this,
            [this](RequestId id, const EngineAnswer &answer) { end(id, answer.as(api::method::distribution)); });
    connect(&engine, &EngineClient::failed, this, [this](RequestId id) { end(id, {}); });
    connect(&engine, &EngineClient::cancelled, this, [this](RequestId id) { end(id, {}); });
}

void DistributionCache::end(RequestId id, const DistributionsPtr &answer)
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
    return operation + QLatin1Char('\n') + m_document.history().shownKey() +
           m_document.absolutePath(m_document.recipe().model);
}

DistributionsPtr DistributionCache::find(const QString &operation) const
{
    const DistributionsPtr *answer = m_answers.object(keyOf(operation));
    return answer ? *answer : DistributionsPtr();
}

void DistributionCache::keep(const QString &operation, const DistributionsPtr &answer)
{
    m_answers.insert(keyOf(operation), new DistributionsPtr(answer), int(memoryOf(*answer) / 1024) + 1);
}

void DistributionCache::setWanted(const QStringList &operations)
{
    m_wanted = operations;
    m_idle.start();
}

void DistributionCache::cancelPrefetch()
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
    auto wanted = m_document.requests().about<api::DistributionRequest>();
    wanted.op = m_fetched.toStdString();
    m_request = m_document.requests().engine().request(api::method::distribution, wanted);
}

QStringList operationsToPrefetch(const GraphSnapshot &graph, const RunData &run, const QString &operation)
{
    constexpr int maxWorst = 8;
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
    std::vector<const api::OutputRow *> errors; // not copies: there are ten thousands
    for (const api::OutputRow &error : run.layerwise.isEmpty() ? run.graphwise : run.layerwise)
        errors.push_back(&error);
    const auto worst = errors.begin() + std::min<std::ptrdiff_t>(maxWorst, std::ssize(errors));
    std::partial_sort(errors.begin(), worst, errors.end(), [](const auto *a, const auto *b) {
        const double x = a->noiseRatio.value_or(0), y = b->noiseRatio.value_or(0);
        return x != y ? x > y : a < b; // equal ones in execution order
    });
    for (auto error = errors.begin(); error != worst; ++error) add(graph.find(QString::fromStdString((*error)->op)));
    return names;
}

} // namespace ql
