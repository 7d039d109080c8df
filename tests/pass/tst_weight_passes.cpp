#include "core/pass/rounding_cache.h"
#include "core/platform/definition.h"
#include "core/platform/quantizer.h"
#include "core/quant/groups.h"
#include "core/quant/quantize.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>

#include <algorithm>
#include <cmath>

using namespace ql;
using namespace ql::test;

using Attributes = std::map<std::string, Attribute, std::less<>>;
Q_DECLARE_METATYPE(Attributes)

/// gptq, awq, smooth_quant, hadamard_rotation and groups on a small transformer block.
class TestWeightPasses : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t channels = 32;

    /// x -> norm -> (up, gate) -> silu(gate) * up -> down -> add x -> norm2 -> Gemm head; some channels of the norms
    /// are outliers.
    static Graph block()
    {
        const auto gain = [](std::uint64_t seed) {
            at::Tensor g = noise({channels}, seed, 0.1) + 1;
            g.data_ptr<float>()[3] = 20;
            g.data_ptr<float>()[17] = -12;
            return g;
        };
        SmallGraph g(17);
        g.input("x", {1, 8, channels});
        g.parameter("g1", gain(1));
        g.parameter("b1", noise({channels}, 2, 0.1));
        g.parameter("up_w", noise({channels, 40}, 3, 0.2));
        g.parameter("gate_w", noise({channels, 40}, 4, 0.2));
        g.parameter("down_w", noise({40, channels}, 5, 0.2));
        g.parameter("g2", gain(6));
        g.parameter("head_w", noise({24, channels}, 7, 0.2));
        g.parameter("head_b", noise({24}, 8, 0.2));
        g.parameter("shape", ints({8, channels}));
        g.op("LayerNormalization", "norm", {"x", "g1", "b1"}, {"n"});
        g.op("MatMul", "up", {"n", "up_w"}, {"u"});
        g.op("MatMul", "gate", {"n", "gate_w"}, {"t"});
        g.op("Sigmoid", "sigmoid", {"t"}, {"s"});
        g.op("Mul", "silu", {"t", "s"}, {"a"});
        g.op("Mul", "product", {"a", "u"}, {"p"});
        g.op("MatMul", "down", {"p", "down_w"}, {"d"});
        g.op("Add", "residual", {"d", "x"}, {"r"});
        g.op("LayerNormalization", "norm2", {"r", "g2"}, {"m"});
        g.op("Reshape", "flat", {"m", "shape"}, {"f"});
        g.op("Gemm", "head", {"f", "head_w", "head_b"}, {"y"}, {{"transB", std::int64_t{1}}});
        g.output("y");
        g.graph.verify();
        return std::move(g.graph);
    }

    static PlatformDefinition definition(const std::string &format = "int4", int group = 16)
    {
        PlatformDefinition own = platform("WEIGHT_ONLY");
        static_cast<api::PlatformDefinition &>(own) =
            api::withParams(own, {{"weight_format", format}, {"weight_group", group}});
        return own;
    }

    static QuantModel dispatched()
    {
        QuantModel model;
        model.graph = block();
        for (const OpId id : model.graph.operations()) {
            const std::string &type = model.graph.operation(id).type;
            const bool isMatrix = type == "MatMul" || type == "Gemm";
            model.dispatch[id] = {isMatrix ? "WEIGHT_ONLY" : "FP32", "test"};
        }
        return model;
    }

    static int runWith(const std::string &pass, QuantModel &model, const PlatformDefinition &platform,
                       const nlohmann::json &params = {})
    {
        const Batches data = samples(100, 32);
        PassContext context;
        context.exec.threads = 1;
        context.calibration = &data;
        context.calibrationSteps = data.size();
        context.configure = [&](QuantModel &other) {
            configure(other, platform, [&](std::string_view) { return &platform; });
        };
        return runPass(*makePass(pass, params), model, context).changed;
    }

    /// Activations of networks are correlated: a few directions, and a little noise.
    static at::Tensor activations(std::uint64_t seed)
    {
        return at::matmul(noise({1, 8, 6}, seed), noise({6, channels}, 1234)) + noise({1, 8, channels}, seed + 1, 0.2);
    }
    static Batches samples(std::uint64_t first, int count)
    {
        std::vector<Feed> feeds;
        for (int i = 0; i < count; ++i) feeds.push_back({{"x", activations(first + 2 * std::uint64_t(i))}});
        return Batches(std::move(feeds));
    }

    /// Noise-to-signal ratio at the output on other data than those of the passes.
    static double noiseRatio(const QuantModel &wanted, const QuantModel &got, bool quantized)
    {
        double noise = 0, signal = 0;
        for (std::uint64_t seed = 900; seed < 916; seed += 2) {
            const Feed feed = {{"x", activations(seed)}};
            const at::Tensor a = forward(wanted, feed, false)[0].to(at::kDouble);
            const at::Tensor difference = forward(got, feed, quantized)[0].to(at::kDouble) - a;
            noise += (difference * difference).sum().item().toDouble();
            signal += (a * a).sum().item().toDouble();
        }
        return noise / signal;
    }

    /// Error of the platform on the model after a float pass, and the float function's change in dB.
    static double errorAfter(QuantModel model, const PlatformDefinition &platform, const std::string &pass = {},
                             double *changeDb = nullptr, const std::string &after = {})
    {
        if (!pass.empty() && runWith(pass, model, platform) == 0) return NAN;
        if (changeDb) *changeDb = 10 * std::log10(noiseRatio(dispatched(), model, false));
        configure(model, platform, [&](std::string_view) { return &platform; });
        runWith("parameter_quantize", model, platform);
        if (!after.empty() && runWith(after, model, platform) == 0) return NAN;
        return noiseRatio(dispatched(), model, true);
    }

private Q_SLOTS:
    void weightsHaveScalesByGroup()
    {
        QuantModel model = dispatched();
        const PlatformDefinition platform = definition();
        configure(model, platform, [&](std::string_view) { return &platform; });
        QCOMPARE(runWith("parameter_quantize", model, platform), 4);
        model.plan.verify(model.graph);
        const TensorQuantConfig &up = *model.plan.find(in(model, "up", 1)),
                                &head = *model.plan.find(in(model, "head", 1));
        QCOMPARE(up.channelAxis, std::optional(0)); // [K, N]
        QCOMPARE(up.groupSize, 16);
        QCOMPARE(up.scale.size(), std::size_t(2 * 40));
        QCOMPARE(head.channelAxis, std::optional(1)); // [N, K]
        QCOMPARE(head.scale.size(), std::size_t(24 * 2));
        QCOMPARE(model.plan.find(in(model, "down", 1))->scale.size(), std::size_t(3 * channels)); // 40 = 16 + 16 + 8
        QL_STATE(model, in(model, "up", 0), "fp32");
        const at::Tensor rows = groupRows(valueOf(model.graph, "head", 1), head);
        QCOMPARE(head.scale[5], float(2 * rows[5].abs().max().item().toDouble() / 15));
        for (const char *observer : {"percentile", "mse"}) { // each group separately
            TensorQuantConfig own = head;
            own.observer = observer;
            model.plan.set(in(model, "head", 1), own);
            model.plan.setState(in(model, "head", 1), QuantState::Initial, {});
            QCOMPARE(runWith("parameter_quantize", model, platform), 1);
            QCOMPARE(model.plan.scale(in(model, "head", 1)).size(), std::size_t(48));
        }
    }

    void finerFormatsHaveSmallerErrors()
    {
        double previous = 1;
        for (const char *format : {"int3", "mxfp4", "nvfp4", "nf4", "mxfp6", "mxfp8", "int8"}) {
            const double error = errorAfter(dispatched(), definition(format));
            if (QString(format) != "mxfp8") // E4M3 has fewer mantissa bits than E2M3
                QVERIFY2(error < previous,
                         qPrintable(QString("%1: %2, before %3").arg(format).arg(error).arg(previous)));
            previous = QString(format) == "mxfp8" ? previous : error;
        }
        QVERIFY(errorAfter(dispatched(), definition("int4", 16)) < errorAfter(dispatched(), definition("int4", 0)));
    }

    void gptqRoundsBetter()
    {
        for (const char *format : {"int4", "int3", "nvfp4", "nf4"}) {
            const double nearest = errorAfter(dispatched(), definition(format));
            const double compensated = errorAfter(dispatched(), definition(format), {}, nullptr, "gptq");
            QVERIFY2(compensated < 0.7 * nearest,
                     qPrintable(QString("%1: %2, nearest %3").arg(format).arg(compensated).arg(nearest)));
        }
        QuantModel model = dispatched();
        const PlatformDefinition platform = definition();
        configure(model, platform, [&](std::string_view) { return &platform; });
        runWith("parameter_quantize", model, platform);
        QVERIFY(runWith("gptq", model, platform) >= 3); // a matrix keeps the nearest rounding if that is better
        QVERIFY(model.plan.parameterValues.size() >= 3);
        for (const auto &[id, value] : model.plan.parameterValues) { // on the grid: rounding again changes nothing
            const Slot slot = inputSlot(model.graph.variable(id).uses[0].op, 1);
            if (variableOf(model.graph, slot) != id) continue; // a bias
            QVERIFY(at::allclose(value, fakeQuant(value, model.plan, slot), 1e-6, 1e-7));
        }
    }

    /// Rounds of refinement reduce the error, with and without the correction of earlier errors.
    void gptqParameters()
    {
        const PlatformDefinition platform = definition("int3");
        QuantModel start = dispatched();
        configure(start, platform, [&](std::string_view) { return &platform; });
        runWith("parameter_quantize", start, platform);
        const auto errorWith = [&](double correction, int rounds) {
            QuantModel model = start;
            runWith("gptq", model, platform, {{"correction", correction}, {"rounds", rounds}});
            return noiseRatio(dispatched(), model, true);
        };
        const double plain = errorWith(0, 0), refined = errorWith(0, 4), corrected = errorWith(0.5, 4);
        const QString errors = QString("%1, %2, %3").arg(plain).arg(refined).arg(corrected);
        QVERIFY2(refined < plain && corrected < plain, qPrintable(errors));
    }

    /// Patches of many shapes; the second one has more places than are used.
    void gptqRoundsConvolutions_data()
    {
        using Ints = std::vector<std::int64_t>;
        QTest::addColumn<Attributes>("first");
        QTest::addColumn<int>("size");
        QTest::newRow("plain") << Attributes{} << 9;
        QTest::newRow("large") << Attributes{{"pads", Ints{1, 1, 1, 1}}} << 40;
        QTest::newRow("uneven") << Attributes{{"pads", Ints{2, 0, 1, 3}},
                                              {"strides", Ints{2, 1}},
                                              {"dilations", Ints{1, 2}}}
                                << 12;
        QTest::newRow("same") << Attributes{{"auto_pad", std::string("SAME_UPPER")}, {"strides", Ints{2, 2}}} << 12;
    }
    void gptqRoundsConvolutions()
    {
        QFETCH(Attributes, first);
        QFETCH(int, size);
        SmallGraph g(17);
        g.input("x", {1, 6, size, size});
        g.parameter("w", noise({8, 6, 3, 3}, 1, 0.2));
        g.parameter("v", noise({5, 8, 1, 1}, 2, 0.2));
        g.op("Conv", "a", {"x", "w"}, {"t"}, first);
        g.op("Relu", "relu", {"t"}, {"r"});
        g.op("Conv", "b", {"r", "v"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const char *name : {"a", "b"}) { // weights of 4 bits alone
            TensorQuantConfig &weight = *model.plan.find(in(model, name, 1));
            weight.bits = 4;
            weight.quantMin = -7;
            weight.quantMax = 7;
            weight.channelAxis = 0;
        }
        // Channels and places are correlated, as in networks
        const auto sample = [&](std::uint64_t seed) {
            const at::Tensor mixed = at::matmul(noise({6, 2}, 77), noise({2, size * size}, seed));
            const at::Tensor x = mixed.reshape({1, 6, size, size}) + noise({1, 6, size, size}, seed + 1, 0.2) + 1;
            return Feed{{"x", x}};
        };
        std::vector<Feed> feeds;
        for (std::uint64_t seed = 100; seed < 132; seed += 2) feeds.push_back(sample(seed));
        const Batches data(std::move(feeds));
        PassContext context;
        context.exec.threads = 1;
        context.calibration = &data;
        context.calibrationSteps = data.size();
        runPass(*makePass("parameter_quantize", {}), model, context);
        const auto error = [&](const QuantModel &own) {
            double sum = 0;
            for (std::uint64_t seed = 900; seed < 908; seed += 2) {
                const at::Tensor change = forward(own, sample(seed), true)[0] - forward(own, sample(seed), false)[0];
                sum += (change * change).sum().item().toDouble();
            }
            return sum;
        };
        const double nearest = error(model);
        QCOMPARE(runPass(*makePass("gptq", {}), model, context).changed, 2);
        const double compensated = error(model);
        QVERIFY2(compensated < 0.5 * nearest, qPrintable(QString("%1, nearest %2").arg(compensated).arg(nearest)));
        model.plan.verify(model.graph);
        QCOMPARE(model.plan.parameterValues.begin()->second.dim(), std::int64_t(4));
    }

    /// Inputs with large means, as after a Relu: biases absorb the errors that all of them have in common.
    void gptqAdjustsBiases()
    {
        SmallGraph g(17);
        g.input("x", {1, 6, 5, 5});
        g.parameter("w", noise({8, 6, 1, 1}, 1, 0.2));
        g.parameter("w_b", noise({8}, 2, 0.2));
        g.parameter("v", noise({8, 12}, 3, 0.2));
        g.parameter("v_b", noise({12}, 4, 0.2));
        g.op("Conv", "a", {"x", "w", "w_b"}, {"t"});
        g.op("Relu", "relu", {"t"}, {"r"});
        g.op("GlobalAveragePool", "pool", {"r"}, {"p"});
        g.op("Flatten", "flat", {"p"}, {"f"});
        g.op("Gemm", "b", {"f", "v", "v_b"}, {"y"}, {{"alpha", 0.5f}, {"beta", 2.0f}});
        g.output("y");
        QuantModel start = configured(std::move(g.graph));
        for (const char *name : {"a", "b"}) { // weights of 3 bits alone
            TensorQuantConfig &weight = *start.plan.find(in(start, name, 1));
            weight.bits = 3;
            weight.quantMin = -3;
            weight.quantMax = 3;
            weight.channelAxis = name[0] == 'a' ? 0 : 1;
        }
        const auto sample = [&](std::uint64_t seed) {
            return Feed{{"x", at::matmul(noise({6, 3}, 77, 0.5), noise({3, 25}, seed)).reshape({1, 6, 5, 5}) + 2}};
        };
        std::vector<Feed> feeds;
        for (std::uint64_t seed = 100; seed < 124; ++seed) feeds.push_back(sample(seed));
        const Batches data(feeds);
        PassContext context;
        context.exec.threads = 1;
        context.calibration = &data;
        context.calibrationSteps = data.size();
        runPass(*makePass("parameter_quantize", {}), start, context);
        const auto run = [&](bool biases) {
            QuantModel model = start;
            runPass(*makePass("gptq", {{"biases", biases}}), model, context);
            model.plan.verify(model.graph);
            return model;
        };
        const auto change = [&](const QuantModel &model, const Feed &feed) {
            return (forward(model, feed, true)[0] - forward(model, feed, false)[0]).to(at::kDouble);
        };
        const auto noiseOf = [&](const QuantModel &model) {
            double sum = 0;
            for (std::uint64_t seed = 900; seed < 916; ++seed)
                sum += change(model, sample(seed)).square().sum().item().toDouble();
            return sum;
        };
        const QuantModel with = run(true), without = run(false);
        QCOMPARE(without.plan.parameterValues.size(), std::size_t(2)); // the weights
        QCOMPARE(with.plan.parameterValues.size(), std::size_t(4));
        QVERIFY2(noiseOf(with) < 0.5 * noiseOf(without),
                 qPrintable(QString("%1, with the float biases %2").arg(noiseOf(with)).arg(noiseOf(without))));
        at::Tensor mean = change(with, feeds[0]);
        for (std::size_t i = 1; i < feeds.size(); ++i) mean = mean + change(with, feeds[i]);
        QVERIFY(mean.abs().max().item().toDouble() < 1e-4);
    }

    /// After an edit, roundings upstream of it are reused; the result is the same as without a cache.
    void gptqReusesWhatIsUpstream()
    {
        const PlatformDefinition platform = definition();
        QuantModel start = dispatched();
        configure(start, platform, [&](std::string_view) { return &platform; });
        runWith("parameter_quantize", start, platform);
        const Batches data = noiseBatches({1, 8, channels}, 4);
        RoundingCache cache;
        PassContext context;
        context.exec.threads = 1;
        context.calibration = &data;
        context.calibrationSteps = data.size();
        const auto rounded = [&](QuantModel model, RoundingCache *own) {
            context.rounding = own;
            runPass(*makePass("gptq", {}), model, context);
            return model.plan;
        };
        const auto areEqual = [](const QuantPlan &a, const QuantPlan &b) {
            return a.parameterValues.size() == b.parameterValues.size() &&
                   std::all_of(a.parameterValues.begin(), a.parameterValues.end(), [&](const auto &entry) {
                       return at::equal(entry.second, b.parameterValues.at(entry.first));
                   });
        };
        const QuantPlan first = rounded(start, &cache);
        QVERIFY(!first.parameterValues.empty() && areEqual(rounded(start, nullptr), first));
        QCOMPARE(cache.entries.size(), std::size_t(1));
        // Marked values come back: nothing is rounded again
        for (auto &[weight, found] : cache.entries.front().weights)
            if (found) found->value = found->value + 1;
        const QuantPlan again = rounded(start, &cache);
        const VarId bias = start.graph.operation(in(start, "head", 2).op).inputs[2];
        QVERIFY(first.parameterValues.contains(bias));
        for (const auto &[id, value] : first.parameterValues)
            QVERIFY(at::equal(again.parameterValues.at(id), id == bias ? value : value + 1));
        // The last matrix is edited: those before it are known, it is not
        QuantModel edited = start;
        const Slot slot = in(edited, "head", 1);
        for (float &scale : edited.plan.find(slot)->scale) scale *= 1.25f;
        const QuantPlan after = rounded(edited, &cache), fresh = rounded(edited, nullptr);
        const VarId head = edited.graph.operation(slot.op).inputs[1];
        for (const auto &[id, value] : fresh.parameterValues)
            QVERIFY(id == head || id == bias || at::equal(after.parameterValues.at(id), value + 1));
        context.cacheKey = "other data";
        QVERIFY(areEqual(rounded(edited, &cache), fresh));
        QVERIFY(cache.entries.size() <= RoundingCache::most);
    }

    /// Its factors would take minutes, and gigabytes.
    void gptqLeavesHugeConvolutions()
    {
        for (const std::int64_t inputs : {20, 1600}) {
            SmallGraph g(17);
            g.input("x", {1, inputs, 2, 2});
            g.parameter("w", noise({4, inputs, 1, 1}, 1, 0.2));
            g.op("Conv", "a", {"x", "w"}, {"y"});
            g.output("y");
            QuantModel model = configured(std::move(g.graph));
            const Batches data = noiseBatches({1, inputs, 2, 2}, 2);
            PassContext context;
            context.calibration = &data;
            context.calibrationSteps = data.size();
            runPass(*makePass("parameter_quantize", {}), model, context);
            QCOMPARE(runPass(*makePass("gptq", {}), model, context).changed, inputs == 20 ? 1 : 0);
        }
    }

    void floatPassesKeepTheFunction_data()
    {
        QTest::addColumn<QString>("pass");
        QTest::addColumn<double>("gain"); // error after / error before, at most
        QTest::newRow("awq") << "awq" << 0.8;
        QTest::newRow("hadamard_rotation") << "hadamard_rotation" << 0.95;
        QTest::newRow("smooth_quant") << "smooth_quant" << 0.0;
    }
    void floatPassesKeepTheFunction()
    {
        QFETCH(QString, pass);
        QFETCH(double, gain);
        const PlatformDefinition platform = definition("int4", 0);
        double change = 0;
        const double before = errorAfter(dispatched(), platform);
        const double after = errorAfter(dispatched(), platform, pass.toStdString(), &change);
        QVERIFY2(change < -120, qPrintable(QString("the float function differs: %1 dB").arg(change)));
        if (gain > 0) QVERIFY2(after < gain * before, qPrintable(QString("%1, before %2").arg(after).arg(before)));
    }

    void smoothQuantEvensActivations()
    {
        // Activations and weights in 8 bits, one scale per tensor
        const auto error = [&](bool isSmooth) {
            QuantModel model = dispatched();
            if (isSmooth && runWith("smooth_quant", model, definition()) == 0) return double(NAN);
            model = configured(std::move(model.graph));
            for (const OpId id : model.graph.operations()) {
                const std::string type = model.graph.operation(id).type;
                if (type != "MatMul" && type != "Gemm") model.plan.erase(id);
            }
            const Batches data = samples(100, 8);
            run("parameter_quantize", model);
            run("calibrate", model, {}, &data);
            return noiseRatio(dispatched(), model, true);
        };
        const double before = error(false), after = error(true);
        QVERIFY2(after < 0.5 * before, qPrintable(QString("%1, before %2").arg(after).arg(before)));
    }

    void withoutDataThereIsAMessage()
    {
        QuantModel model = dispatched();
        const PlatformDefinition platform = definition();
        configure(model, platform, [&](std::string_view) { return &platform; });
        run("parameter_quantize", model);
        QCOMPARE(QString::fromStdString(errorOf([&] { run("gptq", model); }).message.english()),
                 QString("pass gptq: GPTQ needs calibration data, and none was given"));
    }
};

QL_TEST(TestWeightPasses)
#include "tst_weight_passes.moc"
