#include "tests/pass/pass_support.h"
#include "tests/support/loop_model.h"
#include "tests/support/test_main.h"

#include <ATen/ops/full.h>
#include <QtTest>

using namespace ql;
using namespace ql::test;

/// What the pass records and asks for; the files that result: tests/export/tst_quantized_bodies.cpp.
class TestQuantizeBodies : public QObject
{
    Q_OBJECT

    static QuantModel loop() { return loopModel(ramp({2, 2}, -0.3f, 0.2f), 5, 0.5f, 0.25f); }

    class Samples final : public BatchSource
    {
    public:
        std::size_t size() const override { return 40; }
        Feed batch(std::size_t i) const override { return {{"x", at::full({1, 2}, float(i))}}; }
    };

private Q_SLOTS:
    void records()
    {
        QuantModel model = loop();
        const Samples samples;
        PassContext context;
        context.calibration = &samples;
        context.calibrationSteps = samples.size();
        std::size_t calls = 0;
        context.quantizeBody = [&](QuantModel &body, const BodyRequest &request, const PassContext &own) {
            ++calls;
            QCOMPARE(request.platform, std::string("INT8"));
            QCOMPARE(request.path, (BodyPath{{model.graph.findOperation("loop"), "body"}}));
            QCOMPARE(own.path, request.path);
            QCOMPARE(request.states, (std::vector<VarId>{body.graph.findVariable("n")}));
            QCOMPARE(request.rounded.at(body.graph.findVariable("w")).scale, (std::vector<float>{0.25f}));
            QCOMPARE(request.rounded.at(body.graph.findVariable("r")).scale, (std::vector<float>{0.5f}));
            QVERIFY(body.graph.isParameter(body.graph.findVariable("w")));
            // 200 runs of the body: every fourth is kept
            QCOMPARE(own.calibration->size(), std::size_t(50));
            for (std::size_t i = 0; i < own.calibration->size(); ++i) {
                const Feed feed = own.calibration->batch(i);
                QCOMPARE(feed.size(), std::size_t(4));
                QCOMPARE(feed.at("i").item().toLong(), std::int64_t(4 * i % 5));
                QCOMPARE(feed.at("r")[0][0].item().toFloat(), float(4 * i / 5));
            }
            const OpId product = body.graph.findOperation("product");
            body.plan.set(inputSlot(product, 0), {});
            body.plan.setScale(inputSlot(product, 0), {0.1f}, {0}, QuantState::Active, {});
        };
        QCOMPARE(runPass(*makePass("quantize_bodies", {}), model, context).changed, 1);
        QCOMPARE(calls, std::size_t(1));
        const QuantModel &body = *model.plan.bodies.at(model.graph.findOperation("loop")).at("body");
        QCOMPARE(body.graph.inputs().size(), std::size_t(3)); // captured tensors are no inputs
    }

    /// A platform that leaves the weights of a body in float32, as those of an LSTM, leaves its activations there, too.
    void floatWeights()
    {
        QuantModel model = loop();
        model.plan.setState(inputSlot(model.graph.findOperation("loop"), 3), QuantState::Off, {});
        const Samples samples;
        PassContext context;
        context.calibration = &samples;
        context.calibrationSteps = samples.size();
        context.quantizeBody = [](QuantModel &, const BodyRequest &, const PassContext &) {
            QFAIL("nothing to quantize");
        };
        QCOMPARE(runPass(*makePass("quantize_bodies", {}), model, context).changed, 0);
    }

    /// Nothing of the body is rounded: the plan stays as it is.
    void nothingToQuantize()
    {
        QuantModel model = loop();
        const Samples samples;
        PassContext context;
        context.calibration = &samples;
        context.calibrationSteps = samples.size();
        QCOMPARE(runPass(*makePass("quantize_bodies", {}), model, context).changed, 0);
        QVERIFY(model.plan.bodies.empty());
        context.calibration = nullptr;
        QCOMPARE(runPass(*makePass("quantize_bodies", {}), model, context).changed, 0);
    }

    /// The scales are known: no data is needed.
    void fixed()
    {
        QuantModel model = loop();
        PassContext context;
        context.quantizeBody = [&](QuantModel &body, const BodyRequest &request, const PassContext &own) {
            QVERIFY(!own.calibration);
            QCOMPARE(request.rounded.at(body.graph.findVariable("w")).scale, (std::vector<float>{0.25f}));
            const OpId product = body.graph.findOperation("product");
            body.plan.set(inputSlot(product, 0), {});
            body.plan.setScale(inputSlot(product, 0), {0.1f}, {0}, QuantState::Active, {});
        };
        QCOMPARE(runPass(*makePass("fixed_bodies", {}), model, context).changed, 1);
        QVERIFY(model.plan.bodies.at(model.graph.findOperation("loop")).contains("body"));
    }
};

QL_TEST(TestQuantizeBodies)
#include "tst_quantize_bodies.moc"
