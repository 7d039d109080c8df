#include "views/graph/layout_routes.h"

#include <algorithm>
#include <cmath>

namespace ql {

namespace {

constexpr double portStep = 12;
constexpr double trackStep = 6;
constexpr double aboveTracks = 4, belowTracks = 10; ///< the arrow heads are below

/// Places on the side of a box for lines that come from the given positions, in this order: a straight one in the
/// middle, the others to its left and right.
std::vector<double> portsOf(const std::vector<double> &towards, double middle, double width)
{
    const int count = int(towards.size());
    int straight = -1, left = 0;
    for (int i = 0; i < count; ++i) {
        if (straight < 0 && Layers::isStraight(towards[at(i)], middle)) straight = i;
        left += towards[at(i)] < middle;
    }
    const double first = straight >= 0 ? -straight : -(count - 1) / 2.0;
    const double most = std::max(std::abs(first), std::abs(first + count - 1));
    const double step = std::min(portStep, 0.4 * width / std::max(most, 1.0));
    std::vector<double> ports;
    for (int i = 0; i < count; ++i) ports.push_back(middle + (first + i) * step);
    return ports;
}

} // namespace

Routes::Routes(const Layers &layers)
    : m_layers(layers), m_segments(layers.rows.size()), m_tracks(layers.rows.size(), 0), m_nets(layers.rows.size(), 0)
{
    findOutPorts();
    findPorts();
    findSegments();
    for (std::size_t row = 0; row < m_segments.size(); ++row) {
        m_nets[row] = int(m_segments[row].size());
        assignTracks(m_segments[row], m_tracks[row]);
    }
}

double Routes::gapBelow(std::size_t row) const
{
    return std::max(m_layers.options.rankGap, aboveTracks + belowTracks + trackStep * m_tracks[row]);
}

void Routes::findOutPorts()
{
    struct Net
    {
        double towards = 0;
        int net = 0, readers = 0;
    };
    std::vector<std::vector<Net>> nets(m_layers.rank.size());
    for (int e = 0; e < m_layers.graph.edges.size(); ++e) {
        const auto &edge = m_layers.graph.edges[e];
        std::vector<Net> &list = nets[at(edge.from)];
        auto it = std::find_if(list.begin(), list.end(), [&](const Net &n) { return n.net == edge.net; });
        if (it == list.end()) it = list.insert(list.end(), {0, edge.net, 0});
        it->towards += m_layers.cell(edge.to).x;
        ++it->readers;
    }
    for (int n = 0; n < int(nets.size()); ++n) {
        const Cell &cell = m_layers.cell(n);
        std::vector<Net> &list = nets[at(n)];
        for (const int below : cell.down) // a net with a lane goes towards the lane
            for (Net &net : list)
                if (m_layers.isLane(below) && m_layers.cell(below).net == net.net) {
                    net.towards = m_layers.cell(below).x;
                    net.readers = 1;
                }
        for (Net &net : list) net.towards /= net.readers;
        std::stable_sort(list.begin(), list.end(), [](const Net &a, const Net &b) { return a.towards < b.towards; });
        std::vector<double> towards;
        for (const Net &net : list) towards.push_back(net.towards);
        const std::vector<double> ports = portsOf(towards, cell.x, cell.width);
        for (std::size_t i = 0; i < list.size(); ++i) m_outPort.emplace(pairKey(n, list[i].net), ports[i]);
    }
}

void Routes::findPorts()
{
    std::vector<std::vector<int>> in(m_layers.rank.size());
    for (int e = 0; e < m_layers.graph.edges.size(); ++e) in[at(m_layers.graph.edges[e].to)].push_back(e);
    m_inPort.resize(at(int(m_layers.graph.edges.size())));
    for (int n = 0; n < int(in.size()); ++n) {
        std::vector<std::pair<double, int>> order;
        for (const int e : in[at(n)]) {
            const int last = m_layers.lastCell[at(e)];
            const double x = last < 0 ? 1e12 : topOf(last, m_layers.graph.edges[e].net);
            order.emplace_back(x, e);
        }
        std::sort(order.begin(), order.end());
        std::vector<double> towards;
        for (const auto &[x, e] : order) towards.push_back(x);
        const std::vector<double> ports = portsOf(towards, m_layers.cell(n).x, m_layers.cell(n).width);
        for (std::size_t i = 0; i < order.size(); ++i) m_inPort[at(order[i].second)] = ports[i];
    }
}

double Routes::topOf(int upper, int net) const
{
    if (!m_layers.isNode(upper)) return m_layers.cell(upper).x;
    return m_outPort.at(pairKey(upper, net));
}

void Routes::findSegments()
{
    std::vector<std::vector<Hop>> hops(m_layers.rows.size());
    for (const Cell &cell : m_layers.cells)
        if (cell.kind == Cell::Kind::Lane) {
            const int upper = cell.up.front();
            hops[at(cell.rank - 1)].push_back({upper, cell.net, topOf(upper, cell.net), cell.x});
        }
    for (int e = 0; e < m_layers.graph.edges.size(); ++e) {
        const int upper = m_layers.lastCell[at(e)];
        if (upper < 0) continue;
        const int net = m_layers.graph.edges[e].net;
        hops[at(m_layers.cell(upper).rank)].push_back({upper, net, topOf(upper, net), m_inPort[at(e)]});
    }
    for (std::size_t row = 0; row < hops.size(); ++row) {
        std::stable_sort(hops[row].begin(), hops[row].end(), [](const Hop &a, const Hop &b) {
            return a.upper != b.upper ? a.upper < b.upper : a.net < b.net;
        });
        std::vector<Segment> &segments = m_segments[row];
        for (const Hop &hop : hops[row]) {
            if (segments.empty() || segments.back().upper != hop.upper || segments.back().net != hop.net)
                segments.push_back({hop.upper, hop.net, hop.top, {}, hop.top, hop.top, 0});
            Segment &segment = segments.back();
            segment.bottoms.push_back(hop.bottom);
            segment.low = std::min(segment.low, hop.bottom);
            segment.high = std::max(segment.high, hop.bottom);
        }
    }
}

void Routes::assignTracks(std::vector<Segment> &segments, int &tracks) const
{
    std::vector<int> turning;
    for (int i = 0; i < int(segments.size()); ++i)
        if (!segments[at(i)].isStraight()) turning.push_back(i);
    if (turning.empty()) return;
    // Cost of one segment on an upper track and one on a lower track: crossings, and lines that overlap
    const auto cost = [](const Segment &upper, const Segment &lower) {
        constexpr double close = 3;
        double sum = lower.top > upper.low && lower.top < upper.high ? 1 : 0;
        for (const double x : upper.bottoms) {
            sum += x > lower.low && x < lower.high ? 1 : 0;
            sum += std::abs(x - lower.top) < close ? 10 : 0;
        }
        return sum;
    };
    constexpr std::size_t maxCompared = 64; // in pairs
    const std::size_t count = turning.size();
    std::vector<std::vector<int>> below(count);
    std::vector<int> open(count, 0);
    std::stable_sort(turning.begin(), turning.end(),
                     [&](int a, int b) { return segments[at(a)].low < segments[at(b)].low; });
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < std::min(count, i + maxCompared); ++j) {
            const Segment &a = segments[at(turning[i])], &b = segments[at(turning[j])];
            if (a.high + portStep / 2 < b.low) continue;
            const bool isAbove = cost(a, b) <= cost(b, a);
            below[isAbove ? i : j].push_back(int(isAbove ? j : i));
            ++open[isAbove ? j : i];
        }
    // Longest paths; in a cycle the segment with the fewest above it comes first
    std::vector<bool> isDone(count, false);
    for (std::size_t step = 0; step < count; ++step) {
        std::size_t next = count;
        for (std::size_t i = 0; i < count; ++i)
            if (!isDone[i] && (next == count || open[i] < open[next])) next = i;
        isDone[next] = true;
        const int track = segments[at(turning[next])].track;
        tracks = std::max(tracks, track + 1);
        for (const int other : below[next]) {
            --open[at(other)];
            if (isDone[at(other)]) continue;
            int &lower = segments[at(turning[at(other)])].track;
            lower = std::max(lower, track + 1);
        }
    }
}

const Routes::Segment &Routes::segment(std::size_t row, int upper, int net) const
{
    const std::vector<Segment> &segments = m_segments[row];
    return *std::lower_bound(segments.begin(), segments.end(), std::pair(upper, net),
                             [](const Segment &s, const auto &key) { return std::pair(s.upper, s.net) < key; });
}

/// Adds the turns between two rows, from below.
void Routes::addHop(std::size_t row, int upper, int net, double top, double bottom, QVector<QPointF> &points) const
{
    const Frame &frame = *m_frame;
    const double upperX = onScreen(top, row), lowerX = onScreen(bottom, row + 1);
    if (frame.columnOf[row] == frame.columnOf[row + 1]) {
        if (Layers::isStraight(top, bottom)) return;
        const double room = frame.rowTop[row + 1] - frame.rowBottom[row] - aboveTracks - belowTracks;
        const double y = frame.rowBottom[row] + aboveTracks +
                         room * (segment(row, upper, net).track + 0.5) / std::max(1, m_tracks[row]);
        points.append({lowerX, y});
        points.append({upperX, y});
        return;
    }
    // Below the column, up in the gutter and over the next column. The rightmost net is the innermost
    int after = 0, before = 0;
    for (const Segment &other : m_segments[row]) {
        const bool isLeft = std::pair(other.top, other.upper) < std::pair(top, upper) ||
                            (other.top == top && other.upper == upper && other.net < net);
        before += isLeft;
        after += !isLeft && (other.upper != upper || other.net != net);
    }
    const std::size_t column = std::size_t(frame.columnOf[row]);
    const double gap = m_layers.options.laneGap;
    const double x = frame.right[column] + frame.gutter + after * gap;
    const double lower = frame.bottom[column] + aboveTracks + 4 + after * gap;
    const double upperY = frame.rowTop[row + 1] - belowTracks - 4 - before * gap;
    points.append({lowerX, upperY});
    points.append({x, upperY});
    points.append({x, lower});
    points.append({upperX, lower});
}

void Routes::drawEdge(int e, Layout &layout)
{
    const Frame &frame = *m_frame;
    const auto &edge = m_layers.graph.edges[e];
    QVector<QPointF> points; // from below
    int upper = m_layers.lastCell[at(e)], own = -1;
    std::size_t row = at(m_layers.rank[at(edge.to)]) - 1;
    double x = m_inPort[at(e)];
    points.append({onScreen(x, row + 1), layout.nodes[edge.to].top()});
    while (true) {
        const double top = topOf(upper, edge.net);
        addHop(row, upper, edge.net, top, x, points);
        if (m_layers.isNode(upper)) {
            points.append({onScreen(top, row), layout.nodes[edge.from].bottom()});
            break;
        }
        // Other edges of the net may have drawn the rest of the route
        const int runTop = m_runTop[at(upper)];
        for (int lane = upper; own < 0; lane = m_layers.cell(lane).up.front()) {
            if (m_isDrawn[at(lane)]) {
                own = int(points.size());
                const std::size_t rank = at(m_layers.cell(lane).rank);
                points.append({onScreen(top, rank), frame.rowBottom[rank]});
            }
            m_isDrawn[at(lane)] = true;
            if (lane == runTop) break;
        }
        x = top;
        row = at(m_layers.cell(runTop).rank) - 1;
        upper = m_layers.cell(runTop).up.front();
    }
    std::reverse(points.begin(), points.end());
    layout.ownFrom[e] = own < 0 ? 0 : int(points.size()) - 1 - own;
    for (const QPointF &point : points) layout.bounds |= QRectF(point, QSizeF(0.01, 0.01));
    layout.edges[e] = std::move(points);
}

/// Around the whole drawing, each as far out as required by those that it passes.
void Routes::drawFarEdges(Layout &layout) const
{
    std::vector<int> order = m_layers.farEdges;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return layout.nodes[m_layers.graph.edges[a].from].top() < layout.nodes[m_layers.graph.edges[b].from].top();
    });
    std::vector<double> laneEnds;
    const double right = layout.bounds.right() + m_layers.options.nodeGap;
    for (const int e : order) {
        const auto &edge = m_layers.graph.edges[e];
        const QRectF &from = layout.nodes[edge.from], &to = layout.nodes[edge.to];
        const QPointF start(onScreen(m_outPort.at(pairKey(edge.from, edge.net)), at(m_layers.rank[at(edge.from)])),
                            from.bottom());
        const QPointF end(onScreen(m_inPort[at(e)], at(m_layers.rank[at(edge.to)])), to.top());
        std::size_t lane = 0;
        while (lane < laneEnds.size() && laneEnds[lane] > start.y()) ++lane;
        if (lane == laneEnds.size()) laneEnds.push_back(0);
        laneEnds[lane] = std::max(start.y(), end.y());
        const double x = right + double(lane) * m_layers.options.laneGap;
        const double startY = start.y() + aboveTracks, endY = end.y() - belowTracks;
        layout.edges[e] = {start, {start.x(), startY}, {x, startY}, {x, endY}, {end.x(), endY}, end};
    }
    if (!order.empty())
        layout.bounds |= QRectF(right, layout.bounds.top(), double(laneEnds.size()) * m_layers.options.laneGap, 1);
}

void Routes::draw(const Frame &frame, Layout &layout)
{
    m_frame = &frame;
    m_runTop.resize(m_layers.cells.size());
    for (int c = 0; c < int(m_layers.cells.size()); ++c) {
        const Cell &cell = m_layers.cell(c);
        m_runTop[at(c)] = c;
        if (!m_layers.isLane(c) || !m_layers.isLane(cell.up.front())) continue;
        const bool isCut = frame.columnOf[at(cell.rank)] != frame.columnOf[at(cell.rank - 1)];
        if (!isCut && m_layers.cell(cell.up.front()).x == cell.x) m_runTop[at(c)] = m_runTop[at(cell.up.front())];
    }
    m_isDrawn.assign(m_layers.cells.size(), false);
    layout.edges.resize(m_layers.graph.edges.size());
    layout.ownFrom.fill(0, m_layers.graph.edges.size());
    for (int e = 0; e < m_layers.graph.edges.size(); ++e)
        if (m_layers.lastCell[at(e)] >= 0) drawEdge(e, layout);
    drawFarEdges(layout);
}

} // namespace ql
