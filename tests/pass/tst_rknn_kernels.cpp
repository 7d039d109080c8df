#include "conv_and_add.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>

using namespace ql;
using namespace ql::test;

class TestRknnKernels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// RKNN's toolkit takes codes with a zero point in the middle for symmetric ones: input, weight and result here.
    void codesTakenForSymmetric()
    {
        QuantModel model = convAndAdd(floats({2, 2, 1, 1}, {127, 3, -128, 1}), 128);
        QCOMPARE(run("runtime_kernels", model, {{"sums", "rknn"}}), 2);
        const float larger = 128.f / 127, sx = 0.25f * larger;
        const auto onGrid = [](float value, float scale, float lowest = -128, float highest = 127) {
            return std::clamp(std::nearbyint(value / scale), lowest, highest) * scale;
        };
        const std::vector<float> x{0.4f, -0.2f, 31.9f, -40.f, 0.1f, -0.3f, 1.7f, 0.2f};
        const std::vector<float> y = valuesFor(model, x);
        for (std::size_t i = 0; i < 4; ++i) {
            const float first = onGrid(x[i], sx), second = onGrid(x[i + 4], sx);
            const float t = onGrid(onGrid(127, larger) * first + onGrid(3, larger) * second, larger);
            const float u = onGrid(onGrid(-128, larger) * first + onGrid(1, larger) * second, larger);
            QCOMPARE(y[i], onGrid(t + first, 0.125f, -1e6f, 1e6f));
            QCOMPARE(y[i + 4], onGrid(u + second, 0.125f, -1e6f, 1e6f));
        }
    }

    /// Biases follow the scale of the input that it reads.
    void biasOfCodesTakenForSymmetric_data()
    {
        QTest::addColumn<int>("zero");
        QTest::addColumn<float>("scale"); // of the bias
        QTest::newRow("in the middle") << 128 << float(0.5 * 128 / 127 * double(0.01f));
        QTest::newRow("next to the middle") << 127 << 0.5f * 0.01f;
    }
    void biasOfCodesTakenForSymmetric()
    {
        QFETCH(int, zero);
        QFETCH(float, scale);
        SmallGraph g;
        g.input("x", {1, 1, 1, 1});
        g.parameter("w", floats({1, 1, 1, 1}, {1}));
        g.parameter("b", floats({1}, {0.3337f}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const int input : {0, 1}) {
            TensorQuantConfig &config = *model.plan.find(in(model, "conv", input));
            config.symmetric = false, config.quantMin = 0, config.quantMax = 255;
        }
        model.plan.setScale(in(model, "conv"), {0.5f}, {zero}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 1), {0.01f}, {100}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 2), {0.5f * 0.01f}, {0}, QuantState::Passive, {});
        model.plan.find(out(model, "conv"))->state = QuantState::Off;
        QCOMPARE(run("runtime_kernels", model, {{"sums", "rknn"}}), 1);
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", floats({1, 1, 1, 1}, {0})}}, {}).at(0);
        const float inFile = std::nearbyint(0.3337f / (0.5f * 0.01f)) * (0.5f * 0.01f);
        QCOMPARE(y.item<float>(), std::nearbyint(inFile / scale) * scale);
    }

    /// RKNN's toolkit computes what is not quantized in float16. Inputs of the graph are read as they are, and a
    /// Transpose keeps what it moves.
    void operationsInFloat16()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.parameter("c", floats({1}, {0.1f}));
        g.op("Mul", "scaled", {"x", "c"}, {"m"});
        g.op("Transpose", "moved", {"x"}, {"t"});
        g.op("Softmax", "shares", {"t"}, {"p"}, {{"axis", std::int64_t{0}}});
        for (const char *output : {"m", "t", "p"}) g.output(output);
        QuantModel model;
        model.graph = std::move(g.graph);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const Executor executor(model.graph, {.threads = 1});
        const at::Tensor x = floats({1, 4}, {0.3f, 2.7182817f, -1.1f, 0.7f});
        const auto half = [](const at::Tensor &value) { return value.to(at::kHalf).to(at::kFloat); };
        const auto shares = [&](const at::Tensor &of) {
            return half(executor.compile(ProgramSpec()).run(Feed{{"x", of}}, {})[2]);
        };
        ProgramSpec spec;
        spec.plan = &model.plan;
        const auto rounded = executor.compile(spec).run(Feed{{"x", x}}, {});
        QVERIFY(at::equal(rounded[0], half(x * half(floats({1}, {0.1f})))));
        QVERIFY(at::equal(rounded[1], x.t()));
        QVERIFY(at::equal(rounded[2], shares(half(x))));
        QVERIFY(!at::equal(rounded[2], shares(x)));
    }

    /// Constants that stay in float32: slopes and limits. A constant divisor is a factor, which is rounded.
    void constantsInFloat32()
    {
        SmallGraph g;
        g.input("x", {1, 2});
        g.parameter("slope", floats({1}, {0.1f}));
        g.parameter("low", floats({}, {-0.3333f}));
        g.parameter("high", floats({}, {0.7777f}));
        g.parameter("divisor", floats({}, {0.3f}));
        g.op("Identity", "given", {"x"}, {"i"});
        g.op("PRelu", "sloped", {"i", "slope"}, {"s"});
        g.op("Clip", "limited", {"i", "low", "high"}, {"l"});
        g.op("Div", "divided", {"i", "divisor"}, {"d"});
        for (const char *output : {"s", "l", "d"}) g.output(output);
        QuantModel model;
        model.graph = std::move(g.graph);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor x = floats({1, 2}, {-2.7182817f, 1.1f});
        const auto rounded = executor.compile(spec).run(Feed{{"x", x}}, {});
        const auto half = [](float value) { return float(c10::Half(value)); };
        const float negative = half(-2.7182817f), positive = half(1.1f), factor = half(1 / 0.3f);
        QVERIFY(half(negative * 0.1f) != half(negative * half(0.1f)));
        QVERIFY(at::equal(rounded[0], floats({1, 2}, {half(negative * 0.1f), positive})));
        QVERIFY(at::equal(rounded[1], floats({1, 2}, {half(-0.3333f), half(0.7777f)})));
        QVERIFY(at::equal(rounded[2], floats({1, 2}, {half(negative * factor), half(positive * factor)})));
    }

    /// Factors one after another are one factor, and so are summands.
    void combinedConstants()
    {
        SmallGraph g;
        g.input("x", {1, 2});
        g.parameter("a", floats({1}, {0.1f}));
        g.parameter("b", floats({1, 2}, {0.7f, 1.3f}));
        g.parameter("c", floats({}, {0.3f}));
        g.op("Identity", "given", {"x"}, {"i"});
        g.op("Mul", "first", {"i", "a"}, {"f"});
        g.op("Mul", "second", {"b", "f"}, {"s"});
        g.op("Div", "third", {"s", "c"}, {"m"});
        g.op("Sub", "less", {"i", "b"}, {"l"});
        g.op("Add", "more", {"l", "a"}, {"n"});
        for (const char *output : {"m", "n"}) g.output(output);
        QuantModel model;
        model.graph = std::move(g.graph);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const std::vector<float> x{-2.7182817f, 1.1f}, b{0.7f, 1.3f};
        const auto out = executor.compile(spec).run(Feed{{"x", floats({1, 2}, x)}}, {});
        const auto half = [](float value) { return float(c10::Half(value)); };
        bool isOther = false;
        for (std::size_t i = 0; i < 2; ++i) {
            const float factor = half(0.1f * b[i] * (1 / 0.3f)), summand = half(0.1f - b[i]);
            QCOMPARE(out[0].contiguous().data_ptr<float>()[i], half(half(x[i]) * factor));
            QCOMPARE(out[1].contiguous().data_ptr<float>()[i], half(half(x[i]) + summand));
            const float inSteps = half(half(half(half(x[i]) * half(0.1f)) * half(b[i])) * half(1 / 0.3f));
            isOther |= inSteps != half(half(x[i]) * factor);
        }
        QVERIFY(isOther);
    }

    /// An operation that reads codes, and whose results all become codes, is computed in float32.
    void betweenCodes_data()
    {
        QTest::addColumn<bool>("isRounded"); // the result
        QTest::newRow("the result is rounded") << true;
        QTest::newRow("it is not") << false;
    }
    void betweenCodes()
    {
        QFETCH(bool, isRounded);
        SmallGraph g;
        g.input("x", {1, 1, 1, 2});
        g.parameter("w", floats({1, 1, 1, 1}, {1}));
        g.parameter("slope", floats({1}, {0.1f}));
        g.op("Conv", "first", {"x", "w"}, {"c"});
        g.op("PRelu", "sloped", {"c", "slope"}, {"s"});
        g.op("Conv", "last", {"s", "w"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const auto &[slot, config] : std::map(model.plan.configs()))
            model.plan.setState(slot, QuantState::Off, {});
        const float step = 2.7182817f / 64, fine = 1.f / (1 << 20); // fine: shows in which precision the result was
        TensorQuantConfig &written = *model.plan.find(out(model, "first")), &read = *model.plan.find(in(model, "last"));
        written.symmetric = false, written.quantMin = 0, written.quantMax = 255;
        model.plan.setScale(out(model, "first"), {step}, {100}, QuantState::Active, {}); // not in the middle
        if (isRounded) {
            read.bits = 32, read.quantMin = -(1 << 24), read.quantMax = 1 << 24;
            model.plan.setScale(in(model, "last"), {fine}, {0}, QuantState::Active, {});
        }
        model.plan.erase(model.graph.findOperation("sloped"));
        run("runtime_kernels", model, {{"sums", "rknn"}});
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        spec.outputs = {model.graph.findVariable("s")};
        const float x = -64 * step, inHalf = float(c10::Half(float(c10::Half(x)) * 0.1f));
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", floats({1, 1, 1, 2}, {x, x})}}, {}).at(0);
        QVERIFY(inHalf != x * 0.1f);
        QCOMPARE(y.contiguous().data_ptr<float>()[0], isRounded ? x * 0.1f : inHalf);
    }

    /// A Conv adds as MLAS: dense in blocks of terms, a single row of weights by fours, each after rounding the
    /// products.
    void orderOfSums()
    {
        const auto resultOf = [](const std::vector<float> &weights, std::int64_t channels, std::int64_t group) {
            const std::int64_t outputs = group == 1 ? 2 : channels, terms = std::int64_t(weights.size());
            SmallGraph g;
            g.input("x", {1, channels, terms, 2});
            std::vector<float> all;
            for (std::int64_t o = 0; o < outputs; ++o) all.insert(all.end(), weights.begin(), weights.end());
            g.parameter("w", floats({outputs, channels / group, terms, 1}, all));
            g.op("Conv", "conv", {"x", "w"}, {"y"}, {{"group", group}});
            g.output("y");
            QuantModel model = configured(std::move(g.graph));
            for (const Slot slot : {in(model, "conv"), in(model, "conv", 1), out(model, "conv")})
                model.plan.find(slot)->state = QuantState::Off;
            run("runtime_kernels", model, {{"sums", "rknn"}});
            const Executor executor(model.graph, {.threads = 1});
            ProgramSpec spec;
            spec.plan = &model.plan;
            const at::Tensor x = at::ones({1, channels, terms, 2});
            return executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous().data_ptr<float>()[0];
        };
        constexpr float large = 1 << 25;                   // large + 1 is large
        std::vector<float> block(512, 0), blocks(2048, 0); // for two columns, a block has 1024 terms
        block[0] = blocks[0] = large;
        for (std::size_t i = 0; i < 3; ++i) block[200 + i] = blocks[1024 + i] = 1;
        block[511] = blocks[2047] = -large;
        QCOMPARE(resultOf(block, 1, 1), 0.f);
        QCOMPARE(resultOf(blocks, 1, 1), 4.f); // 3 - large is rounded to 4 - large
        QCOMPARE(resultOf({large, 0, 0, 0, 1, 1, 1, -large}, 2, 2), 4.f);
        QCOMPARE(resultOf({large, 0, 0, 1, 1, 1, 0, -large}, 2, 2), 2.f);
        QCOMPARE(resultOf({large, 0, 0, 0, 1, 0, 0, 0, -large}, 2, 2), 0.f);
    }
};

QL_TEST(TestRknnKernels)
#include "tst_rknn_kernels.moc"
