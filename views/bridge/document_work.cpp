// What a document asks the engine beside runs.
#include "views/bridge/document.h"

namespace ql {

using nlohmann::json;

JsonPtr Document::passHistory() const
{
    return m_result && m_result->recipeHash == m_passHistoryOf ? m_passHistory : JsonPtr();
}

void Document::requestPassHistory()
{
    if (isEmpty() || m_historyId || m_job.isRunning) return;
    m_passHistoryWanted = m_hash;
    m_historyId = m_engine.request(QStringLiteral("passes"), requestParams());
}

void Document::takeCatalogue(const JsonPtr &catalogue)
{
    m_catalogue = catalogue;
    Q_EMIT catalogueChanged();
}

RequestId Document::reportTo(const QString &path)
{
    json request = requestParams();
    request["path"] = path.toStdString();
    m_exportId = m_engine.request(QStringLiteral("report"), std::move(request));
    m_job = {true, tr("Report"), {}, 0};
    m_jobTime.start();
    Q_EMIT jobChanged();
    return m_exportId;
}

} // namespace ql
