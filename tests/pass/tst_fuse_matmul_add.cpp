#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

using Ints = std::vector<std::int64_t>;

class TestFuseMatmulAdd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fuses_data()
    {
        QTest::addColumn<QList<int>>("data");
        QTest::addColumn<QList<int>>("constant");
        QTest::addColumn<bool>("constantFirst");
        QTest::addColumn<bool>("fuses");
        const QList<int> matrix{3, 4};
        QTest::newRow("[N]") << matrix << QList<int>{6} << false << true;
        QTest::newRow("[N], constant first") << matrix << QList<int>{6} << true << true;
        QTest::newRow("[1,N]") << matrix << QList<int>{1, 6} << false << true;
        QTest::newRow("batched data") << QList<int>{2, 3, 4} << QList<int>{1, 1, 6} << false << true;
        QTest::newRow("would raise the rank") << matrix << QList<int>{1, 1, 6} << false << false;
        QTest::newRow("vector, would raise the rank") << QList<int>{4} << QList<int>{1, 6} << false << false;
        QTest::newRow("rows") << matrix << QList<int>{3, 1} << false << false;
        QTest::newRow("matrix") << matrix << QList<int>{3, 6} << false << false;
        QTest::newRow("scalar") << matrix << QList<int>{1} << false << false;
    }
    void fuses()
    {
        QFETCH(QList<int>, data);
        QFETCH(QList<int>, constant);
        QFETCH(bool, constantFirst);
        QFETCH(bool, fuses);
        const Ints shape(data.begin(), data.end());
        SmallGraph g;
        g.input("x", shape);
        g.parameter("w", wave({4, 6}, 2));
        g.parameter("k", wave(Ints(constant.begin(), constant.end()), 3));
        g.op("MatMul", "mm", {"x", "w"}, {"c"});
        g.op("Add", "add", constantFirst ? std::vector<std::string>{"k", "c"} : std::vector<std::string>{"c", "k"},
             {"y"});
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_matmul_add"), fuses ? 1 : 0);
        QCOMPARE(hasOp(g.graph, "add"), !fuses);
        QVERIFY(sameResults(before, g.graph, {{"x", wave(shape, 5)}}));
        if (!fuses) return;
        QCOMPARE(op(g.graph, "mm").type, std::string("BiasedMatMul"));
        QCOMPARE(op(g.graph, "mm").domain, std::string("quantloupe"));
        QCOMPARE(inputNames(g.graph, "mm"), std::string("x,w,k"));
        QCOMPARE(valueOf(g.graph, "mm", 2).sizes().vec(), Ints{6});
        QCOMPARE(g.graph.opsets.at("quantloupe"), std::int64_t{1});
    }

    void keepsWhatIsReadElsewhere()
    {
        SmallGraph g;
        g.input("x", {3, 4});
        g.parameter("w", wave({4, 6}, 2));
        g.parameter("k", wave({6}, 3));
        g.op("MatMul", "mm", {"x", "w"}, {"c"});
        g.op("Add", "add", {"c", "k"}, {"y"});
        g.output("y");
        g.output("c");
        QCOMPARE(runFormat(g.graph, "fuse_matmul_add"), 0);
    }
};

QL_TEST(TestFuseMatmulAdd)
#include "tst_fuse_matmul_add.moc"
