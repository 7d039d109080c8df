// ConvTranspose: prepared kernels for constant weights against LibTorch's own.
#include "core/base/error.h"
#include "core/exec/convolution.h"
#include "core/exec/executor.h"
#include "core/quant/quantize.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/conv_transpose1d.h>
#include <ATen/ops/conv_transpose2d.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <QtTest>

using namespace ql;
using test::SmallGraph;

namespace {

using Sizes = std::vector<std::int64_t>;

struct UpsamplingNet
{
    SmallGraph small;
    OpId up = noOp;

    UpsamplingNet(const Sizes &input, const at::Tensor &weight, const at::Tensor &bias, const Sizes &strides, bool relu)
    {
        small.input("x", input);
        small.parameter("w", weight);
        if (bias.defined()) small.parameter("b", bias);
        std::vector<std::string> inputs{"x", "w"};
        if (bias.defined()) inputs.push_back("b");
        up = small.op("ConvTranspose", "up", inputs, {relu ? "c" : "y"}, {{"strides", strides}});
        if (relu) small.op("Relu", "relu", {"c"}, {"y"});
        small.output("y");
        small.graph.verify();
    }
};

at::Tensor expected(const at::Tensor &x, const at::Tensor &w, const at::Tensor &bias, const Sizes &strides, bool relu)
{
    const at::Tensor y =
        x.dim() == 3 ? at::conv_transpose1d(x, w, bias, strides) : at::conv_transpose2d(x, w, bias, strides);
    return relu ? at::relu(y) : y;
}

TensorQuantConfig config(std::vector<float> scale, QuantState state)
{
    TensorQuantConfig c;
    c.state = state;
    c.zeroPoint.assign(scale.size(), 0);
    c.scale = std::move(scale);
    return c;
}

} // namespace

Q_DECLARE_METATYPE(Epilogue)

class TestTransposedConvolution : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::manual_seed(7); }

    /// With a kernel that is shorter than the stride, SAME leaves the full result, unless output_shape is larger.
    void sameNeverAdds()
    {
        const at::Tensor x = test::ramp({1, 1, 3}, 1, 1);
        const auto run = [&](std::map<std::string, Attribute, std::less<>> attributes) {
            SmallGraph small;
            small.input("x", {1, 1, 3});
            small.parameter("w", test::floats({1, 1, 1}, {1}));
            attributes["strides"] = Sizes{2};
            small.op("ConvTranspose", "up", {"x", "w"}, {"y"}, attributes);
            small.output("y");
            return test::values(Executor(small.graph, {"cpu", 1}).compile({}).run(Feed{{"x", x}}, {}).at(0));
        };
        const std::vector<double> full{1, 0, 2, 0, 3}, longer{1, 0, 2, 0, 3, 0};
        for (const char *way : {"SAME_UPPER", "SAME_LOWER"}) {
            QCOMPARE(run({{"auto_pad", std::string(way)}}), full);
            QCOMPARE(run({{"auto_pad", std::string(way)}, {"output_padding", Sizes{1}}}), longer);
        }
        QCOMPARE(run({{"output_shape", Sizes{6}}}), longer);
    }

    void equalsLibTorch_data()
    {
        QTest::addColumn<Sizes>("input");
        QTest::addColumn<Sizes>("weight");
        QTest::addColumn<Sizes>("strides");
        QTest::addColumn<bool>("bias");
        QTest::addColumn<bool>("relu");
        QTest::newRow("2x2, bias, activation")
            << Sizes{2, 24, 5, 7} << Sizes{24, 24, 2, 2} << Sizes{2, 2} << true << true;
        QTest::newRow("2x2 to one channel") << Sizes{1, 24, 6, 5} << Sizes{24, 1, 2, 2} << Sizes{2, 2} << true << false;
        QTest::newRow("unequal kernel") << Sizes{1, 3, 4, 5} << Sizes{3, 5, 3, 2} << Sizes{3, 2} << false << true;
        QTest::newRow("1x1") << Sizes{3, 8, 4, 4} << Sizes{8, 6, 1, 1} << Sizes{1, 1} << true << false;
        QTest::newRow("one pixel") << Sizes{1, 2, 1, 1} << Sizes{2, 3, 4, 4} << Sizes{4, 4} << true << false;
        QTest::newRow("line") << Sizes{2, 6, 9} << Sizes{6, 4, 3} << Sizes{3} << true << true;
        QTest::newRow("patches overlap") << Sizes{1, 4, 5, 5} << Sizes{4, 3, 3, 3} << Sizes{2, 2} << true << true;
        QTest::newRow("gaps between patches") << Sizes{1, 4, 5, 5} << Sizes{4, 3, 2, 2} << Sizes{3, 3} << true << true;
    }
    void equalsLibTorch()
    {
        QFETCH(Sizes, input);
        QFETCH(Sizes, weight);
        QFETCH(Sizes, strides);
        QFETCH(bool, bias);
        QFETCH(bool, relu);
        const at::Tensor x = at::randn(input), w = at::randn(weight);
        const at::Tensor b = bias ? at::randn({weight[1]}) : at::Tensor();
        const UpsamplingNet net(input, w, b, strides, relu);
        const Executor executor(net.small.graph);
        const Program program = executor.compile({});
        const at::Tensor want = expected(x, w, b, strides, relu);
        for (int i = 0; i < 2; ++i) {
            const at::Tensor got = program.run(Feed{{"x", x}}, {})[0];
            QCOMPARE(got.sizes().vec(), want.sizes().vec());
            QVERIFY(at::allclose(got, want, 1e-5, 1e-5));
        }
    }

    /// Weights with a different grid per channel, and a probe on the result before its activation.
    void runsQuantizedAndObserved()
    {
        const Sizes input{2, 6, 4, 5}, strides{2, 2};
        const at::Tensor x = at::randn(input), w = at::randn({6, 3, 2, 2}), b = at::randn({3});
        const UpsamplingNet net(input, w, b, strides, true);
        TensorQuantConfig weights = config({0.01f, 0.05f, 0.2f}, QuantState::Active);
        weights.channelAxis = 1;
        QuantPlan plan;
        plan.set(inputSlot(net.up, 0), config({0.02f}, QuantState::Active));
        plan.set(inputSlot(net.up, 1), weights);
        plan.set(outputSlot(net.up), config({0.1f}, QuantState::Active));
        const Executor executor(net.small.graph);
        ProgramSpec spec;
        spec.plan = &plan;
        at::Tensor seen;
        spec.probes.push_back(
            {outputSlot(net.up), ProbePoint::Raw, [&](const at::Tensor &t, std::size_t) { seen = t.clone(); }});
        const at::Tensor got = executor.compile(spec).run(Feed{{"x", x}}, {})[0];
        const at::Tensor raw = expected(fakeQuant(x, plan, inputSlot(net.up, 0)),
                                        fakeQuant(w, plan, inputSlot(net.up, 1)), b, strides, false);
        QVERIFY(at::allclose(seen, raw, 1e-5, 1e-5));
        QVERIFY(at::allclose(got, at::relu(fakeQuant(seen, plan, outputSlot(net.up))), 1e-6, 1e-6));
    }

    void namesIncompatibleShapes()
    {
        const UpsamplingNet net({}, at::randn({6, 3, 2, 2}), {}, {2, 2}, false);
        const Executor executor(net.small.graph);
        try {
            executor.compile({}).run({at::randn({1, 5, 4, 4})}, {});
            QFAIL("five channels into weights for six");
        } catch (const Error &error) {
            QCOMPARE(error.op, std::string("up"));
            QVERIFY(std::string(error.what()).starts_with("ConvTranspose: input has 5 channels"));
        }
    }

    /// A fused activation gives the same result as a separate operation.
    void fusedActivation_data()
    {
        QTest::addColumn<Epilogue>("epilogue");
        QTest::addColumn<bool>("sameBits"); // else to rounding: the function is approximated
        QTest::newRow("Relu") << Epilogue{Epilogue::Kind::Relu} << true;
        QTest::newRow("Clip") << Epilogue{Epilogue::Kind::Clip, -0.5f, 0.5f} << true;
        QTest::newRow("LeakyRelu") << Epilogue{Epilogue::Kind::LeakyRelu, 0.1f} << true;
        QTest::newRow("Sigmoid") << Epilogue{Epilogue::Kind::Sigmoid} << false;
        QTest::newRow("Tanh") << Epilogue{Epilogue::Kind::Tanh} << false;
        QTest::newRow("Silu") << Epilogue{Epilogue::Kind::Silu} << false;
        QTest::newRow("HardSwish") << Epilogue{Epilogue::Kind::HardSwish} << false;
    }
    void fusedActivation()
    {
        QFETCH(Epilogue, epilogue);
        QFETCH(bool, sameBits);
        const Sizes input{1, 16, 12, 10};
        SmallGraph small;
        small.input("x", input);
        const at::Tensor weight = at::randn({16, 1, 4, 4}), bias = at::randn({16}), x = at::randn(input);
        small.parameter("w", weight);
        small.parameter("b", bias);
        const OpId up = small.op("ConvTranspose", "up", {"x", "w", "b"}, {"y"},
                                 {{"strides", Sizes{2, 2}}, {"pads", Sizes{1, 1, 1, 1}}, {"group", std::int64_t{16}}});
        const KernelContext context{small.graph.operation(up), small.graph};
        const std::vector<at::Tensor> constants{{}, weight, bias}, inputs{x, weight, bias};
        const auto plain = prepareDnnlConvolution(context, constants, {});
        const auto fused = prepareDnnlConvolution(context, constants, epilogue);
        if (!plain) QSKIP("built without oneDNN");
        const at::Tensor expected = applyEpilogue(plain->run(context, inputs)[0], epilogue);
        const at::Tensor y = fused->run(context, inputs)[0];
        QVERIFY(sameBits ? y.equal(expected) : at::allclose(y, expected, 1e-5, 1e-6));
    }
};

QL_TEST(TestTransposedConvolution)
#include "tst_transposed_convolution.moc"
