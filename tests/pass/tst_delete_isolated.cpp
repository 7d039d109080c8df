#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestDeleteIsolated : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void onlyPathsToAnOutputStay()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.input("unused", {1, 4});
        g.parameter("w", wave({1, 4}));
        g.parameter("orphan", wave({1, 4}));
        g.op("Relu", "relu", {"x"}, {"y"});
        g.op("Mul", "dead", {"y", "w"}, {"p"});
        g.op("Neg", "deader", {"p"}, {"q"});
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "delete_isolated"), 2);
        QCOMPARE(g.graph.operationCount(), std::size_t(1));
        for (const char *name : {"w", "orphan", "p", "q"}) QCOMPARE(g.graph.findVariable(name), noVar);
        QCOMPARE(g.graph.inputs().size(), std::size_t(2)); // callers may still feed it
        QVERIFY(agree(forward(before, {{"x", wave({1, 4})}, {"unused", wave({1, 4})}})[0],
                      forward(g.graph, {{"x", wave({1, 4})}, {"unused", wave({1, 4})}})[0]));
    }
};

QL_TEST(TestDeleteIsolated)
#include "tst_delete_isolated.moc"
