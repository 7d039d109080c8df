#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QVector>
#include <atomic>
#include <functional>

namespace ql {

/// A directed graph to lay out. Edges run from a node with a smaller number to one with a larger one (nodes are in
/// topological order); edges of one net (one tensor with several readers) share their way as far as they can.
struct LayoutGraph
{
    struct Edge
    {
        int from = 0, to = 0;
        int net = 0;
    };
    QVector<QSizeF> sizes;
    QVector<Edge> edges;
    QVector<double> hints; ///< x of the nodes in the layout before, NaN for new ones; may be empty
};

struct LayoutOptions
{
    double rankGap = 26;   ///< between rows
    double nodeGap = 28;   ///< between boxes of a row
    double laneWidth = 12; ///< of an edge that passes a row
    /// An edge over more rows than this gets a lane beside the drawing instead of a place in each row.
    int longEdge = 400;
};

/// Positions for everything; edges as points through which the line goes: straight down inside a row, a smooth bend
/// between rows.
struct Layout
{
    QVector<QRectF> nodes;
    QVector<QVector<QPointF>> edges; ///< from the lower side of the source to the upper side of the target
    QVector<int> rank;               ///< row of each node
    QVector<double> rowTop, rowBottom;
    QRectF bounds;
};

/// Layers by longest path, order in the rows by medians, x by repeated averaging that keeps the order (isotonic
/// regression). About linear in nodes and edges. @returns an empty layout when cancelled becomes true.
Layout layOut(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled);

} // namespace ql
