#pragma once

#include "views/graph/layers.h"

#include <cstdint>
#include <unordered_map>

namespace ql {

/// Rows and columns of the finished drawing, for the routes through them.
struct Frame
{
    std::vector<double> rowTop, rowBottom;
    std::vector<int> columnOf;         ///< of each row
    std::vector<double> shift;         ///< to the right, per column
    std::vector<double> right, bottom; ///< per column
    double gutter = 0;                 ///< between the boxes of a column and the first net next to it
};

/// Orthogonal routes. In the gap between two rows each net turns on one horizontal track; the order of the tracks
/// minimizes crossings (Sander 1995, "A fast heuristic for hierarchical Manhattan layout", as in ELK).
class Routes
{
public:
    /// @param layers with coordinates
    explicit Routes(const Layers &layers);

    /// Height of the tracks below a row.
    double gapBelow(std::size_t row) const;
    /// Number of nets that pass from a row to the next one.
    int netsBelow(std::size_t row) const { return m_nets[row]; }
    /// Fills edges, ownFrom and bounds of a layout with placed nodes.
    void draw(const Frame &frame, Layout &layout);

private:
    /// A net in a gap: from one cell above to cells below.
    struct Segment
    {
        int upper = 0, net = 0;
        double top = 0; ///< x
        std::vector<double> bottoms;
        double low = 0, high = 0;
        int track = 0;
        bool isStraight() const { return Layers::isStraight(low, high); }
    };
    struct Hop
    {
        int upper, net;
        double top, bottom;
    };

    void findPorts();
    void findOutPorts();
    void findSegments();
    void assignTracks(std::vector<Segment> &segments, int &tracks) const;
    double topOf(int upper, int net) const;
    const Segment &segment(std::size_t row, int upper, int net) const;
    void drawEdge(int edge, Layout &layout);
    void drawFarEdges(Layout &layout) const;
    void addHop(std::size_t row, int upper, int net, double top, double bottom, QVector<QPointF> &points) const;
    double onScreen(double x, std::size_t row) const { return x + m_frame->shift[at(m_frame->columnOf[row])]; }

    const Layers &m_layers;
    std::vector<double> m_inPort;                        ///< x per edge
    std::unordered_map<std::uint64_t, double> m_outPort; ///< x per node and net
    std::vector<std::vector<Segment>> m_segments;        ///< per row, by cell above and net
    std::vector<int> m_tracks, m_nets;                   ///< per row
    const Frame *m_frame = nullptr;
    std::vector<int> m_runTop;   ///< of a lane: the highest one above it in a straight line
    std::vector<bool> m_isDrawn; ///< lanes
};

} // namespace ql
