#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestNxp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void inputRounding()
    {
        QuantModel model = configured(residualGraph());
        model.plan.erase(model.graph.findOperation("gap")); // flatten now reads a float operation's result
        QCOMPARE(run("nxp_input_rounding", model), 8);
        const auto rounding = [&](Slot slot) { return model.plan.find(slot)->rounding; };
        for (const Slot slot :
             {in(model, "conv1", 0), in(model, "conv1", 1), in(model, "conv2", 2), in(model, "flatten")})
            QVERIFY(rounding(slot) == Rounding::HalfDown);
        for (const Slot slot : {out(model, "conv1"), in(model, "relu"), in(model, "add", 1), in(model, "gemm")})
            QVERIFY(rounding(slot) == Rounding::HalfEven);
        QCOMPARE(run("nxp_input_rounding", model), 0);
        model = configured(residualGraph());
        QCOMPARE(run("nxp_input_rounding", model, {{"parameters", false}}), 1);
    }

    void resizeMode()
    {
        SmallGraph g;
        g.input("x", {1, 1, 2, 2});
        g.parameter("scales", floats({4}, {1, 1, 2, 2}));
        g.op("Resize", "linear", {"x", "", "scales"}, {"a"}, {{"mode", std::string("linear")}});
        g.op("Resize", "nearest", {"x", "", "scales"}, {"b"}, {{"mode", std::string("nearest")}});
        g.op("Resize", "shifted", {"x", "", "scales"}, {"c"},
             {{"mode", std::string("nearest")},
              {"coordinate_transformation_mode", std::string("asymmetric")},
              {"nearest_mode", std::string("floor")}});
        g.output("a");
        g.output("b");
        g.output("c");
        QuantModel model;
        model.graph = std::move(g.graph);
        const Feed feed = {{"x", noise({1, 1, 2, 2}, 1)}};
        const auto before = forward(model, feed, false);
        Problems problems;
        QCOMPARE(run("nxp_resize_mode", model, {}, nullptr, &problems), 2);
        const auto after = forward(model, feed, false);
        QVERIFY(largestDifference(before[0], after[0]) > 0.01); // and this is reported:
        const Operation &resize = op(model.graph, "linear");
        QCOMPARE(resize.stringAttribute("mode", ""), std::string("nearest"));
        QCOMPARE(resize.stringAttribute("coordinate_transformation_mode", ""), std::string("half_pixel"));
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("linear"));
        QCOMPARE(largestDifference(before[1], after[1]), 0.0);
        QCOMPARE(largestDifference(before[2], after[2]), 0.0); // each pixel is repeated, unchanged
        QVERIFY(!op(model.graph, "shifted").hasAttribute("nearest_mode"));
        QCOMPARE(run("nxp_resize_mode", model), 0);
    }

    void fusion()
    {
        QuantModel model = configured(residualGraph());
        QCOMPARE(run("nxp_fusion", model), 2); // conv1 and relu
        QL_STATE(model, out(model, "conv1"), "overlapped");
        QL_STATE(model, in(model, "relu"), "overlapped");
        QVERIFY(model.plan.root(out(model, "conv1")) == out(model, "relu"));
        QL_STATE(model, out(model, "conv2"), "initial"); // Add is no Relu
        SmallGraph g;
        g.input("x", {1, 2, 2, 2});
        g.op("Sigmoid", "a", {"x"}, {"ta"});
        g.op("Tanh", "b", {"x"}, {"tb"});
        g.op("Concat", "cat", {"ta", "tb", "x"}, {"y"}, {{"axis", std::int64_t{1}}});
        g.output("y");
        g.output("tb");
        model = configured(std::move(g.graph));
        QCOMPARE(run("nxp_fusion", model), 2);
        QVERIFY(model.plan.root(out(model, "a")) == out(model, "cat"));
        QL_STATE(model, out(model, "b"), "initial");
        QL_STATE(model, in(model, "cat", 2), "initial");
        QCOMPARE(run("nxp_fusion", model), 0);
    }
};

QL_TEST(TestNxp)
#include "tst_nxp.moc"
