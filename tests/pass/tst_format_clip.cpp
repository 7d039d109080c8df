#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <cfloat>

using namespace ql;
using namespace ql::test;

class TestFormatClip : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void attributesBecomeInputs_data()
    {
        QTest::addColumn<bool>("hasMin");
        QTest::addColumn<bool>("hasMax");
        QTest::addColumn<double>("min");
        QTest::addColumn<double>("max");
        QTest::newRow("both") << true << true << -0.25 << 0.5;
        QTest::newRow("only min") << true << false << -0.25 << double(FLT_MAX);
        QTest::newRow("only max") << false << true << -double(FLT_MAX) << 0.5;
    }
    void attributesBecomeInputs()
    {
        QFETCH(bool, hasMin);
        QFETCH(bool, hasMax);
        QFETCH(double, min);
        QFETCH(double, max);
        SmallGraph g(7);
        g.input("x", {4, 5});
        std::map<std::string, Attribute, std::less<>> attributes;
        if (hasMin) attributes["min"] = float(min);
        if (hasMax) attributes["max"] = float(max);
        g.op("Clip", "c", {"x"}, {"y"}, attributes);
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "format_clip"), 1);
        QCOMPARE(inputNames(g.graph, "c"), std::string("x,c_min,c_max"));
        QCOMPARE(int(valueOf(g.graph, "c", 1).dim()), 0);
        QCOMPARE(valueOf(g.graph, "c", 1).scalar_type(), at::kFloat);
        QCOMPARE(values(valueOf(g.graph, "c", 1)), std::vector<double>{min});
        QCOMPARE(values(valueOf(g.graph, "c", 2)), std::vector<double>{max});
        QVERIFY(op(g.graph, "c").attributes.empty());
        QCOMPARE(op(g.graph, "c").opset, std::int64_t{11});
        QVERIFY(sameResults(before, g.graph, {{"x", wave({4, 5})}}));
    }

    void numbersBeyondIntegersPass()
    {
        SmallGraph g(7);
        g.input("x", {3});
        g.op("Clip", "c", {"x"}, {"y"}, {{"min", 0.0f}});
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "format_clip"), 1);
        QVERIFY(sameResults(before, g.graph, {{"x", floats({3}, {-1, 1e20f, 3e38f})}}));
    }

    void inputsStay()
    {
        SmallGraph g;
        g.input("x", {4, 5});
        g.parameter("high", floats({}, {0.5f}));
        g.op("Clip", "c", {"x", "", "high"}, {"y"});
        g.op("Clip", "d", {"y"}, {"z"});
        g.output("z");
        QCOMPARE(runFormat(g.graph, "format_clip"), 0);
        QCOMPARE(inputNames(g.graph, "c"), std::string("x,-,high"));
        QCOMPARE(inputNames(g.graph, "d"), std::string("y"));
    }

    void takesTheTypeOfTheData()
    {
        SmallGraph g(7);
        g.input("x", {4}, at::kDouble);
        g.op("Clip", "c", {"x"}, {"y"}, {{"min", 0.f}});
        g.output("y");
        runFormat(g.graph, "format_clip");
        QCOMPARE(valueOf(g.graph, "c", 1).scalar_type(), at::kDouble);
    }
};

QL_TEST(TestFormatClip)
#include "tst_format_clip.moc"
