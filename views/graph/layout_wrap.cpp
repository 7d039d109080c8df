#include "views/graph/layout_wrap.h"

#include <algorithm>
#include <limits>

namespace ql {

namespace {

struct Cut
{
    std::vector<int> firstRows;
    double width = 0, height = 0;
    double lastHeight = 0; ///< of the last column
};

/// Fills columns up to a height. A column may end early, after its half, if fewer nets cross there: one net less is
/// worth a quarter of the height.
Cut cutAt(const std::vector<RowExtent> &rows, double height, double gutter, double laneGap)
{
    Cut cut;
    std::size_t first = 0;
    while (first < rows.size()) {
        double bottom = 0, gap = 0, columnHeight = 0, least = std::numeric_limits<double>::infinity();
        std::size_t last = first;
        for (std::size_t row = first; row < rows.size(); ++row) {
            bottom += rows[row].height + gap;
            gap = rows[row].gap;
            if (bottom > height && row > first) break;
            const bool isEnd = row + 1 == rows.size();
            const double cost = isEnd ? -1 : rows[row].nets + 4 * (height - bottom) / height;
            if (cost > least && bottom > height / 2) continue;
            last = row;
            columnHeight = bottom;
            least = cost;
        }
        double left = std::numeric_limits<double>::infinity(), right = -left;
        for (std::size_t row = first; row <= last; ++row) {
            left = std::min(left, rows[row].left);
            right = std::max(right, rows[row].right);
        }
        cut.firstRows.push_back(int(first));
        cut.width += right - left;
        if (last + 1 < rows.size()) cut.width += gutter + laneGap * rows[last].nets;
        cut.height = std::max(cut.height, columnHeight);
        cut.lastHeight = columnHeight;
        first = last + 1;
    }
    return cut;
}

} // namespace

std::vector<int> wrapRows(const std::vector<RowExtent> &rows, double aspect, double gutter, double laneGap)
{
    double total = 0;
    for (const RowExtent &row : rows) total += row.height + row.gap;
    std::vector<int> best;
    double least = std::numeric_limits<double>::infinity();
    int idle = 0;
    // More columns make the drawing lower and wider; beyond the optimum it becomes smaller again
    for (std::size_t columns = 1; columns <= rows.size() && idle < 8; ++columns) {
        ++idle;
        for (const double stretch : {1.0, 1.08, 1.16}) { // columns that end early leave rows over
            Cut cut = cutAt(rows, stretch * total / double(columns), gutter, laneGap);
            double size = std::max(cut.width / aspect, cut.height);
            if (cut.lastHeight < 0.25 * cut.height) size *= 1.15; // a column of leftovers
            if (size >= least) continue;
            if (size < 0.98 * least) idle = 0;
            least = size;
            best = std::move(cut.firstRows);
        }
    }
    return best;
}

} // namespace ql
