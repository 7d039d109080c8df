#pragma once

#include "views/graph/layout.h"

#include <cstdint>
#include <vector>

namespace ql {

/// Numbers of nodes, cells and rows are int, as in Layout; -1 is none.
constexpr std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

/// Two numbers as one hash key.
constexpr std::uint64_t pairKey(int a, int b)
{
    return std::uint64_t(std::uint32_t(a)) << 32 | std::uint32_t(b);
}

/// A place in a row: a box, a lane in which a net passes the row, or the spine of a symmetric fork, which reserves the
/// middle between its branches and is not drawn.
struct Cell
{
    enum class Kind { Node, Lane, Spine };
    Kind kind = Kind::Node;
    int rank = 0;
    int source = 0; ///< node of the cell, or the source of its net
    int net = 0;    ///< of a lane
    int height = 0; ///< operations on the longest path down from here
    double width = 0;
    double x = 0; ///< of the middle
    std::vector<int> up, down;
};

/// The graph with a cell for each node (the first ones, with the same numbers) and for each row that a net passes.
struct Layers
{
    const LayoutGraph &graph;
    const LayoutOptions &options;
    std::vector<int> rank = {};  ///< of the nodes
    std::vector<int> depth = {}; ///< operations on the longest way to each node
    std::vector<Cell> cells = {};
    std::vector<std::vector<int>> rows = {}; ///< cells from left to right
    std::vector<int> place = {};             ///< of each cell in its row
    std::vector<bool> isCutBelow = {};       ///< rows that end a column of a wrapped drawing
    std::vector<int> lastCell = {};          ///< per edge: the cell above its target
    std::vector<int> farEdges = {};          ///< without lanes: they would need too many; lastCell is -1

    Cell &cell(int c) { return cells[at(c)]; }
    const Cell &cell(int c) const { return cells[at(c)]; }
    bool isNode(int c) const { return cell(c).kind == Cell::Kind::Node; }
    bool isLane(int c) const { return cell(c).kind == Cell::Kind::Lane; }
    bool isSpine(int c) const { return cell(c).kind == Cell::Kind::Spine; }
    /// Distance of the middles of an upper cell and one of its lower ones that still counts as one line.
    static bool isStraight(double upper, double lower) { return upper - lower < 0.5 && lower - upper < 0.5; }
    /// Between the middles of neighbours in a row.
    double distance(int left, int right) const;
    void renumber(std::size_t row)
    {
        for (std::size_t i = 0; i < rows[row].size(); ++i) place[at(rows[row][i])] = int(i);
    }
};

/// Rows and cells of a graph; the order in the rows is that of the cells.
Layers makeLayers(const LayoutGraph &graph, const LayoutOptions &options, const std::atomic<bool> &cancelled);

} // namespace ql
