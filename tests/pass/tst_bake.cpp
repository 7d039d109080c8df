#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestBake : public QObject
{
    Q_OBJECT

private:
    static QuantModel quantized(const Batches &batches)
    {
        QuantModel model = configured(residualGraph());
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {}, &batches);
        for (const char *pass : {"align", "passive_parameters"}) run(pass, model);
        return model;
    }

private Q_SLOTS:
    /// The states that PPQ names for this network.
    void theDefaultPipelineOnAResidualNetwork()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 8);
        QuantModel model = quantized(batches);
        QCOMPARE(run("bake", model), 6);
        for (const Slot slot : {out(model, "conv1"), in(model, "relu")}) {
            QL_STATE(model, slot, "overlapped");
            QVERIFY(*model.plan.find(slot)->parent == out(model, "relu"));
        }
        for (const Slot slot :
             {out(model, "relu"), in(model, "conv2"), out(model, "conv2"), in(model, "add", 0), in(model, "add", 1)}) {
            QL_STATE(model, slot, "passive");
            QCOMPARE(scaleOf(model, slot), scaleOf(model, in(model, "add", 0)));
        }
        for (const Slot slot : {in(model, "gap"), in(model, "flatten"), out(model, "flatten"), in(model, "gemm")})
            QL_STATE(model, slot, "overlapped");
        for (const char *op : {"conv1", "conv2", "gemm"}) {
            QL_STATE(model, in(model, op, 1), "baked");
            QL_STATE(model, in(model, op, 2), "baked");
        }
        for (const Slot slot : {out(model, "add"), out(model, "gap"), out(model, "gemm"), in(model, "conv1")})
            QL_STATE(model, slot, "active");
        model.plan.verify(model.graph);
    }

    void noNumberChanges()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 8);
        QuantModel model = quantized(batches);
        const Feed feed = {{"x", noise({1, 3, 8, 8}, 77)}};
        const at::Tensor before = forward(model, feed, true)[0], original = forward(model, feed, false)[0];
        run("bake", model);
        QCOMPARE(largestDifference(forward(model, feed, true)[0], before), 0.0);
        QCOMPARE(largestDifference(forward(model, feed, false)[0], original), 0.0);
        const double error = largestDifference(before, original);
        QVERIFY2(error > 0 && error < 0.1, qPrintable(QString::number(error)));
        QCOMPARE(run("bake", model), 0);
    }

    void slotsWithoutScaleAreNotBaked()
    {
        QuantModel model = configured(residualGraph());
        QCOMPARE(run("bake", model), 0);
        QL_STATE(model, in(model, "conv1", 1), "initial");
        QL_STATE(model, in(model, "conv1", 2), "passive");
    }
};

QL_TEST(TestBake)
#include "tst_bake.moc"
