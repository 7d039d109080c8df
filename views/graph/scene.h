#pragma once

#include "views/graph/layout.h"
#include "views/graph/view_graph.h"

#include <QObject>
#include <atomic>
#include <memory>

namespace ql {

/// How a graph is arranged.
struct Arrangement
{
    bool leftToRight = false;
    double wrapAspect = 0; ///< see LayoutOptions; of the model's graph, not of those inside operations

    bool operator==(const Arrangement &) const = default;
};

/// A laid-out graph with indices for the view. Immutable.
struct Scene
{
    GraphPtr graph;
    ViewGraph view;
    Arrangement arrangement;
    QVector<QRectF> boxes;           ///< of the nodes
    QVector<QVector<QPointF>> edges; ///< the way of each edge
    QVector<int> ownFrom;            ///< as in Layout
    QVector<double> across;          ///< as in Layout
    QRectF bounds;
    QVector<int> frames;             ///< nodes that frame others, outer ones first
    double bandSize = 1;             ///< the scene is cut into bands across its longer side
    QVector<QVector<int>> bandNodes; ///< boxes that touch a band; no frames
    QVector<QVector<int>> bandEdges; ///< edges whose own part touches a band

    /// First and last band of an area; the first is larger than the last when there is none.
    QPair<int, int> bandsOf(const QRectF &area) const;
    /// Around the part of an edge that no other edge draws.
    QRectF ownArea(int edge) const;
    bool isWide() const { return bounds.width() > bounds.height(); }
    int firstBand(int node) const { return bandsOf(boxes[node]).first; }
};
using ScenePtr = std::shared_ptr<const Scene>;

/// Sizes of boxes at 100 %.
struct BoxMetrics
{
    double operationWidth = 232, operationHeight = 50, pillHeight = 24, charWidth = 6.6;
    double frameTop = 30, frameHeader = 26, frameMargin = 14; ///< of the frames around bodies
};

/// Builds and lays out scenes in the background; the latest request wins, earlier ones are cancelled.
class LayoutJob : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;
    ~LayoutJob() override { cancel(); }
    /// @param before its boxes keep their order
    void start(GraphPtr graph, Folding folding, ScenePtr before, Arrangement arrangement = {});
    void cancel();
    bool isRunning() const { return m_cancelled != nullptr; }

Q_SIGNALS:
    void finished(const ql::ScenePtr &scene);

private:
    std::shared_ptr<std::atomic<bool>> m_cancelled; ///< of the job in progress
};

/// The work of LayoutJob. @returns null if cancelled.
ScenePtr makeScene(const GraphPtr &graph, const Folding &folding, const ScenePtr &before,
                   const std::atomic<bool> &cancelled, const Arrangement &arrangement = {});

} // namespace ql

Q_DECLARE_METATYPE(ql::ScenePtr)
