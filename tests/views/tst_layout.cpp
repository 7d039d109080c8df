#include "tests/support/test_main.h"
#include "views/graph/layout.h"
#include "views/graph/view_graph.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QtTest>
#include <cmath>

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

} // namespace

class TestLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsBoxesApart_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 12; ++seed) QTest::addRow("seed %d", seed) << seed;
    }
    void keepsBoxesApart()
    {
        QFETCH(int, seed);
        QRandomGenerator random{quint32(seed)};
        const int nodes = 2 + random.bounded(120);
        QVector<QPair<int, int>> edges;
        for (int e = 0; e < nodes * 3 / 2; ++e) {
            const int from = random.bounded(nodes - 1);
            edges.append({from, from + 1 + random.bounded(nodes - from - 1)});
        }
        const LayoutGraph graph = graphOf(nodes, edges);
        const Layout layout = layOut(graph, {}, neverCancelled);
        QCOMPARE(layout.nodes.size(), nodes);
        for (int a = 0; a < nodes; ++a)
            for (int b = a + 1; b < nodes; ++b)
                QVERIFY2(!layout.nodes[a].intersects(layout.nodes[b]),
                         qPrintable(QStringLiteral("%1 on %2").arg(a).arg(b)));
        for (int e = 0; e < graph.edges.size(); ++e) {
            const auto &edge = graph.edges[e];
            const QVector<QPointF> &points = layout.edges[e];
            // From the lower side of one box to the upper side of the other, always down
            QCOMPARE(points.front().y(), layout.nodes[edge.from].bottom());
            QCOMPARE(points.back().y(), layout.nodes[edge.to].top());
            for (qsizetype i = 1; i < points.size(); ++i) QVERIFY(points[i].y() >= points[i - 1].y());
            // Inside a row an edge keeps off the boxes
            for (qsizetype i = 1; i + 1 < points.size(); i += 2)
                for (const QRectF &box : layout.nodes)
                    QVERIFY(!box.adjusted(1, 1, -1, -1).contains(QPointF(points[i].x(), points[i].y() + 10)));
        }
    }

    void chainIsStraight()
    {
        QVector<QPair<int, int>> edges;
        for (int n = 0; n < 49; ++n) edges.append({n, n + 1});
        const Layout layout = layOut(graphOf(50, edges), {}, neverCancelled);
        for (const QRectF &box : layout.nodes) QVERIFY(std::abs(box.center().x() - layout.nodes[0].center().x()) < 0.5);
    }

    void staysWhereItWas()
    {
        const LayoutGraph first = inception(200);
        const Layout before = layOut(first, {}, neverCancelled);
        // One more box at the end: the others keep their order in the rows
        LayoutGraph second = first;
        second.sizes.append(QSizeF(212, 44));
        second.edges.append({int(first.sizes.size()) - 1, int(first.sizes.size()), int(first.sizes.size()) - 1});
        for (const QRectF &box : before.nodes) second.hints.append(box.center().x());
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

    void isFastEnough_data()
    {
        QTest::addColumn<bool>("isTransformer");
        QTest::addColumn<int>("nodes");
        QTest::addColumn<int>("limitMs");
        QTest::newRow("inception 10,000") << false << 10000 << 2000;
        QTest::newRow("transformer 10,000") << true << 10000 << 2000;
        QTest::newRow("inception 50,000") << false << 50000 << 8000;
        QTest::newRow("transformer 50,000") << true << 50000 << 8000;
    }
    void isFastEnough()
    {
        QFETCH(bool, isTransformer);
        QFETCH(int, nodes);
        QFETCH(int, limitMs);
        const LayoutGraph graph = isTransformer ? transformer(nodes) : inception(nodes);
        QElapsedTimer timer;
        timer.start();
        const Layout layout = layOut(graph, {}, neverCancelled);
        qInfo("%lld ms", timer.elapsed());
        QCOMPARE(layout.nodes.size(), graph.sizes.size());
        if (!qEnvironmentVariableIsSet("QL_SLOW_MACHINE"))
            QVERIFY(timer.elapsed() < limitMs * 3); // others use the machine, too
    }
};

QL_TEST(TestLayout)
#include "tst_layout.moc"
