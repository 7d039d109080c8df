#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestFormatPad : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void attributesBecomeInputs_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<float>("value");
        QTest::addColumn<QString>("inputs");
        QTest::newRow("constant 0") << "constant" << 0.f << "x,p_pads";
        QTest::newRow("constant 1.5") << "constant" << 1.5f << "x,p_pads,p_value";
        QTest::newRow("mode left out") << "" << -2.f << "x,p_pads,p_value";
        QTest::newRow("reflect") << "reflect" << 0.f << "x,p_pads";
        QTest::newRow("edge, idle value") << "edge" << 3.f << "x,p_pads";
    }
    void attributesBecomeInputs()
    {
        QFETCH(QString, mode);
        QFETCH(float, value);
        QFETCH(QString, inputs);
        SmallGraph g(7);
        g.input("x", {4, 5});
        std::map<std::string, Attribute, std::less<>> attributes{{"pads", std::vector<std::int64_t>{1, 2, 0, 3}}};
        if (!mode.isEmpty()) attributes["mode"] = mode.toStdString();
        if (value != 0) attributes["value"] = value;
        g.op("Pad", "p", {"x"}, {"y"}, attributes);
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "format_pad"), 1);
        QCOMPARE(inputNames(g.graph, "p"), inputs.toStdString());
        QCOMPARE(values(valueOf(g.graph, "p", 1)), (std::vector<double>{1, 2, 0, 3}));
        QCOMPARE(op(g.graph, "p").stringAttribute("mode", ""), mode.toStdString());
        QVERIFY(!op(g.graph, "p").hasAttribute("pads") && !op(g.graph, "p").hasAttribute("value"));
        QCOMPARE(op(g.graph, "p").opset, std::int64_t{11});
        QVERIFY(sameResults(before, g.graph, {{"x", wave({4, 5})}}));
    }
};

QL_TEST(TestFormatPad)
#include "tst_format_pad.moc"
