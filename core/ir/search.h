#pragma once

#include "core/ir/graph.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ql {

/// Down: from producers to consumers; Up: against the flow of data.
enum class Direction { Down, Up };

using OpPredicate = std::function<bool(const Operation &)>;
/// May the search continue from 'from' to its neighbour 'to' (in the direction of the search)?
using RelayPredicate = std::function<bool(const Operation &from, const Operation &to)>;

OpPredicate ofType(std::string type);
OpPredicate ofTypes(std::initializer_list<const char *> types);
OpPredicate ofTypes(std::set<std::string, std::less<>> types);

/// A small acyclic graph to be found in a large one: nodes[i] tests which operations match place i, an edge {i, j}
/// means that place i feeds place j.
struct OpPattern
{
    std::vector<OpPredicate> nodes;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    /// The match is isolated: no operation outside reads an intermediate result, and places with edges into them read
    /// no results of operations outside. Inputs of roots and outputs of leaves are free; parameters and graph inputs
    /// never count as operations.
    bool exclusive = true;
    /// With exclusive: an intermediate result that is a graph output counts as read from outside.
    bool graphOutputsCount = true;
};

/// The links between operations, compiled once for many searches: linear in the size of the graph, for any number of
/// consumers. A snapshot: the graph must stay alive and unedited. Results are deterministic: operations in insertion
/// order.
class GraphSearch
{
public:
    explicit GraphSearch(const Graph &graph);

    const Graph &graph() const { return m_graph; }
    /// All operations in insertion order.
    const std::vector<OpId> &operations() const { return m_operations; }
    /// Each neighbour once, in the order of inputs, or of outputs and their uses.
    std::span<const OpId> producers(OpId op) const { return m_up.row(op); }
    std::span<const OpId> consumers(OpId op) const { return m_down.row(op); }
    std::span<const OpId> next(OpId op, Direction direction) const
    {
        return direction == Direction::Down ? consumers(op) : producers(op);
    }
    /// No input comes from another operation, or no output goes to one.
    bool isBoundary(OpId op) const { return producers(op).empty() || consumers(op).empty(); }

    /// All operations on a path from an operation with start to one with end, both included, where every step before
    /// the end satisfies relay. The end is tested before relay and ends that path; paths that never reach an end add
    /// nothing, so a start without neighbours adds nothing. Each edge and each operation is visited once: linear. end
    /// empty: everything that relay lets the search reach, including starts.
    std::set<OpId> reachable(const OpPredicate &start, const RelayPredicate &relay, const OpPredicate &end,
                             Direction direction) const;
    /// As reachable, but each path separately, from start to end. Starts in insertion order, then the order of next().
    /// Only paths that reach an end are followed, so the cost is proportional to the size of the result.
    /// @throws Error (InvalidModel) if there are more than limit paths (their number can grow exponentially).
    std::vector<std::vector<OpId>> paths(const OpPredicate &start, const RelayPredicate &relay, const OpPredicate &end,
                                         Direction direction, std::size_t limit = 1000000) const;
    /// Every embedding of the pattern: entry i of a result is the operation at place i. Sorted; a symmetric pattern
    /// gives one result per embedding. Each connected pattern costs about the number of operations times the fan-out
    /// at its places.
    /// @throws Error (Internal) for a cyclic pattern or an edge to a place that does not exist, (InvalidModel) for
    /// more than limit partial matches.
    std::vector<std::vector<OpId>> match(const OpPattern &pattern, std::size_t limit = 1000000) const;

private:
    /// Rows of neighbours in one array (compressed sparse rows), indexed by operation id.
    struct Rows
    {
        std::vector<std::size_t> begin;
        std::vector<OpId> items;
        std::span<const OpId> row(OpId op) const
        {
            const std::size_t i = std::size_t(index(op));
            return {items.data() + begin[i], begin[i + 1] - begin[i]};
        }
    };
    struct Frontier;
    Frontier explore(const OpPredicate &start, const RelayPredicate &relay, const OpPredicate &end,
                     Direction direction) const;
    bool isIsland(const OpPattern &pattern, const std::vector<OpId> &match, const std::vector<int> &inDegree,
                  const std::vector<int> &outDegree) const;

    const Graph &m_graph;
    std::vector<OpId> m_operations;
    Rows m_up, m_down;
    std::vector<bool> m_writesGraphOutput; // by operation id
};

} // namespace ql
