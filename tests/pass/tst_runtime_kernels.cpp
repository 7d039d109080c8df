#include "conv_and_add.h"
#include "core/base/strings.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

using namespace ql;
using namespace ql::test;

class TestRuntimeKernels : public QObject
{
    Q_OBJECT

private:
    /// sigmoid(x) and x * sigmoid(x), not quantized.
    static std::vector<at::Tensor> silu(const char *sums, const at::Tensor &x)
    {
        SmallGraph g;
        g.input("x", x.sizes().vec());
        g.op("Sigmoid", "gate", {"x"}, {"s"});
        g.op("Mul", "product", {"x", "s"}, {"y"});
        g.op("Sigmoid", "other", {"x"}, {"z"});
        g.output("z");
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const auto &[slot, config] : model.plan.configs()) model.plan.find(slot)->state = QuantState::Off;
        run("runtime_kernels", model, {{"sums", sums}});
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        std::vector<at::Tensor> results = executor.compile(spec).run(Feed{{"x", x}}, {});
        for (at::Tensor &each : results) each = each.contiguous();
        return results;
    }

    /// x [1, 2, 1, 8] -> convV -> v; convU -> u; u + v -> y. The weights of both have the code 1; convU exchanges the
    /// channels. way: what convU reads (x; "clamped", "clipped", "another consumer": v through a Conv; "direct": v),
    /// which of u and v are also graph outputs, and whether u is limited before it is added ("clipped"). scales: of x,
    /// and of the weights of convV and convU
    static QuantModel sumOfCodes(const std::string &way, const std::array<float, 3> &scales, float bias)
    {
        const auto diagonal = [](float value) { return floats({2, 2, 1, 1}, {value, 0, 0, value}); };
        const bool hasBetween = way == "clamped" || way == "clipped" || way == "another consumer";
        const bool isClipped = way == "clipped";
        SmallGraph g;
        g.input("x", {1, 2, 1, 8});
        g.parameter("wV", diagonal(scales[1]));
        g.parameter("wB", diagonal(1));
        g.parameter("wU", floats({2, 2, 1, 1}, {0, scales[2], scales[2], 0}));
        g.parameter("b", floats({2}, {bias, bias}));
        g.op("Conv", "convV", {"x", "wV"}, {"v"});
        if (hasBetween) g.op("Conv", "between", {"v", "wB"}, {"i"});
        g.op("Conv", "convU", {hasBetween ? "i" : way == "direct" ? "v" : "x", "wU", "b"}, {"u"});
        g.parameter("low", floats({}, {0}));
        if (isClipped) g.op("Clip", "clip", {"u", "low"}, {"c"});
        g.op("Add", "add", {isClipped ? "c" : "u", "v"}, {"y"});
        g.output("y");
        if (way == "rounded" || way == "separately" || way == "another consumer") g.output("v");
        if (way == "separately") g.output("u");
        QuantModel model = configured(std::move(g.graph));
        const auto set = [&](Slot slot, float scale) {
            model.plan.setScale(slot, {scale}, {0}, QuantState::Active, {});
        };
        for (const OpId id : model.graph.operations()) {
            const Operation &op = model.graph.operation(id);
            const OpId producer = model.graph.variable(op.inputs[0]).producer;
            if (producer == noOp)
                set(inputSlot(id, 0), scales[0]);
            else
                model.plan.overlap(inputSlot(id, 0), outputSlot(producer), {});
            if (op.inputs.size() > 2) model.plan.find(inputSlot(id, 2))->state = QuantState::Off;
        }
        model.plan.overlap(in(model, "add", 1), out(model, "convV"), {});
        set(in(model, "convV", 1), scales[1]);
        set(in(model, "convU", 1), scales[2]);
        if (hasBetween) set(in(model, "between", 1), 1);
        return model;
    }

    static void scaleResults(QuantModel &model)
    {
        for (const OpId id : model.graph.operations())
            model.plan.setScale(outputSlot(id), {1.f}, {0}, QuantState::Active, {});
    }

private Q_SLOTS:
    void addend_data()
    {
        QTest::addColumn<QString>("addend");
        QTest::addColumn<std::vector<float>>("expected");
        // x: 0.75, 1.25, 20, -40 in both channels; t: 4.5, 7.5, 120, -240 = 6 x, clamped at -128; y = t + x
        QTest::newRow("rounded") << "rounded" << std::vector<float>{4.75f, 9.25f, 140.f, -168.f};
        QTest::newRow("clamped") << "clamped" << std::vector<float>{5.25f, 8.75f, 140.f, -168.f};
        QTest::newRow("exact") << "exact" << std::vector<float>{5.25f, 8.75f, 140.f, -280.f};
    }
    void addend()
    {
        QFETCH(QString, addend);
        QFETCH(std::vector<float>, expected);
        QuantModel model = convAndAdd(floats({2, 2, 1, 1}, {3, 3, 3, 3}));
        for (const Slot slot : {in(model, "conv"), in(model, "add", 1)}) {
            model.plan.find(slot)->bits = 16;
            model.plan.find(slot)->quantMin = -1000;
        }
        QCOMPARE(run("runtime_kernels", model, {{"addend", addend.toStdString()}}), addend == "rounded" ? 0 : 1);
        expected.insert(expected.end(), expected.begin(), expected.end());
        QCOMPARE(valuesFor(model, {0.75f, 1.25f, 20.f, -40.f, 0.75f, 1.25f, 20.f, -40.f}), expected);
    }

    void anAddendWithAnotherConsumerIsRounded()
    {
        QuantModel model = convAndAdd(floats({2, 2, 1, 1}, {3, 3, 3, 3}));
        model.graph.setOutputs({model.graph.findVariable("y"), model.graph.findVariable("t")});
        QCOMPARE(run("runtime_kernels", model, {{"addend", "clamped"}}), 0);
    }

    /// As ncnn and MNN compute a layer, bit for bit. x: 2 channels of 4; w: one output channel.
    void bitForBit_data()
    {
        QTest::addColumn<QString>("sums");
        QTest::addColumn<bool>("depthwise");
        for (const char *sums : {"ncnn", "mnn"})
            for (const bool depthwise : {false, true})
                QTest::addRow("%s, %s", sums, depthwise ? "depthwise" : "dense") << QString(sums) << depthwise;
    }
    void bitForBit()
    {
        QFETCH(QString, sums);
        QFETCH(bool, depthwise);
        const bool isMnn = sums == "mnn";
        SmallGraph g;
        g.input("x", {1, 2, 1, 64});
        const std::vector<float> codes{127, -31, 93, 127};
        const float sw = 0.0137f, sx = 0.0313f, sy = 0.0771f;
        std::vector<float> weights;
        for (std::size_t i = 0; i < (depthwise ? 2 : 4); ++i) weights.push_back(codes[i] * sw);
        g.parameter("w", floats({2, depthwise ? 1 : 2, 1, 1}, weights));
        const std::vector<float> bias{0.3337f, -0.7771f};
        g.parameter("b", floats({2}, bias));
        g.op("Conv", "conv", {"x", "w", "b"}, {"y"}, {{"group", std::int64_t(depthwise ? 2 : 1)}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const Slot slot : {in(model, "conv"), in(model, "conv", 1), out(model, "conv")}) {
            TensorQuantConfig &config = *model.plan.find(slot);
            config.rounding = Rounding::HalfAwayFromZero;
            config.quantMin = -127;
        }
        model.plan.find(in(model, "conv", 2))->state = QuantState::Off;
        model.plan.setScale(in(model, "conv"), {sx}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 1), {sw}, {0}, QuantState::Active, {});
        if (isMnn)
            model.plan.setScale(out(model, "conv"), {sy}, {0}, QuantState::Active, {});
        else
            model.plan.find(out(model, "conv"))->state = QuantState::Off;
        QCOMPARE(run("runtime_kernels", model, {{"sums", sums.toStdString()}}), 1);
        const at::Tensor x = noise({1, 2, 1, 64}, 3, 1.5);
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous();
        const auto code = [](float v) { return std::clamp(std::trunc(v + std::copysign(0.5f, v)), -127.f, 127.f); };
        const float inverse = 1 / sx, step = 1 / (inverse * (1 / sw)), ratio = sx / sy;
        for (std::size_t c = 0; c < 2; ++c)
            for (std::size_t i = 0; i < 64; ++i) {
                const auto value = [&](std::size_t channel) {
                    return code(x.data_ptr<float>()[channel * 64 + i] * inverse);
                };
                const float sum =
                    depthwise ? codes[c] * value(c) : codes[2 * c] * value(0) + codes[2 * c + 1] * value(1);
                const float ofWeights = codes[2 * c] + codes[2 * c + 1];
                float expected = 0;
                if (!isMnn && depthwise) { // two roundings
                    expected = sum * step;
                    expected += bias[c];
                } else if (!isMnn) {
                    expected = std::fma(sum, step, bias[c]);
                } else if (depthwise) { // the bias is cut to an integer
                    expected = code((sum + std::trunc(bias[c] / (sw * sx))) * (sw * ratio)) * sy;
                } else { // codes plus 128
                    float first = (sum + 128 * ofWeights) * sw;
                    first *= ratio;
                    const float shift = ofWeights * sw * 128 * sx;
                    first += (bias[c] - shift) / sy;
                    expected = code(first) * sy;
                }
                QCOMPARE(y.data_ptr<float>()[c * 64 + i], expected);
            }
    }

    /// A depthwise layer of 3 x 3 is one fma in ncnn, but not with a Clip, which pnnx makes part of the layer.
    void depthwiseOfNcnn_data()
    {
        QTest::addColumn<QString>("activation");
        QTest::addColumn<bool>("fused");
        QTest::newRow("none") << "" << true;
        QTest::newRow("Relu") << "Relu" << true;
        QTest::newRow("Clip") << "Clip" << false;
    }
    void depthwiseOfNcnn()
    {
        QFETCH(QString, activation);
        QFETCH(bool, fused);
        SmallGraph g;
        g.input("x", {1, 2, 3, 64});
        const float sw = 0.0137f, sx = 0.0313f, bias = 0.3337f;
        std::vector<float> weights(18, 0.f);
        weights[4] = weights[13] = 127 * sw; // the middle one
        g.parameter("w", floats({2, 1, 3, 3}, weights));
        g.parameter("b", floats({2}, {bias, bias}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"t"},
             {{"group", std::int64_t(2)}, {"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        if (!activation.isEmpty()) g.op(activation.toStdString(), "next", {"t"}, {"y"});
        g.output(activation.isEmpty() ? "t" : "y");
        QuantModel model = configured(std::move(g.graph));
        for (const Slot slot : {in(model, "conv"), in(model, "conv", 1)}) {
            model.plan.find(slot)->rounding = Rounding::HalfAwayFromZero;
            model.plan.find(slot)->quantMin = -127;
        }
        for (const auto &[slot, config] : model.plan.configs())
            if (slot != in(model, "conv") && slot != in(model, "conv", 1))
                model.plan.find(slot)->state = QuantState::Off;
        model.plan.setScale(in(model, "conv"), {sx}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 1), {sw}, {0}, QuantState::Active, {});
        QVERIFY(run("runtime_kernels", model, {{"sums", "ncnn"}}) > 0);
        const at::Tensor x = noise({1, 2, 3, 64}, 3, 1.5);
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous();
        const float step = 1 / (1 / sx * (1 / sw));
        for (std::int64_t i = 0; i < y.numel(); ++i) {
            const float v = x.data_ptr<float>()[i] * (1 / sx);
            const float sum = 127 * std::clamp(std::trunc(v + std::copysign(0.5f, v)), -127.f, 127.f);
            float expected = std::fma(sum, step, bias);
            if (!fused) {
                expected = sum * step;
                expected += bias;
            }
            if (activation == "Relu") expected = std::max(expected, 0.f);
            QCOMPARE(y.data_ptr<float>()[i], expected);
        }
    }

    /// x * sigmoid(x) in float32: recorded from MNN 3.6.1, where it is one operation.
    void siluOfMnn()
    {
        const std::vector<float> in{-9.607317f, -7.186576f, -4.917131f, -2.9502785f, -0.453889f, 7.1109276f};
        const std::vector<float> expected{-0.0006459043f, -0.005433796f, -0.035732344f,
                                          -0.14669776f,   -0.17630707f,  7.1051292f};
        const at::Tensor y = silu("mnn", floats({1, 1, 1, 6}, in)).at(1);
        QCOMPARE(std::vector<float>(y.data_ptr<float>(), y.data_ptr<float>() + 6), expected);
        QVERIFY(!at::equal(silu("float", floats({1, 1, 1, 6}, in)).at(1), y));
    }

    /// ncnn multiplies by an estimated reciprocal (of the processor) that one Newton step improves.
    void siluOfNcnn()
    {
        for (const std::int64_t width : {4096, 16 + 8 + 4 + 3}) {
            const at::Tensor x = noise({2, 3, 1, width}, 5, 4), exact = at::sigmoid(x.to(at::kDouble));
            const std::vector<at::Tensor> its = silu("ncnn", x);
            QVERIFY(at::allclose(its[0].to(at::kDouble), exact, 4e-7, 0));
            QVERIFY(at::allclose(its[1].to(at::kDouble), x.to(at::kDouble) * exact, 5e-7, 0));
            QVERIFY(!at::equal(its[0], silu("float", x)[0]));
        }
    }

    /// Pixels 2 p / 255 - 1 on the scale 2 / 255 are between two codes. Codes as OpenVINO 2026.4 computes them, with a
    /// FakeQuantize if a size of the graph input is open, otherwise in a Subgraph.
    void roundingOfOpenVino_data()
    {
        QTest::addColumn<bool>("open");
        QTest::addColumn<std::vector<float>>("expected");
        QTest::newRow("open") << true << std::vector<float>{-125, -95, -65, -28, -26, -24};
        QTest::newRow("fixed") << false << std::vector<float>{-124, -94, -64, -28, -26, -24};
    }
    void roundingOfOpenVino()
    {
        QFETCH(bool, open);
        QFETCH(std::vector<float>, expected);
        SmallGraph g;
        g.input("x", {1, 6});
        g.op("Sigmoid", "op", {"x"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        if (open) model.graph.declaredShapes["x"] = {Dim{-1, "N"}, Dim{6, {}}};
        model.plan.setScale(in(model, "op"), {2.f / 255.f}, {0}, QuantState::Active, {});
        model.plan.find(out(model, "op"))->state = QuantState::Off;
        QCOMPARE(run("runtime_kernels", model, {{"sums", "integer"}}), 1);
        std::vector<float> x;
        for (const int p : {3, 33, 63, 100, 102, 104}) x.push_back((float(p) / 255.f - 0.5f) / 0.5f);
        for (float &code : expected) code *= 2.f / 255.f;
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", floats({1, 6}, x)}}, {}).at(0);
        QVERIFY(at::allclose(y, at::sigmoid(floats({1, 6}, expected)), 0, 1e-6)); // a code is 2e-3
    }

    /// oneDNN rounds the product of a sum and its step to float32, and once more with the bias: not as one fma.
    void biasOfOpenVino_data()
    {
        QTest::addColumn<QString>("sums");
        for (const char *sums : {"integer", "saturating_pairs"}) QTest::newRow(sums) << sums;
    }
    void biasOfOpenVino()
    {
        QFETCH(QString, sums);
        const float sx = 0.05f, sw = 0.01f, bias = 0.3f;
        SmallGraph g;
        g.input("x", {1, 1, 1, 4});
        g.parameter("w", floats({1, 1, 1, 1}, {127 * sw}));
        g.parameter("b", floats({1}, {bias}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        model.plan.setScale(in(model, "conv"), {sx}, {0}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 1), {sw}, {0}, QuantState::Active, {});
        for (const Slot slot : {in(model, "conv", 2), out(model, "conv")})
            if (model.plan.find(slot)) model.plan.find(slot)->state = QuantState::Off;
        QVERIFY(run("runtime_kernels", model, {{"sums", sums.toStdString()}}) > 0);
        const std::vector<float> codes{-127, -123, -122, -110};
        std::vector<float> x;
        for (const float code : codes) x.push_back(code * sx);
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", floats({1, 1, 1, 4}, x)}}, {}).at(0).contiguous();
        for (std::size_t i = 0; i < codes.size(); ++i) {
            float expected = codes[i] * 127 * (sx * sw);
            QVERIFY(std::fma(codes[i] * 127, sx * sw, bias) != expected + bias);
            expected += bias;
            QCOMPARE(y.data_ptr<float>()[i], expected);
        }
    }

    /// With a scale per channel and fixed sizes, OpenVINO rounds the product before it adds 128, which all channels
    /// take from the first if a layer's kernel computes the tensor. It computes the scale of signed codes again from
    /// their range.
    void channelsOfOpenVino_data()
    {
        QTest::addColumn<bool>("computed");
        QTest::newRow("a graph input") << false;
        QTest::newRow("computed by a layer") << true;
    }
    void channelsOfOpenVino()
    {
        QFETCH(bool, computed);
        const std::vector<float> sx{0.0313f, 0.008910582f};
        const float sw = 0.01f, bias = 0.3f;
        SmallGraph g;
        g.input("x", {1, 2, 1, 512});
        g.parameter("w", floats({2, 1, 1, 1}, {127 * sw, 127 * sw}));
        g.parameter("b", floats({2}, {bias, bias}));
        g.parameter("ones", floats({2, 1, 1, 1}, {1, 1}));
        if (computed) g.op("Conv", "copy", {"x", "ones"}, {"r"}, {{"group", std::int64_t(2)}});
        g.op("Conv", "conv", {computed ? "r" : "x", "w", "b"}, {"y"}, {{"group", std::int64_t(2)}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        model.plan.find(in(model, "conv"))->channelAxis = 1;
        for (const auto &[slot, config] : model.plan.configs()) model.plan.find(slot)->state = QuantState::Off;
        model.plan.setScale(in(model, "conv"), sx, {0, 0}, QuantState::Active, {});
        model.plan.setScale(in(model, "conv", 1), {sw}, {0}, QuantState::Active, {});
        QVERIFY(run("runtime_kernels", model, {{"sums", "integer"}}) > 0);
        const at::Tensor x = noise({1, 2, 1, 512}, 3, 1.5);
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous();
        for (std::int64_t i = 0; i < y.numel(); ++i) {
            const float s = sx[std::size_t(i / 512)], factor = 255 / (127 * s + 128 * s);
            float code = x.data_ptr<float>()[i] * factor;
            code += computed ? 128 * sx[0] * 255 / (127 * sx[0] + 128 * sx[0]) : 128 * s * factor;
            const float step = (127 * s + 128 * s) / 255 * sw;
            float expected = (std::clamp(std::nearbyint(code), 0.f, 255.f) - 128) * 127 * step;
            expected += bias;
            QCOMPARE(y.data_ptr<float>()[i], expected);
        }
        QVERIFY((127 * sx[1] + 128 * sx[1]) / 255 != sx[1]);
    }

    /// Values of OpenVINO 2026.4.1.
    void sigmoidOfOpenVino()
    {
        const at::Tensor x = floats({1, 9}, {-20.3f, -7.7f, -1.3f, -0.31f, 0.04f, 0.9f, 2.71f, 6.3f, 30});
        const at::Tensor expected = floats({1, 9}, {1.52694124e-09f, 0.000452622276f, 0.214165017f, 0.423114747f,
                                                    0.509998679f, 0.71094954f, 0.937614143f, 0.998167038f, 1});
        const std::vector<at::Tensor> its = silu("integer", x);
        QVERIFY(at::equal(its[0], expected));
        QVERIFY(at::equal(its[1], x * expected));
        QVERIFY(!at::equal(its[0], silu("float", x)[0]));
    }

    /// Two codes whose sum is a tie, and OpenVINO 2026.4.1's code of the sum, which it computes on codes. Separately:
    /// the addend that is converted has another consumer; with fixed sizes, OpenVINO computes the sum in a Subgraph.
    /// Clamped: computed by a Conv in whose kernel the sum is.
    void addOfOpenVino_data()
    {
        QTest::addColumn<std::vector<float>>("u");
        QTest::addColumn<std::vector<float>>("v");
        QTest::addColumn<std::vector<float>>("expected");
        using Codes = std::vector<float>;
        QTest::newRow("rounded") << Codes{-128, -102, -66, -31, 12, 59, 93, 127}
                                 << Codes{-38, 30, -26, 104, 86, 100, 64, 84}
                                 << Codes{-93, -29, -53, 62, 71, 105, 95, 127};
        QTest::newRow("separately") << Codes{-128, -96, -57, -22, 12, 40, 77, 127}
                                    << Codes{-38, 78, 92, -42, 70, -30, -116, 84}
                                    << Codes{-93, 11, 40, -42, 58, -3, -49, 127};
        const Codes first{-128, -97, -66, -37, -10, 24, 76, 127}, second{-22, -24, -2, -24, 74, 62, 78, 68};
        QTest::newRow("separately, fixed sizes") << first << second << Codes{-80, -66, -34, -36, 51, 58, 96, 114};
        QTest::newRow("separately, open sizes") << first << second << Codes{-81, -67, -35, -37, 50, 59, 97, 115};
        QTest::newRow("clamped") << Codes{-128, -124, -118, -114, -108, -102, -98, -94}
                                 << Codes{35, 33, 38, 76, 49, 30, 52, 74} << Codes{-21, -21, -15, 15, -3, -15, 3, 21};
    }
    void addOfOpenVino()
    {
        QFETCH(std::vector<float>, u);
        QFETCH(std::vector<float>, v);
        QFETCH(std::vector<float>, expected);
        const std::string tag = QTest::currentDataTag(), way = split(tag, ',').front();
        const float sy = 0.05f, sv = std::nextafter(sy * 0.75f, 1.f), su = sy * 0.5f;
        const bool isClamped = way == "clamped";
        QuantModel model = sumOfCodes(way, {1, sv, isClamped ? su / sv * 0.75f : su}, isClamped ? sy * 0.25f : 0.f);
        const auto scaled = [&](const char *op, float scale) {
            model.plan.setScale(out(model, op), {scale}, {0}, QuantState::Active, {});
        };
        scaled("convU", su);
        scaled("convV", sv);
        scaled("add", sy);
        if (isClamped) scaled("between", sv);
        if (tag.ends_with("open sizes"))
            model.graph.declaredShapes["x"] = {Dim{-1, "N"}, Dim{2, {}}, Dim{1, {}}, Dim{8, {}}};
        QVERIFY(run("runtime_kernels", model, {{"sums", "integer"}, {"addend", "clamped"}}) > 0);
        const TargetKernel::Result result = model.plan.kernelOf(model.graph.findOperation("convU")).result;
        QCOMPARE(result == TargetKernel::Result::Clamped, isClamped);
        u.insert(u.begin(), v.begin(), v.end());
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", floats({1, 2, 1, 8}, u)}}, {}).at(0).contiguous();
        std::vector<float> codes;
        for (std::size_t i = 0; i < 8; ++i) codes.push_back(std::nearbyint(y.data_ptr<float>()[i] / sy));
        QCOMPARE(codes, expected);
    }

    /// 5.4085097 is 75.499995 steps. OpenVINO 2026.4.1 rounds it to 76, as a sum with 128, but to 75 if only an Add
    /// reads it whose other addend has the same scale, because then 256 is subtracted before.
    void addendOfEqualScale_data()
    {
        QTest::addColumn<bool>("isEqual");
        QTest::addColumn<float>("code");
        QTest::newRow("rounded") << true << 75.f;
        QTest::newRow("rounded, other scale") << false << 76.f;
        QTest::newRow("separately") << true << 76.f; // it is also a graph output
    }
    void addendOfEqualScale()
    {
        QFETCH(bool, isEqual);
        QFETCH(float, code);
        const float value = 5.4085097f, scale = 0.071635894f, other = isEqual ? scale : std::nextafter(scale, 1.f);
        QuantModel model = sumOfCodes(split(QTest::currentDataTag(), ',').front(), {1, other, scale}, value);
        for (const char *op : {"convU", "convV", "add"})
            model.plan.setScale(out(model, op), {op == std::string("convV") ? other : scale}, {0}, QuantState::Active,
                                {});
        QVERIFY(run("runtime_kernels", model, {{"sums", "integer"}}) > 0);
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Executor executor(model.graph, {.threads = 1});
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", at::zeros({1, 2, 1, 8})}}, {}).at(0);
        QCOMPARE(std::nearbyint(y.contiguous().data_ptr<float>()[0] / scale), code);
    }

    /// The Conv reads the other addend itself, or another consumer of it does not precede the sum: no common kernel.
    void addInItsOwnKernel()
    {
        for (const char *way : {"direct", "another consumer"}) {
            QuantModel model = sumOfCodes(way, {1, 1, 1}, 0);
            scaleResults(model);
            run("runtime_kernels", model, {{"sums", "integer"}, {"addend", "clamped"}});
            QVERIFY(model.plan.kernelOf(model.graph.findOperation("convU")).result == TargetKernel::Result::Rounded);
        }
    }

    /// A Clip is part of the rounding that OpenVINO leaves out.
    void addendThatIsClipped()
    {
        for (const bool isRounded : {false, true}) {
            QuantModel model = sumOfCodes("clipped", {1, 1, 1}, 0);
            scaleResults(model);
            for (const Slot slot : {in(model, "clip", 1), isRounded ? in(model, "clip", 1) : out(model, "convU")})
                model.plan.find(slot)->state = QuantState::Off;
            run("runtime_kernels", model, {{"sums", "integer"}, {"addend", "clamped"}});
            const OpId clip = model.graph.findOperation("clip");
            QCOMPARE(model.plan.kernelOf(clip).result == TargetKernel::Result::Clamped, !isRounded);
        }
    }

    /// OpenVINO does not add into the result of a Conv that is repeated along an axis.
    void addendThatIsRepeated()
    {
        for (const bool isRepeated : {false, true}) {
            QuantModel model = sumOfCodes("clamped", {1, 1, 1}, 0);
            scaleResults(model);
            for (const char *name : {"u", "v", "y"})
                model.graph.edit(model.graph.findVariable(name)).type.shape = {{1, {}}, {2, {}}, {1, {}}, {8, {}}};
            const OpId conv = model.graph.findOperation("convU");
            if (isRepeated) (*model.graph.edit(model.graph.findVariable("u")).type.shape)[3].size = 1;
            run("runtime_kernels", model, {{"sums", "integer"}, {"addend", "clamped"}});
            QCOMPARE(model.plan.kernelOf(conv).result == TargetKernel::Result::Clamped, !isRepeated);
        }
    }

    /// MNN's mean of codes plus 128, rounded down twice: 0 becomes -1.
    void meanOfMnn()
    {
        SmallGraph g;
        g.input("x", {1, 3, 1, 3});
        g.op("GlobalAveragePool", "mean", {"x"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const Slot slot : {in(model, "mean"), out(model, "mean")}) {
            model.plan.find(slot)->rounding = Rounding::HalfAwayFromZero;
            model.plan.setScale(slot, {0.5f}, {0}, QuantState::Active, {});
        }
        QCOMPARE(run("runtime_kernels", model, {{"sums", "mnn"}}), 1);
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor x = floats({1, 3, 1, 3}, {0, 0, 0, 5, 5, 6, 1, 2, 2.5f});
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous();
        const std::vector<float> values(y.data_ptr<float>(), y.data_ptr<float>() + 3);
        QCOMPARE(values, (std::vector<float>{-0.5f, 5.f, 1.5f})); // means of codes: 0, 10.67, 3.67
    }

    /// A Resize in float32, from 3 x 3 to 3 x 4: recorded from MNN 3.6.1, which does not read cubic_coeff_a.
    void cubicResizeOfMnn()
    {
        SmallGraph g;
        g.input("x", {1, 1, 3, 3});
        g.parameter("sizes", at::tensor({1, 1, 3, 4}, at::kLong));
        g.op("Resize", "resize", {"x", "", "", "sizes"}, {"y"},
             {{"mode", std::string("cubic")}, {"cubic_coeff_a", -0.5f}});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        run("runtime_kernels", model, {{"sums", "mnn"}});
        const at::Tensor x = floats({1, 1, 3, 3}, {1, 2, -1, 0.5f, 4, 8, -2, 0, 3});
        const at::Tensor y = forward(model, {{"x", x}}, true).at(0).contiguous();
        const at::Tensor expected =
            floats({1, 1, 3, 4}, {2.11083984f, 1.96923828f, 1.02880859f, -1.21533203f, 3.34716797f, 2.29931641f,
                                  5.82592773f, 8.28710938f, -0.42431641f, -1.05029297f, 1.30078125f, 3.21533203f});
        QVERIFY(at::allclose(y, expected, 1e-6));
    }

    /// Codes are shifted by 128, or have a zero point; each pair of channels is limited to 16 bits.
    void saturation_data()
    {
        QTest::addColumn<int>("zero");
        QTest::addColumn<std::vector<float>>("expected"); // of the first channel, without x
        // codes 100, 60, 0, -128: (code + 128) * (127 + 127) - 128 * 254 = 25400 (57912), 15240 (47752), 0, -32512
        QTest::newRow("signed") << 0 << std::vector<float>{255.f, 255.f, 0.f, -32512.f};
        QTest::newRow("unsigned") << 10 << std::vector<float>{25400.f, 15240.f, 0.f, -2540.f};
    }
    void saturation()
    {
        QFETCH(int, zero);
        QFETCH(std::vector<float>, expected);
        QuantModel model = convAndAdd(floats({2, 2, 1, 1}, {127, 127, 1, 1}), zero);
        QCOMPARE(run("runtime_kernels", model, {{"sums", "saturating_pairs"}, {"addend", "exact"}}), 3);
        const std::vector<float> x{25.f, 15.f, 0.f, -32.f, 25.f, 15.f, 0.f, -32.f};
        const std::vector<float> y = valuesFor(model, x);
        for (std::size_t i = 0; i < 4; ++i) {
            const float read = zero > 0 && x[i] < 0 ? -2.5f : x[i]; // the lowest code
            QCOMPARE(y[i], expected[i] / 4 + read);
            QCOMPARE(y[i + 4], 2 * read + read); // small products
        }
    }

    /// Padding counts as the zero point: 128 * 254 still fits, and the pairs of a window are separate.
    void paddingOfSaturatingSums()
    {
        QuantModel model = convAndAdd(floats({2, 2, 1, 2}, {127, 127, 127, 127, 1, 1, 1, 1}));
        run("runtime_kernels", model, {{"sums", "saturating_pairs"}, {"addend", "exact"}});
        const std::vector<float> y = valuesFor(model, {0.f, 0.f, 25.f, 25.f, 0.f, 0.f, 25.f, 25.f});
        QCOMPARE(y[0], 0.f);
        QCOMPARE(y[1], 255.f / 4);            // the second column of the window
        QCOMPARE(y[2], 2 * 255.f / 4 + 25.f); // both
        QCOMPARE(y[3], 255.f / 4 + 25.f);     // the second one is padding
    }
};

QL_TEST(TestRuntimeKernels)
#include "tst_runtime_kernels.moc"
