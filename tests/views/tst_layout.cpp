#include "tests/support/test_main.h"
#include "views/graph/layout.h"
#include "views/graph/layout_ranks.h"
#include "views/graph/layout_wrap.h"

#include <QRandomGenerator>
#include <QtTest>
#include <cmath>
#include <set>

using namespace ql;

namespace {

const std::atomic<bool> neverCancelled{false};

LayoutGraph graphOf(int nodes, const QVector<QPair<int, int>> &edges)
{
    LayoutGraph graph;
    graph.sizes.fill(QSizeF(212, 44), nodes);
    for (const auto &[from, to] : edges) graph.edges.append({from, to, from});
    return graph;
}

/// A chain of blocks of four branches that meet again, as in inception networks, with a skip over every block.
LayoutGraph inception(int nodes)
{
    QVector<QPair<int, int>> edges;
    int last = 0, next = 1;
    while (next + 9 < nodes) {
        const int join = next + 8;
        for (int branch = 0; branch < 4; ++branch) {
            edges.append({last, next + 2 * branch});
            edges.append({next + 2 * branch, next + 2 * branch + 1});
            edges.append({next + 2 * branch + 1, join});
        }
        edges.append({last, join});
        last = join;
        next = join + 1;
    }
    return graphOf(next, edges);
}

/// Layers of attention: three projections of one tensor, two products, skips, and one mask that every layer reads.
LayoutGraph transformer(int nodes)
{
    QVector<QPair<int, int>> edges;
    int last = 1, next = 2;
    while (next + 12 < nodes) {
        const int n = next;
        for (const int projection : {n, n + 1, n + 2}) edges.append({last, projection});
        edges.append({n, n + 3});
        edges.append({n + 1, n + 3});
        edges.append({0, n + 4});
        edges.append({n + 3, n + 4});
        edges.append({n + 4, n + 5});
        edges.append({n + 5, n + 6});
        edges.append({n + 2, n + 6});
        edges.append({n + 6, n + 7});
        edges.append({last, n + 8});
        edges.append({n + 7, n + 8});
        edges.append({n + 8, n + 9});
        edges.append({n + 9, n + 10});
        edges.append({n + 8, n + 11});
        edges.append({n + 10, n + 11});
        last = n + 11;
        next = n + 12;
    }
    return graphOf(next, edges);
}

/// A chain of convolutions with an addition after every second one, which also reads what came before them.
LayoutGraph residual(int blocks)
{
    QVector<QPair<int, int>> edges;
    for (int b = 0; b < blocks; ++b) {
        const int last = 3 * b;
        edges += {{last, last + 1}, {last + 1, last + 2}, {last + 2, last + 3}, {last, last + 3}};
    }
    return graphOf(3 * blocks + 1, edges);
}

/// SqueezeNet: a squeeze, two expansions of equal length, and a concatenation.
LayoutGraph fire(int blocks)
{
    QVector<QPair<int, int>> edges;
    for (int b = 0; b < blocks; ++b) {
        const int n = 4 * b;
        edges += {{n, n + 1}, {n + 1, n + 2}, {n + 1, n + 3}, {n + 2, n + 4}, {n + 3, n + 4}};
    }
    return graphOf(4 * blocks + 1, edges);
}

LayoutGraph randomGraph(int seed, int most)
{
    QRandomGenerator random{quint32(seed)};
    const int nodes = 2 + random.bounded(most - 1);
    std::set<QPair<int, int>> edges;
    for (int e = 0; e < nodes * 3 / 2; ++e) {
        const int from = random.bounded(nodes - 1);
        edges.insert({from, from + 1 + random.bounded(nodes - from - 1)});
    }
    return graphOf(nodes, QVector<QPair<int, int>>(edges.begin(), edges.end()));
}

/// Sum of the edge lengths of the best ranks, by trying all.
int shortestByTrying(int nodes, const std::vector<std::pair<int, int>> &edges)
{
    std::vector<int> rank(std::size_t(nodes), 0);
    int best = INT_MAX;
    while (true) {
        int sum = 0;
        for (const auto &[from, to] : edges) {
            const int length = rank[std::size_t(to)] - rank[std::size_t(from)];
            sum = length < 1 ? INT_MAX / 2 : std::min(INT_MAX / 2, sum + length);
            if (sum >= best) break;
        }
        best = std::min(best, sum);
        std::size_t i = 0;
        while (i < rank.size() && ++rank[i] == nodes) rank[i++] = 0;
        if (i == rank.size()) return best;
    }
}

/// Bends of a line; a sideways step has two.
int turnsOf(const QVector<QPointF> &points)
{
    int turns = 0;
    for (qsizetype i = 1; i + 1 < points.size(); ++i) {
        const QPointF in = points[i] - points[i - 1], out = points[i + 1] - points[i];
        turns += std::abs(in.x() * out.y() - in.y() * out.x()) > 1;
    }
    return turns;
}

/// Boxes do not touch each other; edges go from box to box along horizontal and vertical lines, off all other boxes.
void checkDrawing(const LayoutGraph &graph, const Layout &layout, bool leftToRight = false)
{
    QCOMPARE(layout.nodes.size(), graph.sizes.size());
    for (int a = 0; a < layout.nodes.size(); ++a) {
        QCOMPARE(layout.nodes[a].size(), graph.sizes[a]);
        QVERIFY(layout.bounds.adjusted(-0.1, -0.1, 0.1, 0.1).contains(layout.nodes[a]));
        for (int b = a + 1; b < layout.nodes.size(); ++b)
            QVERIFY2(!layout.nodes[a].intersects(layout.nodes[b]),
                     qPrintable(QStringLiteral("%1 on %2").arg(a).arg(b)));
    }
    for (int e = 0; e < graph.edges.size(); ++e) {
        const QVector<QPointF> &points = layout.edges[e];
        const QRectF &from = layout.nodes[graph.edges[e].from], &to = layout.nodes[graph.edges[e].to];
        if (leftToRight) {
            QCOMPARE(points.front().x(), from.right());
            QCOMPARE(points.back().x(), to.left());
            QVERIFY(points.front().y() > from.top() && points.front().y() < from.bottom());
            QVERIFY(points.back().y() > to.top() && points.back().y() < to.bottom());
        } else {
            QCOMPARE(points.front().y(), from.bottom());
            QCOMPARE(points.back().y(), to.top());
            QVERIFY(points.front().x() > from.left() && points.front().x() < from.right());
            QVERIFY(points.back().x() > to.left() && points.back().x() < to.right());
        }
        QVERIFY(layout.ownFrom[e] >= 0 && layout.ownFrom[e] + 1 < points.size());
        for (qsizetype i = 1; i < points.size(); ++i) {
            const QPointF way = points[i] - points[i - 1];
            QVERIFY(std::min(std::abs(way.x()), std::abs(way.y())) < 0.6);
            const QRectF line = QRectF(points[i - 1], points[i]).normalized().adjusted(-1, -1, 1, 1);
            for (int n = 0; n < layout.nodes.size(); ++n)
                if (n != graph.edges[e].from && n != graph.edges[e].to)
                    QVERIFY2(!line.intersects(layout.nodes[n]),
                             qPrintable(QStringLiteral("edge %1 over box %2").arg(e).arg(n)));
        }
    }
}

} // namespace

class TestLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAreMinimal()
    {
        for (int seed = 0; seed < 400; ++seed) {
            QRandomGenerator random{quint32(seed)};
            const int nodes = 3 + random.bounded(4);
            std::vector<std::pair<int, int>> edges;
            for (int from = 0; from < nodes; ++from)
                for (int to = from + 1; to < nodes; ++to)
                    if (random.bounded(5) < 3) edges.emplace_back(from, to);
            const std::vector<int> rank = assignRanks(nodes, edges, neverCancelled);
            int sum = 0;
            for (const auto &[from, to] : edges) {
                QVERIFY2(rank[std::size_t(to)] > rank[std::size_t(from)], qPrintable(QString::number(seed)));
                sum += rank[std::size_t(to)] - rank[std::size_t(from)];
            }
            QCOMPARE(*std::min_element(rank.begin(), rank.end()), 0);
            QVERIFY2(sum == shortestByTrying(nodes, edges), qPrintable(QString::number(seed)));
        }
    }

    void drawsEverything_data()
    {
        QTest::addColumn<int>("seed");
        QTest::addColumn<bool>("leftToRight");
        QTest::addColumn<double>("aspect");
        for (int seed = 0; seed < 24; ++seed)
            QTest::addRow("seed %d", seed) << seed << (seed % 3 == 1) << (seed % 4 == 2 ? 1.6 : 0.0);
    }
    void drawsEverything()
    {
        QFETCH(int, seed);
        QFETCH(bool, leftToRight);
        QFETCH(double, aspect);
        const LayoutGraph graph = randomGraph(seed, 120);
        LayoutOptions options;
        options.leftToRight = leftToRight;
        options.wrapAspect = aspect;
        const Layout layout = layOut(graph, options, neverCancelled);
        checkDrawing(graph, layout, leftToRight);
        const Layout again = layOut(graph, options, neverCancelled);
        QCOMPARE(again.nodes, layout.nodes);
        QCOMPARE(again.edges, layout.edges);
    }

    void drawsFamilies_data()
    {
        QTest::addColumn<int>("family");
        QTest::addColumn<double>("aspect");
        int family = 0;
        for (const char *name : {"inception", "transformer", "residual", "fire"}) {
            QTest::newRow(name) << family << 0.0;
            QTest::addRow("%s, wrapped", name) << family << 1.5;
            ++family;
        }
    }
    void drawsFamilies()
    {
        QFETCH(int, family);
        QFETCH(double, aspect);
        const LayoutGraph graph = family == 0   ? inception(200)
                                  : family == 1 ? transformer(200)
                                  : family == 2 ? residual(60)
                                                : fire(40);
        LayoutOptions options;
        options.wrapAspect = aspect;
        const Layout layout = layOut(graph, options, neverCancelled);
        checkDrawing(graph, layout);
        QCOMPARE(layout.columns > 1, aspect > 0);
        // A long edge goes to its lane and back: two steps sideways at most
        if (aspect == 0)
            for (int e = 0; e < graph.edges.size(); ++e)
                QVERIFY2(turnsOf(layout.edges[e]) <= 4, qPrintable(QString::number(e)));
    }

    void trunksAreStraight()
    {
        QVector<QPair<int, int>> chain;
        for (int n = 0; n < 49; ++n) chain.append({n, n + 1});
        const Layout line = layOut(graphOf(50, chain), {}, neverCancelled);
        for (const QRectF &box : line.nodes) QCOMPARE(box.center().x(), line.nodes[0].center().x());
        for (const QVector<QPointF> &points : line.edges) QCOMPARE(turnsOf(points), 0);

        // The skip is a line close to the chain
        const LayoutGraph graph = residual(20);
        const Layout skips = layOut(graph, {}, neverCancelled);
        for (const QRectF &box : skips.nodes) QCOMPARE(box.center().x(), skips.nodes[0].center().x());
        QVERIFY(skips.bounds.width() < 212 + 40);

        // Two branches of equal length are symmetric about the trunk
        const Layout forks = layOut(fire(12), {}, neverCancelled);
        const double middle = forks.nodes[0].center().x();
        for (int b = 0; b < 12; ++b) {
            QCOMPARE(forks.nodes[4 * b + 1].center().x(), middle);
            QCOMPARE(forks.nodes[4 * b + 4].center().x(), middle);
            QCOMPARE(forks.nodes[4 * b + 2].center().x() + forks.nodes[4 * b + 3].center().x(), 2 * middle);
        }
    }

    void netsShareTheirRoute()
    {
        // One tensor that is read all along a chain: one lane, of which each reader draws its own part
        QVector<QPair<int, int>> edges;
        for (int n = 0; n < 40; ++n) edges.append({n, n + 1});
        for (int n = 10; n <= 40; n += 5) edges.append({0, n});
        const LayoutGraph graph = graphOf(41, edges);
        const Layout layout = layOut(graph, {}, neverCancelled);
        QSet<int> lanes;
        double length = 0;
        for (int e = 0; e < graph.edges.size(); ++e) {
            if (graph.edges[e].from != 0) continue;
            for (qsizetype i = layout.ownFrom[e] + 1; i < layout.edges[e].size(); ++i) {
                const QPointF way = layout.edges[e][i] - layout.edges[e][i - 1];
                length += std::abs(way.y());
                if (std::abs(way.y()) > 300) lanes.insert(qRound(layout.edges[e][i].x()));
            }
        }
        QCOMPARE(lanes.size(), 1);
        QVERIFY(length < 1.5 * layout.bounds.height());
    }

    /// Normalization before attention: an edge to a near consumer does not go around branches that come later.
    void nearReadersHaveNearLanes()
    {
        QVector<QPair<int, int>> edges{{0, 5}, {0, 20}};
        for (int n = 0; n < 20; ++n) edges.append({n, n + 1});
        for (int branch = 0; branch < 3; ++branch) edges += {{7, 21 + branch}, {21 + branch, 18}};
        std::sort(edges.begin(), edges.end());
        // Nodes in topological order: the branches come before what reads them
        QVector<int> number(24);
        for (int n = 0; n < 24; ++n) number[n] = n <= 7 ? n : n >= 21 ? n - 13 : n + 3;
        for (auto &[from, to] : edges) {
            from = number[from];
            to = number[to];
        }
        const LayoutGraph graph = graphOf(24, edges);
        const Layout layout = layOut(graph, {}, neverCancelled);
        checkDrawing(graph, layout);
        const auto reach = [&](int to) {
            double most = 0;
            for (int e = 0; e < graph.edges.size(); ++e)
                if (graph.edges[e].from == 0 && graph.edges[e].to == number[to])
                    for (const QPointF &point : layout.edges[e])
                        most = std::max(most, std::abs(point.x() - layout.nodes[0].center().x()));
            return most;
        };
        QVERIFY(reach(20) > 212);
        QVERIFY2(reach(5) < 150, qPrintable(QString::number(reach(5))));
    }

    void wrapsAtNarrowPlaces()
    {
        // Rows that one net leaves, and every third that five leave
        std::vector<RowExtent> rows;
        for (int r = 0; r < 90; ++r) rows.push_back({0, 200, 50, 30, r % 3 == 2 ? 1 : 5});
        const std::vector<int> first = wrapRows(rows, 1.5, 40, 9);
        QVERIFY(first.size() > 3);
        double most = 0, least = 1e9;
        for (std::size_t k = 0; k < first.size(); ++k) {
            QCOMPARE(first[k] % 3, 0);
            const int end = k + 1 < first.size() ? first[k + 1] : 90;
            most = std::max(most, double(end - first[k]));
            if (k + 1 < first.size()) least = std::min(least, double(end - first[k]));
        }
        QVERIFY(least > 0.6 * most);
        // The whole is larger in a window of that shape than unwrapped
        const LayoutGraph graph = residual(50);
        LayoutOptions options;
        const Layout tall = layOut(graph, options, neverCancelled);
        options.wrapAspect = 1.5;
        const Layout wrapped = layOut(graph, options, neverCancelled);
        const auto sizeOf = [](const Layout &layout) {
            return std::max(layout.bounds.width() / 1.5, layout.bounds.height());
        };
        QVERIFY(sizeOf(wrapped) < 0.3 * sizeOf(tall));
        options.leftToRight = true;
        QVERIFY(sizeOf(layOut(graph, options, neverCancelled)) < 0.5 * sizeOf(tall));
    }

    void staysWhereItWas()
    {
        const LayoutGraph first = inception(200);
        const Layout before = layOut(first, {}, neverCancelled);
        // One more box at the end: the others keep their order in the rows
        LayoutGraph second = first;
        second.sizes.append(QSizeF(212, 44));
        second.edges.append({int(first.sizes.size()) - 1, int(first.sizes.size()), int(first.sizes.size()) - 1});
        second.hints = before.across;
        second.hints.append(NAN);
        const Layout after = layOut(second, {}, neverCancelled);
        for (int a = 0; a < first.sizes.size(); ++a)
            for (int b = 0; b < a; ++b)
                if (before.rank[a] == before.rank[b])
                    QCOMPARE(before.nodes[a].left() < before.nodes[b].left(),
                             after.nodes[a].left() < after.nodes[b].left());
    }

    void stopsWhenCancelled()
    {
        const std::atomic<bool> cancelled{true};
        QVERIFY(layOut(inception(5000), {}, cancelled).nodes.isEmpty());
    }

    /// Thousands of nets that pass all rows get no lanes in each of them.
    void staysSmallWithManyLongEdges()
    {
        constexpr int length = 3000;
        QVector<QPair<int, int>> edges;
        for (int n = 0; n + 1 < length; ++n) edges.append({n, n + 1});
        for (int n = 0; n < 300; ++n) edges.append({n, length - 1 - n});
        const LayoutGraph graph = graphOf(length, edges);
        const Layout layout = layOut(graph, {}, neverCancelled);
        for (const QVector<QPointF> &points : layout.edges) QVERIFY(points.size() >= 2 && points.size() < 400);
    }
};

QL_TEST(TestLayout)
#include "tst_layout.moc"
