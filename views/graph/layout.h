#pragma once

#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <QVector>
#include <atomic>

namespace ql {

/// A directed graph to lay out. Edges run from a node with a smaller number to one with a larger one (nodes are in
/// topological order); edges of one net (one tensor with several consumers) share their route as long as possible.
struct LayoutGraph
{
    struct Edge
    {
        int from = 0, to = 0;
        int net = 0;
    };
    QVector<QSizeF> sizes;
    QVector<Edge> edges;
    QVector<double> hints; ///< Layout::across of the previous layout, NaN for new nodes; may be empty
};

struct LayoutOptions
{
    double rankGap = 20; ///< between rows; more if many edges turn
    double nodeGap = 28; ///< between boxes of a row
    double laneGap = 9;  ///< between edges that pass a row side by side
    bool leftToRight = false;
    /// Width / height of the area that the whole drawing should fill: a long graph is wrapped into columns (into rows
    /// from left to right). 0: it is not wrapped.
    double wrapAspect = 0;
};

/// Positions for everything. Edges are polylines of horizontal and vertical lines.
struct Layout
{
    QVector<QRectF> nodes;
    QVector<QVector<QPointF>> edges; ///< from the outgoing side of the source to the incoming side of the target
    QVector<int> ownFrom;   ///< per edge: the points before this one are drawn with another edge of the same net
    QVector<int> rank;      ///< row of each node
    QVector<double> across; ///< position in the row, independent of orientation and wrapping
    QRectF bounds;
    int columns = 1; ///< after wrapping
};

/// A layered drawing (Sugiyama, Tagawa, Toda 1981) in five steps: rows by network simplex (layout_ranks.h), order in
/// the rows (layout_order.h), coordinates with straight columns (layout_columns.h), wrapping (layout_wrap.h) and
/// orthogonal routes (layout_routes.h). Deterministic. @returns an empty layout when cancelled becomes true.
Layout layOut(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled);

} // namespace ql
