#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestCalibrate : public QObject
{
    Q_OBJECT

private:
    /// y = sigmoid(x + x), z = x * 2
    static QuantModel small(const std::string &observer = "minmax")
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Add", "add", {"x", "x"}, {"t"});
        g.op("Sigmoid", "sigmoid", {"t"}, {"y"});
        g.output("y");
        return configured(std::move(g.graph), observer);
    }
    static Batches data(std::vector<std::vector<float>> rows)
    {
        std::vector<Feed> feeds;
        for (const auto &row : rows) feeds.push_back({{"x", floats({1, 4}, row)}});
        return Batches(std::move(feeds));
    }

private Q_SLOTS:
    void scalesComeFromAllBatches()
    {
        QuantModel model = small();
        const Batches batches = data({{1, 2, 3, 0}, {-5, 0, 1, 1}, {0, 4, 0, 0}});
        QCOMPARE(run("calibrate", model, {}, &batches), 5);
        for (const Slot slot : {in(model, "add", 0), in(model, "add", 1)}) {
            QL_STATE(model, slot, "active");
            QCOMPARE(scaleOf(model, slot), float(10 / 255.0));
        }
        QCOMPARE(scaleOf(model, out(model, "add")), float(20 / 255.0));
        QCOMPARE(scaleOf(model, in(model, "sigmoid")), float(20 / 255.0));
        const float most = 1 / (1 + std::exp(-8.f));
        QVERIFY(std::abs(scaleOf(model, out(model, "sigmoid")) - 2 * most / 255) < 1e-7);
        const auto *config = model.plan.find(out(model, "add"));
        QCOMPARE(model.plan.origin(*config, ConfigField::Scale), Origin::pass("calibrate"));
        QCOMPARE(run("calibrate", model, {}, &batches), 0);
    }

    void stepsLimitAndRepeatTheBatches()
    {
        const Batches batches = data({{1, 1, 1, 1}, {3, 0, 0, 0}, {200, 0, 0, 0}});
        const nlohmann::json average = {{"percentile_over", "batches"}};
        QuantModel model = small("percentile");
        run("calibrate", model, average, &batches, nullptr, 2);
        QCOMPARE(scaleOf(model, in(model, "add")), float(2 * 2 / 255.0));
        model = small("percentile");
        run("calibrate", model, average, &batches, nullptr, 4); // the first one twice
        QCOMPARE(scaleOf(model, in(model, "add")), float(2 * (1 + 3 + 200 + 1) / 4.0 / 255.0));
    }

    void percentilesAreTakenOverAllBatches()
    {
        const Batches batches = data({{1, 1, 1, 1}, {3, 0, 0, 0}});
        QuantModel model = small("percentile");
        run("calibrate", model, {}, &batches);
        QCOMPARE(scaleOf(model, in(model, "add")), float(2 * 3 / 255.0));
        // A config sets it for its tensor, the parameter for all
        model = small("percentile");
        model.plan.find(in(model, "add"))->percentileOver = PercentileOver::Batches;
        run("calibrate", model, {}, &batches);
        QCOMPARE(scaleOf(model, in(model, "add")), float(2 * 2 / 255.0));
        QCOMPARE(scaleOf(model, in(model, "add", 1)), float(2 * 3 / 255.0));
        model = small("percentile");
        model.plan.find(in(model, "add"))->percentileOver = PercentileOver::Batches;
        run("calibrate", model, {{"percentile_over", "samples"}}, &batches);
        QCOMPARE(scaleOf(model, in(model, "add")), float(2 * 3 / 255.0));
    }

    void activationsThatWaitAreFloatAndWeightsAreQuantized_data()
    {
        QTest::addColumn<int>("below");     // float_weights_below; -1: not set
        QTest::addColumn<double>("weight"); // as observed
        // The weight 1 is rounded to 2/3, in float if it has fewer bits
        QTest::newRow("weights of few bits in float") << -1 << 1.0;
        QTest::newRow("the number itself is not below") << 2 << 2.0 / 3;
        QTest::newRow("all weights rounded") << 0 << 2.0 / 3;
    }
    void activationsThatWaitAreFloatAndWeightsAreQuantized()
    {
        QFETCH(int, below);
        QFETCH(double, weight);
        SmallGraph g;
        g.input("x", {1, 1, 1, 1});
        g.parameter("w", floats({1, 2, 1, 1}, {1, 0.3f}).reshape({2, 1, 1, 1}));
        g.op("Conv", "conv", {"x", "w"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        TensorQuantConfig &config = *model.plan.find(in(model, "conv", 1));
        config.bits = 2; // codes -2 .. 1: a coarse grid of step 2/3
        config.quantMin = -2;
        config.quantMax = 1;
        run("parameter_quantize", model);
        const std::vector<Feed> feeds = {{{"x", floats({1, 1, 1, 1}, {0.7f})}}};
        const Batches batches(feeds);
        run("calibrate", model, below < 0 ? nlohmann::json::object() : nlohmann::json{{"float_weights_below", below}},
            &batches);
        QCOMPARE(scaleOf(model, in(model, "conv", 0)), float(2 * 0.7f / 255.0));
        // The input's own grid plays no part
        QVERIFY(std::abs(scaleOf(model, out(model, "conv")) - 2 * 0.7 * weight / 255) < 1e-7);
        QVERIFY(model.plan.simulated(in(model, "conv", 1))); // weights stay quantized
    }

    void twoPhaseObserversSeeTheSameDataTwice()
    {
        // x itself is observed with minmax and becomes active after the first phase; kl must still see float data
        QuantModel mixed = configured(residualGraph());
        QuantModel alone = mixed;
        for (QuantModel *model : {&mixed, &alone}) {
            run("parameter_quantize", *model);
            model->plan.find(out(*model, "relu"))->observer = "kl";
        }
        for (const auto &[slot, config] : mixed.plan.configs())
            if (!(slot == out(alone, "relu")) && config.state == QuantState::Initial)
                alone.plan.find(slot)->state = QuantState::Off;
        const Batches batches = noiseBatches({1, 3, 8, 8}, 4);
        run("calibrate", mixed, {}, &batches);
        run("calibrate", alone, {}, &batches);
        QVERIFY(scaleOf(alone, out(alone, "relu")) > 0);
        QCOMPARE(scaleOf(mixed, out(mixed, "relu")), scaleOf(alone, out(alone, "relu")));
    }

    void theObserverCanBeOverridden()
    {
        QuantModel model = small("percentile");
        const Batches batches = data({{1, 1, 1, 1}, {3, 0, 0, 0}});
        run("calibrate", model, {{"observer", "minmax"}}, &batches);
        QCOMPARE(scaleOf(model, in(model, "add")), float(6 / 255.0));
        QCOMPARE(model.plan.find(in(model, "add"))->observer, std::string("minmax"));
        const Error error = errorOf([&] {
            QuantModel other = small();
            run("calibrate", other, {{"observer", "minmix"}}, &batches);
        });
        QVERIFY(error.kind == ErrorKind::BadConfig && error.op == "add");
    }

    void recalibration()
    {
        QuantModel model = small();
        const Batches first = data({{1, 1, 1, 1}}), second = data({{2, 2, 2, 2}});
        run("calibrate", model, {}, &first);
        QCOMPARE(run("calibrate", model, {}, &second), 0);
        QCOMPARE(run("calibrate", model, {{"recalibrate", true}}, &second), 5);
        QCOMPARE(scaleOf(model, in(model, "add")), float(4 / 255.0));
    }

    void differentObserversOnOneTensor()
    {
        QuantModel model = small();
        model.plan.find(in(model, "add", 1))->observer = "percentile";
        model.plan.find(in(model, "add", 1))->percentileOver = PercentileOver::Batches;
        const Batches batches = data({{1, 1, 1, 1}, {3, 0, 0, 0}});
        run("calibrate", model, {}, &batches);
        QCOMPARE(scaleOf(model, in(model, "add", 0)), float(6 / 255.0));
        QCOMPARE(scaleOf(model, in(model, "add", 1)), float(4 / 255.0));
    }

    void batchesAreShownOnePerStep()
    {
        struct Counting final : BatchSource
        {
            mutable std::vector<std::size_t> asked;
            std::size_t size() const override { return 3; }
            Feed batch(std::size_t index) const override
            {
                asked.push_back(index);
                return {{"x", floats({1, 4}, {1, 2, 3, 4})}};
            }
        } source;
        QuantModel model = small();
        run("calibrate", model, {}, &source, nullptr, 5);
        QCOMPARE(source.asked, (std::vector<std::size_t>{0, 1, 2, 0, 1}));
        source.asked.clear();
        model = small("kl");
        run("calibrate", model, {}, &source, nullptr, 2);
        QCOMPARE(source.asked, (std::vector<std::size_t>{0, 1, 0, 1}));
    }

    void problems_data()
    {
        QTest::addColumn<QList<float>>("values");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("state");
        const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
        QTest::newRow("nothing wrong") << QList<float>{1, 2, 3, 4} << ""
                                       << "active";
        QTest::newRow("some NaN") << QList<float>{1, nan, 3, 4} << "NaN values left out of the statistics: 1"
                                  << "active";
        QTest::newRow("all NaN") << QList<float>{nan, nan, nan, nan} << "float32"
                                 << "fp32";
        QTest::newRow("infinite") << QList<float>{1, inf, 3, 4} << "infinite"
                                  << "fp32";
        QTest::newRow("constant") << QList<float>{2, 2, 2, 2} << "every value was 2"
                                  << "active";
        QTest::newRow("always zero") << QList<float>{0, 0, 0, 0} << "every value was 0"
                                     << "active";
    }
    void problems()
    {
        QFETCH(QList<float>, values);
        QFETCH(QString, message);
        QFETCH(QString, state);
        QuantModel model = small();
        const Batches batches = data({std::vector<float>(values.begin(), values.end())});
        Problems all;
        run("calibrate", model, {}, &batches, &all);
        QL_STATE(model, in(model, "add"), state);
        QStringList about;
        for (const auto &problem : all)
            if (problem.variable == "x") about << QString::fromStdString(problem.message.english());
        QCOMPARE(about.size(), message.isEmpty() ? 0 : 1); // once per tensor, not per slot
        if (!message.isEmpty()) QVERIFY2(about[0].contains(message), qPrintable(about[0]));
    }

    void farOutliersAreReported()
    {
        SmallGraph g;
        g.input("x", {1, 20000});
        g.op("Sigmoid", "op", {"x"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph), "percentile");
        at::Tensor values = noise({1, 20000}, 5);
        values.data_ptr<float>()[77] = 1000;
        const Batches batches(std::vector<Feed>{{{"x", values}}});
        Problems all;
        run("calibrate", model, {}, &batches, &all);
        QCOMPARE(all.size(), std::size_t(1));
        QVERIFY2(QString::fromStdString(all[0].message.english()).contains("1000"), all[0].message.english().c_str());
        QCOMPARE(all[0].variable, std::string("x"));
    }

    void tensorsOfAnotherTypeAreLeftAlone()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Shape", "shape", {"x"}, {"s"});
        g.op("Cast", "cast", {"s"}, {"y"}, {{"to", std::int64_t{1}}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        const Batches batches = data({{1, 2, 3, 4}});
        Problems all;
        run("calibrate", model, {}, &batches, &all);
        QL_STATE(model, out(model, "shape"), "fp32");
        QL_STATE(model, in(model, "cast"), "fp32");
        QL_STATE(model, in(model, "shape"), "active");
        QVERIFY(std::any_of(all.begin(), all.end(), [](const auto &p) { return p.variable == "s"; }));
    }

    void missingDataIsAnError()
    {
        QuantModel model = small();
        const Error none = errorOf([&] { run("calibrate", model); });
        QVERIFY(none.kind == ErrorKind::BadData && !none.remedy.isEmpty());
        const Batches empty{std::vector<Feed>{}};
        const Error nothing = errorOf([&] { run("calibrate", model, {}, &empty, nullptr, 8); });
        QVERIFY(nothing.kind == ErrorKind::BadData);
        for (const Slot slot :
             {in(model, "add", 0), in(model, "add", 1), out(model, "add"), in(model, "sigmoid"), out(model, "sigmoid")})
            model.plan.find(slot)->state = QuantState::Off;
        QCOMPARE(run("calibrate", model), 0); // nothing to observe needs no data
    }

    void itCanBeCancelled()
    {
        QuantModel model = small();
        const Batches batches = data({{1, 2, 3, 4}});
        PassContext context;
        context.calibration = &batches;
        context.job.cancel();
        bool cancelled = false;
        try {
            makePass("calibrate", {})->run(model, context);
        } catch (const Cancelled &) {
            cancelled = true;
        }
        QVERIFY(cancelled);
    }

    /// The largest class score stays the largest.
    void isotoneOfClassScores()
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.op("Softmax", "softmax", {"x"}, {"p"}, {{"axis", std::int64_t{1}}});
        g.op("Relu", "relu", {"p"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        QCOMPARE(run("isotone_calibration", model), 1);
        QCOMPARE(model.plan.find(out(model, "softmax"))->observer, std::string("isotone"));
        QCOMPARE(model.plan.find(out(model, "softmax"))->isotoneAxis, std::optional(1));
        QCOMPARE(model.plan.find(out(model, "relu"))->observer, std::string("minmax"));
        QCOMPARE(run("isotone_calibration", model), 0);
        const Batches data = noiseBatches({1, 4}, 8);
        run("calibrate", model, {}, &data);
        QL_STATE(model, out(model, "softmax"), "active");
        // Calibrated scores are calibrated again
        QCOMPARE(run("isotone_calibration", model, {{"variables", {"y"}}, {"axis", -1}}), 1);
        QL_STATE(model, out(model, "relu"), "initial");
        for (const char *name : {"x", "none"})
            QVERIFY(errorOf([&] {
                        run("isotone_calibration", model, {{"variables", {name}}});
                    }).kind == ErrorKind::BadConfig);
        model.plan.overlap(out(model, "relu"), out(model, "softmax"), Origin::pass("test"));
        QVERIFY(errorOf([&] {
                    run("isotone_calibration", model, {{"variables", {"y"}}});
                }).kind == ErrorKind::BadConfig);
    }
};

QL_TEST(TestCalibrate)
#include "tst_calibrate.moc"
