// Convolutions of 3x3 by minimal filtering: against LibTorch's in double precision, in every batch, thread and
// instruction set alike, and not where something is quantized.
#include "core/exec/executor.h"
#include "core/exec/threads.h"
#include "core/exec/winograd.h"
#include "core/quant/quantize.h"
#include "gpu/isa.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/clamp.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>
#include <QtTest>
#include <cmath>
#include <limits>

using namespace ql;
using test::SmallGraph;

namespace {

using Sizes = std::vector<std::int64_t>;

ProgramSpec filtered()
{
    ProgramSpec spec;
    spec.minimalFiltering = true;
    return spec;
}

struct ConvNet
{
    SmallGraph small;
    OpId conv = noOp;

    ConvNet(const Sizes &input, const at::Tensor &weight, const at::Tensor &bias, const Sizes &pads,
            const std::string &activation)
    {
        small.input("x", input);
        small.parameter("w", weight);
        if (bias.defined()) small.parameter("b", bias);
        std::vector<std::string> inputs{"x", "w"};
        if (bias.defined()) inputs.push_back("b");
        conv = small.op("Conv", "conv", inputs, {activation.empty() ? "y" : "c"}, {{"pads", pads}});
        if (activation == "Relu") small.op("Relu", "relu", {"c"}, {"y"});
        if (activation == "Silu") {
            small.op("Sigmoid", "sigmoid", {"c"}, {"s"});
            small.op("Mul", "mul", {"c", "s"}, {"y"});
        }
        small.output("y");
        small.graph.verify();
    }

    at::Tensor run(const at::Tensor &x) const
    {
        const Executor executor(small.graph, {"cpu", 2});
        return executor.compile(filtered()).run(Feed{{"x", x}}, {})[0];
    }
};

at::Tensor convolved(const at::Tensor &x, const at::Tensor &w, const at::Tensor &bias, const Sizes &pads,
                     const std::string &activation)
{
    const at::Tensor padded = at::constant_pad_nd(x.to(at::kDouble), {pads[1], pads[3], pads[0], pads[2]}, 0);
    const at::Tensor y = at::conv2d(padded, w.to(at::kDouble), bias.defined() ? bias.to(at::kDouble) : bias);
    return activation == "Relu" ? at::clamp(y, 0) : activation == "Silu" ? at::silu(y) : y;
}

double sqnrDb(const at::Tensor &exact, const at::Tensor &got)
{
    const at::Tensor noise = got.to(at::kDouble) - exact;
    return 10 * std::log10((exact * exact).sum().item<double>() / (noise * noise).sum().item<double>());
}

} // namespace

class TestWinograd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::manual_seed(11); }

    void equalsTheConvolution_data()
    {
        QTest::addColumn<Sizes>("input");
        QTest::addColumn<std::int64_t>("filters");
        QTest::addColumn<Sizes>("pads");
        QTest::addColumn<bool>("bias");
        QTest::addColumn<QString>("activation");
        const Sizes same{1, 1, 1, 1};
        QTest::newRow("whole tiles") << Sizes{1, 32, 16, 16} << std::int64_t{32} << same << true << QString();
        QTest::newRow("rest of tiles") << Sizes{2, 48, 19, 13} << std::int64_t{32} << same << true << "Relu";
        QTest::newRow("no padding") << Sizes{3, 32, 21, 15} << std::int64_t{64} << Sizes{0, 0, 0, 0} << false
                                    << QString();
        QTest::newRow("unequal padding") << Sizes{1, 32, 14, 17} << std::int64_t{80} << Sizes{2, 0, 1, 3} << true
                                         << "Silu";
        QTest::newRow("wide padding") << Sizes{1, 32, 9, 9} << std::int64_t{32} << Sizes{7, 6, 5, 8} << true << "Relu";
        QTest::newRow("many tiles") << Sizes{2, 64, 60, 61} << std::int64_t{64} << same << true << "Relu";
        QTest::newRow("many channels") << Sizes{1, 256, 14, 14} << std::int64_t{256} << same << false << QString();
        QTest::newRow("few tiles") << Sizes{5, 32, 7, 7} << std::int64_t{32} << same << true << QString();
        QTest::newRow("odd channels") << Sizes{1, 40, 16, 16} << std::int64_t{33} << same << true << "Relu";
    }
    void equalsTheConvolution()
    {
        QFETCH(Sizes, input);
        QFETCH(std::int64_t, filters);
        QFETCH(Sizes, pads);
        QFETCH(bool, bias);
        QFETCH(QString, activation);
        const at::Tensor x = at::randn(input), w = at::randn({filters, input[1], 3, 3}),
                         b = bias ? at::randn({filters}) : at::Tensor();
        const std::string kind = activation.toStdString();
        const at::Tensor y = ConvNet(input, w, b, pads, kind).run(x), exact = convolved(x, w, b, pads, kind);
        QCOMPARE(y.sizes(), exact.sizes());
        const double db = sqnrDb(exact, y);
        QVERIFY2(db > 116, qPrintable(QString::number(db)));
    }

    /// A sample has the same result in every batch, and with any number of threads.
    void samplesAreIndependent()
    {
#ifndef QL_WITH_DNNL
        QSKIP("without oneDNN, LibTorch convolves");
#endif
        const at::Tensor w = at::randn({64, 32, 3, 3}), b = at::randn({64}), x = at::randn({7, 32, 30, 21});
        const ConvNet net({}, w, b, {1, 1, 1, 1}, "Relu");
        const Executor executor(net.small.graph, {"cpu", 2});
        const Program program = executor.compile(filtered());
        const at::Tensor together = program.run(Feed{{"x", x}}, {})[0];
        for (std::int64_t i = 0; i < 7; ++i) {
            const ThreadLimit limit(i % 2 ? 1 : 2);
            const at::Tensor alone = program.run(Feed{{"x", x.narrow(0, i, 1)}}, {})[0];
            QVERIFY(at::equal(alone, together.narrow(0, i, 1)));
        }
    }

    void notANumberStaysOne()
    {
        at::Tensor x = at::randn({1, 32, 20, 20});
        x[0][3][9][9] = std::numeric_limits<float>::quiet_NaN();
        const ConvNet net({1, 32, 20, 20}, at::randn({32, 32, 3, 3}), {}, {1, 1, 1, 1}, {});
        const at::Tensor y = net.run(x);
        QVERIFY(at::isnan(y.narrow(2, 8, 3).narrow(3, 8, 3)).all().item<bool>()); // wherever it belongs
        QVERIFY(!at::isnan(y.narrow(2, 16, 4)).any().item<bool>());               // and not in tiles without it
    }

    /// Rounded to codes, a value on the border of two must not depend on how the layer is computed.
    void quantizedLayersAreConvolvedDirectly()
    {
#ifndef QL_WITH_DNNL
        QSKIP("without oneDNN, LibTorch convolves");
#endif
        // Integers times powers of two: exact by the definition, not by way of fractions
        const at::Tensor x = at::randn({1, 32, 16, 16}).mul(20).round().div(16),
                         w = at::randn({32, 32, 3, 3}).mul(20).round().div(64);
        const ConvNet net({1, 32, 16, 16}, w, {}, {1, 1, 1, 1}, {});
        const at::Tensor exact = convolved(x, w, {}, {1, 1, 1, 1}, {});
        QVERIFY(!at::equal(net.run(x).to(at::kDouble), exact));
        TensorQuantConfig config;
        config.state = QuantState::Active;
        config.scale = {1.f / 64};
        config.zeroPoint = {0};
        config.quantMin = -128;
        config.quantMax = 127;
        QuantPlan plan;
        plan.set(inputSlot(net.conv, 1), config);
        const Executor executor(net.small.graph);
        QVERIFY(at::equal(executor.compile({}).run(Feed{{"x", x}}, {})[0].to(at::kDouble), exact)); // nor unasked
        ProgramSpec spec = filtered();
        spec.plan = &plan;
        QVERIFY(at::equal(executor.compile(spec).run(Feed{{"x", x}}, {})[0].to(at::kDouble), exact));
    }

    void instructionSetsAgree()
    {
        constexpr std::int64_t channels = 48;
        const at::Tensor pixels = at::randn({winograd::products, channels}), filters = at::randn({9, 64}),
                         bias = at::randn({channels});
        std::vector<const float *> values;
        for (int i = 0; i < winograd::products; ++i) values.push_back(pixels.data_ptr<float>() + i * channels);
        std::vector<at::Tensor> known;
        const gpu::Isa best = gpu::bestIsa();
        for (int isa = 0; isa <= int(best); ++isa) {
            gpu::useIsa(gpu::Isa(isa));
            at::Tensor tile = at::zeros({winograd::products, channels}), weights = at::zeros({winograd::products, 64}),
                       results = at::zeros({16, channels});
            std::vector<float *> to;
            for (int i = 0; i < 16; ++i) to.push_back(results.data_ptr<float>() + i * channels);
            winograd::transformTile(values.data(), channels, tile.data_ptr<float>(), channels);
            winograd::transformWeights(filters.data_ptr<float>(), 64, weights.data_ptr<float>());
            winograd::transformBack(tile.data_ptr<float>(), channels, channels, bias.data_ptr<float>(), -1, 2,
                                    to.data());
            if (known.empty()) known = {tile, weights, results};
            QVERIFY(at::equal(tile, known[0]) && at::equal(weights, known[1]) && at::equal(results, known[2]));
            QVERIFY(results.min().item<float>() == -1 && results.max().item<float>() == 2);
        }
        gpu::useIsa(best);
    }
};

QL_TEST(TestWinograd)
#include "tst_winograd.moc"
