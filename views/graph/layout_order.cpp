#include "views/graph/layout_order.h"

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

class Ordering
{
public:
    Ordering(Layers &layers, const std::atomic<bool> &cancelled) : m_layers(layers), m_cancelled(cancelled) {}

    void run()
    {
        orderByWalk();
        orderByHints();
        sweep();
        for (int pass = 0; pass < 4 && !m_cancelled; ++pass)
            if (!exchangeNeighbours()) break;
    }

private:
    /// The order in which a walk down from the sources reaches the cells. Lanes come last, to the right of the boxes; a
    /// spine is in the middle of its branches.
    void orderByWalk()
    {
        std::vector<int> met(m_layers.cells.size(), -1), stack, next;
        int counter = 0;
        for (int n = 0; n < int(m_layers.rank.size()); ++n) {
            if (met[at(n)] >= 0 || !m_layers.cell(n).up.empty()) continue;
            stack.push_back(n);
            while (!stack.empty()) {
                const int cell = stack.back();
                stack.pop_back();
                if (met[at(cell)] >= 0) continue;
                met[at(cell)] = counter++;
                childrenOf(cell, next);
                for (auto it = next.rbegin(); it != next.rend(); ++it)
                    if (met[at(*it)] < 0) stack.push_back(*it);
            }
        }
        for (std::size_t row = 0; row < m_layers.rows.size(); ++row) {
            std::sort(m_layers.rows[row].begin(), m_layers.rows[row].end(),
                      [&](int a, int b) { return met[at(a)] < met[at(b)]; });
            m_layers.renumber(row);
        }
    }

    void childrenOf(int cell, std::vector<int> &out) const
    {
        out.clear();
        int spine = -1;
        for (const Cell::Kind kind : {Cell::Kind::Node, Cell::Kind::Lane})
            for (const int child : m_layers.cell(cell).down) {
                if (m_layers.cell(child).kind == kind) out.push_back(child);
                if (m_layers.isSpine(child)) spine = child;
            }
        if (spine < 0) return;
        const auto boxes = std::count_if(out.begin(), out.end(), [&](int c) { return m_layers.isNode(c); });
        out.insert(out.begin() + (boxes + 1) / 2, spine);
    }

    void orderByHints()
    {
        const QVector<double> &hints = m_layers.graph.hints;
        if (hints.isEmpty()) return;
        for (std::size_t row = 0; row < m_layers.rows.size(); ++row) {
            // The known boxes swap places among themselves
            std::vector<int> &cells = m_layers.rows[row];
            std::vector<int> known;
            for (const int c : cells)
                if (m_layers.isNode(c) && !std::isnan(hints[c])) known.push_back(c);
            std::stable_sort(known.begin(), known.end(), [&](int a, int b) { return hints[a] < hints[b]; });
            std::size_t next = 0;
            for (int &c : cells)
                if (m_layers.isNode(c) && !std::isnan(hints[c])) c = known[next++];
            m_layers.renumber(row);
        }
    }

    void sweep()
    {
        const std::size_t cells = m_layers.cells.size();
        const int sweeps = cells > 60000 ? 6 : cells > 15000 ? 10 : 24;
        const int rows = int(m_layers.rows.size());
        std::vector<std::vector<int>> best = m_layers.rows;
        long long least = countCrossings(m_layers);
        int idle = 0;
        for (int i = 0; i < sweeps && least > 0 && idle < 6 && !m_cancelled; ++i) {
            if (i % 2 == 0)
                for (int row = 1; row < rows; ++row) sortRow(row, true);
            else
                for (int row = rows - 2; row >= 0; --row) sortRow(row, false);
            ++idle;
            if (const long long now = countCrossings(m_layers); now < least) {
                least = now;
                best = m_layers.rows;
                idle = 0;
            }
        }
        m_layers.rows = std::move(best);
        for (int row = 0; row < rows; ++row) m_layers.renumber(at(row));
    }

    double median(const std::vector<int> &cells)
    {
        m_places.clear();
        for (const int cell : cells) m_places.push_back(m_layers.place[at(cell)]);
        std::sort(m_places.begin(), m_places.end());
        const std::size_t middle = m_places.size() / 2;
        return m_places.size() % 2 ? m_places[middle] : (m_places[middle - 1] + m_places[middle]) / 2.0;
    }

    /// By the medians of one side; cells without a neighbour there keep their places.
    void sortRow(int row, bool byUpper)
    {
        std::vector<int> &cells = m_layers.rows[at(row)];
        if (cells.size() < 2) return;
        m_keys.clear();
        for (const int c : cells) {
            const std::vector<int> &others = byUpper ? m_layers.cell(c).up : m_layers.cell(c).down;
            if (!others.empty()) m_keys.push_back({median(others), c});
        }
        std::stable_sort(m_keys.begin(), m_keys.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
        std::size_t next = 0;
        for (int &c : cells)
            if (!(byUpper ? m_layers.cell(c).up : m_layers.cell(c).down).empty()) c = m_keys[next++].second;
        m_layers.renumber(at(row));
    }

    /// Crossings of the edges of two cells of a row on one side, if left is to the left of right.
    long long crossings(const std::vector<int> &left, const std::vector<int> &right) const
    {
        long long count = 0;
        for (const int a : left)
            for (const int b : right) count += m_layers.place[at(a)] > m_layers.place[at(b)];
        return count;
    }

    /// @returns whether some swap helped
    bool exchangeNeighbours()
    {
        constexpr std::size_t maxEdges = 64; // of a cell: comparing two costs the product
        bool isBetter = false;
        for (std::size_t row = 0; row < m_layers.rows.size(); ++row) {
            std::vector<int> &cells = m_layers.rows[row];
            for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
                const Cell &a = m_layers.cell(cells[i]), &b = m_layers.cell(cells[i + 1]);
                if (std::max({a.up.size(), a.down.size(), b.up.size(), b.down.size()}) > maxEdges) continue;
                const long long now = crossings(a.up, b.up) + crossings(a.down, b.down);
                if (now == 0) continue;
                if (crossings(b.up, a.up) + crossings(b.down, a.down) >= now) continue;
                std::swap(cells[i], cells[i + 1]);
                std::swap(m_layers.place[at(cells[i])], m_layers.place[at(cells[i + 1])]);
                isBetter = true;
            }
        }
        return isBetter;
    }

    Layers &m_layers;
    const std::atomic<bool> &m_cancelled;
    std::vector<int> m_places;
    std::vector<std::pair<double, int>> m_keys;
};

} // namespace

long long countCrossings(const Layers &layers)
{
    long long count = 0;
    std::vector<std::pair<int, int>> ends;
    std::vector<int> tree;
    for (std::size_t row = 0; row + 1 < layers.rows.size(); ++row) {
        if (layers.rows[row].size() < 2 || layers.rows[row + 1].size() < 2) continue;
        ends.clear();
        for (const int cell : layers.rows[row])
            for (const int next : layers.cell(cell).down)
                ends.emplace_back(layers.place[at(cell)], layers.place[at(next)]);
        std::sort(ends.begin(), ends.end());
        // Inversions of the lower places, by a Fenwick tree
        const int size = int(layers.rows[row + 1].size());
        tree.assign(at(size + 1), 0);
        int added = 0;
        for (const auto &[upper, lower] : ends) {
            int before = 0;
            for (int i = lower + 1; i > 0; i -= i & -i) before += tree[at(i)];
            count += added - before;
            for (int i = lower + 1; i <= size; i += i & -i) ++tree[at(i)];
            ++added;
        }
    }
    return count;
}

void orderRows(Layers &layers, const std::atomic<bool> &cancelled)
{
    Ordering(layers, cancelled).run();
}

} // namespace ql
