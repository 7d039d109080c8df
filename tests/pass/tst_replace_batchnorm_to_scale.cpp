#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

using Ints = std::vector<std::int64_t>;

class TestReplaceBatchnormToScale : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byRank_data()
    {
        QTest::addColumn<QList<int>>("dims");
        QTest::addColumn<QList<int>>("weight");
        QTest::newRow("[N,C]") << QList<int>{2, 3} << QList<int>{1, 3};
        QTest::newRow("[N,C,H,W]") << QList<int>{2, 3, 5, 4} << QList<int>{1, 3, 1, 1};
    }
    void byRank()
    {
        QFETCH(QList<int>, dims);
        QFETCH(QList<int>, weight);
        const Ints shape(dims.begin(), dims.end());
        SmallGraph g;
        g.input("x", shape);
        addBatchNormOf3(g, "x", "y");
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "replace_batchnorm_to_scale"), 1);
        QCOMPARE(op(g.graph, "bn").type, std::string("Mul"));
        QCOMPARE(valueOf(g.graph, "bn", 1).sizes().vec(), Ints(weight.begin(), weight.end()));
        QVERIFY(sameResults(before, g.graph, {{"x", wave(shape, 5)}}));
        QCOMPARE(g.graph.operationCount(), std::size_t(2));
        QCOMPARE(op(g.graph, "bn_shift").type, std::string("Add"));
        QVERIFY(std::abs(values(valueOf(g.graph, "bn", 1))[1] - factorOfChannel1) < 1e-6);
        const at::Tensor &shift = valueOf(g.graph, "bn_shift", 1);
        QVERIFY(std::abs(values(shift)[1] - shiftOfChannel1) < 1e-6);
    }

    void unknownRankStays()
    {
        SmallGraph g;
        g.input("x");
        addBatchNormOf3(g, "x", "y");
        g.output("y");
        std::vector<api::Problem> problems;
        QCOMPARE(runFormat(g.graph, "replace_batchnorm_to_scale", nlohmann::json::object(), &problems), 0);
        QCOMPARE(op(g.graph, "bn").type, std::string("BatchNormalization"));
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("bn"));
    }
};

QL_TEST(TestReplaceBatchnormToScale)
#include "tst_replace_batchnorm_to_scale.moc"
