#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestMaskedScores : public QObject
{
    Q_OBJECT

private:
    /// sigmoid x -> scores (0.02); scores and mask -> TYPE -> Reshape -> Softmax -> y. Mask and sum have the step.
    static QuantModel attention(const std::string &type, float step)
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.input("raw", {1, 4});
        g.parameter("shape", ints({1, 4}));
        g.op("Sigmoid", "first", {"x"}, {"scores"});
        g.op("Mul", "scale", {"raw", "raw"}, {"mask"});
        g.op(type, "add", {"scores", "mask"}, {"masked"});
        g.op("Reshape", "shape", {"masked", "shape"}, {"moved"});
        g.op("Softmax", "softmax", {"moved"}, {"y"}, {{"axis", std::int64_t{1}}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        const auto set = [&](Slot slot, float scale) {
            model.plan.setScale(slot, {scale}, {0}, QuantState::Active, {});
        };
        for (const char *op : {"first", "add"}) set(in(model, op), 0.02f);
        set(out(model, "first"), 0.02f);
        for (const Slot slot : {out(model, "scale"), out(model, "add"), in(model, "shape"), out(model, "shape")})
            set(slot, step);
        model.plan.overlap(in(model, "add", 1), out(model, "scale"), {});
        model.plan.overlap(in(model, "softmax"), out(model, "shape"), {});
        set(out(model, "softmax"), 0.01f);
        return model;
    }

private Q_SLOTS:
    void sumAndMaskAreFloat()
    {
        for (const char *type : {"Add", "Sub"}) {
            QuantModel model = attention(type, 79.f);
            QCOMPARE(run("masked_scores", model), 5);
            for (const Slot slot : {in(model, "add", 1), out(model, "add"), in(model, "shape"), out(model, "shape")})
                QL_STATE(model, slot, "fp32");
            QVERIFY(!model.plan.simulated(in(model, "softmax")));
            run("align", model);
            // Neither the scores nor what computes the mask take the scale of the other
            QVERIFY(std::abs(scaleOf(model, in(model, "add")) - 0.02f) < 1e-3f);
            QCOMPARE(scaleOf(model, out(model, "scale")), 79.f);
            QVERIFY(model.plan.simulated(out(model, "scale")));
            QVERIFY(model.plan.simulated(out(model, "softmax")));
            QCOMPARE(run("masked_scores", model), 0);
        }
    }

    void usualAddendsStay()
    {
        for (const float step : {0.01f, 0.05f, 0.24f}) {
            QuantModel model = attention("Add", step);
            QCOMPARE(run("masked_scores", model), 0);
        }
        QuantModel model = attention("Add", 0.3f); // the scores are as coarse
        model.plan.setScale(in(model, "add"), {0.2f}, {0}, QuantState::Active, {});
        QCOMPARE(run("masked_scores", model), 0);
        QVERIFY(run("masked_scores", model = attention("Add", 0.3f), {{"step", 0.5}}) == 0);
        QCOMPARE(run("masked_scores", model, {{"step", 0.3}}), 5);
    }

    void productsHaveNoMask()
    {
        QuantModel model = attention("Mul", 79.f);
        QCOMPARE(run("masked_scores", model), 0);
    }
};

QL_TEST(TestMaskedScores)
#include "tst_masked_scores.moc"
