#pragma once

#include "views/bridge/document.h"
#include "views/bridge/engine_client.h"

#include <QCache>
#include <QObject>
#include <QTimer>

namespace ql {

/// What the engine said of the tensors of single operations ("distribution"), for those that were visited and those
/// that are likely to be next: they are asked for while the engine has nothing else to do, and given up for a question
/// that somebody waits for.
class DistributionCache : public QObject
{
    Q_OBJECT

public:
    explicit DistributionCache(Document &document, QObject *parent = nullptr);

    /// The answer for an operation of the recipe, model and data as they are; null when it is not known.
    JsonPtr find(const QString &operation) const;
    void keep(const QString &operation, const JsonPtr &answer);
    /// Operations in the order in which their answers are fetched.
    void setWanted(const QStringList &operations);
    /// Gives up what is being fetched: the engine is needed now.
    void giveWay();
    /// It is on its way: fetched() follows, also when it fails.
    bool isFetching(const QString &operation) const { return m_request != 0 && m_fetched == operation; }
    /// Nothing is being fetched, and nothing more is wanted.
    bool isIdle() const { return m_request == 0 && !m_idle.isActive(); }

Q_SIGNALS:
    void fetched(const QString &operation);

private:
    void end(RequestId id, const JsonPtr &answer); ///< answer: null where there is none
    QString keyOf(const QString &operation) const;
    bool isFree() const;
    void fetch();

    Document &m_document;
    QCache<QString, JsonPtr> m_answers;
    QStringList m_wanted;
    QString m_fetched, m_fetchedKey; ///< while m_request
    RequestId m_request = 0;
    QTimer m_idle;
};

/// The operations that are likely to be looked at after this one, the next first: what it reads and feeds, its
/// neighbours in the order of execution, then those of the run with the largest errors.
QStringList likelyNext(const GraphSnapshot &graph, const RunData &run, const QString &operation);

} // namespace ql
