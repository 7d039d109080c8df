#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <limits>

using namespace ql;
using namespace ql::test;

using Ints = std::vector<std::int64_t>;

class TestFormatSlice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void attributesBecomeInputs_data()
    {
        QTest::addColumn<bool>("withAxes");
        QTest::newRow("axes given") << true;
        QTest::newRow("axes left out: the first ones") << false;
    }
    void attributesBecomeInputs()
    {
        QFETCH(bool, withAxes);
        SmallGraph g(9);
        g.input("x", {4, 5, 6});
        std::map<std::string, Attribute, std::less<>> attributes{
            {"starts", Ints{1, -3}}, {"ends", Ints{3, std::numeric_limits<std::int64_t>::max()}}};
        if (withAxes) attributes["axes"] = Ints{0, 2};
        g.op("Slice", "s", {"x"}, {"y"}, attributes);
        g.output("y");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "format_slice"), 1);
        QCOMPARE(inputNames(g.graph, "s"), std::string("x,s_starts,s_ends,s_axes"));
        QCOMPARE(valueOf(g.graph, "s", 3).scalar_type(), at::kLong);
        QCOMPARE(values(valueOf(g.graph, "s", 3)), (withAxes ? std::vector<double>{0, 2} : std::vector<double>{0, 1}));
        QVERIFY(op(g.graph, "s").attributes.empty());
        QCOMPARE(op(g.graph, "s").opset, std::int64_t{10});
        QVERIFY(sameResults(before, g.graph, {{"x", wave({4, 5, 6})}}));
        QCOMPARE(runFormat(g.graph, "format_slice"), 0);
    }
};

QL_TEST(TestFormatSlice)
#include "tst_format_slice.moc"
