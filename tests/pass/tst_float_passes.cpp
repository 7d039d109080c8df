// Passes that change weights or layers and keep the function of the float network.
#include "pass_support.h"
#include "tests/support/random_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>

#include <algorithm>

using namespace ql;
using namespace ql::test;

namespace {

/// In decibels, of the worst output.
double worstSnr(const std::vector<at::Tensor> &wanted, const std::vector<at::Tensor> &got)
{
    double worst = 1e9;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i].sizes() != got[i].sizes()) return -1;
        const auto a = values(wanted[i]), b = values(got[i]);
        double signal = 0, error = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
            signal += a[k] * a[k];
            error += (a[k] - b[k]) * (a[k] - b[k]);
        }
        if (error > 0) worst = std::min(worst, signal > 0 ? 10 * std::log10(signal / error) : -1.0);
    }
    return worst;
}

at::Tensor weightOf(const QuantModel &model, const std::string &op)
{
    return valueOf(model.graph, op, 1);
}

/// As run(), for a pass that asks how the model will be quantized.
int runConfigured(const std::string &pass, QuantModel &model, const nlohmann::json &params, const BatchSource *data)
{
    PassContext context;
    context.exec.threads = 1;
    context.calibration = data;
    context.calibrationSteps = data ? data->size() : 0;
    context.configure = [](QuantModel &of) { of.plan = configured(of.graph).plan; };
    return runPass(*makePass(pass, params), model, context).changed;
}

/// x -> a -> relu -> b -> y, with channels of very different ranges between a and b.
QuantModel unevenPair()
{
    SmallGraph g;
    g.input("x", {1, 3, 6, 6});
    at::Tensor wide = noise({8, 3, 3, 3}, 1, 0.3);
    for (std::int64_t c = 0; c < 8; ++c) wide[c].mul_(c == 0 ? 20.0 : 0.3);
    g.parameter("wa", wide);
    g.parameter("ba", noise({8}, 2, 0.1));
    g.parameter("wb", noise({4, 8, 1, 1}, 3, 0.5));
    g.op("Conv", "a", {"x", "wa", "ba"}, {"t"}, {{"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
    g.op("Relu", "relu", {"t"}, {"r"});
    g.op("Conv", "b", {"r", "wb"}, {"y"});
    g.output("y");
    QuantModel model;
    model.graph = std::move(g.graph);
    return model;
}

} // namespace

class TestFloatPasses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void randomGraphsKeepTheirFunction_data()
    {
        QTest::addColumn<QString>("pass");
        QTest::addColumn<QString>("params");
        QTest::newRow("equalization") << "layerwise_equalization"
                                      << R"({"value_threshold": 0, "optimize_level": 2})";
        QTest::newRow("equalization by activations")
            << "layerwise_equalization"
            << R"({"value_threshold": 0, "including_act": true, "including_bias": true})";
        QTest::newRow("activations") << "activation_equalization"
                                     << R"({"optimize_level": 2})";
        QTest::newRow("channels") << "channel_split"
                                  << R"({"value_threshold": 0, "growth": 0.7, "optimize_level": 2})";
        QTest::newRow("weights") << "weight_split"
                                 << R"({"interested_layers": ["*"], "value_threshold": 0.1})";
        QTest::newRow("random parts") << "weight_split"
                                      << R"({"interested_layers": ["*"], "value_threshold": 0.1, "method": "random"})";
        QTest::newRow("factors") << "matrix_factorization"
                                 << R"({"interested_layers": ["*"]})";
        QTest::newRow("measured") << "ssd_equalization"
                                  << R"({"loss_threshold": 1, "layer_norm": true})";
    }
    void randomGraphsKeepTheirFunction()
    {
        QFETCH(QString, pass);
        QFETCH(QString, params);
        int changed = 0;
        for (unsigned seed = 0; seed < 30; ++seed) {
            QuantModel model;
            model.graph = RandomGraph(seed).take();
            const Batches data = noiseBatches({1, 3, RandomGraph::side, RandomGraph::side}, 2);
            const Feed feed = {{"x", noise({1, 3, RandomGraph::side, RandomGraph::side}, seed)}};
            const std::vector<at::Tensor> before = forward(model, feed, false);
            changed += runConfigured(pass.toStdString(), model, nlohmann::json::parse(params.toStdString()), &data);
            const double snr = worstSnr(before, forward(model, feed, false));
            QVERIFY2(snr >= 120, qPrintable(QString("seed %1: %2 dB").arg(seed).arg(snr)));
        }
        QVERIFY(changed > 3);
    }

    void activationsComeCloser()
    {
        QuantModel model = unevenPair();
        const Batches data = noiseBatches({1, 3, 6, 6}, 4);
        const std::vector<double> before = values(weightOf(model, "a"));
        QCOMPARE(run("activation_equalization", model, {{"iterations", 3}, {"step", 1.1}}, &data), 2);
        const std::vector<double> after = values(weightOf(model, "a"));
        QVERIFY(std::abs(after[0] / before[0] - std::pow(1.1, -3)) < 1e-5); // channel 0 is above the mean
        QVERIFY(std::abs(after[27] / before[27] - std::pow(1.1, 3)) < 1e-5);
        run("activation_equalization", model, {{"iterations", 1000}, {"limit", 1.0}}, &data);
        QCOMPARE(values(weightOf(model, "a")), after);
        QVERIFY(errorOf([&] { run("activation_equalization", model); }).kind == ErrorKind::BadData);
    }

    /// The measured error of the pair falls, and by the rule of the largest gain.
    void ssdReducesTheError()
    {
        const Batches data = noiseBatches({1, 3, 6, 6}, 4);
        const auto errorOfQuantized = [&](QuantModel model) {
            const Feed feed = data.batch(0);
            const at::Tensor wanted = forward(model, feed, false)[0];
            QuantModel quantized = configured(model.graph);
            run("parameter_quantize", quantized);
            run("calibrate", quantized, {}, &data);
            run("passive_parameters", quantized);
            const at::Tensor got = forward(quantized, feed, true)[0];
            return (wanted - got).square().mean().item().toDouble();
        };
        QuantModel model = unevenPair();
        const double before = errorOfQuantized(model);
        QCOMPARE(runConfigured("ssd_equalization", model, {}, &data), 2);
        const double after = errorOfQuantized(model);
        QVERIFY2(after < 0.8 * before, qPrintable(QString("%1 -> %2").arg(before).arg(after)));
        QuantModel same = unevenPair();
        QCOMPARE(runConfigured("ssd_equalization", same, {{"loss_threshold", 0}}, &data), 0);
        QCOMPARE(values(weightOf(same, "a")), values(weightOf(unevenPair(), "a")));
        QVERIFY(errorOf([&] { runConfigured("ssd_equalization", same, {}, nullptr); }).kind == ErrorKind::BadData);
        QCOMPARE(run("ssd_equalization", same, {}, &data), 0); // nothing will be quantized

        // Balanced layers are changed ones, even if no rule scales their channels.
        const at::Tensor unbalanced = weightOf(same, "a").clone();
        QCOMPARE(runConfigured("ssd_equalization", same, {{"loss_threshold", 0}, {"layer_norm", true}}, &data), 2);
        QVERIFY(!weightOf(same, "a").equal(unbalanced));
    }

    void largeChannelsAreSplit()
    {
        QuantModel model = unevenPair();
        const at::Tensor a = weightOf(model, "a").clone(), b = weightOf(model, "b").clone();
        QCOMPARE(run("channel_split", model, {{"iterations", 1}, {"value_threshold", 0}, {"growth", 0.125}}), 2);
        QVERIFY(weightOf(model, "a").sizes() == at::IntArrayRef({9, 3, 3, 3}));
        QVERIFY(weightOf(model, "b").sizes() == at::IntArrayRef({4, 9, 1, 1}));
        QVERIFY(valueOf(model.graph, "a", 2).sizes() == at::IntArrayRef({9}));
        for (const std::int64_t copy : {0, 1})
            QVERIFY(at::allclose(weightOf(model, "a")[copy], a[0] * std::sqrt(0.5), 1e-6, 1e-7));
        QVERIFY(at::allclose(weightOf(model, "b").select(1, 1), b.select(1, 0) * std::sqrt(0.5), 1e-6, 1e-7));
        QVERIFY(at::equal(weightOf(model, "a")[2], a[1]));
        // The room is used up, and channels below the threshold stay
        QCOMPARE(run("channel_split", model, {{"value_threshold", 1e3}}), 0);
        QCOMPARE(run("channel_split", model, {{"growth", 0}, {"value_threshold", 0}}), 0);
    }

    void weightsAreSplit()
    {
        QuantModel model = unevenPair();
        model.dispatch[model.graph.findOperation("a")] = {"INT8", "test"};
        const std::vector<double> w = values(weightOf(model, "a"));
        QCOMPARE(run("weight_split", model, {{"interested_layers", {"a"}}, {"value_threshold", 1}}), 1);
        const std::vector<double> rest = values(weightOf(model, "a")), part = values(weightOf(model, "a_split"));
        for (std::size_t i = 0; i < w.size(); ++i) QCOMPARE(part[i], std::abs(w[i]) > 1 ? w[i] / 2 : 0);
        for (std::size_t i = 0; i < w.size(); ++i) QCOMPARE(rest[i], w[i] - part[i]);
        QCOMPARE(op(model.graph, "a_split").inputs.size(), std::size_t(2)); // the bias is added once
        QCOMPARE(op(model.graph, "a_sum").type, std::string("Add"));
        QCOMPARE(model.platformOf(model.graph.findOperation("a_sum")), std::string("INT8"));
        QCOMPARE(run("weight_split", model, {{"interested_layers", {"b"}}, {"value_threshold", 1e6}}), 0);
        QVERIFY(errorOf([&] { run("weight_split", model); }).kind == ErrorKind::BadConfig);
        QVERIFY(errorOf([&] {
                    run("weight_split", model, {{"interested_layers", {"none*"}}});
                }).kind == ErrorKind::BadConfig);
    }

    void matricesAreFactorized()
    {
        SmallGraph g;
        g.input("x", {2, 6});
        const at::Tensor w = noise({4, 6}, 1);
        g.parameter("w", w);
        g.parameter("b", noise({4}, 2));
        g.parameter("w2", noise({4, 5}, 3));
        g.op("Gemm", "one", {"x", "w", "b"}, {"t"}, {{"transB", std::int64_t{1}}, {"alpha", 0.5f}, {"beta", 2.f}});
        g.op("Gemm", "two", {"t", "w2"}, {"y"});
        g.output("y");
        QuantModel model;
        model.graph = g.graph;
        const Feed feed = {{"x", noise({2, 6}, 4)}};
        const std::vector<at::Tensor> before = forward(model, feed, false);
        QCOMPARE(run("matrix_factorization", model, {{"interested_layers", {"*"}}}), 2);
        QVERIFY(worstSnr(before, forward(model, feed, false)) >= 120);
        QVERIFY(weightOf(model, "one_factor").sizes() == at::IntArrayRef({4, 4}));
        QVERIFY(at::allclose(weightOf(model, "one_factor").matmul(weightOf(model, "one")), w, 1e-5, 1e-5));
        // Equal shares of each singular value
        const at::Tensor rows = weightOf(model, "one").square().sum(1);
        QVERIFY(at::allclose(weightOf(model, "one_factor").square().sum(0), rows, 1e-4, 1e-5));
        model.graph = g.graph;
        run("matrix_factorization", model, {{"interested_layers", {"one"}}, {"rank", 2}});
        QVERIFY(weightOf(model, "one").sizes() == at::IntArrayRef({2, 6}));
        QVERIFY(errorOf([&] { run("matrix_factorization", model); }).kind == ErrorKind::BadConfig);
    }

    /// No small change of the factors makes PPQ's training objective smaller.
    void trainedFactorsAreAMinimum()
    {
        SmallGraph g;
        g.input("x", {2, 6});
        const at::Tensor w = noise({4, 6}, 1);
        g.parameter("w", w);
        g.op("Gemm", "one", {"x", "w"}, {"y"}, {{"transB", std::int64_t{1}}});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        run("matrix_factorization", model, {{"interested_layers", {"one"}}, {"method", "training"}});
        const at::Tensor a = weightOf(model, "one_factor").to(at::kDouble), b = weightOf(model, "one").to(at::kDouble);
        const auto objective = [&](const at::Tensor &left, const at::Tensor &right) {
            return ((w.to(at::kDouble) - left.matmul(right)).square().mean() +
                    0.1 * (left.square().mean() + right.square().mean()))
                .item()
                .toDouble();
        };
        const double best = objective(a, b);
        for (std::uint64_t seed = 10; seed < 40; ++seed) {
            const at::Tensor da = noise({4, 4}, seed, 1e-2).to(at::kDouble);
            const at::Tensor db = noise({4, 6}, seed + 100, 1e-2).to(at::kDouble);
            QVERIFY(objective(a + da, b + db) > best - 1e-9);
        }
    }
};

QL_TEST(TestFloatPasses)
#include "tst_float_passes.moc"
