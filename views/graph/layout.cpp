#include "views/graph/layout.h"

#include <QHash>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace ql {

namespace {

/// A box of a row: a node, or the place where an edge passes.
struct Cell
{
    int node = -1; ///< -1: an edge passes
    int rank = 0;
    double width = 0;
    double x = 0; ///< of the middle
    QVector<int> up, down;
};

class Layering
{
public:
    Layering(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled)
        : m_graph(graph), m_options(options), m_cancelled(cancelled)
    {}

    Layout run()
    {
        assignRanks();
        if (m_cancelled) return {};
        makeCells();
        if (m_cancelled) return {};
        orderRows();
        if (m_cancelled) return {};
        assignX();
        if (m_cancelled) return {};
        return result();
    }

private:
    void assignRanks()
    {
        const int count = int(m_graph.sizes.size());
        m_rank.fill(0, count);
        QVector<QVector<int>> out(count), in(count);
        for (const auto &edge : m_graph.edges) {
            out[edge.from].append(edge.to);
            in[edge.to].append(edge.from);
        }
        for (int n = 0; n < count; ++n)
            for (const int next : out[n]) m_rank[next] = std::max(m_rank[next], m_rank[n] + 1);
        // Sources move down to their first reader, so that their edges are short
        for (int n = count - 1; n >= 0; --n) {
            if (!in[n].isEmpty() || out[n].isEmpty()) continue;
            int lowest = m_rank[out[n].front()];
            for (const int next : out[n]) lowest = std::min(lowest, m_rank[next]);
            m_rank[n] = std::max(0, lowest - 1);
        }
        m_rows = 0;
        for (const int rank : m_rank) m_rows = std::max(m_rows, rank + 1);
    }

    int addCell(int node, int rank, double width)
    {
        Cell cell;
        cell.node = node;
        cell.rank = rank;
        cell.width = width;
        m_cells.append(cell);
        return int(m_cells.size()) - 1;
    }

    void link(int upper, int lower)
    {
        m_cells[upper].down.append(lower);
        m_cells[lower].up.append(upper);
    }

    void makeCells()
    {
        for (int n = 0; n < m_graph.sizes.size(); ++n) addCell(n, m_rank[n], m_graph.sizes[n].width());
        // The cells through which a net passes, by net and rank, shared by its edges
        QHash<qint64, int> passing;
        m_chains.resize(m_graph.edges.size());
        for (int e = 0; e < m_graph.edges.size(); ++e) {
            const auto &edge = m_graph.edges[e];
            const int from = m_rank[edge.from], to = m_rank[edge.to];
            if (to - from > m_options.longEdge) {
                m_long.append(e);
                continue;
            }
            int above = edge.from;
            for (int rank = from + 1; rank < to; ++rank) {
                const qint64 key = qint64(edge.net) * (m_rows + 1) + rank;
                auto it = passing.constFind(key);
                int cell = -1;
                if (it == passing.constEnd()) {
                    cell = addCell(-1, rank, m_options.laneWidth);
                    passing.insert(key, cell);
                    link(above, cell);
                } else {
                    cell = *it;
                }
                m_chains[e].append(cell);
                above = cell;
            }
            link(above, edge.to);
        }
        m_row.resize(m_rows);
        for (int c = 0; c < m_cells.size(); ++c) m_row[m_cells[c].rank].append(c);
    }

    double median(const QVector<int> &cells) const
    {
        if (cells.isEmpty()) return -1;
        QVector<int> places;
        for (const int cell : cells) places.append(m_place[cell]);
        std::sort(places.begin(), places.end());
        const qsizetype middle = places.size() / 2;
        return places.size() % 2 ? places[middle] : (places[middle - 1] + places[middle]) / 2.0;
    }

    void renumber(int rank)
    {
        for (int i = 0; i < m_row[rank].size(); ++i) m_place[m_row[rank][i]] = i;
    }

    void sortRow(int rank, bool byUpper)
    {
        QVector<int> &row = m_row[rank];
        QVector<QPair<double, int>> keys;
        for (const int cell : row) {
            double key = median(byUpper ? m_cells[cell].up : m_cells[cell].down);
            if (key < 0) key = m_place[cell];
            keys.append({key, cell});
        }
        std::stable_sort(keys.begin(), keys.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        for (int i = 0; i < row.size(); ++i) row[i] = keys[i].second;
        renumber(rank);
    }

    /// Crossings between row rank and the one below.
    qint64 crossings(int rank) const
    {
        if (rank + 1 >= m_rows) return 0;
        QVector<QPair<int, int>> ends;
        for (const int cell : m_row[rank])
            for (const int next : m_cells[cell].down) ends.append({m_place[cell], m_place[next]});
        std::sort(ends.begin(), ends.end());
        // Inversions of the second members, by a Fenwick tree
        const int size = int(m_row[rank + 1].size());
        QVector<int> tree(size + 1, 0);
        qint64 count = 0;
        int added = 0;
        for (const auto &[upper, lower] : ends) {
            int before = 0;
            for (int i = lower + 1; i > 0; i -= i & -i) before += tree[i];
            count += added - before;
            for (int i = lower + 1; i <= size; i += i & -i) ++tree[i];
            ++added;
        }
        return count;
    }

    qint64 allCrossings() const
    {
        qint64 sum = 0;
        for (int rank = 0; rank + 1 < m_rows; ++rank) sum += crossings(rank);
        return sum;
    }

    void orderRows()
    {
        m_place.fill(0, m_cells.size());
        // Where the old layout had them, else in the order in which a walk from the sources meets them
        QVector<int> met(m_cells.size(), -1);
        int counter = 0;
        QVector<int> stack;
        for (int c = 0; c < m_graph.sizes.size(); ++c) {
            if (met[c] >= 0 || !m_cells[c].up.isEmpty()) continue;
            stack.append(c);
            while (!stack.isEmpty()) {
                const int cell = stack.takeLast();
                if (met[cell] >= 0) continue;
                met[cell] = counter++;
                const QVector<int> &down = m_cells[cell].down;
                for (auto it = down.rbegin(); it != down.rend(); ++it)
                    if (met[*it] < 0) stack.append(*it);
            }
        }
        for (int rank = 0; rank < m_rows; ++rank) {
            std::stable_sort(m_row[rank].begin(), m_row[rank].end(), [&](int a, int b) { return met[a] < met[b]; });
            if (!m_graph.hints.isEmpty())
                std::stable_sort(m_row[rank].begin(), m_row[rank].end(), [&](int a, int b) {
                    const double x = hint(a), y = hint(b);
                    return !std::isnan(x) && !std::isnan(y) && x < y;
                });
            renumber(rank);
        }
        const int sweeps = m_cells.size() > 60000 ? 4 : m_cells.size() > 15000 ? 8 : 16;
        QVector<QVector<int>> best = m_row;
        qint64 least = allCrossings();
        for (int sweep = 0; sweep < sweeps && least > 0; ++sweep) {
            if (m_cancelled) return;
            if (sweep % 2 == 0)
                for (int rank = 1; rank < m_rows; ++rank) sortRow(rank, true);
            else
                for (int rank = m_rows - 2; rank >= 0; --rank) sortRow(rank, false);
            if (const qint64 now = allCrossings(); now < least) {
                least = now;
                best = m_row;
            }
        }
        m_row = best;
        for (int rank = 0; rank < m_rows; ++rank) renumber(rank);
    }

    double hint(int cell) const
    {
        const int node = m_cells[cell].node;
        return node < 0 || node >= m_graph.hints.size() ? NAN : m_graph.hints[node];
    }

    double gap(int left, int right) const
    {
        const bool lanes = m_cells[left].node < 0 && m_cells[right].node < 0;
        return lanes ? 2.0 : m_options.nodeGap / (m_cells[left].node < 0 || m_cells[right].node < 0 ? 2 : 1);
    }

    /// Moves the cells of a row as near to wanted as their order and gaps allow, weighted least squares: pool adjacent
    /// violators.
    void place(int rank, const QVector<double> &wanted, const QVector<double> &weight)
    {
        struct Block
        {
            double sum, weight;
            int first;
            double value() const { return sum / weight; }
        };
        const QVector<int> &row = m_row[rank];
        QVector<double> offset(row.size(), 0);
        for (int i = 1; i < row.size(); ++i)
            offset[i] =
                offset[i - 1] + (m_cells[row[i - 1]].width + m_cells[row[i]].width) / 2 + gap(row[i - 1], row[i]);
        QVector<Block> blocks;
        for (int i = 0; i < row.size(); ++i) {
            blocks.append({(wanted[i] - offset[i]) * weight[i], weight[i], i});
            while (blocks.size() > 1 && blocks[blocks.size() - 2].value() >= blocks.back().value()) {
                const Block last = blocks.takeLast();
                blocks.back().sum += last.sum;
                blocks.back().weight += last.weight;
            }
        }
        for (int b = 0; b < blocks.size(); ++b) {
            const int end = b + 1 < blocks.size() ? blocks[b + 1].first : int(row.size());
            for (int i = blocks[b].first; i < end; ++i) m_cells[row[i]].x = blocks[b].value() + offset[i];
        }
    }

    void assignX()
    {
        for (int rank = 0; rank < m_rows; ++rank) {
            QVector<double> wanted(m_row[rank].size(), 0), weight(m_row[rank].size(), 1);
            place(rank, wanted, weight);
        }
        // A row with one box alone is where everything meets: it stays in the middle, else networks of many blocks
        // would drift off to the side of their skips
        QVector<bool> isAlone(m_rows, false);
        for (int rank = 0; rank < m_rows; ++rank)
            isAlone[rank] = std::count_if(m_row[rank].begin(), m_row[rank].end(),
                                          [&](int cell) { return m_cells[cell].node >= 0; }) == 1;
        constexpr double middle = 8;
        const int sweeps = m_cells.size() > 60000 ? 10 : m_cells.size() > 15000 ? 20 : 40;
        for (int sweep = 0; sweep < sweeps; ++sweep) {
            if (m_cancelled) return;
            // Down, up, and at last both sides together, so that neither wins
            const bool both = sweep + 4 >= sweeps;
            for (int step = 0; step < m_rows; ++step) {
                const int rank = sweep % 2 == 0 ? step : m_rows - 1 - step;
                QVector<double> wanted, weight;
                for (const int cell : m_row[rank]) {
                    double sum = 0, total = 0;
                    const auto pull = [&](const QVector<int> &others) {
                        for (const int other : others) {
                            // Lanes want to be straight; a single edge more than one of many
                            const bool lane = m_cells[cell].node < 0, otherLane = m_cells[other].node < 0;
                            const double w = (lane && otherLane   ? 8.0
                                              : lane || otherLane ? 1.0
                                                                  : 2.0) /
                                             double(others.size());
                            sum += w * m_cells[other].x;
                            total += w;
                        }
                    };
                    if (both || sweep % 2 == 0) pull(m_cells[cell].up);
                    if (both || sweep % 2 == 1) pull(m_cells[cell].down);
                    if (isAlone[rank] && m_cells[cell].node >= 0) total += middle; // towards x = 0
                    wanted.append(total > 0 ? sum / total : m_cells[cell].x);
                    weight.append(total > 0 ? total : 0.05);
                }
                place(rank, wanted, weight);
            }
        }
    }

    Layout result()
    {
        Layout layout;
        layout.rank = m_rank;
        QVector<double> top(m_rows, 0), height(m_rows, 0);
        for (int n = 0; n < m_graph.sizes.size(); ++n)
            height[m_rank[n]] = std::max(height[m_rank[n]], m_graph.sizes[n].height());
        double y = 0;
        for (int rank = 0; rank < m_rows; ++rank) {
            top[rank] = y;
            // Rows with many crossings below get more room for the bends
            y += height[rank] + m_options.rankGap + std::min(40.0, 0.6 * double(m_row[rank].size()));
        }
        for (int n = 0; n < m_graph.sizes.size(); ++n) {
            const QSizeF size = m_graph.sizes[n];
            layout.nodes.append({m_cells[n].x - size.width() / 2,
                                 top[m_rank[n]] + (height[m_rank[n]] - size.height()) / 2, size.width(),
                                 size.height()});
            layout.bounds |= layout.nodes.back();
        }
        layout.rowTop = top;
        for (int rank = 0; rank < m_rows; ++rank) layout.rowBottom.append(top[rank] + height[rank]);
        layout.edges.resize(m_graph.edges.size());
        const auto ends = ports(layout);
        for (int e = 0; e < m_graph.edges.size(); ++e) {
            QVector<QPointF> &points = layout.edges[e];
            points.append(ends[e].first);
            for (const int cell : m_chains[e]) {
                const int rank = m_cells[cell].rank;
                points.append({m_cells[cell].x, top[rank]});
                points.append({m_cells[cell].x, top[rank] + height[rank]});
                layout.bounds |= QRectF(m_cells[cell].x - 2, top[rank], 4, 1);
            }
            points.append(ends[e].second);
        }
        routeLongEdges(layout);
        return layout;
    }

    /// Where edges leave and enter: spread over the middle of the side in the order of where they go.
    QVector<QPair<QPointF, QPointF>> ports(const Layout &layout) const
    {
        const int count = int(m_graph.sizes.size());
        QVector<QVector<int>> in(count);
        QVector<QHash<int, double>> out(count); // by net: edges of one tensor leave at one point
        QVector<QVector<QPair<double, int>>> nets(count);
        const auto towards = [&](int e, bool start) {
            if (m_chains[e].isEmpty()) return m_cells[start ? m_graph.edges[e].to : m_graph.edges[e].from].x;
            return m_cells[start ? m_chains[e].front() : m_chains[e].back()].x;
        };
        for (int e = 0; e < m_graph.edges.size(); ++e) {
            const auto &edge = m_graph.edges[e];
            in[edge.to].append(e);
            if (!out[edge.from].contains(edge.net)) {
                out[edge.from].insert(edge.net, 0);
                nets[edge.from].append({towards(e, true), edge.net});
            }
        }
        const auto spread = [](const QRectF &box, qsizetype i, qsizetype n) {
            const double step = std::min(18.0, box.width() * 0.6 / double(std::max<qsizetype>(n, 1)));
            return box.center().x() + (double(i) - double(n - 1) / 2) * step;
        };
        QVector<QPair<QPointF, QPointF>> ends(m_graph.edges.size());
        for (int n = 0; n < count; ++n) {
            std::sort(nets[n].begin(), nets[n].end());
            for (qsizetype i = 0; i < nets[n].size(); ++i)
                out[n][nets[n][i].second] = spread(layout.nodes[n], i, nets[n].size());
            std::stable_sort(in[n].begin(), in[n].end(),
                             [&](int a, int b) { return towards(a, false) < towards(b, false); });
            for (qsizetype i = 0; i < in[n].size(); ++i)
                ends[in[n][i]].second = {spread(layout.nodes[n], i, in[n].size()), layout.nodes[n].top()};
        }
        for (int e = 0; e < m_graph.edges.size(); ++e) {
            const auto &edge = m_graph.edges[e];
            ends[e].first = {out[edge.from].value(edge.net), layout.nodes[edge.from].bottom()};
        }
        return ends;
    }

    void routeLongEdges(Layout &layout) const
    {
        // Lanes at the right side, each as far out as the ones that it overlaps need
        QVector<int> order = m_long;
        std::sort(order.begin(), order.end(),
                  [&](int a, int b) { return m_rank[m_graph.edges[a].from] < m_rank[m_graph.edges[b].from]; });
        QVector<double> laneEnds;
        QHash<int, int> laneOfNet;
        const double right = layout.bounds.right() + m_options.nodeGap;
        for (const int e : order) {
            QVector<QPointF> &points = layout.edges[e];
            const QPointF start = points.front(), end = points.back();
            int lane = laneOfNet.value(m_graph.edges[e].net, -1);
            if (lane < 0) {
                lane = 0;
                while (lane < laneEnds.size() && laneEnds[lane] > start.y()) ++lane;
                if (lane == laneEnds.size()) laneEnds.append(0);
                laneOfNet.insert(m_graph.edges[e].net, lane);
            }
            laneEnds[lane] = std::max(laneEnds[lane], end.y());
            const double x = right + lane * m_options.laneWidth;
            points = {start, {x, start.y() + m_options.rankGap}, {x, end.y() - m_options.rankGap}, end};
            layout.bounds |= QRectF(x, start.y(), 1, 1);
        }
    }

    const LayoutGraph &m_graph;
    const LayoutOptions &m_options;
    const std::atomic<bool> &m_cancelled;
    QVector<int> m_rank;
    int m_rows = 0;
    QVector<Cell> m_cells; ///< the nodes first
    QVector<QVector<int>> m_chains;
    QVector<int> m_long;
    QVector<QVector<int>> m_row;
    QVector<int> m_place;
};

} // namespace

Layout layOut(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled)
{
    if (graph.sizes.isEmpty()) return {};
    return Layering(graph, options, cancelled).run();
}

} // namespace ql
