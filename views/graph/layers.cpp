#include "views/graph/layers.h"

#include "views/graph/layout_ranks.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace ql {

namespace {

std::vector<std::pair<int, int>> distinctEdges(const LayoutGraph &graph)
{
    std::vector<std::pair<int, int>> edges;
    std::unordered_set<std::uint64_t> known;
    for (const auto &edge : graph.edges)
        if (known.insert(pairKey(edge.from, edge.to)).second) edges.emplace_back(edge.from, edge.to);
    return edges;
}

/// Immediate dominators of an acyclic graph (Cooper, Harvey, Kennedy 2001); -1 is the common root of all nodes without
/// input. @param isForward false: post-dominators, with inputs being the outgoing edges
std::vector<int> dominators(int nodes, const std::vector<std::vector<int>> &inputs, bool isForward)
{
    std::vector<int> above(at(nodes), -1), level(at(nodes), 0);
    const auto levelOf = [&](int n) { return n < 0 ? -1 : level[at(n)]; };
    for (int i = 0; i < nodes; ++i) {
        const int n = isForward ? i : nodes - 1 - i;
        bool isFirst = true;
        int common = -1;
        for (int input : inputs[at(n)]) {
            if (isFirst) common = input;
            isFirst = false;
            while (common != input) {
                if (levelOf(common) > levelOf(input))
                    common = above[at(common)];
                else if (levelOf(input) > levelOf(common))
                    input = above[at(input)];
                else {
                    common = above[at(common)];
                    input = above[at(input)];
                }
            }
        }
        above[at(n)] = common;
        level[at(n)] = levelOf(common) + 1;
    }
    return above;
}

class Maker
{
public:
    Maker(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled)
        : m_graph(graph), m_cancelled(cancelled), m_layers{.graph = graph, .options = options},
          m_edges(distinctEdges(graph))
    {}

    Layers make()
    {
        const int count = int(m_graph.sizes.size());
        m_layers.rank = assignRanks(count, m_edges, m_cancelled);
        if (m_cancelled) return std::move(m_layers);
        m_in.resize(at(count));
        m_out.resize(at(count));
        for (const auto &[from, to] : m_edges) {
            m_out[at(from)].push_back(to);
            m_in[at(to)].push_back(from);
        }
        int rows = 0;
        for (const int rank : m_layers.rank) rows = std::max(rows, rank + 1);
        m_layers.rows.resize(at(rows));
        m_layers.isCutBelow.resize(at(rows), false);
        addNodes();
        addSpines();
        addLanes();
        for (std::size_t c = 0; c < m_layers.cells.size(); ++c)
            m_layers.rows[at(m_layers.cells[c].rank)].push_back(int(c));
        m_layers.place.resize(m_layers.cells.size());
        return std::move(m_layers);
    }

private:
    int addCell(Cell::Kind kind, int source, int rank, double width)
    {
        Cell cell;
        cell.kind = kind;
        cell.source = source;
        cell.rank = rank;
        cell.width = width;
        m_layers.cells.push_back(std::move(cell));
        return int(m_layers.cells.size()) - 1;
    }

    void link(int upper, int lower)
    {
        m_layers.cell(upper).down.push_back(lower);
        m_layers.cell(lower).up.push_back(upper);
    }

    void addNodes()
    {
        const int count = int(m_graph.sizes.size());
        for (int n = 0; n < count; ++n) addCell(Cell::Kind::Node, n, m_layers.rank[at(n)], m_graph.sizes[n].width());
        m_layers.depth.assign(at(count), 0);
        for (int n = 0; n < count; ++n)
            for (const int next : m_out[at(n)])
                m_layers.depth[at(next)] = std::max(m_layers.depth[at(next)], m_layers.depth[at(n)] + 1);
        for (int n = count - 1; n >= 0; --n)
            for (const int next : m_out[at(n)])
                m_layers.cell(n).height = std::max(m_layers.cell(n).height, m_layers.cell(next).height + 1);
    }

    /// A fork with an even number of equally long branches that join again: without a spine one of them would be drawn
    /// as the main one.
    void addSpines()
    {
        const int count = int(m_graph.sizes.size());
        const std::vector<int> above = dominators(count, m_in, true), below = dominators(count, m_out, false);
        for (int n = 0; n < count; ++n) {
            const int join = below[at(n)];
            if (join < 0 || above[at(join)] != n || m_layers.rank[at(join)] - m_layers.rank[at(n)] < 2) continue;
            const auto longest = [&](const std::vector<int> &ends, const auto &length) {
                int best = -1, number = 0;
                for (const int end : ends) {
                    if (length(end) > best) number = 0;
                    best = std::max(best, length(end));
                    number += length(end) == best;
                }
                return number;
            };
            const int out = longest(m_out[at(n)], [&](int end) { return m_layers.cell(end).height; });
            const int in = longest(m_in[at(join)], [&](int end) { return m_layers.depth[at(end)]; });
            if (out % 2 == 1 || in % 2 == 1) continue;
            int upper = n;
            for (int rank = m_layers.rank[at(n)] + 1; rank < m_layers.rank[at(join)]; ++rank) {
                const int cell = addCell(Cell::Kind::Spine, n, rank, 0);
                link(upper, cell);
                upper = cell;
            }
            link(upper, join);
        }
    }

    int spanOf(const LayoutGraph::Edge &edge) const
    {
        return m_layers.rank[at(edge.to)] - m_layers.rank[at(edge.from)];
    }

    /// The rank difference from which an edge gets no lanes, so that graphs with many long edges stay small.
    int farFrom()
    {
        for (const auto &edge : m_graph.edges) {
            int &span = m_longest[pairKey(edge.from, edge.net)];
            span = std::max(span, spanOf(edge));
        }
        std::vector<int> reach;
        reach.reserve(m_longest.size());
        for (const auto &[key, span] : m_longest) reach.push_back(span);
        std::sort(reach.begin(), reach.end());
        std::size_t room = 4 * at(int(m_graph.sizes.size())) + 100'000;
        for (const int span : reach) {
            if (at(span) > room) return span;
            room -= at(span);
        }
        return reach.empty() ? 1 : reach.back() + 1;
    }

    void addLanes()
    {
        const int far = farFrom();
        // Of each net of a node, from above. A near consumer has its own lane: the lane to the far ones may take a long
        // detour
        std::unordered_map<std::uint64_t, std::vector<int>> lanes, nearLanes;
        constexpr int nearSpan = 8;
        m_layers.lastCell.assign(at(int(m_graph.edges.size())), -1);
        for (int e = 0; e < m_graph.edges.size(); ++e) {
            const auto &edge = m_graph.edges[e];
            const int span = spanOf(edge);
            if (span >= far && span > 1) {
                m_layers.farEdges.push_back(e);
                continue;
            }
            int upper = edge.from;
            if (span > 1) {
                const std::uint64_t net = pairKey(edge.from, edge.net);
                const bool isNear = span <= nearSpan && m_longest[net] > 2 * span;
                std::vector<int> &cells = (isNear ? nearLanes : lanes)[net];
                while (int(cells.size()) < span - 1) {
                    const int rank = m_layers.rank[at(edge.from)] + int(cells.size()) + 1;
                    cells.push_back(addCell(Cell::Kind::Lane, edge.from, rank, 0));
                    m_layers.cells.back().net = edge.net;
                    link(cells.size() > 1 ? cells[cells.size() - 2] : edge.from, cells.back());
                }
                upper = cells[at(span - 2)];
                for (int i = span - 2; i >= 0; --i) {
                    int &height = m_layers.cell(cells[at(i)]).height;
                    if (height >= m_layers.cell(edge.to).height) break;
                    height = m_layers.cell(edge.to).height;
                }
            }
            link(upper, edge.to);
            m_layers.lastCell[at(e)] = upper;
        }
    }

    const LayoutGraph &m_graph;
    const std::atomic<bool> &m_cancelled;
    Layers m_layers;
    std::vector<std::pair<int, int>> m_edges;
    std::vector<std::vector<int>> m_in, m_out;
    std::unordered_map<std::uint64_t, int> m_longest; ///< rank difference of each net of a node
};

} // namespace

double Layers::distance(int left, int right) const
{
    const double half = (cell(left).width + cell(right).width) / 2;
    const int boxes = int(isNode(left)) + int(isNode(right));
    if (isSpine(left) || isSpine(right)) return half + (boxes == 1 ? options.nodeGap : options.laneGap) / 2;
    return half + (boxes == 2 ? options.nodeGap : boxes == 1 ? options.nodeGap / 2 : options.laneGap);
}

Layers makeLayers(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled)
{
    return Maker(graph, options, cancelled).make();
}

} // namespace ql
