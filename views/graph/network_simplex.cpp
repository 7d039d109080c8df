#include "views/graph/network_simplex.h"

#include <algorithm>
#include <climits>
#include <cstdint>

namespace ql {

namespace {

/// Limit of steps over nodes and edges, after which a graph keeps its current ranks.
constexpr std::int64_t maxWork = 60'000'000;

class Simplex
{
public:
    Simplex(int nodes, const std::vector<SimplexEdge> &edges, const std::atomic<bool> &cancelled)
        : m_cancelled(cancelled), m_edges(edges), m_rank(std::size_t(nodes), 0), m_adjacent(std::size_t(nodes)),
          m_tree(std::size_t(nodes)), m_parentEdge(std::size_t(nodes), -1), m_low(std::size_t(nodes), 0),
          m_lim(std::size_t(nodes), 0), m_flow(std::size_t(nodes), 0), m_byLim(std::size_t(nodes), 0)
    {
        for (int e = 0; e < int(m_edges.size()); ++e) {
            m_adjacent[at(edge(e).from)].push_back(e);
            m_adjacent[at(edge(e).to)].push_back(e);
        }
    }

    std::vector<int> run()
    {
        rankByLongestPath();
        growTrees();
        int next = 0;
        for (int n = 0; n < int(m_rank.size()); ++n)
            if (m_parentEdge[at(n)] < 0 && m_lim[at(n)] == 0) next = number(n, -1, next);
        while (m_work < maxWork && !m_cancelled) {
            const int leaving = leavingChild();
            if (leaving < 0 || !exchange(leaving)) break;
        }
        return m_rank;
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    const SimplexEdge &edge(int e) const { return m_edges[at(e)]; }
    int slack(int e) const { return m_rank[at(edge(e).to)] - m_rank[at(edge(e).from)] - edge(e).length; }
    int otherEnd(int e, int node) const { return edge(e).from == node ? edge(e).to : edge(e).from; }

    void rankByLongestPath()
    {
        for (int n = 0; n < int(m_rank.size()); ++n)
            for (const int e : m_adjacent[at(n)])
                if (edge(e).from == n)
                    m_rank[at(edge(e).to)] = std::max(m_rank[at(edge(e).to)], m_rank[at(n)] + edge(e).length);
    }

    void addTreeEdge(int e)
    {
        m_tree[at(edge(e).from)].push_back(e);
        m_tree[at(edge(e).to)].push_back(e);
    }

    /// A spanning tree of tight edges for each connected part. Longest paths give each node except the sources a tight
    /// edge from above; the trees below the sources are then moved together, smaller ones first.
    void growTrees()
    {
        std::vector<int> tree(m_rank.size());
        std::vector<std::vector<int>> members(m_rank.size());
        for (int n = 0; n < int(m_rank.size()); ++n) {
            tree[at(n)] = n;
            for (const int e : m_adjacent[at(n)])
                if (edge(e).to == n && slack(e) == 0) {
                    tree[at(n)] = tree[at(edge(e).from)];
                    addTreeEdge(e);
                    break;
                }
            members[at(tree[at(n)])].push_back(n);
        }
        std::vector<std::pair<std::size_t, int>> waiting;
        for (int n = 0; n < int(members.size()); ++n)
            if (!members[at(n)].empty()) waiting.emplace_back(members[at(n)].size(), n);
        const auto larger = [](const auto &a, const auto &b) { return a > b; };
        std::make_heap(waiting.begin(), waiting.end(), larger);
        while (!waiting.empty()) {
            std::pop_heap(waiting.begin(), waiting.end(), larger);
            const auto [size, number] = waiting.back();
            waiting.pop_back();
            if (members[at(number)].size() != size) continue; // it has grown, or is part of another one
            const int into = moveToNeighbour(tree, members, number);
            if (into < 0) continue; // a separate connected part
            waiting.emplace_back(members[at(into)].size(), into);
            std::push_heap(waiting.begin(), waiting.end(), larger);
        }
    }

    /// Joins a tree to another one by the edge with the least slack, outgoing ones first. @returns that tree, -1: none
    int moveToNeighbour(std::vector<int> &tree, std::vector<std::vector<int>> &members, int number)
    {
        int best = -1;
        bool bestGoesOut = false;
        for (const int n : members[at(number)])
            for (const int e : m_adjacent[at(n)]) {
                ++m_work;
                const int other = otherEnd(e, n);
                if (tree[at(other)] == number) continue;
                const bool goesOut = edge(e).from == n;
                if (best < 0 || goesOut > bestGoesOut || (goesOut == bestGoesOut && slack(e) < slack(best))) {
                    best = e;
                    bestGoesOut = goesOut;
                }
            }
        if (best < 0) return -1;
        const int move = bestGoesOut ? slack(best) : -slack(best);
        const int into = tree[at(bestGoesOut ? edge(best).to : edge(best).from)];
        for (const int n : members[at(number)]) {
            m_rank[at(n)] += move;
            tree[at(n)] = into;
        }
        members[at(into)].insert(members[at(into)].end(), members[at(number)].begin(), members[at(number)].end());
        members[at(number)].clear();
        addTreeEdge(best);
        return into;
    }

    /// Numbers the tree below top in postorder from first on: low and lim (Gansner et al., section 2.4), and the weight
    /// of the edges that leave each subtree minus that of those that enter it.
    /// @returns the next number
    int number(int top, int parentEdge, int first)
    {
        struct Visit
        {
            int node;
            std::size_t edge;
        };
        std::vector<Visit> stack;
        int next = first;
        const auto enter = [&](int node, int parent) {
            m_parentEdge[at(node)] = parent;
            m_low[at(node)] = next;
            m_flow[at(node)] = 0;
            for (const int e : m_adjacent[at(node)])
                m_flow[at(node)] += edge(e).from == node ? edge(e).weight : -edge(e).weight;
            m_work += std::int64_t(m_adjacent[at(node)].size()) + 1;
            stack.push_back({node, 0});
        };
        enter(top, parentEdge);
        while (!stack.empty()) {
            const int node = stack.back().node;
            if (stack.back().edge < m_tree[at(node)].size()) {
                const int e = m_tree[at(node)][stack.back().edge++];
                if (e != m_parentEdge[at(node)]) enter(otherEnd(e, node), e);
                continue;
            }
            m_lim[at(node)] = next;
            m_byLim[at(next)] = node;
            ++next;
            stack.pop_back();
            if (!stack.empty()) m_flow[at(stack.back().node)] += m_flow[at(node)];
        }
        return next;
    }

    bool isBelow(int node, int top) const
    {
        return m_low[at(top)] <= m_lim[at(node)] && m_lim[at(node)] <= m_lim[at(top)];
    }

    /// The cut value of the tree edge above a node: negative if a longer edge would make the drawing shorter.
    std::int64_t cutValue(int child) const
    {
        return edge(m_parentEdge[at(child)]).from == child ? m_flow[at(child)] : -m_flow[at(child)];
    }

    /// The lower end of a tree edge with a negative cut value, -1 if there is none: the worst of some, searched from
    /// where the last search ended.
    int leavingChild()
    {
        int best = -1, found = 0;
        for (std::size_t i = 0; i < m_rank.size(); ++i) {
            m_next = (m_next + 1) % int(m_rank.size());
            ++m_work;
            if (m_parentEdge[at(m_next)] < 0 || cutValue(m_next) >= 0) continue;
            if (best < 0 || cutValue(m_next) < cutValue(best)) best = m_next;
            if (++found >= 30) break;
        }
        return best;
    }

    /// Replaces the tree edge above child by the tightest one that connects both parts the other way.
    bool exchange(int child)
    {
        const int leaving = m_parentEdge[at(child)];
        const bool isTail = edge(leaving).from == child;
        int entering = -1;
        for (int i = m_low[at(child)]; i <= m_lim[at(child)]; ++i) {
            const int node = m_byLim[at(i)];
            for (const int e : m_adjacent[at(node)]) {
                ++m_work;
                if ((edge(e).to == node) != isTail || isBelow(otherEnd(e, node), child)) continue;
                if (entering < 0 || slack(e) < slack(entering)) entering = e;
            }
        }
        if (entering < 0) return false;
        const int move = isTail ? -slack(entering) : slack(entering);
        for (int i = m_low[at(child)]; i <= m_lim[at(child)]; ++i) m_rank[at(m_byLim[at(i)])] += move;
        // Everything below the lowest node above both ends is renumbered
        int top = otherEnd(leaving, child);
        const int outside = isBelow(edge(entering).from, child) ? edge(entering).to : edge(entering).from;
        while (!isBelow(outside, top)) top = otherEnd(m_parentEdge[at(top)], top);
        for (const int end : {edge(leaving).from, edge(leaving).to}) {
            std::vector<int> &edges = m_tree[at(end)];
            edges.erase(std::find(edges.begin(), edges.end(), leaving));
        }
        addTreeEdge(entering);
        number(top, m_parentEdge[at(top)], m_low[at(top)]);
        return true;
    }

    const std::atomic<bool> &m_cancelled;
    const std::vector<SimplexEdge> &m_edges;
    std::vector<int> m_rank;
    std::vector<std::vector<int>> m_adjacent, m_tree;
    std::vector<int> m_parentEdge, m_low, m_lim;
    std::vector<std::int64_t> m_flow;
    std::vector<int> m_byLim;
    int m_next = -1;
    std::int64_t m_work = 0;
};

} // namespace

std::vector<int> networkSimplex(int nodes, const std::vector<SimplexEdge> &edges, const std::atomic<bool> &cancelled)
{
    if (nodes == 0) return {};
    return Simplex(nodes, edges, cancelled).run();
}

} // namespace ql
