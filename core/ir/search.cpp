#include "core/ir/search.h"

#include "core/base/error.h"

#include <algorithm>

namespace ql {

OpPredicate ofType(std::string type)
{
    return [type = std::move(type)](const Operation &op) { return op.type == type; };
}

OpPredicate ofTypes(std::initializer_list<const char *> types)
{
    return ofTypes(std::set<std::string, std::less<>>(types.begin(), types.end()));
}

OpPredicate ofTypes(std::set<std::string, std::less<>> types)
{
    return [types = std::move(types)](const Operation &op) { return types.find(op.type) != types.end(); };
}

GraphSearch::GraphSearch(const Graph &graph) : m_graph(graph), m_operations(graph.operations())
{
    const std::size_t bound = std::size_t(graph.operationIdBound());
    m_writesGraphOutput.assign(bound, false);
    for (const VarId output : graph.outputs()) {
        const OpId producer = graph.variable(output).producer;
        if (producer != noOp) m_writesGraphOutput[std::size_t(index(producer))] = true;
    }
    // seen[i] == op means that i is already in op's row: no search for duplicates in wide rows
    std::vector<OpId> seen(bound, noOp);
    const auto fill = [&](Rows &rows, auto &&neighbours) {
        std::fill(seen.begin(), seen.end(), noOp);
        rows.begin.assign(bound + 1, 0);
        std::size_t nextId = 0;
        for (const OpId id : m_operations) {
            for (; nextId <= std::size_t(index(id)); ++nextId) rows.begin[nextId] = rows.items.size();
            neighbours(graph.operation(id), [&](OpId neighbour) {
                OpId &mark = seen[std::size_t(index(neighbour))];
                if (mark == id) return;
                mark = id;
                rows.items.push_back(neighbour);
            });
        }
        for (; nextId <= bound; ++nextId) rows.begin[nextId] = rows.items.size();
    };
    fill(m_up, [&](const Operation &op, auto &&add) {
        for (const VarId input : op.inputs)
            if (input != noVar && graph.variable(input).producer != noOp) add(graph.variable(input).producer);
    });
    fill(m_down, [&](const Operation &op, auto &&add) {
        for (const VarId output : op.outputs)
            if (output != noVar)
                for (const Use &use : graph.variable(output).uses) add(use.op);
    });
}

/// The operations visited by a search. All vectors are indexed by operation id.
struct GraphSearch::Frontier
{
    std::vector<OpId> starts;
    std::vector<OpId> visited; ///< visited operations, in order
    std::vector<bool> isVisited;
    std::vector<bool> isEnd;
    std::vector<bool> isGood; ///< is on a path to an end
    /// Steps allowed by relay, as (from, to), none of them into an end.
    std::vector<std::pair<OpId, OpId>> steps;
};

GraphSearch::Frontier GraphSearch::explore(const OpPredicate &start, const RelayPredicate &relay,
                                           const OpPredicate &end, Direction direction) const
{
    const std::size_t bound = std::size_t(m_graph.operationIdBound());
    Frontier f;
    f.isVisited.assign(bound, false);
    f.isEnd.assign(bound, false);
    f.isGood.assign(bound, false);
    if (end)
        for (const OpId id : m_operations) f.isEnd[std::size_t(index(id))] = end(m_graph.operation(id));
    std::vector<OpId> stack;
    const auto visit = [&](OpId id) {
        if (f.isVisited[std::size_t(index(id))]) return;
        f.isVisited[std::size_t(index(id))] = true;
        f.visited.push_back(id);
        stack.push_back(id);
    };
    std::vector<OpId> good;
    const auto markGood = [&](OpId id) {
        if (f.isGood[std::size_t(index(id))]) return;
        f.isGood[std::size_t(index(id))] = true;
        good.push_back(id);
    };
    for (const OpId id : m_operations)
        if (start(m_graph.operation(id))) f.starts.push_back(id);
    for (const OpId id : f.starts) visit(id);
    while (!stack.empty()) {
        const OpId from = stack.back();
        stack.pop_back();
        if (!end) markGood(from);
        for (const OpId to : next(from, direction)) {
            if (f.isEnd[std::size_t(index(to))]) {
                markGood(from);
            } else if (relay(m_graph.operation(from), m_graph.operation(to))) {
                f.steps.emplace_back(from, to);
                visit(to);
            }
        }
    }
    if (!end) return f;
    // propagate "good" back along the allowed steps
    std::vector<std::size_t> begin(bound + 1, 0);
    for (const auto &[from, to] : f.steps) ++begin[std::size_t(index(to)) + 1];
    for (std::size_t i = 0; i < bound; ++i) begin[i + 1] += begin[i];
    std::vector<OpId> sources(f.steps.size());
    std::vector<std::size_t> fill(begin.begin(), begin.end() - 1);
    for (const auto &[from, to] : f.steps) sources[fill[std::size_t(index(to))]++] = from;
    while (!good.empty()) {
        const std::size_t to = std::size_t(index(good.back()));
        good.pop_back();
        for (std::size_t i = begin[to]; i < begin[to + 1]; ++i) markGood(sources[i]);
    }
    return f;
}

std::set<OpId> GraphSearch::reachable(const OpPredicate &start, const RelayPredicate &relay, const OpPredicate &end,
                                      Direction direction) const
{
    const Frontier f = explore(start, relay, end, direction);
    std::vector<bool> inside(f.isGood);
    for (const OpId from : f.visited)
        for (const OpId to : next(from, direction))
            if (f.isEnd[std::size_t(index(to))]) inside[std::size_t(index(to))] = true;
    std::set<OpId> result;
    for (std::size_t i = 0; i < inside.size(); ++i)
        if (inside[i]) result.insert(result.end(), OpId(std::int32_t(i)));
    return result;
}

std::vector<std::vector<OpId>> GraphSearch::paths(const OpPredicate &start, const RelayPredicate &relay,
                                                  const OpPredicate &end, Direction direction, std::size_t limit) const
{
    const Frontier f = explore(start, relay, end, direction);
    std::vector<std::vector<OpId>> result;
    std::vector<OpId> path;
    std::vector<std::size_t> place; // next neighbour to try of path[i]
    for (const OpId first : f.starts) {
        if (!f.isGood[std::size_t(index(first))]) continue;
        path.assign(1, first);
        place.assign(1, 0);
        while (!path.empty()) {
            const OpId from = path.back();
            const auto neighbours = next(from, direction);
            if (place.back() == neighbours.size()) {
                path.pop_back();
                place.pop_back();
                continue;
            }
            const OpId to = neighbours[place.back()++];
            if (f.isEnd[std::size_t(index(to))]) {
                if (result.size() == limit)
                    throw Error(ErrorKind::InvalidModel,
                                QL_TEXT("more than %1 paths between operations of the graph").with(limit),
                                m_graph.operation(first).name);
                result.push_back(path);
                result.back().push_back(to);
            } else if (f.isGood[std::size_t(index(to))] && relay(m_graph.operation(from), m_graph.operation(to))) {
                path.push_back(to);
                place.push_back(0);
            }
        }
    }
    return result;
}

bool GraphSearch::isIsland(const OpPattern &pattern, const std::vector<OpId> &match, const std::vector<int> &inDegree,
                           const std::vector<int> &outDegree) const
{
    const auto inside = [&](OpId id) { return std::find(match.begin(), match.end(), id) != match.end(); };
    for (std::size_t i = 0; i < match.size(); ++i) {
        if (inDegree[i] > 0) {
            const auto before = producers(match[i]);
            if (before.size() != std::size_t(inDegree[i]) || !std::all_of(before.begin(), before.end(), inside))
                return false;
        }
        if (outDegree[i] > 0) {
            if (pattern.graphOutputsCount && m_writesGraphOutput[std::size_t(index(match[i]))]) return false;
            const auto after = consumers(match[i]);
            // With more consumers than places, they can never be all inside; keeps wide tensors cheap.
            if (after.size() > match.size() || !std::all_of(after.begin(), after.end(), inside)) return false;
        }
    }
    return true;
}

namespace {

/// Places in an order in which each one, if possible, is a neighbour of an earlier one.
std::vector<std::size_t> matchingOrder(const OpPattern &pattern)
{
    const std::size_t count = pattern.nodes.size();
    std::vector<std::size_t> order;
    std::vector<bool> taken(count, false);
    while (order.size() < count) {
        std::size_t pick = count;
        for (const auto &[from, to] : pattern.edges) {
            if (taken[from] && !taken[to]) pick = std::min(pick, to);
            if (taken[to] && !taken[from]) pick = std::min(pick, from);
        }
        if (pick == count) pick = std::size_t(std::find(taken.begin(), taken.end(), false) - taken.begin());
        taken[pick] = true;
        order.push_back(pick);
    }
    return order;
}

void checkPattern(const OpPattern &pattern)
{
    const std::size_t count = pattern.nodes.size();
    std::vector<int> waiting(count, 0);
    for (const auto &[from, to] : pattern.edges) {
        if (from >= count || to >= count)
            throw Error(ErrorKind::Internal, QL_TEXT("a pattern has an edge to a node that does not exist"));
        ++waiting[to];
    }
    // Kahn's algorithm on a few places
    std::vector<std::size_t> ready;
    for (std::size_t i = 0; i < count; ++i)
        if (waiting[i] == 0) ready.push_back(i);
    for (std::size_t done = 0; done < ready.size(); ++done)
        for (const auto &[from, to] : pattern.edges)
            if (from == ready[done] && --waiting[to] == 0) ready.push_back(to);
    if (ready.size() != count) throw Error(ErrorKind::Internal, QL_TEXT("a pattern must be acyclic"));
}

} // namespace

std::vector<std::vector<OpId>> GraphSearch::match(const OpPattern &pattern, std::size_t limit) const
{
    checkPattern(pattern);
    const std::size_t count = pattern.nodes.size();
    std::vector<int> inDegree(count, 0), outDegree(count, 0);
    for (const auto &[from, to] : pattern.edges) {
        ++outDegree[from];
        ++inDegree[to];
    }
    std::vector<std::vector<OpId>> partial;
    if (count > 0) partial.emplace_back(count, noOp);
    const auto feeds = [&](OpId from, OpId to) {
        const auto before = producers(to); // the short side: an operation has few inputs
        return std::find(before.begin(), before.end(), from) != before.end();
    };
    for (const std::size_t place : matchingOrder(pattern)) {
        std::vector<std::vector<OpId>> extended;
        for (const std::vector<OpId> &match : partial) {
            std::span<const OpId> candidates(m_operations);
            for (const auto &[from, to] : pattern.edges) {
                std::span<const OpId> nearby;
                if (to == place && match[from] != noOp)
                    nearby = consumers(match[from]);
                else if (from == place && match[to] != noOp)
                    nearby = producers(match[to]);
                else
                    continue;
                if (nearby.size() < candidates.size()) candidates = nearby;
            }
            for (const OpId candidate : candidates) {
                if (std::find(match.begin(), match.end(), candidate) != match.end()) continue;
                // an exclusive place cannot have more neighbours than the pattern: prune early on wide tensors
                if (pattern.exclusive && outDegree[place] > 0 && consumers(candidate).size() > count) continue;
                if (!pattern.nodes[place](m_graph.operation(candidate))) continue;
                const bool linked = std::all_of(pattern.edges.begin(), pattern.edges.end(), [&](const auto &edge) {
                    if (edge.first == place && match[edge.second] != noOp) return feeds(candidate, match[edge.second]);
                    if (edge.second == place && match[edge.first] != noOp) return feeds(match[edge.first], candidate);
                    return true;
                });
                if (!linked) continue;
                if (extended.size() == limit)
                    throw Error(ErrorKind::InvalidModel,
                                QL_TEXT("more than %1 candidates for a pattern in the graph").with(limit));
                extended.push_back(match);
                extended.back()[place] = candidate;
            }
        }
        partial = std::move(extended);
    }
    if (pattern.exclusive)
        std::erase_if(partial, [&](const std::vector<OpId> &m) { return !isIsland(pattern, m, inDegree, outDegree); });
    std::sort(partial.begin(), partial.end());
    return partial;
}

} // namespace ql
