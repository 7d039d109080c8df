#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestPassiveParameters : public QObject
{
    Q_OBJECT

private:
    static QuantModel convolution()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({3, 2, 1, 1}, 1));
        g.parameter("b", floats({3}, {1, 2, 3}));
        g.parameter("min", floats({}, {0}));
        g.parameter("max", floats({}, {6}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"c"});
        g.op("Clip", "clip", {"c", "min", "max"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        model.plan.setScale(in(model, "conv", 0), {0.5f}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 1), {0.25f}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "clip", 0), {0.1f}, {0}, QuantState::Active, {});
        return model;
    }

private Q_SLOTS:
    void aBiasHasTheProductOfTheScales()
    {
        QuantModel model = convolution();
        QVERIFY(run("passive_parameters", model) > 0);
        QCOMPARE(model.plan.scale(in(model, "conv", 2)), std::vector<float>{0.125f});
        QCOMPARE(model.plan.zeroPoint(in(model, "conv", 2)), std::vector<std::int32_t>{0});
        QL_STATE(model, in(model, "conv", 2), "passive");
    }

    void perChannelWeights()
    {
        QuantModel model = convolution();
        model.plan.find(in(model, "conv", 1))->channelAxis = 0;
        model.plan.setScale(in(model, "conv", 1), {0.25f, 0.5f, 1}, {0, 0, 0}, QuantState::Active, {});
        run("passive_parameters", model);
        QCOMPARE(model.plan.scale(in(model, "conv", 2)), (std::vector<float>{0.125f, 0.25f, 0.5f}));
        QCOMPARE(model.plan.find(in(model, "conv", 2))->channelAxis.value_or(-1), 0);
    }

    void aPerChannelBiasOfAPerTensorWeight()
    {
        QuantModel model = convolution();
        model.plan.find(in(model, "conv", 2))->channelAxis = 0;
        run("passive_parameters", model);
        QCOMPARE(model.plan.scale(in(model, "conv", 2)), (std::vector<float>{0.125f, 0.125f, 0.125f}));
    }

    void theInputsEffectiveScaleCounts()
    {
        QuantModel model = convolution();
        model.plan.setScale(out(model, "clip"), {2}, {0}, QuantState::Active, {});
        model.plan.overlap(in(model, "conv", 0), out(model, "clip"), {});
        run("passive_parameters", model);
        QCOMPARE(model.plan.scale(in(model, "conv", 2)), std::vector<float>{0.5f});
    }

    void clipLimitsTakeTheScaleOfTheInput()
    {
        QuantModel model = convolution();
        run("passive_parameters", model);
        for (const std::size_t i : {1, 2}) {
            QL_STATE(model, in(model, "clip", i), "passive");
            QCOMPARE(scaleOf(model, in(model, "clip", i)), 0.1f);
            QVERIFY(model.plan.find(in(model, "clip", i))->visibility == Visibility::Internal);
        }
        model = convolution();
        run("passive_parameters", model, {{"clip", false}});
        QL_STATE(model, in(model, "clip", 1), "fp32");
        model = convolution();
        run("passive_parameters", model, {{"clip_visibility", "always"}});
        QVERIFY(model.plan.find(in(model, "clip", 1))->visibility == Visibility::Always);
    }

    void padValuesToo()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("pads", ints({0, 0, 1, 1, 0, 0, 1, 1}));
        g.parameter("value", floats({}, {1}));
        g.op("Pad", "pad", {"x", "pads", "value"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        model.plan.setScale(in(model, "pad", 0), {0.1f}, {0}, QuantState::Active, {});
        run("passive_parameters", model);
        QL_STATE(model, in(model, "pad", 2), "passive");
        QL_STATE(model, in(model, "pad", 1), "fp32");
        QCOMPARE(scaleOf(model, in(model, "pad", 2)), 0.1f);
    }

    void runningItTwiceChangesNothing()
    {
        QuantModel model = convolution();
        run("passive_parameters", model);
        const std::string plan = planText(model);
        QCOMPARE(run("passive_parameters", model), 0);
        QCOMPARE(planText(model), plan);
        run("bake", model);
        const std::string baked = planText(model);
        QCOMPARE(run("passive_parameters", model), 0);
        QCOMPARE(planText(model), baked);
    }

    void runningItAgainFollowsNewScales()
    {
        QuantModel model = convolution();
        run("passive_parameters", model);
        model.plan.setScale(in(model, "conv", 0), {2}, {0}, QuantState::Active, {});
        QCOMPARE(run("passive_parameters", model), 1);
        QCOMPARE(model.plan.scale(in(model, "conv", 2)), std::vector<float>{0.5f});
    }

    void withoutAScaleTheBiasStaysInFloat_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("float input") << 0;
        QTest::newRow("float weight") << 1;
        QTest::newRow("weight not along output channels") << 2;
        QTest::newRow("input not calibrated") << 3;
    }
    void withoutAScaleTheBiasStaysInFloat()
    {
        QFETCH(int, which);
        QuantModel model = convolution();
        if (which == 0) model.plan.setState(in(model, "conv", 0), QuantState::Off, {});
        if (which == 1) model.plan.setState(in(model, "conv", 1), QuantState::Off, {});
        if (which == 2) {
            model.plan.find(in(model, "conv", 1))->channelAxis = 1;
            model.plan.setScale(in(model, "conv", 1), {1, 2}, {0, 0}, QuantState::Active, {});
        }
        if (which == 3) {
            TensorQuantConfig config;
            model.plan.set(in(model, "conv", 0), config);
        }
        Problems problems;
        run("passive_parameters", model, {}, nullptr, &problems);
        QL_STATE(model, in(model, "conv", 2), "fp32");
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("conv"));
        QCOMPARE(problems[0].variable, std::string("b"));
    }

    void unresolvedSlotsAreReported()
    {
        QuantModel model = convolution();
        Problems problems;
        run("passive_parameters", model, {{"bias", false}}, nullptr, &problems);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].variable, std::string("b"));
    }
};

QL_TEST(TestPassiveParameters)
#include "tst_passive_parameters.moc"
