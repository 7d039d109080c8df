#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestParameterQuantize : public QObject
{
    Q_OBJECT

private:
    static QuantModel convolution(at::Tensor weight)
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", std::move(weight));
        g.parameter("b", floats({2}, {1, 2}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"y"});
        g.output("y");
        return configured(std::move(g.graph));
    }

private Q_SLOTS:
    void weightsGetTheirScaleFromTheGraph()
    {
        QuantModel model = convolution(floats({2, 2, 1, 1}, {1, -4, 2, 0.5}));
        QCOMPARE(run("parameter_quantize", model), 1);
        QL_STATE(model, in(model, "conv", 1), "active");
        QCOMPARE(scaleOf(model, in(model, "conv", 1)), float(2 * 4 / 255.0));
        QL_STATE(model, in(model, "conv", 0), "initial"); // an activation
        QL_STATE(model, in(model, "conv", 2), "passive"); // a bias waits for passive_parameters
        const auto *config = model.plan.find(in(model, "conv", 1));
        QCOMPARE(model.plan.origin(*config, ConfigField::Scale), Origin::pass("parameter_quantize"));
        QCOMPARE(run("parameter_quantize", model), 0);
    }

    /// A zero point of 128 is moved to the side where the scale grows less.
    void aMiddleThatIsAvoided()
    {
        for (const float high : {3.97f, 2.f}) {
            QuantModel model = convolution(floats({2, 2, 1, 1}, {1, -4, high, 0.5}));
            TensorQuantConfig &config = *model.plan.find(in(model, "conv", 1));
            config.symmetric = false;
            config.quantMin = 0;
            config.quantMax = 255;
            QCOMPARE(run("parameter_quantize", model, {{"avoid_middle", true}}), 1);
            const bool isMoved = high > 3;
            QCOMPARE(model.plan.zeroPoint(in(model, "conv", 1)), (std::vector<std::int32_t>{isMoved ? 127 : 170}));
            QCOMPARE(scaleOf(model, in(model, "conv", 1)), isMoved ? 4.f / 127 : float(6 / 255.0));
        }
    }

    void perChannel()
    {
        QuantModel model = convolution(floats({2, 2, 1, 1}, {1, -4, 2, 0.5}));
        model.plan.find(in(model, "conv", 1))->channelAxis = 0;
        QCOMPARE(run("parameter_quantize", model), 1);
        QCOMPARE(model.plan.scale(in(model, "conv", 1)), (std::vector<float>{float(8 / 255.0), float(4 / 255.0)}));
        model = convolution(floats({2, 2, 1, 1}, {1, -4, 2, 0.5}));
        model.plan.find(in(model, "conv", 1))->channelAxis = 1;
        run("parameter_quantize", model);
        QCOMPARE(model.plan.scale(in(model, "conv", 1)), (std::vector<float>{float(4 / 255.0), float(8 / 255.0)}));
    }

    void otherMemoryLayouts()
    {
        const at::Tensor weight = noise({2, 3, 3, 3}, 9);
        std::vector<std::vector<float>> scales;
        for (const at::Tensor &layout : {weight, weight.contiguous(at::MemoryFormat::ChannelsLast),
                                         at::empty({2, 3, 3, 6}).slice(3, 0, 6, 2).copy_(weight)}) {
            QuantModel model = convolution(layout);
            model.plan.find(in(model, "conv", 1))->channelAxis = 1;
            run("parameter_quantize", model);
            scales.push_back(model.plan.scale(in(model, "conv", 1)));
        }
        QCOMPARE(scales[0].size(), std::size_t(3));
        QCOMPARE(scales[1], scales[0]);
        QCOMPARE(scales[2], scales[0]);
    }

    void bothPhasesOfTwoPhaseObservers_data()
    {
        QTest::addColumn<QString>("observer");
        QTest::newRow("kl") << "kl";
        QTest::newRow("mse") << "mse";
    }
    void bothPhasesOfTwoPhaseObservers()
    {
        QFETCH(QString, observer);
        QuantModel model = convolution(noise({2, 2, 16, 16}, 4));
        QCOMPARE(run("parameter_quantize", model, {{"observer", observer.toStdString()}}), 1);
        const auto *config = model.plan.find(in(model, "conv", 1));
        QVERIFY(config->state == QuantState::Active && config->scale[0] > 0);
        QCOMPARE(config->observer, observer.toStdString());
        QCOMPARE(model.plan.origin(*config, ConfigField::Observer), Origin::pass("parameter_quantize"));
    }

    void anObserverThatCannotServeIsAnErrorWithOpAndTensor()
    {
        QuantModel model = convolution(noise({2, 2, 1, 1}, 4));
        model.plan.find(in(model, "conv", 1))->channelAxis = 0;
        const Error error = errorOf([&] { run("parameter_quantize", model, {{"observer", "floating"}}); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QCOMPARE(error.op, std::string("conv"));
        QCOMPARE(error.variable, std::string("w"));
    }

    void unusableParametersStayInFloat_data()
    {
        QTest::addColumn<int>("which");
        QTest::newRow("NaN alone") << 0;
        QTest::newRow("infinite") << 1;
        QTest::newRow("another type") << 2;
        QTest::newRow("channel axis outside") << 3;
        QTest::newRow("empty") << 4;
    }
    void unusableParametersStayInFloat()
    {
        QFETCH(int, which);
        const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
        at::Tensor weight = floats({2, 1}, {1, 2});
        if (which == 0) weight = floats({2}, {nan, nan});
        if (which == 1) weight = floats({2}, {inf, 1});
        if (which == 2) weight = weight.to(at::kDouble);
        if (which == 4) weight = floats({0}, {});
        QuantModel model = convolution(weight);
        model.plan.find(in(model, "conv", 1))->state = QuantState::Initial;
        if (which == 3) model.plan.find(in(model, "conv", 1))->channelAxis = 3;
        Problems problems;
        QCOMPARE(run("parameter_quantize", model, {}, nullptr, &problems), 0);
        QL_STATE(model, in(model, "conv", 1), "fp32");
        const bool hasValues = weight.numel() > 0; // nothing is lost without
        QCOMPARE(problems.size(), std::size_t(hasValues));
        if (!hasValues) return;
        QCOMPARE(problems[0].op, std::string("conv"));
        QCOMPARE(problems[0].variable, std::string("w"));
        QVERIFY(!problems[0].remedy.isEmpty());
    }

    void someNanAreReported()
    {
        QuantModel model = convolution(floats({2, 1, 1, 1}, {1, std::numeric_limits<float>::quiet_NaN()}));
        Problems problems;
        QCOMPARE(run("parameter_quantize", model, {}, nullptr, &problems), 1);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(
            QString::fromStdString(problems[0].message.english()).contains("NaN values left out of the statistics: 1"));
    }

    void thePlansOwnValueIsObserved()
    {
        QuantModel model = convolution(floats({2, 2, 1, 1}, {1, -4, 2, 0.5}));
        model.plan.parameterValues[model.graph.findVariable("w")] = floats({2, 2, 1, 1}, {1, -1, 2, 0.5});
        run("parameter_quantize", model);
        QCOMPARE(scaleOf(model, in(model, "conv", 1)), float(4 / 255.0));
    }
};

QL_TEST(TestParameterQuantize)
#include "tst_parameter_quantize.moc"
