#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

using Ints = std::vector<std::int64_t>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

class TestFuseBiasAdd : public QObject
{
    Q_OBJECT

    struct Case
    {
        std::string type = "Conv";
        Ints x{1, 4, 5, 5}, weight{6, 4, 3, 3}, constant{1, 6, 1, 1};
        Ints bias; ///< {0}: none
        Attributes attributes;
    };
    static SmallGraph graphOf(const Case &c, bool constantFirst = false)
    {
        SmallGraph g;
        g.input("x", c.x);
        g.parameter("w", wave(c.weight, 2));
        g.parameter("k", wave(c.constant, 3));
        std::vector<std::string> inputs{"x", "w"};
        if (!(c.bias == Ints{0})) {
            g.parameter("b", wave(c.bias, 4));
            inputs.push_back("b");
        }
        g.op(c.type, "op", inputs, {"c"}, c.attributes);
        g.op("Add", "add", constantFirst ? std::vector<std::string>{"k", "c"} : std::vector<std::string>{"c", "k"},
             {"y"});
        g.output("y");
        return g;
    }
    static std::vector<std::pair<const char *, Case>> fusedCases()
    {
        const Ints none{0};
        return {
            {"[1,C,1,1], no bias", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {1, 6, 1, 1}, none, {}}},
            {"[C,1,1], no bias", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {6, 1, 1}, none, {}}},
            {"[1,C,1,1], bias", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {1, 6, 1, 1}, {6}, {}}},
            {"[C,1,1], width = C", {"Conv", {1, 4, 8, 8}, {6, 4, 3, 3}, {6, 1, 1}, {6}, {}}},
            {"1-D Conv", {"Conv", {1, 4, 9}, {6, 4, 3}, {1, 6, 1}, {6}, {}}},
            {"grouped ConvTranspose",
             {"ConvTranspose", {1, 4, 5, 5}, {4, 3, 3, 3}, {1, 6, 1, 1}, none, {{"group", std::int64_t{2}}}}},
            {"Gemm [N]", {"Gemm", {3, 4}, {4, 6}, {6}, none, {}}},
            {"Gemm [1,N], bias", {"Gemm", {3, 4}, {4, 6}, {1, 6}, {6}, {}}},
            {"Gemm transB, beta",
             {"Gemm", {3, 4}, {6, 4}, {1, 6}, {1, 6}, {{"transB", std::int64_t{1}}, {"beta", 0.25f}, {"alpha", 2.f}}}},
            {"Gemm beta without C", {"Gemm", {3, 4}, {4, 6}, {6}, none, {{"beta", 0.f}}}},
            {"Gemm beta 0 with C", {"Gemm", {3, 4}, {4, 6}, {6}, {6}, {{"beta", 0.f}}}},
            {"Gemm scalar C", {"Gemm", {3, 4}, {4, 6}, {6}, {}, {{"beta", 3.f}}}},
        };
    }
    static std::vector<std::pair<const char *, Case>> keptCases()
    {
        const Ints none{0};
        return {
            {"last axis", {"Conv", {1, 4, 8, 8}, {6, 4, 3, 3}, {6}, none, {}}},
            {"scalar", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {1, 1, 1, 1}, none, {}}},
            {"batch", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {2, 6, 1, 1}, none, {}}},
            {"higher rank", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {1, 1, 6, 1, 1}, none, {}}},
            {"picture", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {1, 6, 3, 3}, none, {}}},
            {"Gemm rows", {"Gemm", {3, 4}, {4, 6}, {3, 1}, none, {}}},
            {"Gemm matrix C", {"Gemm", {3, 4}, {4, 6}, {6}, {3, 6}, {}}},
            {"Gemm column C", {"Gemm", {3, 4}, {4, 6}, {6}, {3, 1}, {}}},
        };
    }

private Q_SLOTS:
    void fuses_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<bool>("constantFirst");
        const auto cases = fusedCases();
        for (int i = 0; i < int(cases.size()); ++i) {
            QTest::newRow(cases[std::size_t(i)].first) << i << false;
            QTest::addRow("%s, constant first", cases[std::size_t(i)].first) << i << true;
        }
    }
    void fuses()
    {
        QFETCH(int, row);
        QFETCH(bool, constantFirst);
        const Case c = fusedCases()[std::size_t(row)].second;
        SmallGraph g = graphOf(c, constantFirst);
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_bias_add"), 1);
        QVERIFY(!hasOp(g.graph, "add"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave(c.x, 5)}}));
        const at::Tensor &bias = valueOf(g.graph, "op", 2);
        QCOMPARE(int(bias.dim()), 1);
        QCOMPARE(op(g.graph, "op").floatAttribute("beta", 1), 1.0);
        QCOMPARE(g.graph.operations().front(), before.operations().front());
        QCOMPARE(op(g.graph, "op").opset, std::int64_t{13});
    }

    void keeps_data()
    {
        QTest::addColumn<int>("row");
        const auto cases = keptCases();
        for (int i = 0; i < int(cases.size()); ++i) QTest::newRow(cases[std::size_t(i)].first) << i;
    }
    void keeps()
    {
        QFETCH(int, row);
        SmallGraph g = graphOf(keptCases()[std::size_t(row)].second);
        QCOMPARE(runFormat(g.graph, "fuse_bias_add"), 0);
        QVERIFY(hasOp(g.graph, "add"));
    }

    void foldsIntoTheBias()
    {
        Case c;
        c.bias = {6};
        SmallGraph g = graphOf(c);
        const Graph before = g.graph;
        runFormat(g.graph, "fuse_bias_add");
        const auto bias = values(valueOf(g.graph, "op", 2)), b = values(valueOf(before, "op", 2)),
                   k = values(valueOf(before, "add", 1));
        for (std::size_t i = 0; i < 6; ++i) QVERIFY(std::abs(bias[i] - (b[i] + k[i])) < 1e-6);
        QCOMPARE(values(before.variable(before.findVariable("b")).value), b); // the other graph's value is untouched
    }

    void sharedConstantGetsACopy()
    {
        Case c;
        c.bias = {0};
        SmallGraph g = graphOf(c);
        g.op("Identity", "other", {"k"}, {"z"});
        g.output("z");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_bias_add"), 1);
        QCOMPARE(inputNames(g.graph, "op"), std::string("x,w,op_bias"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave(c.x, 5)}}));
    }

    void keepsWhatIsReadElsewhere()
    {
        Case c;
        c.bias = {0};
        SmallGraph second = graphOf(c);
        second.op("Relu", "relu", {"c"}, {"z"});
        second.output("z");
        QCOMPARE(runFormat(second.graph, "fuse_bias_add"), 0);
        SmallGraph inner = graphOf(c);
        inner.output("c");
        QCOMPARE(runFormat(inner.graph, "fuse_bias_add"), 0);
    }

    void severalInARow()
    {
        Case c;
        c.bias = {0};
        SmallGraph g = graphOf(c);
        g.parameter("k2", wave({6, 1, 1}, 9));
        g.graph.setOutputs({});
        g.op("Add", "add2", {"k2", "y"}, {"z"});
        g.output("z");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_bias_add"), 2);
        QVERIFY(sameResults(before, g.graph, {{"x", wave(c.x, 5)}}));
    }
};

QL_TEST(TestFuseBiasAdd)
#include "tst_fuse_bias_add.moc"
