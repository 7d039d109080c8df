#pragma once

#include "views/bridge/snapshot.h"
#include "views/graph/layout.h"

#include <QObject>
#include <QSet>
#include <atomic>
#include <memory>

namespace ql {

/// What is drawn as one box: an operation (with the activations that are fused into it), an input or output of the
/// graph, or a group that is folded.
struct ViewNode
{
    enum class Kind { Operation, Input, Output, Group };
    Kind kind = Kind::Operation;
    QVector<int> operations; ///< the first one names the box
    QString label;           ///< of inputs, outputs and groups
    QString key;             ///< survives edits: the old place is found by it
};

struct ViewEdge
{
    int from = 0, to = 0, tensor = -1;
    bool isReversed = false; ///< runs up: laid out the other way round
};

/// How much is folded.
struct Folding
{
    QHash<int, int> fusedInto;  ///< operation to the one that it is drawn with
    bool foldsShapeWork = true; ///< connected shape-or-index operations as one box
    QSet<QString> folded;       ///< groups by name prefix
};

struct ViewGraph
{
    QVector<ViewNode> nodes;
    QVector<ViewEdge> edges;
    QVector<int> nodeOf; ///< operation to node
};

/// Operations whose output is overlapped by the activation behind them, by their configs.
QHash<int, int> fusedActivations(const GraphSnapshot &graph, const QVector<ConfigInfo> &configs);
ViewGraph makeViewGraph(const GraphSnapshot &graph, const Folding &folding);
/// The prefixes that at least two operations share ("/block1", "/block1/conv2"), outer ones first.
QStringList namePrefixes(const GraphSnapshot &graph);

/// A laid-out graph with what the view needs to find things in it. Immutable.
struct Scene
{
    GraphPtr graph;
    ViewGraph view;
    Layout layout;
    QVector<QVector<int>> rowNodes; ///< by rank, from left to right
    QVector<QVector<int>> rowEdges; ///< edges that leave, enter or pass a row
};
using ScenePtr = std::shared_ptr<const Scene>;

/// Sizes of boxes at 100 %.
struct BoxMetrics
{
    double operationWidth = 212, operationHeight = 44, pillHeight = 24, charWidth = 6.6;
};

/// Builds and lays out scenes in the background; the latest request wins, earlier ones are cancelled.
class LayoutJob : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~LayoutJob() override { cancel(); }
    /// @param before where its boxes are stays where they can
    void start(GraphPtr graph, Folding folding, ScenePtr before);
    void cancel();
    bool isRunning() const { return m_cancelled != nullptr; }

Q_SIGNALS:
    void finished(const ql::ScenePtr &scene);

private:
    std::shared_ptr<std::atomic<bool>> m_cancelled; ///< of the one under way
};

/// The work of LayoutJob. @returns null when cancelled.
ScenePtr makeScene(const GraphPtr &graph, const Folding &folding, const ScenePtr &before,
                   const std::atomic<bool> &cancelled);

} // namespace ql

Q_DECLARE_METATYPE(ql::ScenePtr)
