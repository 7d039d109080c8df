#include "views/graph/layout_ranks.h"

#include "views/graph/network_simplex.h"

#include <algorithm>
#include <climits>
#include <cstdint>
#include <unordered_map>

namespace ql {

namespace {

/// Removes nodes whose best rank follows from their neighbours: ends of the graph, and nodes with one edge in and one
/// out, which become one longer edge. Parallel edges become one. The rest is the core.
class Reduction
{
public:
    Reduction(int nodes, const std::vector<std::pair<int, int>> &edges)
        : m_in(std::size_t(nodes)), m_out(std::size_t(nodes)), m_isGone(std::size_t(nodes), false)
    {
        m_edges.reserve(edges.size() * 2);
        for (const auto &[from, to] : edges) addEdge({from, to, 1, 1});
        m_queue.reserve(std::size_t(nodes) * 2);
        for (int n = nodes - 1; n >= 0; --n) m_queue.push_back(n);
    }

    void reduce()
    {
        while (!m_queue.empty()) {
            const int node = m_queue.back();
            m_queue.pop_back();
            const Ends &in = m_in[std::size_t(node)], &out = m_out[std::size_t(node)];
            if (m_isGone[std::size_t(node)]) continue;
            if (in.count == 1 && out.count == 1)
                removePassed(node);
            else if (in.count + out.count == 1)
                removeEnd(node);
        }
    }

    /// Nodes and edges that are left.
    std::vector<SimplexEdge> core(std::vector<int> &nodes) const
    {
        for (std::size_t n = 0; n < m_isGone.size(); ++n)
            if (!m_isGone[n]) nodes.push_back(int(n));
        std::vector<SimplexEdge> edges;
        for (std::size_t e = 0; e < m_edges.size(); ++e)
            if (m_isAlive[e]) edges.push_back(m_edges[e]);
        return edges;
    }

    /// Assigns ranks to the removed nodes, in reverse order.
    void expand(std::vector<int> &rank) const
    {
        for (auto it = m_removed.rbegin(); it != m_removed.rend(); ++it)
            rank[std::size_t(it->node)] = rank[std::size_t(it->anchor)] + it->offset;
    }

private:
    /// The edges of one side of a node; if only one edge is left, its number is known without a list.
    struct Ends
    {
        int count = 0;
        std::uint32_t numbers = 0; ///< exclusive or
    };
    struct Removed
    {
        int node, anchor, offset;
    };

    static std::uint64_t keyOf(int from, int to)
    {
        return std::uint64_t(std::uint32_t(from)) << 32 | std::uint32_t(to);
    }

    void addEdge(const SimplexEdge &edge)
    {
        const auto [it, isNew] = m_byEnds.try_emplace(keyOf(edge.from, edge.to), std::uint32_t(m_edges.size()));
        if (!isNew) {
            SimplexEdge &other = m_edges[it->second];
            other.length = std::max(other.length, edge.length);
            other.weight += edge.weight;
            m_queue.push_back(edge.from);
            m_queue.push_back(edge.to);
            return;
        }
        attach(edge.from, edge.to, std::uint32_t(m_edges.size()), 1);
        m_edges.push_back(edge);
        m_isAlive.push_back(true);
    }

    void attach(int from, int to, std::uint32_t number, int change)
    {
        Ends &out = m_out[std::size_t(from)], &in = m_in[std::size_t(to)];
        out.count += change;
        out.numbers ^= number;
        in.count += change;
        in.numbers ^= number;
    }

    void removeEdge(std::uint32_t number)
    {
        const SimplexEdge &edge = m_edges[number];
        attach(edge.from, edge.to, number, -1);
        m_byEnds.erase(keyOf(edge.from, edge.to));
        m_isAlive[number] = false;
    }

    void removePassed(int node)
    {
        const std::uint32_t first = m_in[std::size_t(node)].numbers, second = m_out[std::size_t(node)].numbers;
        const SimplexEdge above = m_edges[first], below = m_edges[second];
        // For a longer edge, the lighter half becomes longer; at equal weight the lower one: branches begin at the top
        if (below.weight <= above.weight)
            m_removed.push_back({node, above.from, above.length});
        else
            m_removed.push_back({node, below.to, -below.length});
        m_isGone[std::size_t(node)] = true;
        removeEdge(first);
        removeEdge(second);
        addEdge({above.from, below.to, above.length + below.length, std::min(above.weight, below.weight)});
    }

    void removeEnd(int node)
    {
        const bool isLast = m_in[std::size_t(node)].count == 1;
        const std::uint32_t number = (isLast ? m_in : m_out)[std::size_t(node)].numbers;
        const SimplexEdge edge = m_edges[number];
        const int other = isLast ? edge.from : edge.to;
        m_removed.push_back({node, other, isLast ? edge.length : -edge.length});
        m_isGone[std::size_t(node)] = true;
        removeEdge(number);
        m_queue.push_back(other);
    }

    std::vector<Ends> m_in, m_out;
    std::vector<bool> m_isGone, m_isAlive;
    std::vector<SimplexEdge> m_edges;
    std::unordered_map<std::uint64_t, std::uint32_t> m_byEnds;
    std::vector<Removed> m_removed;
    std::vector<int> m_queue;
};

/// Connected parts by union-find. @returns the representative of each node
std::vector<int> partsOf(int nodes, const std::vector<std::pair<int, int>> &edges)
{
    std::vector<int> part(static_cast<std::size_t>(nodes));
    for (int n = 0; n < nodes; ++n) part[std::size_t(n)] = n;
    const auto root = [&](int n) {
        while (part[std::size_t(n)] != n) n = part[std::size_t(n)] = part[std::size_t(part[std::size_t(n)])];
        return n;
    };
    for (const auto &[from, to] : edges) {
        const int a = root(from), b = root(to);
        part[std::size_t(std::max(a, b))] = std::min(a, b);
    }
    for (int n = 0; n < nodes; ++n) part[std::size_t(n)] = root(n);
    return part;
}

} // namespace

std::vector<int> assignRanks(int nodes, const std::vector<std::pair<int, int>> &edges,
                             const std::atomic<bool> &cancelled)
{
    Reduction reduction(nodes, edges);
    reduction.reduce();
    std::vector<int> core;
    std::vector<SimplexEdge> coreEdges = reduction.core(core);
    std::vector<int> number(std::size_t(nodes), -1);
    for (std::size_t i = 0; i < core.size(); ++i) number[std::size_t(core[i])] = int(i);
    for (SimplexEdge &edge : coreEdges) {
        edge.from = number[std::size_t(edge.from)];
        edge.to = number[std::size_t(edge.to)];
    }
    const std::vector<int> coreRank = networkSimplex(int(core.size()), coreEdges, cancelled);
    std::vector<int> rank(std::size_t(nodes), 0);
    for (std::size_t i = 0; i < core.size(); ++i) rank[std::size_t(core[i])] = coreRank[i];
    reduction.expand(rank);
    const std::vector<int> part = partsOf(nodes, edges);
    std::vector<int> least(std::size_t(nodes), INT_MAX);
    for (std::size_t n = 0; n < rank.size(); ++n)
        least[std::size_t(part[n])] = std::min(least[std::size_t(part[n])], rank[n]);
    for (std::size_t n = 0; n < rank.size(); ++n) rank[n] -= least[std::size_t(part[n])];
    return rank;
}

} // namespace ql
