#include "core/export/onnx/opset.h"
#include "tests/pass/format_support.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestFormatBroadcast : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// The sizes of the channels and of the last axis are equal, so that an operand in the wrong place is not an error.
    void operandsGetAxesBehindTheirOwn_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("isComputed");
        QTest::addColumn<int>("axis");
        QTest::newRow("parameter") << "Add" << false << 1;
        QTest::newRow("computed") << "Mul" << true << 1;
        QTest::newRow("negative axis") << "Sub" << false << -3;
        QTest::newRow("slope") << "PRelu" << false << 0;
    }
    void operandsGetAxesBehindTheirOwn()
    {
        QFETCH(QString, type);
        QFETCH(bool, isComputed);
        QFETCH(int, axis);
        SmallGraph g(6);
        g.input("x", {2, 3, 4, 3});
        if (isComputed) {
            g.input("b0", {3});
            g.op("Neg", "n", {"b0"}, {"b"});
        } else {
            g.parameter("b", wave({3}));
        }
        std::map<std::string, Attribute, std::less<>> attributes;
        if (axis != 0) attributes = {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{axis}}};
        g.op(type.toStdString(), "op", {"x", "b"}, {"y"}, attributes);
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "format_broadcast"), 1);
        QVERIFY(!op(g.graph, "op").hasAttribute("axis") && !op(g.graph, "op").hasAttribute("broadcast"));
        QCOMPARE(op(g.graph, "op").opset, std::int64_t{7});
        std::map<std::string, at::Tensor> feed{{"x", wave({2, 3, 4, 3})}};
        if (isComputed) feed["b0"] = wave({3});
        QVERIFY(sameResults(before, g.graph, feed));
    }

    void unknownRanksAreLeft()
    {
        SmallGraph g(6);
        g.input("x");
        g.parameter("b", wave({3}));
        g.op("Add", "op", {"x", "b"}, {"y"}, {{"broadcast", std::int64_t{1}}, {"axis", std::int64_t{1}}});
        g.output("y");
        QCOMPARE(runFormat(g.graph, "format_broadcast"), 0);
        QVERIFY(op(g.graph, "op").hasAttribute("axis"));
    }

    /// In a newer opset, the slopes of channels would belong to the last axis.
    void slopesOfUnknownAxesAreNotWritten()
    {
        const auto exported = [](std::int64_t slopes) {
            SmallGraph g(6);
            g.input("x");
            g.parameter("slope", wave({slopes}));
            g.op("PRelu", "op", {"x", "slope"}, {"y"});
            g.output("y");
            runFormat(g.graph, "format_broadcast");
            return raiseOpset(g.graph, 13);
        };
        const QString message = messageOf([&] { exported(3); });
        QVERIFY2(message.contains(QStringLiteral("unknown rank")), qPrintable(message));
        QCOMPARE(exported(1), std::int64_t{13}); // the same for every channel
    }
};

QL_TEST(TestFormatBroadcast)
#include "tst_format_broadcast.moc"
