// What a document asks the engine beside runs.
#include "views/bridge/document.h"
#include "views/bridge/run_store.h"

#include <QDir>
#include <QFileInfo>
#include <utility>

namespace ql {

using nlohmann::json;

JsonPtr Document::passHistory() const
{
    for (const auto &[key, history] : m_passHistories)
        if (m_result && m_result->key() == key) return history;
    return {};
}

void Document::gather(RequestId &request, RequestId id)
{
    if (std::exchange(request, id) != id) Q_EMIT gatheringChanged();
}

QString Document::backgroundWork() const
{
    if (m_distributionId) return tr("Distribution of %1").arg(m_distributionOf);
    return m_rangesId    ? tr("Ranges of activations, for the problems")
           : m_historyId ? tr("Output after each pass")
                         : QString();
}

void Document::requestPassHistory()
{
    if (isEmpty() || m_historyId || m_job.isRunning) return;
    m_passHistoryWanted = resultKey();
    gather(m_historyId, m_engine.request(QStringLiteral("passes"), requestParams()));
}

void Document::requestBackground()
{
    if (m_isLive)
        m_calmTimer.start(); // every edit would ask for it: when no more come
    else
        gatherBackground();
}

void Document::gatherBackground()
{
    if (!m_result || !m_result->isComplete || isStale() || m_job.isRunning || m_distributionId) return;
    const bool hasData = !m_recipe.calibration.path.empty() || !m_recipe.evaluation.path.empty();
    if (hasData && !m_rangesId && !evidenceOf(m_result)) {
        json wanted = requestParams();
        wanted["id"] = "ranges";
        m_evidenceWanted = resultKey();
        gather(m_rangesId, m_engine.request(QStringLiteral("analysis"), std::move(wanted)));
    }
    if (!passHistory()) requestPassHistory();
}

void Document::dropBackground()
{
    m_calmTimer.stop();
    for (RequestId *request : {&m_distributionId, &m_historyId, &m_rangesId})
        if (*request) {
            m_engine.drop(*request);
            gather(*request, 0);
        }
}

RequestId Document::requestDistribution(const QString &operation)
{
    // The engine does one after the other: what is looked at comes before what is gathered meanwhile
    dropBackground();
    json params = requestParams();
    params["op"] = operation.toStdString();
    m_distributionOf = operation;
    gather(m_distributionId, m_engine.request(QStringLiteral("distribution"), std::move(params)));
    return m_distributionId;
}

void Document::takeCatalogue(const JsonPtr &catalogue)
{
    m_catalogue = catalogue;
    Q_EMIT catalogueChanged();
    inspectSoon(); // with what the platform says now
}

RequestId Document::startExport(const QString &method, const QString &what, const QString &path, json request)
{
    request["path"] = path.toStdString();
    m_exportId = m_engine.request(method, std::move(request));
    m_exportPath = path;
    m_exportPid = m_engine.pid();
    m_job = {true, what, {}, 0};
    m_jobTime.start();
    Q_EMIT jobChanged();
    return m_exportId;
}

/// An engine that is ended while it writes cannot remove what it has begun.
void Document::removeUnfinishedExport(qint64 pid)
{
    if (pid == 0 || pid != m_exportPid || m_engine.isRemote()) return;
    QDir folder = QFileInfo(m_exportPath).dir();
    for (const QString &name : folder.entryList({QStringLiteral("*.%1-*.part").arg(pid)}, QDir::Files))
        folder.remove(name);
}

RequestId Document::exportTo(const QString &format, const QString &path, const json &params)
{
    json request = requestParams();
    request["format"] = format.toStdString();
    request["params"] = params;
    return startExport(QStringLiteral("export"), tr("Export"), path, std::move(request));
}

RequestId Document::reportTo(const QString &path)
{
    return startExport(QStringLiteral("report"), tr("Report"), path, requestParams());
}

} // namespace ql
