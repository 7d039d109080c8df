#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestSplitSharedParameters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneParameterPerSlot()
    {
        SmallGraph g;
        g.input("x", {1, 2});
        g.parameter("w", wave({1, 2}));
        g.op("Mul", "a", {"x", "w"}, {"p"});
        g.op("Mul", "b", {"w", "w"}, {"q"});
        g.op("Add", "c", {"p", "q"}, {"y"});
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "split_shared_parameters"), 2);
        QCOMPARE(inputNames(g.graph, "a"), std::string("x,w"));
        QCOMPARE(inputNames(g.graph, "b"), std::string("w_1,w_2"));
        for (const VarId id : g.graph.variables())
            if (g.graph.isParameter(id)) QCOMPARE(g.graph.variable(id).uses.size(), std::size_t(1));
        // the tensor itself is not copied
        QVERIFY(valueOf(g.graph, "b", 1).data_ptr() == valueOf(before, "a", 1).data_ptr());
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 2}, 2)}}));
        QCOMPARE(runFormat(g.graph, "split_shared_parameters"), 0);
    }

    void takenNamesAreAvoided()
    {
        SmallGraph g;
        g.input("w_1", {1, 2});
        g.parameter("w", wave({1, 2}));
        g.op("Mul", "w_2", {"w_1", "w"}, {"p"});
        g.op("Mul", "b", {"p", "w"}, {"y"});
        g.output("y");
        QCOMPARE(runFormat(g.graph, "split_shared_parameters"), 1);
        QCOMPARE(inputNames(g.graph, "b"), std::string("p,w_3"));
    }
};

QL_TEST(TestSplitSharedParameters)
#include "tst_split_shared_parameters.moc"
