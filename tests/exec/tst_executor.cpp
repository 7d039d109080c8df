#include "core/exec/executor.h"
#include "tests/support/test_main.h"

#include "core/base/error.h"
#include "core/quant/quantize.h"
#include "tests/support/small_graph.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/ones.h>

#include <ATen/ops/randn.h>
#include <ATen/ops/relu.h>
#include <QtTest>

using namespace ql;

namespace {

/// x [1, 4, 8, 8] -> Conv(w1, b1) -> c1 -> Relu -> r1 -> Conv(w2) -> c2 -> Add(r1) -> a (output); all float32.
struct Net
{
    Graph graph;
    VarId x, w1, b1, c1, r1, w2, c2, a;
    OpId conv1, relu1, conv2, add;

    Net()
    {
        graph.opsets[""] = 13;
        x = graph.addVariable("x", {at::kFloat, std::vector<Dim>{{1, {}}, {4, {}}, {8, {}}, {8, {}}}});
        w1 = graph.addParameter("w1", at::randn({4, 4, 3, 3}));
        b1 = graph.addParameter("b1", at::randn({4}));
        c1 = graph.addVariable("c1");
        r1 = graph.addVariable("r1");
        w2 = graph.addParameter("w2", at::randn({4, 4, 1, 1}));
        c2 = graph.addVariable("c2");
        a = graph.addVariable("a");
        conv1 = add_({"conv1", "Conv", {x, w1, b1}, {c1}}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        relu1 = add_({"relu1", "Relu", {c1}, {r1}}, {});
        conv2 = add_({"conv2", "Conv", {r1, w2}, {c2}}, {});
        add = add_({"add", "Add", {c2, r1}, {a}}, {});
        graph.setInputs({x});
        graph.setOutputs({a});
        graph.verify();
    }

    struct Head
    {
        const char *name, *type;
        std::vector<VarId> inputs, outputs;
    };
    OpId add_(const Head &head, std::map<std::string, Attribute, std::less<>> attributes)
    {
        Operation op;
        op.name = head.name;
        op.type = head.type;
        op.opset = 13;
        op.inputs = head.inputs;
        op.outputs = head.outputs;
        op.attributes = std::move(attributes);
        return graph.addOperation(op);
    }
    at::Tensor value(VarId id) const { return graph.variable(id).value; }
    at::Tensor reference(const at::Tensor &in) const
    {
        const at::Tensor r = at::relu(at::conv2d(in, value(w1), value(b1), 1, 1));
        return at::conv2d(r, value(w2)) + r;
    }
};

TensorQuantConfig config(float scale, QuantState state)
{
    TensorQuantConfig c;
    c.state = state;
    c.scale = {scale};
    c.zeroPoint = {0};
    return c;
}

bool close(const at::Tensor &a, const at::Tensor &b)
{
    return at::allclose(a, b, 1e-5, 1e-5);
}

} // namespace

class TestExecutor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void floatRunEqualsTheFormula()
    {
        const Net net;
        const Executor executor(net.graph);
        const Program program = executor.compile({});
        for (int i = 0; i < 3; ++i) { // buffers are reused between runs: later ones must not see earlier ones
            const at::Tensor in = at::randn({1, 4, 8, 8});
            QVERIFY(close(program.run(Feed{{"x", in}}, {})[0], net.reference(in)));
        }
    }

    void appliesThePlanSlotBySlot()
    {
        const Net net;
        QuantPlan plan;
        plan.set(inputSlot(net.conv1, 0), config(0.05f, QuantState::Active));
        plan.set(inputSlot(net.conv1, 1), config(0.02f, QuantState::Baked));
        plan.set(outputSlot(net.conv1), config(0.5f, QuantState::Overlapped)); // must not be applied
        plan.set(outputSlot(net.relu1), config(0.07f, QuantState::Active));
        plan.set(inputSlot(net.add, 0), config(0.1f, QuantState::Off)); // must not be applied
        const Executor executor(net.graph);
        ProgramSpec spec;
        spec.plan = &plan;
        const at::Tensor in = at::randn({1, 4, 8, 8});
        const at::Tensor before = in.clone();
        const at::Tensor got = executor.compile(spec).run(Feed{{"x", in}}, {})[0];
        const auto fq = [&](const at::Tensor &t, float scale) {
            return fakeQuant(t, config(scale, QuantState::Active), {scale}, {0});
        };
        const at::Tensor r =
            fq(at::relu(at::conv2d(fq(in, 0.05f), fq(net.value(net.w1), 0.02f), net.value(net.b1), 1, 1)), 0.07f);
        QVERIFY(close(got, at::conv2d(r, net.value(net.w2)) + r));
        QVERIFY(at::equal(in, before)); // fed tensors are never overwritten
    }

    void onlyQuantizedLimitsThePlan()
    {
        const Net net;
        QuantPlan plan;
        plan.set(inputSlot(net.conv1, 0), config(0.5f, QuantState::Active));
        plan.set(inputSlot(net.conv2, 1), config(0.3f, QuantState::Active));
        const std::set<OpId> only{net.conv2};
        ProgramSpec spec;
        spec.plan = &plan;
        spec.onlyQuantized = &only;
        const Executor executor(net.graph);
        const at::Tensor in = at::randn({1, 4, 8, 8});
        const at::Tensor r = at::relu(at::conv2d(in, net.value(net.w1), net.value(net.b1), 1, 1));
        const at::Tensor w = fakeQuant(net.value(net.w2), config(0.3f, QuantState::Active), {0.3f}, {0});
        QVERIFY(close(executor.compile(spec).run(Feed{{"x", in}}, {})[0], at::conv2d(r, w) + r));
    }

    void suffixStartsFromFedVariables()
    {
        const Net net;
        ProgramSpec spec;
        spec.feeds = {net.r1};
        spec.outputs = {net.c2, net.a};
        const Executor executor(net.graph);
        const at::Tensor r = at::randn({1, 4, 8, 8});
        const auto got = executor.compile(spec).run(std::vector<at::Tensor>{r}, {});
        QVERIFY(close(got[0], at::conv2d(r, net.value(net.w2))));
        QVERIFY(close(got[1], got[0] + r));
    }

    void probesSeeRawAndQuantized()
    {
        const Net net;
        QuantPlan plan;
        plan.set(outputSlot(net.conv1), config(0.25f, QuantState::Active));
        plan.set(inputSlot(net.conv2, 1), config(0.25f, QuantState::Active));
        at::Tensor raw, quantized, weight, inputSeen;
        ProgramSpec spec;
        spec.plan = &plan;
        spec.probes.push_back(
            {outputSlot(net.conv1), ProbePoint::Raw, [&](const at::Tensor &t, std::size_t) { raw = t.clone(); }});
        spec.probes.push_back({outputSlot(net.conv1), ProbePoint::Quantized,
                               [&](const at::Tensor &t, std::size_t) { quantized = t.clone(); }});
        spec.probes.push_back({inputSlot(net.conv2, 1), ProbePoint::Quantized,
                               [&](const at::Tensor &t, std::size_t) { weight = t.clone(); }});
        spec.probes.push_back({inputSlot(net.conv1, 0), ProbePoint::Raw,
                               [&](const at::Tensor &t, std::size_t) { inputSeen = t.clone(); }});
        const Executor executor(net.graph);
        const at::Tensor in = at::randn({1, 4, 8, 8});
        executor.compile(spec).run(Feed{{"x", in}}, {});
        QVERIFY(close(raw, at::conv2d(in, net.value(net.w1), net.value(net.b1), 1, 1)));
        QVERIFY(at::equal(quantized, fakeQuant(raw, config(0.25f, QuantState::Active), {0.25f}, {0})));
        QVERIFY(at::equal(weight, fakeQuant(net.value(net.w2), config(0.25f, QuantState::Active), {0.25f}, {0})));
        QVERIFY(at::equal(inputSeen, in));
    }

    void parameterValuesOfThePlanReplaceWeights()
    {
        const Net net;
        QuantPlan plan;
        plan.parameterValues[net.b1] = net.value(net.b1) + 1;
        ProgramSpec spec;
        spec.plan = &plan;
        const Executor executor(net.graph);
        const at::Tensor in = at::randn({1, 4, 8, 8});
        const at::Tensor r = at::relu(at::conv2d(in, net.value(net.w1), net.value(net.b1) + 1, 1, 1));
        QVERIFY(close(executor.compile(spec).run(Feed{{"x", in}}, {})[0], at::conv2d(r, net.value(net.w2)) + r));
    }

    /// Constants computed from others are folded in float only if nothing rounds on the way.
    void roundsInsideChainsOfConstants()
    {
        test::SmallGraph g;
        g.input("x", {1, 4});
        g.parameter("a", test::ramp({1, 4}, 0.3f, 0.17f));
        g.parameter("b", test::ramp({1, 4}, 0.7f, 0.13f));
        const OpId product = g.op("Mul", "product", {"a", "b"}, {"p"});
        g.op("Sub", "difference", {"p", "b"}, {"q"});
        const OpId sum = g.op("Add", "sum", {"x", "q"}, {"y"});
        g.output("y");
        const auto value = [&](const char *name) { return g.graph.variable(g.graph.findVariable(name)).value; };
        const auto rounded = [](const at::Tensor &t, float scale) {
            return fakeQuant(t, config(scale, QuantState::Active), {scale}, {0});
        };
        const at::Tensor x = at::randn({1, 4}), exact = value("a") * value("b");
        const Executor executor(g.graph);
        QuantPlan plan;
        plan.set(inputSlot(sum, 1), config(0.01f, QuantState::Active));
        ProgramSpec spec;
        spec.plan = &plan;
        const at::Tensor folded = x + rounded(exact - value("b"), 0.01f);
        QVERIFY(close(executor.compile(spec).run(Feed{{"x", x}}, {})[0], folded));
        plan.set(outputSlot(product), config(0.2f, QuantState::Active));
        const at::Tensor want = x + rounded(rounded(exact, 0.2f) - value("b"), 0.01f);
        QVERIFY(close(executor.compile(spec).run(Feed{{"x", x}}, {})[0], want));
        QVERIFY(!close(folded, want));
    }

    void tracesEveryVariable()
    {
        const Net net;
        const auto types = Executor(net.graph).traceTypes(Feed{{"x", at::randn({1, 4, 8, 8})}}, {});
        for (const VarId id : net.graph.variables()) QVERIFY2(types.contains(id), net.graph.variable(id).name.c_str());
        QCOMPARE(toString(types.at(net.c1)), std::string("1x4x8x8"));
    }

    /// Values are skipped only if no shape depends on them.
    void tracesShapesThatFollowFromValues()
    {
        Net net;
        const VarId found = net.graph.addVariable("found");
        net.add_({"nonzero", "NonZero", {net.r1}, {found}}, {});
        net.graph.setOutputs({net.a, found});
        net.graph.verify();
        const Executor executor(net.graph);
        const at::Tensor in = at::randn({1, 4, 8, 8});
        const at::Tensor positive = executor.compile({}).run(Feed{{"x", in}}, {})[1];
        QVERIFY(positive.size(1) > 0 && positive.size(1) < 256);
        const auto types = executor.traceTypes(Feed{{"x", in}}, {});
        QCOMPARE(toString(types.at(found)), "4x" + std::to_string(positive.size(1)));
        QCOMPARE(toString(types.at(net.a)), std::string("1x4x8x8"));
    }

    /// A convolution that applies Relu or Clip to its own result would make NaN the lower bound.
    void nanThatTheModelMakesStays_data()
    {
        QTest::addColumn<QString>("activation");
        QTest::newRow("Relu") << "Relu";
        QTest::newRow("Clip") << "Clip";
    }
    void nanThatTheModelMakesStays()
    {
        QFETCH(QString, activation);
        Net net;
        const VarId log = net.graph.addVariable("log"), moved = net.graph.addVariable("moved");
        net.add_({"log", "Log", {net.x}, {log}}, {});
        const VarId one = net.graph.addParameter("one", at::ones({1}));
        net.add_({"moved", "Div", {log, one}, {moved}}, {}); // what reads a NaN hands it on
        net.graph.setInput(net.conv1, 0, moved);
        net.graph.edit(net.relu1).type = activation.toStdString();
        net.graph.setOutputs({net.r1});
        at::Tensor x = at::ones({1, 4, 8, 8});
        x[0][2][0][0] = -1;
        const at::Tensor y = Executor(net.graph).compile({}).run(Feed{{"x", x}}, {})[0];
        QCOMPARE(at::isnan(y).sum().item<std::int64_t>(), std::int64_t(4 * 2 * 2)); // all channels, where it is read
    }

    void refusesIncompatibleInput()
    {
        Net net;
        const Executor executor(net.graph);
        const Program program = executor.compile({});
        QVERIFY_EXCEPTION_THROWN(program.run(Feed{}, {}), Error);
        QVERIFY_EXCEPTION_THROWN(program.run(Feed{{"x", at::randn({1, 4, 8})}}, {}), Error);
        QVERIFY_EXCEPTION_THROWN(program.run(Feed{{"x", at::arange(256).reshape({1, 4, 8, 8})}}, {}), Error);
        JobContext job;
        job.cancel();
        QVERIFY_EXCEPTION_THROWN(program.run(Feed{{"x", at::randn({1, 4, 8, 8})}}, job), Cancelled);

        net.graph.edit(net.relu1).type = "NoSuchOp";
        net.graph.edit(net.add).type = "NorThis";
        try {
            Executor(net.graph).compile({});
            QFAIL("an unknown operator was compiled");
        } catch (const Error &error) {
            QCOMPARE(error.kind, ErrorKind::UnsupportedOp);
            QVERIFY(QString(error.what()).contains("relu1") && QString(error.what()).contains("add")); // all together
        }
    }

    void gatedActivationsRunInsideTheConvolution_data()
    {
        QTest::addColumn<bool>("gateFirst");
        QTest::addColumn<QString>("asked"); // also an output of the graph
        QTest::newRow("x * sigmoid(x)") << false << "";
        QTest::newRow("sigmoid(x) * x") << true << "";
        QTest::newRow("x is asked for") << false << "x";
        QTest::newRow("the gate is asked for") << false << "s";
    }

    void gatedActivationsRunInsideTheConvolution()
    {
        QFETCH(bool, gateFirst);
        QFETCH(QString, asked);
        test::SmallGraph net;
        net.input("in", {1, 8, 5, 5});
        net.parameter("w", test::ramp({8, 8, 1, 1}, -0.5f, 0.016f));
        net.op("Conv", "conv", {"in", "w"}, {"x"});
        net.op("Sigmoid", "gate", {"x"}, {"s"});
        net.op("Mul", "mul", gateFirst ? std::vector<std::string>{"s", "x"} : std::vector<std::string>{"x", "s"},
               {"y"});
        net.op("Relu", "relu", {"y"}, {"z"});
        net.output("z");
        if (!asked.isEmpty()) net.output(asked.toStdString());
        const Feed feed{{"in", test::ramp({1, 8, 5, 5}, -3, 0.03f)}};
        const Executor executor(net.graph, {"cpu", 1});
        const std::vector<at::Tensor> got = executor.compile({}).run(feed, {});
        ProgramSpec watched; // a probe in between keeps the three separate
        at::Tensor x;
        watched.probes.push_back({outputSlot(net.graph.findOperation("conv")), ProbePoint::Raw,
                                  [&](const at::Tensor &t, std::size_t) { x = t.contiguous(); }});
        const std::vector<at::Tensor> want = executor.compile(watched).run(feed, {});
        QCOMPARE(got.size(), want.size());
        for (std::size_t o = 0; o < got.size(); ++o) QVERIFY((got[o] - want[o]).abs().max().item().toFloat() < 1e-5f);
        const at::Tensor formula = (x / ((-x).exp() + 1)).clamp_min(0);
        QVERIFY((got[0] - formula).abs().max().item().toFloat() < 1e-5f);
        QVERIFY(formula.max().item().toFloat() > 1);
    }

    void sharesQuantizedCopiesOnlyOnTheSameGrid()
    {
        Net net;
        QuantPlan plan; // r1 is read by conv2 and add: once on the same grid, once on another
        plan.set(inputSlot(net.conv2, 0), config(0.5f, QuantState::Active));
        plan.set(inputSlot(net.add, 1), config(0.25f, QuantState::Active));
        ProgramSpec spec;
        spec.plan = &plan;
        const at::Tensor in = at::randn({1, 4, 8, 8});
        const at::Tensor r = at::relu(at::conv2d(in, net.value(net.w1), net.value(net.b1), 1, 1));
        const auto fq = [&](float scale) { return fakeQuant(r, config(scale, QuantState::Active), {scale}, {0}); };
        const at::Tensor want = at::conv2d(fq(0.5f), net.value(net.w2)) + fq(0.25f);
        QVERIFY(close(Executor(net.graph).compile(spec).run(Feed{{"x", in}}, {})[0], want));
    }
};

QL_TEST(TestExecutor)
#include "tst_executor.moc"
