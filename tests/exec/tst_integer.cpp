// Layers in integer arithmetic against loops over 64-bit integers: equal, not close.
#include "core/exec/executor.h"
#include "core/exec/integer.h"
#include "core/quant/integer_arithmetic.h"
#include "core/quant/quantize.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/Parallel.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/conv3d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/round.h>

#include <QTest>
#include <cmath>

using namespace ql;
using namespace ql::test;

namespace {

struct Case
{
    std::vector<std::int64_t> x, w; ///< [N, C, spatial...], [O, C / group, k...]
    std::int64_t group = 1, stride = 1, dilation = 1;
    std::vector<std::int64_t> pads; ///< begin..., end...
    float lowest = -128, highest = 127;
    bool perChannel = true, bias = true;
    std::int64_t smallestWeight = -128; ///< 127: every code, so that sums become as large as possible
    double biasCode = 20000;
};

float at4(const at::Tensor &t, std::int64_t i)
{
    return t.data_ptr<float>()[i];
}

/// q = clamp(round_half_even(float(sum) * (sx * sw / sy))) for every output, by loops.
at::Tensor reference(const Case &c, const at::Tensor &x, const at::Tensor &w, const std::vector<std::int64_t> &bias,
                     const IntegerLayer &layer)
{
    const bool line = c.x.size() == 3;
    const std::int64_t h = line ? 1 : c.x[2], width = c.x.back(), kh = line ? 1 : c.w[2], kw = c.w.back();
    const std::int64_t top = line ? 0 : c.pads[0], left = line ? c.pads[0] : c.pads[1];
    const std::int64_t bottom = line ? 0 : c.pads[2], right = c.pads.back();
    const std::int64_t sh = line ? 1 : c.stride, dh = line ? 1 : c.dilation;
    const std::int64_t oh = (h + top + bottom - dh * (kh - 1) - 1) / sh + 1;
    const std::int64_t ow = (width + left + right - c.dilation * (kw - 1) - 1) / c.stride + 1;
    const std::int64_t perGroup = c.w[1], outs = c.w[0];
    std::vector<std::int64_t> shape{c.x[0], outs};
    if (!line) shape.push_back(oh);
    shape.push_back(ow);
    at::Tensor y = at::empty(shape, at::TensorOptions(at::kFloat));
    float *out = y.data_ptr<float>();
    for (std::int64_t n = 0; n < c.x[0]; ++n)
        for (std::int64_t o = 0; o < outs; ++o) {
            const float sw = layer.weightScale[layer.weightScale.size() > 1 ? std::size_t(o) : 0];
            const float factor = layer.input.scale * sw / layer.output.scale;
            for (std::int64_t r = 0; r < oh; ++r)
                for (std::int64_t q = 0; q < ow; ++q) {
                    std::int64_t sum = bias.empty() ? 0 : bias[std::size_t(o)];
                    for (std::int64_t i = 0; i < perGroup; ++i)
                        for (std::int64_t a = 0; a < kh; ++a)
                            for (std::int64_t b = 0; b < kw; ++b) {
                                const std::int64_t row = r * sh - top + a * dh;
                                const std::int64_t column = q * c.stride - left + b * c.dilation;
                                if (row < 0 || row >= h || column < 0 || column >= width) continue;
                                const std::int64_t channel = o / (outs / c.group) * perGroup + i;
                                sum += std::int64_t(at4(x, ((n * c.x[1] + channel) * h + row) * width + column)) *
                                       std::int64_t(at4(w, ((o * perGroup + i) * kh + a) * kw + b));
                            }
                    const float rounded = std::nearbyint(float(sum) * factor);
                    *out++ = std::min(std::max(rounded, layer.output.lowest), layer.output.highest);
                }
        }
    return y;
}

at::Tensor whole(const std::vector<std::int64_t> &shape, std::int64_t low, std::int64_t high)
{
    return at::randint(low, high + 1, shape, at::TensorOptions(at::kFloat));
}

/// codes * scale[channel along axis 0]
at::Tensor scaled(const at::Tensor &codes, const std::vector<float> &scale)
{
    std::vector<std::int64_t> shape(std::size_t(codes.dim()), 1);
    if (scale.size() > 1) shape[0] = -1;
    return codes * floats({std::int64_t(scale.size())}, scale).reshape(shape);
}

TensorQuantConfig integerConfig(float scale, QuantState state, std::int32_t zero = 0)
{
    TensorQuantConfig c;
    c.state = state;
    c.scale = {scale};
    c.zeroPoint = {zero};
    if (zero > 0) c.symmetric = false, c.quantMin = 0, c.quantMax = 255;
    return c;
}

/// x -> Conv -> c -> Relu -> r -> Conv -> y
struct Chain
{
    SmallGraph net;
    QuantPlan plan;
    OpId conv, relu, second;
    at::Tensor w = at::rand({6, 3, 3, 3}) - 0.5, b = at::rand({6}) - 0.5, v = at::rand({4, 6, 1, 1}) - 0.5;

    Chain()
    {
        net.input("x", {1, 3, 9, 9});
        net.parameter("w", w);
        net.parameter("b", b);
        net.parameter("v", v);
        conv = net.op("Conv", "conv", {"x", "w", "b"}, {"c"}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        relu = net.op("Relu", "relu", {"c"}, {"r"});
        second = net.op("Conv", "second", {"r", "v"}, {"y"});
        net.output("y");
        net.graph.verify();
        plan.set(inputSlot(conv, 0), integerConfig(0.008f, QuantState::Active));
        plan.set(inputSlot(conv, 1), integerConfig(0.004f, QuantState::Baked));
        plan.set(outputSlot(conv), integerConfig(0.5f, QuantState::Overlapped));
        plan.set(outputSlot(relu), integerConfig(0.021f, QuantState::Active));
        plan.set(inputSlot(second, 1), integerConfig(0.0041f, QuantState::Baked));
        plan.set(outputSlot(second), integerConfig(0.033f, QuantState::Active));
        plan.integerOps = {conv, relu, second};
    }

    std::vector<at::Tensor> run(const at::Tensor &x, std::vector<VarId> outputs = {}, std::vector<Probe> probes = {},
                                const std::set<OpId> *only = nullptr) const
    {
        ProgramSpec spec;
        spec.plan = &plan;
        spec.outputs = std::move(outputs);
        spec.probes = std::move(probes);
        spec.onlyQuantized = only;
        return Executor(net.graph, {"cpu", 1}).compile(spec).run(Feed{{"x", x}}, {});
    }
};

/// The layer's integer form, as the compiler takes it; nullptr if there is none.
std::unique_ptr<PreparedKernel> integerKernel(const KernelContext &context, const IntegerLayer &layer)
{
    return findKernel(context.op)->integerForm(context, layer);
}

} // namespace

class TestInteger : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::manual_seed(7); }

    void convolutionIsExact_data()
    {
        QTest::addColumn<Case>("c");
        QTest::newRow("3 x 3, padding") << Case{{2, 5, 9, 7}, {7, 5, 3, 3}, 1, 1, 1, {1, 1, 1, 1}};
        QTest::newRow("1 x 1, one scale")
            << Case{{1, 33, 5, 5}, {9, 33, 1, 1}, 1, 1, 1, {0, 0, 0, 0}, -128, 127, false};
        QTest::newRow("depthwise, stride 2") << Case{{1, 13, 11, 8}, {13, 1, 3, 3}, 13, 2, 1, {1, 1, 1, 1}};
        QTest::newRow("groups") << Case{{1, 12, 6, 6}, {8, 3, 3, 3}, 4, 1, 1, {1, 1, 1, 1}};
        QTest::newRow("dilation, unequal padding") << Case{{1, 4, 12, 9}, {3, 4, 3, 3}, 1, 1, 2, {0, 1, 3, 2}};
        QTest::newRow("even kernel, no bias")
            << Case{{1, 3, 8, 8}, {4, 3, 2, 4}, 1, 1, 1, {0, 1, 1, 2}, -128, 127, true, false};
        QTest::newRow("unsigned, zero point 37") << Case{{1, 6, 7, 7}, {5, 6, 3, 3}, 1, 1, 1, {1, 1, 1, 1}, -37, 218};
        QTest::newRow("line") << Case{{2, 4, 17}, {6, 4, 5}, 1, 2, 1, {2, 1}};
        QTest::newRow("sums above 2^24") << Case{
            {1, 2300, 3, 3}, {3, 2300, 1, 1}, 1, 1, 1, {0, 0, 0, 0}, 120, 127, true, true, 127};
        QTest::newRow("bias above 2^24") << Case{{1, 5, 4, 4}, {3, 5, 3, 3}, 1,    1,    1,    {1, 1, 1, 1},
                                                 -128,         127,          true, true, -128, 1e9};
        QTest::newRow("one channel") << Case{{3, 1, 5, 6}, {1, 1, 3, 3}, 1, 1, 1, {1, 1, 1, 1}};
    }
    void convolutionIsExact()
    {
        QFETCH(Case, c);
        SmallGraph net;
        net.input("x", c.x);
        const std::size_t spatial = c.x.size() - 2;
        const OpId id =
            net.op("Conv", "conv",
                   c.bias ? std::vector<std::string>{"x", "w", "b"} : std::vector<std::string>{"x", "w"}, {"y"},
                   {{"group", c.group},
                    {"strides", std::vector<std::int64_t>(spatial, c.stride)},
                    {"dilations", std::vector<std::int64_t>(spatial, c.dilation)},
                    {"pads", c.pads}});
        const at::Tensor x = whole(c.x, std::int64_t(c.lowest), std::int64_t(c.highest));
        const at::Tensor w = whole(c.w, c.smallestWeight, 127);
        IntegerLayer layer;
        layer.input = {0.0173f, c.lowest, c.highest};
        // half of the results between the limits
        layer.output = {float(0.0173 * 0.006 * 40 * std::sqrt(double(w.numel() / c.w[0]))), -128, 127};
        if (c.smallestWeight == 127) layer.output.scale = float(0.0173 * 0.006 * 400000);
        if (c.biasCode > 1e8) layer.output.scale = float(0.0173 * 0.006 * 1e7);
        for (std::int64_t o = 0; o < (c.perChannel ? c.w[0] : 1); ++o)
            layer.weightScale.push_back(0.004f + 0.0007f * float(o % 5));
        layer.weight = scaled(w, layer.weightScale);
        std::vector<std::int64_t> bias;
        if (c.bias) {
            layer.bias = at::empty({c.w[0]}, x.options());
            for (std::int64_t o = 0; o < c.w[0]; ++o) {
                const float step = layer.input.scale * layer.weightScale[c.perChannel ? std::size_t(o) : 0];
                const double code = std::nearbyint((double(o) - 1.5) * c.biasCode / double(c.w[0]));
                layer.bias.data_ptr<float>()[o] = float(code * double(step));
                bias.push_back(std::int64_t(std::nearbyint(double(at4(layer.bias, o)) / double(step))));
            }
        }
        const KernelContext context{net.graph.operation(id), net.graph};
        const auto kernel = integerKernel(context, layer);
        QVERIFY(kernel);
        const std::vector<at::Tensor> inputs{x};
        const at::Tensor got = kernel->run(context, inputs).at(0).contiguous();
        const at::Tensor want = reference(c, x, w, bias, layer);
        QVERIFY(got.sizes() == want.sizes());
        QVERIFY(at::equal(got, want));
        QVERIFY((want.abs() < 127).any().item().toBool());
        QVERIFY(at::equal(x, centredCodes(valuesOfCodes(x, layer.input), layer.input)));
    }

    void volumesAreExact()
    {
        SmallGraph net;
        net.input("x", {2, 4, 5, 6, 7});
        const OpId id = net.op("Conv", "conv", {"x", "w"}, {"y"}, {{"pads", std::vector<std::int64_t>(6, 1)}});
        const at::Tensor x = whole({2, 4, 5, 6, 7}, -128, 127), w = whole({6, 4, 3, 3, 2}, -127, 127);
        IntegerLayer layer;
        layer.input = {0.0173f, -128, 127};
        layer.output = {0.0173f * 0.006f * 1000, -128, 127};
        layer.weightScale = {0.006f};
        layer.weight = scaled(w, layer.weightScale);
        const KernelContext context{net.graph.operation(id), net.graph};
        const auto kernel = integerKernel(context, layer);
        QVERIFY(kernel);
        const std::vector<at::Tensor> inputs{x};
        const at::Tensor sum = at::conv3d(x.to(at::kDouble), w.to(at::kDouble), {}, 1, 1).to(at::kFloat);
        const float factor = layer.input.scale * layer.weightScale[0] / layer.output.scale;
        QVERIFY(at::equal(kernel->run(context, inputs).at(0).contiguous(), at::round(sum * factor).clamp(-128, 127)));
    }

    /// A bias that takes a sum of 37 million back to single digits shows every unit that float32 would lose.
    void sumsAboveFloat32AreExact()
    {
        for (const bool isMatrix : {false, true}) {
            const std::int64_t depth = 2300;
            SmallGraph net;
            net.input("x", {1, depth, 1, 2});
            const OpId id = net.op(isMatrix ? "Gemm" : "Conv", "layer", {"x", "w", "b"}, {"y"});
            at::Tensor x = whole({2, depth}, 127, 127);
            x[1][7] = 126;
            IntegerLayer layer;
            layer.input = {1.f / 64, -128, 127};
            layer.output = {1.f / 16384, -128, 127};
            layer.weightScale = {1.f / 256};
            layer.weight = (isMatrix ? whole({depth, 3}, 127, 127) : whole({3, depth, 1, 1}, 127, 127)) / 256;
            const float bias = float(4 - 127 * 127 * depth) / 16384; // a multiple of 4: float32 has it
            layer.bias = floats({3}, {bias, bias, bias});
            const KernelContext context{net.graph.operation(id), net.graph};
            const auto kernel = integerKernel(context, layer);
            QVERIFY(kernel);
            const at::Tensor image = x.transpose(0, 1).reshape({1, depth, 1, 2}).contiguous();
            const std::vector<at::Tensor> inputs{isMatrix ? x : image};
            const at::Tensor got = kernel->run(context, inputs).at(0).contiguous();
            const std::vector<double> want = isMatrix ? std::vector<double>{4, 4, 4, -123, -123, -123}
                                                      : std::vector<double>{4, -123, 4, -123, 4, -123};
            QVERIFY(values(got) == want);
        }
    }

    void matricesAreExact()
    {
        for (const bool transposed : {false, true}) {
            SmallGraph net;
            net.input("a", {5, 37});
            const OpId id = net.op("Gemm", "gemm", {"a", "b", "c"}, {"y"}, {{"transB", std::int64_t(transposed)}});
            const at::Tensor a = whole({5, 37}, -128, 127), b = whole({11, 37}, -127, 127);
            IntegerLayer layer;
            layer.input = {0.02f, -128, 127};
            layer.output = {0.9f, -128, 127};
            for (int n = 0; n < 11; ++n) layer.weightScale.push_back(0.003f * float(n + 1));
            const at::Tensor real = scaled(b, layer.weightScale);
            layer.weight = transposed ? real : real.transpose(0, 1);
            const KernelContext context{net.graph.operation(id), net.graph};
            const auto kernel = integerKernel(context, layer);
            QVERIFY(kernel);
            const std::vector<at::Tensor> inputs{a};
            const at::Tensor got = kernel->run(context, inputs).at(0);
            for (std::int64_t m = 0; m < 5; ++m)
                for (std::int64_t n = 0; n < 11; ++n) {
                    std::int64_t sum = 0;
                    for (std::int64_t k = 0; k < 37; ++k)
                        sum += std::int64_t(at4(a, m * 37 + k)) * std::int64_t(at4(b, n * 37 + k));
                    const float factor = layer.input.scale * layer.weightScale[std::size_t(n)] / layer.output.scale;
                    const float want = std::min(std::max(std::nearbyint(float(sum) * factor), -128.f), 127.f);
                    QCOMPARE(got[m][n].item().toFloat(), want);
                }
        }
    }

    /// Runtimes hold codes as integers: what rounds to 0 from below is not -0, by which a Div would give -infinity.
    void zeroHasNoSign()
    {
        IntegerLayer layer;
        layer.input = {0.1f, -128, 127};
        layer.output = {1, -128, 127};
        layer.outputZero = 0;
        layer.weightScale = {0.1f};
        const at::Tensor below = at::full({1, 1, 2, 2}, -1.f), one = at::full({2, 2}, 0.1f);
        const auto check = [&](const char *type, Inputs inputs, const IntegerLayer &its) {
            SmallGraph net;
            for (const char *name : {"a", "b"}) net.input(name);
            const OpId id = net.op(type, "op", {"a", "b"}, {"y"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
            const KernelContext context{net.graph.operation(id), net.graph};
            const auto kernel = integerKernel(context, its);
            QVERIFY2(kernel, type);
            const at::Tensor y = kernel->run(context, inputs).at(0);
            QVERIFY2(y.eq(0).all().item<bool>() && !y.signbit().any().item<bool>(), type);
        };
        check("AveragePool", {&below, 1}, layer);
        layer.weight = one;
        check("MatMul", {&below, 1}, layer);
        layer.weight = at::Tensor();
        layer.second = CodeGrid{0.1f, -128, 127};
        const std::vector<at::Tensor> both{below, at::full({1, 1, 2, 2}, 1.f)};
        check("MatMul", both, layer);
    }

    /// MatMul with a constant that is a vector, or has one matrix per entry of the batch.
    void constantsThatAreNoMatrix()
    {
        const at::Tensor a = whole({2, 5, 37}, -128, 127);
        for (const at::Tensor &b : {whole({37}, -127, 127), whole({2, 37, 3}, -127, 127)}) {
            SmallGraph net;
            net.input("a", {2, 5, 37});
            const OpId id = net.op("MatMul", "product", {"a", "b"}, {"y"});
            IntegerLayer layer;
            layer.input = {0.02f, -128, 127};
            layer.output = {0.9f, -128, 127};
            layer.weightScale = {0.003f};
            layer.weight = b * 0.003f;
            const KernelContext context{net.graph.operation(id), net.graph};
            const auto kernel = integerKernel(context, layer);
            QVERIFY(kernel);
            const std::vector<at::Tensor> inputs{a};
            const at::Tensor got = kernel->run(context, inputs).at(0).contiguous();
            const std::int64_t columns = b.dim() == 1 ? 1 : 3;
            QCOMPARE(got.numel(), 2 * 5 * columns);
            for (std::int64_t i = 0; i < got.numel(); ++i) {
                const std::int64_t row = i / columns, from = b.dim() == 1 ? 0 : row / 5 * 37 * columns;
                std::int64_t sum = 0;
                for (std::int64_t k = 0; k < 37; ++k)
                    sum += std::int64_t(at4(a, row * 37 + k)) * std::int64_t(at4(b, from + k * columns + i % columns));
                const float factor = layer.input.scale * layer.weightScale[0] / layer.output.scale;
                QCOMPARE(at4(got, i), std::min(std::max(std::nearbyint(float(sum) * factor), -128.f), 127.f));
            }
        }
    }

    void layersWithoutIntegerFormAreRefused()
    {
        SmallGraph net;
        net.input("a", {2, 3});
        const OpId id = net.op("Gemm", "gemm", {"a", "b"}, {"y"}, {{"alpha", 0.5f}});
        IntegerLayer layer;
        layer.weight = whole({3, 4}, -5, 5);
        layer.weightScale = {1};
        QVERIFY(!integerKernel(KernelContext{net.graph.operation(id), net.graph}, layer));
        SmallGraph conv;
        conv.input("x", {1, 1, 4, 4});
        const OpId convId = conv.op("Conv", "conv", {"x", "w", "b"}, {"y"});
        layer.weight = whole({1, 1, 3, 3}, -5, 5);
        layer.weightScale = {1e-8f};
        layer.weight = layer.weight * 1e-8f;
        layer.input.scale = 0.01f;
        layer.bias = floats({1}, {1.f}); // 1e10 steps
        QVERIFY(!integerKernel(KernelContext{conv.graph.operation(convId), conv.graph}, layer));
    }

    /// Fused with the activation, with probes between them, and as an output: the same numbers.
    void oneProgramAsAnother()
    {
        const Chain chain;
        const at::Tensor x = at::rand({1, 3, 9, 9}) * 2 - 1;
        const VarId c = chain.net.graph.findVariable("c"), r = chain.net.graph.findVariable("r"),
                    y = chain.net.graph.findVariable("y");
        const at::Tensor plain = chain.run(x).at(0);
        at::Tensor seen, behind;
        const auto probed = chain.run(x, {},
                                      {{outputSlot(chain.conv), ProbePoint::Quantized,
                                        [&](const at::Tensor &t, std::size_t) { seen = t.clone(); }},
                                       {outputSlot(chain.relu), ProbePoint::Quantized,
                                        [&](const at::Tensor &t, std::size_t) { behind = t.clone(); }}});
        QVERIFY(at::equal(plain, probed.at(0)));
        const auto all = chain.run(x, {c, r, y});
        QVERIFY(at::equal(plain, all.at(2)));
        QVERIFY(at::equal(behind, all.at(1)));
        QVERIFY(at::equal(seen, all.at(0)));
        // the value of c seen by probes is not rounded, and rounding it gives r
        const at::Tensor codes = seen / 0.021f;
        QVERIFY(!at::equal(codes, codes.round()));
        const TensorQuantConfig grid = integerConfig(0.021f, QuantState::Active);
        const at::Tensor rounded = fakeQuant(at::relu(seen), grid, {0.021f}, {0});
        QVERIFY(((rounded - behind).abs() > 1e-6).sum().item().toLong() <= 1); // a tie may fall the other way
        // far from the float way by rounding of sums only
        Chain floating = chain;
        floating.plan.integerOps.clear();
        QVERIFY(((floating.run(x).at(0) - plain).abs() > 0.04).sum().item().toLong() == 0);
    }

    /// A layer whose input is not on a grid in this program stays in float.
    void oneOperationAlone()
    {
        const Chain chain;
        Chain floating = chain;
        floating.plan.integerOps.clear();
        const at::Tensor x = at::rand({1, 3, 9, 9}) * 2 - 1;
        const std::set<OpId> only{chain.second};
        QVERIFY(at::equal(chain.run(x, {}, {}, &only).at(0), floating.run(x, {}, {}, &only).at(0)));
        const std::set<OpId> nothing{};
        QVERIFY(at::equal(chain.run(x, {}, {}, &nothing).at(0), floating.run(x, {}, {}, &nothing).at(0)));
    }

    /// Clip after a layer, on codes: same as the float Clip between two roundings.
    void clipsOnCodes()
    {
        SmallGraph net;
        net.input("x", {1, 2, 6, 6});
        net.parameter("w", at::rand({3, 2, 3, 3}) - 0.5);
        net.parameter("low", floats({}, {-0.31f}));
        net.parameter("high", floats({}, {0.77f}));
        const OpId conv = net.op("Conv", "conv", {"x", "w"}, {"c"});
        const OpId clip = net.op("Clip", "clip", {"c", "low", "high"}, {"y"});
        net.output("y");
        QuantPlan plan;
        plan.set(inputSlot(conv, 0), integerConfig(0.008f, QuantState::Active, 128));
        plan.set(inputSlot(conv, 1), integerConfig(0.004f, QuantState::Baked));
        plan.set(outputSlot(clip), integerConfig(0.02f, QuantState::Active));
        plan.integerOps = {conv, clip};
        ProgramSpec spec;
        spec.plan = &plan;
        const at::Tensor x = at::rand({1, 2, 6, 6}) * 2 - 1;
        const Executor executor(net.graph, {"cpu", 1});
        const at::Tensor fused = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0);
        spec.outputs = {net.graph.findVariable("c"), net.graph.findVariable("y")};
        QVERIFY(at::equal(executor.compile(spec).run(Feed{{"x", x}}, {}).at(1), fused));
        QVERIFY(std::abs(fused.max().item().toFloat() - 0.02f * 38) < 1e-6); // 0.77 / 0.02 = 38.5 to even
        QVERIFY(std::abs(fused.min().item().toFloat() + 0.02f * 16) < 1e-6);
    }
};

QL_TEST(TestInteger)
#include "tst_integer.moc"
