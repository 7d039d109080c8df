#include "tests/pass/format_support.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using namespace ql::test;

using Ints = std::vector<std::int64_t>;
using Attributes = std::map<std::string, Attribute, std::less<>>;

class TestFuseBatchnorm : public QObject
{
    Q_OBJECT

    struct Case
    {
        std::string type = "Conv";
        Ints x{1, 4, 5, 5}, weight{6, 4, 3, 3};
        Ints bias{0}; ///< {0}: none
        Attributes attributes;
    };
    static void addNorm(SmallGraph &g, const std::string &name, const std::string &from, const std::string &to,
                        Attributes attributes = {})
    {
        g.parameter(name + "_gamma", ramp({6}, 0.5f, 0.3f));
        g.parameter(name + "_beta", ramp({6}, -1, 0.4f));
        g.parameter(name + "_mean", ramp({6}, 0.2f, -0.1f));
        g.parameter(name + "_var", ramp({6}, 0.1f, 0.5f));
        g.op("BatchNormalization", name, {from, name + "_gamma", name + "_beta", name + "_mean", name + "_var"}, {to},
             std::move(attributes));
    }
    static SmallGraph graphOf(const Case &c)
    {
        SmallGraph g;
        g.input("x", c.x);
        g.parameter("w", wave(c.weight, 2));
        std::vector<std::string> inputs{"x", "w"};
        if (!(c.bias == Ints{0})) {
            g.parameter("b", wave(c.bias, 4));
            inputs.push_back("b");
        }
        g.op(c.type, "op", inputs, {"c"}, c.attributes);
        addNorm(g, "bn", "c", "y", {{"epsilon", 0.001f}});
        g.output("y");
        return g;
    }
    static std::vector<std::pair<const char *, Case>> cases()
    {
        const Ints none{0};
        const std::int64_t one = 1, two = 2;
        return {
            {"Conv", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, none, {}}},
            {"Conv with bias", {"Conv", {1, 4, 5, 5}, {6, 4, 3, 3}, {6}, {}}},
            {"grouped Conv", {"Conv", {1, 4, 5, 5}, {6, 2, 3, 3}, {6}, {{"group", two}}}},
            {"1-D Conv", {"Conv", {1, 4, 9}, {6, 4, 3}, {6}, {}}},
            {"3-D Conv", {"Conv", {1, 4, 4, 4, 4}, {6, 4, 2, 2, 2}, none, {}}},
            {"ConvTranspose", {"ConvTranspose", {1, 4, 5, 5}, {4, 6, 3, 3}, {6}, {}}},
            {"grouped ConvTranspose", {"ConvTranspose", {1, 4, 5, 5}, {4, 3, 3, 3}, none, {{"group", two}}}},
            {"1-D grouped ConvTranspose", {"ConvTranspose", {1, 4, 5}, {4, 3, 3}, {6}, {{"group", two}}}},
            {"Gemm", {"Gemm", {3, 4}, {4, 6}, none, {}}},
            {"square Gemm, transB", {"Gemm", {3, 6}, {6, 6}, {6}, {{"transB", one}}}},
            {"Gemm alpha beta", {"Gemm", {3, 6}, {6, 6}, {1, 6}, {{"alpha", 0.5f}, {"beta", 2.f}}}},
            {"Gemm beta 0", {"Gemm", {3, 4}, {4, 6}, {6}, {{"beta", 0.f}}}},
            {"Gemm scalar C", {"Gemm", {3, 4}, {4, 6}, {}, {}}},
        };
    }

private Q_SLOTS:
    void fuses_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < int(cases().size()); ++i) QTest::newRow(cases()[std::size_t(i)].first) << i;
    }
    void fuses()
    {
        QFETCH(int, row);
        const Case c = cases()[std::size_t(row)].second;
        SmallGraph g = graphOf(c);
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_batchnorm"), 1);
        QVERIFY(!hasOp(g.graph, "bn"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave(c.x, 5)}}));
        QCOMPARE(inputNames(g.graph, "op"), std::string(c.bias == Ints{0} ? "x,w,op_bias" : "x,w,b"));
        QCOMPARE(valueOf(g.graph, "op", 1).sizes().vec(), c.weight);
        QCOMPARE(valueOf(g.graph, "op", 2).sizes().vec(), Ints{6});
        QCOMPARE(g.graph.operations().front(), before.operations().front());
        QCOMPARE(op(g.graph, "op").opset, std::int64_t{13});
    }

    void followsTheFormula()
    {
        Case c;
        c.bias = {6};
        SmallGraph g = graphOf(c);
        const Graph before = g.graph;
        runFormat(g.graph, "fuse_batchnorm");
        const auto w = values(valueOf(before, "op", 1)), b = values(valueOf(before, "op", 2)),
                   gamma = values(valueOf(before, "bn", 1)), beta = values(valueOf(before, "bn", 2)),
                   mean = values(valueOf(before, "bn", 3)), var = values(valueOf(before, "bn", 4));
        const auto gotW = values(valueOf(g.graph, "op", 1)), gotB = values(valueOf(g.graph, "op", 2));
        for (std::size_t i = 0; i < 6; ++i) {
            const double a = gamma[i] / std::sqrt(var[i] + 0.001);
            QVERIFY(std::abs(gotB[i] - ((b[i] - mean[i]) * a + beta[i])) < 1e-6);
            for (std::size_t k = 36 * i; k < 36 * (i + 1); ++k) QVERIFY(std::abs(gotW[k] - a * w[k]) < 1e-6);
        }
        // values are replaced, not written over
        QCOMPARE(values(before.variable(before.findVariable("w")).value), w);
    }

    void sharedWeightGetsACopy()
    {
        SmallGraph g = graphOf({});
        g.op("Conv", "other", {"x", "w"}, {"z"});
        g.output("z");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_batchnorm"), 1);
        QCOMPARE(inputNames(g.graph, "op"), std::string("x,op_weight,op_bias"));
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 4, 5, 5}, 5)}}));
    }

    void twoInARow()
    {
        SmallGraph g = graphOf({});
        g.graph.setOutputs({});
        addNorm(g, "bn2", "y", "z");
        g.output("z");
        const Graph before = g.graph;
        QCOMPARE(runFormat(g.graph, "fuse_batchnorm"), 2);
        QVERIFY(sameResults(before, g.graph, {{"x", wave({1, 4, 5, 5}, 5)}}));
    }

    void keeps_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what : {"second reader", "inner output", "computed weight", "computed bias", "training",
                                 "per activation", "computed gamma", "channels"})
            QTest::newRow(what) << what;
    }
    void keeps()
    {
        QFETCH(QString, what);
        SmallGraph g;
        g.input("x", {1, 4, 5, 5});
        g.parameter("w", wave({6, 4, 3, 3}, 2));
        g.parameter("b", wave({what == "channels" ? 1 : 6}, 2));
        g.op("Abs", "abs_w", {"w"}, {"w2"});
        g.op("Abs", "abs_b", {"b"}, {"b2"});
        g.op("Conv", "op", {"x", what == "computed weight" ? "w2" : "w", what == "computed bias" ? "b2" : "b"}, {"c"});
        Attributes attributes;
        if (what == "training") attributes["training_mode"] = std::int64_t{1};
        if (what == "per activation") attributes["spatial"] = std::int64_t{0};
        addNorm(g, "bn", "c", "y", attributes);
        if (what == "computed gamma") g.graph.setInput(g.graph.findOperation("bn"), 1, g.tensor("b2"));
        if (what == "second reader") {
            g.op("Relu", "relu", {"c"}, {"z"});
            g.output("z");
        }
        if (what == "inner output") g.output("c");
        g.output("y");
        std::vector<api::Problem> problems;
        QCOMPARE(runFormat(g.graph, "fuse_batchnorm", nlohmann::json::object(), &problems), 0);
        QVERIFY(hasOp(g.graph, "bn"));
        const bool isAlone = what == "second reader" || what == "inner output";
        QCOMPARE(problems.size(), std::size_t(isAlone ? 0 : 1));
        if (!isAlone) QCOMPARE(problems[0].op, std::string("op"));
    }
};

QL_TEST(TestFuseBatchnorm)
#include "tst_fuse_batchnorm.moc"
