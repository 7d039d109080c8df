#include "views/graph/layout.h"

#include "views/graph/layout_columns.h"
#include "views/graph/layout_order.h"
#include "views/graph/layout_routes.h"
#include "views/graph/layout_wrap.h"

#include <algorithm>
#include <limits>
#include <memory>

namespace ql {

namespace {

/// Between the boxes of a column of a wrapped drawing and the nets next to it.
constexpr double columnGutter = 20;

std::vector<RowExtent> extentsOf(const Layers &layers, const Routes &routes)
{
    std::vector<RowExtent> rows(layers.rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        RowExtent &extent = rows[row];
        extent.left = std::numeric_limits<double>::infinity();
        extent.right = -extent.left;
        for (const int c : layers.rows[row]) {
            extent.left = std::min(extent.left, layers.cell(c).x - layers.cell(c).width / 2);
            extent.right = std::max(extent.right, layers.cell(c).x + layers.cell(c).width / 2);
            if (layers.isNode(c)) extent.height = std::max(extent.height, layers.graph.sizes[c].height());
        }
        extent.gap = row + 1 < rows.size() ? routes.gapBelow(row) : 0;
        extent.nets = routes.netsBelow(row);
    }
    return rows;
}

/// Positions rows and columns: columns side by side, with their first rows at the same height.
Frame frameOf(const std::vector<RowExtent> &rows, const std::vector<int> &firstRows, double laneGap)
{
    Frame frame;
    frame.gutter = columnGutter;
    double x = 0, above = 0;
    for (const int first : firstRows)
        if (first > 0) above = std::max(above, columnGutter + laneGap * rows[at(first) - 1].nets);
    for (std::size_t k = 0; k < firstRows.size(); ++k) {
        const std::size_t first = at(firstRows[k]);
        const std::size_t end = k + 1 < firstRows.size() ? at(firstRows[k + 1]) : rows.size();
        double left = std::numeric_limits<double>::infinity(), right = -left, y = above;
        for (std::size_t row = first; row < end; ++row) {
            left = std::min(left, rows[row].left);
            right = std::max(right, rows[row].right);
            frame.rowTop.push_back(y);
            frame.rowBottom.push_back(y + rows[row].height);
            frame.columnOf.push_back(int(k));
            y += rows[row].height + rows[row].gap;
        }
        frame.shift.push_back(x - left);
        frame.right.push_back(x + right - left);
        frame.bottom.push_back(frame.rowBottom.back());
        x += right - left + 2 * columnGutter + laneGap * std::max(0, rows[end - 1].nets - 1);
    }
    return frame;
}

void transpose(Layout &layout)
{
    for (QRectF &node : layout.nodes) node = {node.y(), node.x(), node.height(), node.width()};
    for (QVector<QPointF> &points : layout.edges)
        for (QPointF &point : points) point = point.transposed();
    layout.bounds = {layout.bounds.y(), layout.bounds.x(), layout.bounds.height(), layout.bounds.width()};
}

/// Coordinates of everything, in one column or wrapped.
struct Drawing
{
    std::vector<int> firstRows{0};
    std::unique_ptr<Routes> routes;
    Frame frame;
};

Drawing placed(Layers &layers, std::vector<int> firstRows, const std::atomic<bool> &cancelled)
{
    layers.isCutBelow.assign(layers.rows.size(), false);
    for (const int first : firstRows)
        if (first > 0) layers.isCutBelow[at(first - 1)] = true;
    assignColumns(layers, cancelled);
    Drawing drawing;
    drawing.routes = std::make_unique<Routes>(layers);
    drawing.frame = frameOf(extentsOf(layers, *drawing.routes), firstRows, layers.options.laneGap);
    drawing.firstRows = std::move(firstRows);
    return drawing;
}

QSizeF sizeOf(const Frame &frame)
{
    return {frame.right.back(), *std::max_element(frame.bottom.begin(), frame.bottom.end())};
}

/// Cuts are chosen by the widths of the rows in a single column. Placed independently, the columns are narrower, so the
/// requested shape is corrected by the result.
std::vector<int> bestColumns(Layers &layers, const Drawing &single, const std::atomic<bool> &cancelled)
{
    const std::vector<RowExtent> rows = extentsOf(layers, *single.routes);
    const double aspect = layers.options.wrapAspect;
    std::vector<int> best{0};
    double least = std::numeric_limits<double>::infinity(), wanted = aspect;
    for (int i = 0; i < 3 && !cancelled; ++i) {
        const std::vector<int> firstRows = wrapRows(rows, wanted, 2 * columnGutter, layers.options.laneGap);
        const QSizeF size = sizeOf(placed(layers, firstRows, cancelled).frame);
        if (const double zoomedOut = std::max(size.width() / aspect, size.height()); zoomedOut < least) {
            least = zoomedOut;
            best = firstRows;
        }
        wanted *= aspect * size.height() / size.width();
    }
    return best;
}

Layout layOutDown(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled)
{
    Layers layers = makeLayers(graph, options, cancelled);
    if (cancelled) return {};
    orderRows(layers, cancelled);
    if (cancelled) return {};
    Drawing drawing = placed(layers, {0}, cancelled);
    if (options.wrapAspect > 0 && !cancelled)
        drawing = placed(layers, bestColumns(layers, drawing, cancelled), cancelled);
    if (cancelled) return {};
    const Frame &frame = drawing.frame;
    Layout layout;
    layout.columns = int(drawing.firstRows.size());
    for (int n = 0; n < graph.sizes.size(); ++n) {
        const QSizeF size = graph.sizes[n];
        const std::size_t row = at(layers.rank[at(n)]);
        layout.rank.append(int(row));
        layout.across.append(layers.cell(n).x);
        layout.nodes.append({layers.cell(n).x + frame.shift[at(frame.columnOf[row])] - size.width() / 2,
                             (frame.rowTop[row] + frame.rowBottom[row] - size.height()) / 2, size.width(),
                             size.height()});
        layout.bounds |= layout.nodes.back();
    }
    drawing.routes->draw(frame, layout);
    return layout;
}

} // namespace

Layout layOut(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled)
{
    if (graph.sizes.isEmpty()) return {};
    if (!options.leftToRight) return layOutDown(graph, options, cancelled);
    LayoutGraph turned = graph;
    for (QSizeF &size : turned.sizes) size.transpose();
    LayoutOptions down = options;
    if (down.wrapAspect > 0) down.wrapAspect = 1 / down.wrapAspect;
    Layout layout = layOutDown(turned, down, cancelled);
    transpose(layout);
    return layout;
}

} // namespace ql
