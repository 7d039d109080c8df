#include "core/quant/integer_arithmetic.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/fill.h>

#include <cmath>

using namespace ql;
using namespace ql::test;

class TestRoundBiases : public QObject
{
    Q_OBJECT

private:
    /// Conv of 3 channels with a bias that is given; input scale 0.5, weight scales 0.25, 0.5, 1.
    static QuantModel convolution(const std::vector<float> &bias)
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({3, 2, 1, 1}, 1));
        g.parameter("b", floats({3}, bias));
        g.op("Conv", "conv", {"x", "w", "b"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        model.plan.setScale(in(model, "conv", 0), {0.5f}, {0}, QuantState::Active, {});
        model.plan.find(in(model, "conv", 1))->channelAxis = 0;
        model.plan.setScale(in(model, "conv", 1), {0.25f, 0.5f, 1}, {0, 0, 0}, QuantState::Active, {});
        model.plan.setScale(out(model, "conv"), {0.1f}, {0}, QuantState::Active, {});
        model.plan.setState(in(model, "conv", 2), QuantState::Off, {});
        return model;
    }
    static std::vector<float> ownBias(const QuantModel &model)
    {
        const auto own = model.plan.parameterValues.find(model.graph.findVariable("b"));
        if (own == model.plan.parameterValues.end()) return {};
        const at::Tensor value = own->second.contiguous();
        return {value.data_ptr<float>(), value.data_ptr<float>() + value.numel()};
    }

private Q_SLOTS:
    void eachIsTheNearestMultiple()
    {
        // Steps 0.125, 0.25, 0.5; the last is a tie, which goes to the even code
        QuantModel model = convolution({0.3f, -0.4f, 0.75f});
        QCOMPARE(run("round_biases", model), 1);
        QCOMPARE(ownBias(model), (std::vector<float>{0.25f, -0.5f, 1.0f}));
        QL_STATE(model, in(model, "conv", 2), "fp32");
        QCOMPARE(model.graph.variable(model.graph.findVariable("b")).value.data_ptr<float>()[0], 0.3f);
        QCOMPARE(run("round_biases", model), 0);
    }

    /// An input that was 0 in calibration has the smallest scale: the codes of a bias would be beyond int32.
    void anInputOfZerosLeavesRoomForTheBias()
    {
        const std::vector<float> bias{0.3f, -0.4f, 0.75f};
        QuantModel model = convolution(bias);
        const float inputScale = 1e-10f;
        model.plan.setScale(in(model, "conv", 0), {inputScale}, {0}, QuantState::Active, {});
        const OpId conv = model.graph.findOperation("conv");
        model.plan.integerOps.insert(conv);
        const std::vector<float> scales = targetWeightScale(model.graph, model.plan, conv);
        for (std::size_t c = 0; c < bias.size(); ++c) {
            const double code = std::abs(double(bias[c]) / (double(inputScale) * double(scales[c])));
            QVERIFY2(code > 1 << 28 && code <= 1.001 * (1 << 30), qPrintable(QString::number(code)));
        }
        Problems problems;
        run("round_biases", model, {}, nullptr, &problems);
        QVERIFY(problems.empty());
    }

    /// Codes that a file has are kept, although they would not fit to a weight without codes of its own.
    void aBiasWithCodesNeedsNoRoom()
    {
        QuantModel model = convolution({0.3f, -0.4f, 0.75f});
        const Slot bias = in(model, "conv", 2);
        model.plan.setScale(in(model, "conv", 0), {1e-10f}, {0}, QuantState::Active, {});
        model.plan.setScale(bias, {1e-9f}, {0}, QuantState::Baked, {});
        model.plan.integerOps.insert(bias.op);
        QCOMPARE(targetWeightScale(model.graph, model.plan, bias.op), model.plan.scale(in(model, "conv", 1)));
    }

    void onlyTheQuantizedModelChanges()
    {
        QuantModel model = convolution({0.3f, -0.4f, 0.75f});
        const Feed feed = {{"x", noise({1, 2, 4, 4}, 5)}};
        const at::Tensor before = forward(model, feed, false)[0];
        run("round_biases", model);
        QCOMPARE(largestDifference(forward(model, feed, false)[0], before), 0.0);
    }

    void aCorrectedBiasIsRounded()
    {
        QuantModel model = convolution({0, 0, 0});
        model.plan.parameterValues[model.graph.findVariable("b")] = floats({3}, {0.3f, -0.4f, 0.75f});
        QCOMPARE(run("round_biases", model), 1);
        QCOMPARE(ownBias(model), (std::vector<float>{0.25f, -0.5f, 1.0f}));
    }

    void othersAreUnchanged_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("input not quantized") << 0;
        QTest::newRow("weight not quantized") << 1;
        QTest::newRow("bias quantized itself") << 2;
        QTest::newRow("floating input") << 3;
        QTest::newRow("dynamic input") << 4;
    }
    void othersAreUnchanged()
    {
        QFETCH(int, which);
        QuantModel model = convolution({0.3f, -0.4f, 0.75f});
        const Slot input = in(model, "conv", 0);
        if (which == 0) model.plan.setState(input, QuantState::Off, {});
        if (which == 1) model.plan.setState(in(model, "conv", 1), QuantState::Off, {});
        if (which == 2) model.plan.setState(in(model, "conv", 2), QuantState::Passive, {});
        if (which == 3) model.plan.find(input)->exponentBits = 4;
        if (which == 4) model.plan.find(input)->dynamic = true;
        QCOMPARE(run("round_biases", model), 0);
        QVERIFY(ownBias(model).empty());
    }

    void aBiasBeyondInt32IsReported()
    {
        QuantModel model = convolution({1e9f, 0.3f, 0.75f});
        Problems problems;
        QCOMPARE(run("round_biases", model, {}, nullptr, &problems), 0);
        QVERIFY(ownBias(model).empty());
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].op, std::string("conv"));
    }

    /// In integer arithmetic a channel whose weights are all zero gets a scale that its bias fits to.
    void aChannelWithoutWeightsHasRoom()
    {
        for (const bool integers : {false, true}) {
            QuantModel model = convolution({1e9f, 0.3f, 0.75f});
            model.graph.variable(model.graph.findVariable("w")).value[0].fill_(0);
            const OpId conv = model.graph.findOperation("conv");
            if (integers) model.plan.integerOps = {conv};
            Problems problems;
            QCOMPARE(run("round_biases", model, {}, nullptr, &problems), integers ? 1 : 0);
            QCOMPARE(problems.empty(), integers);
            if (!integers) continue;
            const std::vector<float> scales = targetWeightScale(model.graph, model.plan, conv);
            QVERIFY(scales[0] > 0.25f && std::log2(scales[0]) == std::floor(std::log2(scales[0])));
            QCOMPARE(scales[1], 0.5f);
            QVERIFY(1e9f / (0.5f * scales[0]) <= 8388608);
            QVERIFY(std::abs(ownBias(model)[0] - 1e9f) <= 0.25f * scales[0]);
            QCOMPARE(ownBias(model)[2], 1.0f);
        }
    }
};

QL_TEST(TestRoundBiases)
#include "tst_round_biases.moc"
