#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestQuantizeSimplify : public QObject
{
    Q_OBJECT

private:
    static QuantModel chain()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Sigmoid", "a", {"x"}, {"t"});
        g.op("Mul", "b", {"t", "t"}, {"u"});
        g.op("Tanh", "c", {"t"}, {"v"});
        g.output("u");
        g.output("v");
        return configured(std::move(g.graph));
    }

private Q_SLOTS:
    void everyReaderJoinsTheProducer()
    {
        QuantModel model = chain();
        QCOMPARE(run("quantize_simplify", model), 3); // both slots of Mul(t, t) and Tanh
        for (const Slot slot : {in(model, "b", 0), in(model, "b", 1), in(model, "c")}) {
            QL_STATE(model, slot, "overlapped");
            QVERIFY(model.plan.root(slot) == out(model, "a"));
        }
        QL_STATE(model, out(model, "a"), "initial");
        QL_STATE(model, in(model, "a"), "initial"); // a graph input has no producer
        QCOMPARE(run("quantize_simplify", model), 0);
    }

    /// A scale of the whole tensor before those of its channels would undo what they are for.
    void channelsReplaceTheScaleOfTheTensor()
    {
        QuantModel model = chain();
        for (const Slot slot : {in(model, "b", 0), in(model, "b", 1)}) model.plan.find(slot)->channelAxis = 1;
        QCOMPARE(run("quantize_simplify", model), 1); // Tanh reads the whole tensor
        QL_STATE(model, out(model, "a"), "initial");
        model = chain();
        for (const Slot slot : {in(model, "b", 0), in(model, "b", 1), in(model, "c")})
            model.plan.find(slot)->channelAxis = 1;
        QCOMPARE(run("quantize_simplify", model), 1);
        QL_STATE(model, out(model, "a"), "overlapped");
        QVERIFY(!model.plan.root(out(model, "a")).output);
        QL_STATE(model, in(model, "c"), "initial");
        QCOMPARE(run("quantize_simplify", model), 0);
    }

    void conditions_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("another grid") << 0;
        QTest::newRow("another rounding") << 1;
        QTest::newRow("another platform") << 2;
        QTest::newRow("the consumer is in float32") << 3;
        QTest::newRow("the producer is in float32") << 4;
        QTest::newRow("the producer is not quantized") << 5;
    }
    void conditions()
    {
        QFETCH(int, which);
        QuantModel model = chain();
        TensorQuantConfig &config = *model.plan.find(in(model, "c"));
        if (which == 0) config.quantMin = -127;
        if (which == 1) config.rounding = Rounding::HalfDown;
        if (which == 2) model.dispatch[model.graph.findOperation("c")].platform = "INT4";
        if (which == 3) config.state = QuantState::Off;
        if (which == 4) model.plan.find(out(model, "a"))->state = QuantState::Off;
        if (which == 5) model.plan.erase(model.graph.findOperation("a"));
        const std::string before = stateOf(model, in(model, "c"));
        QCOMPARE(run("quantize_simplify", model), which < 4 ? 2 : 0);
        QCOMPARE(stateOf(model, in(model, "c")), before);
    }

    void separateObserverDoesNotMatter()
    {
        QuantModel model = chain();
        model.plan.find(in(model, "c"))->observer = "kl";
        QCOMPARE(run("quantize_simplify", model), 3);
    }

    void aGroupComesAlong()
    {
        QuantModel model = configured(residualGraph());
        run("quantize_fusion", model);
        run("quantize_simplify", model);
        // flatten.out is below flatten.in (passive), which now is below gap.out; gemm.in joins the same group
        for (const Slot slot : {in(model, "flatten"), out(model, "flatten"), in(model, "gemm")})
            QVERIFY(model.plan.root(slot) == out(model, "gap"));
    }
};

QL_TEST(TestQuantizeSimplify)
#include "tst_quantize_simplify.moc"
