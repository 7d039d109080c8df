#include "views/graph/layout_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

namespace ql {

namespace {

/// Aligns cells of neighbouring rows. @returns the column of each cell; columns are numbered from 0
class Alignment
{
public:
    explicit Alignment(const Layers &layers)
        : m_layers(layers), m_above(layers.cells.size(), -1), m_below(layers.cells.size(), -1)
    {}

    std::vector<int> run(int &columns)
    {
        for (std::size_t row = 0; row + 1 < m_layers.rows.size(); ++row)
            if (!m_layers.isCutBelow[row]) alignGap(row);
        std::vector<int> column(m_layers.cells.size(), -1);
        columns = 0;
        for (const std::vector<int> &row : m_layers.rows)
            for (const int c : row) column[at(c)] = m_above[at(c)] >= 0 ? column[at(m_above[at(c)])] : columns++;
        return column;
    }

private:
    struct Segment
    {
        int kind = 0;   ///< larger: aligned first
        int score = 0;  ///< operations on the longest path through it
        int middle = 0; ///< 2: the middle one of the best at both ends
        int upper = 0, lower = 0;
    };

    int scoreOf(int upper, int lower) const
    {
        return m_layers.depth[at(m_layers.cell(upper).source)] + m_layers.cell(lower).height;
    }

    /// Whether other is the middle one of those among others with the best score.
    template <typename Score>
    bool isMiddle(int other, const std::vector<int> &others, const Score &score) const
    {
        std::vector<int> best;
        int most = std::numeric_limits<int>::min();
        for (const int o : others) {
            if (score(o) > most) best.clear();
            most = std::max(most, score(o));
            if (score(o) == most) best.push_back(o);
        }
        std::sort(best.begin(), best.end(),
                  [&](int a, int b) { return m_layers.place[at(a)] < m_layers.place[at(b)]; });
        return !best.empty() && best[(best.size() - 1) / 2] == other;
    }

    void alignGap(std::size_t row)
    {
        m_segments.clear();
        for (const int upper : m_layers.rows[row]) {
            const Cell &a = m_layers.cell(upper);
            for (const int lower : a.down) {
                const Cell &b = m_layers.cell(lower);
                Segment segment{0, scoreOf(upper, lower), 0, upper, lower};
                const bool isChain =
                    m_layers.isNode(upper) && m_layers.isNode(lower) && a.down.size() == 1 && b.up.size() == 1;
                const bool isLane = m_layers.isLane(upper) && m_layers.isLane(lower);
                if (isChain)
                    segment.kind = 3;
                else if (isLane || m_layers.isSpine(upper) || m_layers.isSpine(lower))
                    segment.kind = 2;
                else if (m_layers.isNode(upper) && m_layers.isNode(lower))
                    segment.kind = 1;
                segment.middle = int(isMiddle(lower, a.down, [&](int other) { return scoreOf(upper, other); })) +
                                 int(isMiddle(upper, b.up, [&](int other) { return scoreOf(other, lower); }));
                m_segments.push_back(segment);
            }
        }
        std::stable_sort(m_segments.begin(), m_segments.end(), [](const Segment &a, const Segment &b) {
            return std::tuple(a.kind, a.score, a.middle) > std::tuple(b.kind, b.score, b.middle);
        });
        m_taken.clear();
        for (const Segment &segment : m_segments) {
            if (m_below[at(segment.upper)] >= 0 || m_above[at(segment.lower)] >= 0) continue;
            const int upper = m_layers.place[at(segment.upper)], lower = m_layers.place[at(segment.lower)];
            const auto next = m_taken.lower_bound(upper);
            if (next != m_taken.end() && next->second < lower) continue;
            if (next != m_taken.begin() && std::prev(next)->second > lower) continue;
            m_taken.emplace(upper, lower);
            m_below[at(segment.upper)] = segment.lower;
            m_above[at(segment.lower)] = segment.upper;
        }
    }

    const Layers &m_layers;
    std::vector<int> m_above, m_below;
    std::vector<Segment> m_segments;
    std::map<int, int> m_taken; ///< places of the aligned cells of the gap, upper to lower
};

class Placement
{
public:
    Placement(Layers &layers, std::vector<int> column, int columns, const std::atomic<bool> &cancelled)
        : m_layers(layers), m_cancelled(cancelled), m_column(std::move(column)), m_columns(at(columns))
    {}

    void run()
    {
        collect();
        sortTopologically();
        placeAll();
        for (int pass = 0; pass < 6 && !m_cancelled; ++pass)
            if (!improve(pass % 2 == 1)) break;
        double least = std::numeric_limits<double>::infinity();
        for (const Column &column : m_columns) least = std::min(least, column.x);
        for (std::size_t c = 0; c < m_layers.cells.size(); ++c)
            m_layers.cells[c].x = m_columns[at(m_column[c])].x - least;
    }

private:
    struct Neighbour
    {
        int column;
        double distance;
    };
    struct Pull
    {
        int column;
        double weight;
    };
    struct Column
    {
        int boxes = 0, cells = 0, place = 0; ///< place: number in an order from left to right
        std::vector<Neighbour> left, right;
        std::vector<Pull> pulls;
        double low = -1e15, high = 1e15; ///< range allowed by the placed columns
        double x = 0;
        bool isPlaced = false, isWaiting = false;
    };

    void collect()
    {
        for (const std::vector<int> &row : m_layers.rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                const int c = row[i];
                Column &column = m_columns[at(m_column[at(c)])];
                ++column.cells;
                column.boxes += m_layers.isNode(c);
                if (!m_layers.isCutBelow[at(m_layers.cell(c).rank)])
                    for (const int next : m_layers.cell(c).down) pull(c, next);
                if (i + 1 == row.size()) continue;
                keepApart(m_column[at(c)], m_column[at(row[i + 1])], m_layers.distance(c, row[i + 1]));
            }
    }

    void pull(int upper, int lower)
    {
        const int a = m_column[at(upper)], b = m_column[at(lower)];
        if (a == b) return;
        const double weight = m_layers.isNode(upper) && m_layers.isNode(lower) ? 2 : 1;
        m_columns[at(a)].pulls.push_back({b, weight});
        m_columns[at(b)].pulls.push_back({a, weight});
    }

    void keepApart(int left, int right, double distance)
    {
        // Columns are neighbours in many consecutive rows
        std::vector<Neighbour> &neighbours = m_columns[at(left)].right;
        if (!neighbours.empty() && neighbours.back().column == right) {
            neighbours.back().distance = std::max(neighbours.back().distance, distance);
            for (auto it = m_columns[at(right)].left.rbegin();; ++it)
                if (it->column == left) {
                    it->distance = neighbours.back().distance;
                    return;
                }
        }
        neighbours.push_back({right, distance});
        m_columns[at(right)].left.push_back({left, distance});
    }

    void sortTopologically()
    {
        std::vector<std::size_t> open(m_columns.size());
        std::vector<int> ready;
        for (std::size_t c = 0; c < m_columns.size(); ++c) {
            open[c] = m_columns[c].left.size();
            if (open[c] == 0) ready.push_back(int(c));
        }
        int place = 0;
        while (!ready.empty()) {
            const int c = ready.back();
            ready.pop_back();
            m_columns[at(c)].place = place++;
            for (const Neighbour &next : m_columns[at(c)].right)
                if (--open[at(next.column)] == 0) ready.push_back(next.column);
        }
    }

    void placeAll()
    {
        std::vector<int> bySize(m_columns.size());
        for (std::size_t c = 0; c < bySize.size(); ++c) bySize[c] = int(c);
        std::stable_sort(bySize.begin(), bySize.end(), [&](int a, int b) { return sizeOf(a) > sizeOf(b); });
        using Entry = std::tuple<int, int, int>; // boxes, cells, minus number
        std::priority_queue<Entry> waiting;
        const auto place = [&](int c) {
            m_order.push_back(c);
            Column &column = m_columns[at(c)];
            column.x = std::max(column.low, std::min(column.high, wanted(c, true)));
            column.isPlaced = true;
            spread(c);
            for (const Pull &pull : column.pulls) {
                Column &other = m_columns[at(pull.column)];
                if (other.isPlaced || other.isWaiting) continue;
                other.isWaiting = true;
                waiting.emplace(other.boxes, other.cells, -pull.column);
            }
        };
        for (const int first : bySize) {
            if (m_columns[at(first)].isPlaced) continue;
            place(first);
            while (!waiting.empty() && !m_cancelled) {
                const int c = -std::get<2>(waiting.top());
                waiting.pop();
                place(c);
            }
        }
    }

    std::pair<int, int> sizeOf(int c) const { return {m_columns[at(c)].boxes, m_columns[at(c)].cells}; }

    /// The median of the columns that are linked to this one; the middle of the interval if it is not unique.
    double wanted(int c, bool onlyPlaced)
    {
        m_values.clear();
        double total = 0;
        for (const Pull &pull : m_columns[at(c)].pulls) {
            const Column &other = m_columns[at(pull.column)];
            if (onlyPlaced && !other.isPlaced) continue;
            m_values.emplace_back(other.x, pull.weight);
            total += pull.weight;
        }
        const Column &column = m_columns[at(c)];
        if (m_values.empty())
            return !onlyPlaced ? column.x : column.low > -1e14 ? column.low : column.high < 1e14 ? column.high : 0;
        std::sort(m_values.begin(), m_values.end());
        double sum = 0;
        for (std::size_t i = 0; i < m_values.size(); ++i) {
            sum += m_values[i].second;
            if (sum > total / 2) return m_values[i].first;
            if (sum == total / 2) return (m_values[i].first + m_values[i + 1].first) / 2;
        }
        return m_values.back().first;
    }

    /// Narrows the range of the columns on both sides of a placed one, up to the next placed ones.
    void spread(int from)
    {
        for (const bool toRight : {true, false}) {
            std::priority_queue<std::pair<int, int>> queue; // in topological order, so that each is left once
            const auto push = [&](int c) {
                queue.emplace(toRight ? -m_columns[at(c)].place : m_columns[at(c)].place, c);
            };
            push(from);
            int last = -1;
            while (!queue.empty()) {
                const int c = queue.top().second;
                queue.pop();
                if (c == last) continue;
                last = c;
                const Column &column = m_columns[at(c)];
                const double edge = column.isPlaced ? column.x : toRight ? column.low : column.high;
                for (const Neighbour &next : toRight ? column.right : column.left) {
                    Column &other = m_columns[at(next.column)];
                    if (other.isPlaced) continue;
                    double &limit = toRight ? other.low : other.high;
                    const double bound = toRight ? edge + next.distance : edge - next.distance;
                    if (toRight ? bound <= limit : bound >= limit) continue;
                    limit = bound;
                    push(next.column);
                }
            }
        }
    }

    /// Moves each column towards the median of its linked columns if its neighbours in the rows leave room.
    bool improve(bool isBackward)
    {
        bool isBetter = false;
        for (std::size_t i = 0; i < m_order.size(); ++i) {
            const int c = m_order[isBackward ? m_order.size() - 1 - i : i];
            Column &column = m_columns[at(c)];
            double low = -1e15, high = 1e15;
            for (const Neighbour &other : column.left)
                low = std::max(low, m_columns[at(other.column)].x + other.distance);
            for (const Neighbour &other : column.right)
                high = std::min(high, m_columns[at(other.column)].x - other.distance);
            const double x = std::clamp(wanted(c, false), low, std::max(low, high));
            if (std::abs(x - column.x) < 0.01) continue;
            column.x = x;
            isBetter = true;
        }
        return isBetter;
    }

    Layers &m_layers;
    const std::atomic<bool> &m_cancelled;
    std::vector<int> m_column;
    std::vector<Column> m_columns;
    std::vector<int> m_order; ///< in order of placement
    std::vector<std::pair<double, double>> m_values;
};

} // namespace

void assignColumns(Layers &layers, const std::atomic<bool> &cancelled)
{
    int columns = 0;
    std::vector<int> column = Alignment(layers).run(columns);
    Placement(layers, std::move(column), columns, cancelled).run();
}

} // namespace ql
