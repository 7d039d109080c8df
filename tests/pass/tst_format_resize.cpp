#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestFormatResize : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void becomesResize11_data()
    {
        QTest::addColumn<int>("opset");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("inputs");
        for (const char *mode : {"nearest", "linear"}) {
            QTest::addRow("Upsample 7, %s", mode) << 7 << "Upsample" << mode << "x,-,r_scales";
            QTest::addRow("Upsample 9, %s", mode) << 9 << "Upsample" << mode << "x,-,scales";
            QTest::addRow("Resize 10, %s", mode) << 10 << "Resize" << mode << "x,-,scales";
        }
    }
    void becomesResize11()
    {
        QFETCH(int, opset);
        QFETCH(QString, type);
        QFETCH(QString, mode);
        QFETCH(QString, inputs);
        SmallGraph g(opset);
        g.input("x", {1, 2, 4, 5});
        const std::vector<float> scales{1, 1, 2, 1.7f};
        if (opset == 7) {
            g.op("Upsample", "r", {"x"}, {"y"}, {{"mode", mode.toStdString()}, {"scales", scales}});
        } else {
            g.parameter("scales", floats({4}, scales));
            g.op(type.toStdString(), "r", {"x", "scales"}, {"y"}, {{"mode", mode.toStdString()}});
        }
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "format_resize"), 1);
        const Operation &resize = op(g.graph, "r");
        QCOMPARE(resize.type, std::string("Resize"));
        QCOMPARE(resize.opset, std::int64_t{11});
        QCOMPARE(inputNames(g.graph, "r"), inputs.toStdString());
        QCOMPARE(resize.stringAttribute("mode", ""), mode.toStdString());
        QCOMPARE(resize.stringAttribute("coordinate_transformation_mode", ""), std::string("asymmetric"));
        QCOMPARE(resize.stringAttribute("nearest_mode", ""), std::string("floor"));
        QVERIFY(!resize.hasAttribute("scales"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 2, 4, 5})}}));
        QCOMPARE(runFormat(g.graph, "format_resize"), 0);
    }

    /// x = 0 .. 6 in both axes; results of ONNX Runtime 1.31 for Resize of opset 10.
    void resize10ReadsTheSamePixels_data()
    {
        QTest::addColumn<float>("scale");
        QTest::addColumn<QList<double>>("expected");
        QTest::newRow("grows") << 1.7f << QList<double>{0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5};
        QTest::newRow("shrinks") << 0.6f << QList<double>{0, 2, 4, 5};
    }
    void resize10ReadsTheSamePixels()
    {
        QFETCH(float, scale);
        QFETCH(QList<double>, expected);
        SmallGraph g(10);
        g.input("x", {1, 1, 1, 7});
        g.parameter("scales", floats({4}, {1, 1, 1, scale}));
        g.op("Resize", "r", {"x", "scales"}, {"y"}, {{"mode", std::string("nearest")}});
        g.output("y");
        const Feed feed{{"x", ramp({1, 1, 1, 7}, 0, 1)}};
        for (const int changed : {1, 0}) {
            const std::vector<double> got = values(forward(g.graph, feed).at(0));
            QCOMPARE(QList<double>(got.begin(), got.end()), expected);
            QCOMPARE(runFormat(g.graph, "format_resize"), changed);
        }
    }

    void resize10ThatGrowsAndShrinksStays()
    {
        SmallGraph g(10);
        g.input("x", {1, 1, 7, 7});
        g.parameter("scales", floats({4}, {1, 1, 1.7f, 0.6f}));
        g.op("Resize", "r", {"x", "scales"}, {"y"}, {{"mode", std::string("nearest")}});
        g.output("y");
        std::vector<api::Problem> problems;
        QCOMPARE(runFormat(g.graph, "format_resize", {}, &problems), 0);
        QCOMPARE(problems.size(), std::size_t(1));
        const at::Tensor y = forward(g.graph, {{"x", ramp({1, 1, 7, 7}, 0, 1)}}).at(0);
        const std::vector<double> row = values(y.select(2, 0)), column = values(y.select(3, 0));
        QCOMPARE(row, (std::vector<double>{0, 2, 4, 5}));
        QCOMPARE(column, (std::vector<double>{0, 0, 7, 7, 14, 14, 21, 28, 28, 35, 35}));
    }

    void newFormStays()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 5});
        g.parameter("scales", floats({4}, {1, 1, 2, 2}));
        g.op("Resize", "r", {"x", "", "scales"}, {"y"});
        g.output("y");
        QCOMPARE(runFormat(g.graph, "format_resize"), 0);
        QVERIFY(op(g.graph, "r").attributes.empty());
    }
};

QL_TEST(TestFormatResize)
#include "tst_format_resize.moc"
