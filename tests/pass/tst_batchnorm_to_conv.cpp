#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

using Ints = std::vector<std::int64_t>;

class TestBatchnormToConv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byRank_data()
    {
        QTest::addColumn<QList<int>>("dims");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QList<int>>("weight");
        QTest::newRow("[N,C]") << QList<int>{2, 3} << "Mul" << QList<int>{3};
        QTest::newRow("[N,C,L]") << QList<int>{2, 3, 5} << "Mul" << QList<int>{3, 1};
        QTest::newRow("[N,C,H,W]") << QList<int>{2, 3, 5, 4} << "Conv" << QList<int>{3, 1, 1, 1};
        QTest::newRow("[N,C,D,H,W]") << QList<int>{2, 3, 2, 5, 4} << "Mul" << QList<int>{3, 1, 1, 1};
    }
    void byRank()
    {
        QFETCH(QList<int>, dims);
        QFETCH(QString, type);
        QFETCH(QList<int>, weight);
        const Ints shape(dims.begin(), dims.end());
        SmallGraph g;
        g.input("x", shape);
        addBatchNormOf3(g, "x", "y");
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "batchnorm_to_conv"), 1);
        QCOMPARE(op(g.graph, "bn").type, type.toStdString());
        QCOMPARE(valueOf(g.graph, "bn", 1).sizes().vec(), Ints(weight.begin(), weight.end()));
        QVERIFY(sameResults(before, g.graph, {{"x", wave(shape, 5)}}));
        QCOMPARE(g.graph.operationCount(), std::size_t(type == "Conv" ? 1 : 2));
        if (type == "Mul") QCOMPARE(op(g.graph, "bn_shift").type, std::string("Add"));
        QVERIFY(std::abs(values(valueOf(g.graph, "bn", 1))[1] - factorOfChannel1) < 1e-6);
        const at::Tensor &shift = type == "Conv" ? valueOf(g.graph, "bn", 2) : valueOf(g.graph, "bn_shift", 1);
        QVERIFY(std::abs(values(shift)[1] - shiftOfChannel1) < 1e-6);
    }

    void rankFromOtherOperations()
    {
        SmallGraph g;
        g.input("x", {2, 3, 6, 6});
        g.parameter("w", wave({3, 3, 1, 1}));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Add", "add", {"c", "x"}, {"s"});
        g.op("MaxPool", "pool", {"s"}, {"p"}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
        addBatchNormOf3(g, "p", "y");
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "batchnorm_to_conv"), 1);
        QCOMPARE(op(g.graph, "bn").type, std::string("Conv"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave({2, 3, 6, 6}, 5)}}));
    }

    void varianceThatGivesNaNIsNotFolded()
    {
        SmallGraph g;
        g.input("x", {2, 3, 6, 6});
        addBatchNormOf3(g, "x", "y");
        g.output("y");
        const VarId variance = op(g.graph, "bn").inputs.at(4);
        g.graph.setValue(variance, floats({3}, {1, -2, 3}));
        QCOMPARE(runFormat(g.graph, "batchnorm_to_conv"), 0);
    }

    void unknownRankStays()
    {
        SmallGraph g;
        g.input("x");
        addBatchNormOf3(g, "x", "y");
        g.output("y");
        std::vector<api::Problem> problems;
        QCOMPARE(runFormat(g.graph, "batchnorm_to_conv", nlohmann::json::object(), &problems), 0);
        QCOMPARE(op(g.graph, "bn").type, std::string("BatchNormalization"));
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("bn"));
    }
};

QL_TEST(TestBatchnormToConv)
#include "tst_batchnorm_to_conv.moc"
