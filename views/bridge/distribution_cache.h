#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QCache>
#include <QObject>
#include <QTimer>

namespace ql {

/// The engine's answers about the tensors of single operations ("distribution"), for visited operations and likely next
/// ones: those are prefetched while the engine is idle, and cancelled in favour of a request that the user waits for.
class DistributionCache : public QObject
{
    Q_OBJECT

public:
    explicit DistributionCache(Document &document, QObject *parent = nullptr);

    /// The answer for an operation in the shown run, with the current model and data; null if unknown.
    DistributionsPtr find(const QString &operation) const;
    void keep(const QString &operation, const DistributionsPtr &answer);
    /// Operations in the order in which their answers are fetched.
    void setWanted(const QStringList &operations);
    /// Cancels the current fetch: the engine is needed now.
    void cancelPrefetch();
    /// It is being fetched: fetched() follows, even if it fails.
    bool isFetching(const QString &operation) const { return m_request != 0 && m_fetched == operation; }

Q_SIGNALS:
    void fetched(const QString &operation);

private:
    void end(RequestId id, const DistributionsPtr &answer); ///< answer: null if there is none
    QString keyOf(const QString &operation) const;
    bool isFree() const;
    void fetch();

    Document &m_document;
    QCache<QString, DistributionsPtr> m_answers;
    QStringList m_wanted;
    QString m_fetched, m_fetchedKey; ///< while m_request
    RequestId m_request = 0;
    QTimer m_idle;
};

/// The operations that are likely to be selected next, the most likely first: producers and consumers, neighbours in
/// execution order, then those of the run with the largest errors.
QStringList operationsToPrefetch(const GraphSnapshot &graph, const RunData &run, const QString &operation);

} // namespace ql
