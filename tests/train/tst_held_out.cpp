// What training holds out, and when it believes that errors fell.
#include "core/train/held_out.h"
#include "core/train/trainer.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <limits>

using namespace ql;
using namespace ql::test;

using Numbers = std::vector<double>;

class TestHeldOut : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void split_data()
    {
        using Places = std::vector<std::size_t>;
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("share");
        QTest::addColumn<Places>("heldOut");
        QTest::newRow("one of four") << 32 << 0.25 << Places{3, 7, 11, 15, 19, 23, 27, 31};
        QTest::newRow("at least three") << 8 << 0.25 << Places{2, 5, 7};
        QTest::newRow("at most half") << 5 << 0.25 << Places{2, 4};
        QTest::newRow("a larger share") << 8 << 0.5 << Places{1, 3, 5, 7};
        QTest::newRow("too few") << 3 << 0.25 << Places{0, 1, 2};
        QTest::newRow("none") << 8 << 0.0 << Places{0, 1, 2, 3, 4, 5, 6, 7};
    }
    void split()
    {
        QFETCH(int, count);
        QFETCH(double, share);
        QFETCH(std::vector<std::size_t>, heldOut);
        const BatchSplit split = splitBatches(std::size_t(count), share);
        QCOMPARE(split.heldOut, heldOut);
        if (heldOut.size() == std::size_t(count)) {
            QCOMPARE(split.training, heldOut);
            return;
        }
        std::vector<std::size_t> all = split.training;
        all.insert(all.end(), heldOut.begin(), heldOut.end());
        std::sort(all.begin(), all.end());
        QCOMPARE(all, splitBatches(std::size_t(count), 0).training);
    }

    void clearlyBetter_data()
    {
        QTest::addColumn<Numbers>("before");
        QTest::addColumn<Numbers>("after");
        QTest::addColumn<bool>("expected");
        const double inf = std::numeric_limits<double>::infinity();
        QTest::newRow("all by the same share") << Numbers{1, 2, 4} << Numbers{0.9, 1.8, 3.6} << true;
        QTest::newRow("a small change of each") << Numbers{1, 1, 1} << Numbers{0.99, 0.992, 0.988} << true;
        QTest::newRow("equal") << Numbers{1, 2, 4} << Numbers{1, 2, 4} << false;
        QTest::newRow("worse") << Numbers{1, 2, 4} << Numbers{1.1, 2.2, 4.4} << false;
        QTest::newRow("one of three became worse") << Numbers{1, 1, 1} << Numbers{0.7, 0.8, 1.2} << false;
        // The mean alone, 9.6 -> 6.1, is that of the first batch
        QTest::newRow("one large batch decides the mean")
            << Numbers{46, 0.5, 0.5, 0.5, 0.5} << Numbers{28, 0.7, 0.6, 0.7, 0.6} << false;
        QTest::newRow("the mean became worse") << Numbers{1, 1, 1, 100} << Numbers{0.5, 0.5, 0.5, 110} << false;
        QTest::newRow("one finite at last") << Numbers{inf, inf} << Numbers{1, 1} << true;
        QTest::newRow("one infinite at last") << Numbers{1, 1, 1} << Numbers{0.1, 0.1, inf} << false;
        QTest::newRow("one batch") << Numbers{1} << Numbers{0.9} << true;
        QTest::newRow("two, and one stays") << Numbers{1, 1} << Numbers{0.9, 1} << false;
        QTest::newRow("no error left") << Numbers{1, 1, 1} << Numbers{0, 0, 0} << true;
    }
    void clearlyBetter()
    {
        QFETCH(Numbers, before);
        QFETCH(Numbers, after);
        QFETCH(bool, expected);
        BatchSplit split;
        split.training = {100};
        for (std::size_t i = 0; i < before.size(); ++i) split.heldOut.push_back(i);
        QCOMPARE(isClearlyBetter(before, after, split), expected);
        // If they were trained on, there is nothing to conclude: the mean decides
        split.training = split.heldOut;
        QCOMPARE(isClearlyBetter(before, after, split), meanOf(after) < meanOf(before));
    }

    /// Three batches of which one becomes worse say little; thirty with the same changes are enough.
    void moreBatchesAreMoreCertain()
    {
        const auto isBetter = [](int times) {
            Numbers before, after;
            BatchSplit split;
            for (int i = 0; i < 3 * times; ++i) {
                before.push_back(1);
                after.push_back(i % 3 == 0 ? 1.1 : 0.9);
                split.heldOut.push_back(std::size_t(i));
            }
            return isClearlyBetter(before, after, split);
        };
        QVERIFY(!isBetter(1));
        QVERIFY(isBetter(10));
    }

    /// So many training batches that, with those held out, there are 32; spread over all.
    void witnesses()
    {
        const auto of = [](std::size_t count, double share) { return splitBatches(count, share).witnesses(); };
        QCOMPARE(of(32, 0.25), splitBatches(32, 0.25).training);
        QVERIFY(of(3, 0.25).empty() && of(32, 0).empty() && of(1024, 0.25).empty());
        const BatchSplit split = splitBatches(64, 0.25);
        const std::vector<std::size_t> chosen = split.witnesses();
        QCOMPARE(chosen.size(), std::size_t(16));
        QCOMPARE(chosen.front(), split.training.front());
        QVERIFY(chosen.back() > 56);
        QVERIFY(std::includes(split.training.begin(), split.training.end(), chosen.begin(), chosen.end()));
    }

    /// One output must not pay for another one.
    void eachOutputCounts()
    {
        const BatchSplit split = splitBatches(32, 0.25);
        const auto errors = [](double a, double b) {
            NetworkErrors out{{Numbers(8, a), Numbers(8, b)}, Numbers(8, a + b), {}};
            return out;
        };
        QVERIFY(mayBeBetter(errors(1, 1), errors(0.5, 0.9), split));
        QVERIFY(mayBeBetter(errors(1, 1), errors(0.5, 1.01), split));
        QVERIFY(!mayBeBetter(errors(1, 1), errors(0.5, 1.1), split));
        QVERIFY(!mayBeBetter(errors(1, 1), errors(1.01, 1.01), split));
    }

    /// The mean of eight held-out batches fell because of one; what the others and those trained on did, decides.
    void witnessesConfirm_data()
    {
        QTest::addColumn<Numbers>("witnesses"); ///< after, of 24; 1 before
        QTest::addColumn<bool>("onlyState");
        QTest::addColumn<bool>("oneOfSeveral");
        const auto row = [](const char *name, const Numbers &pattern, bool only, bool several) {
            Numbers all;
            for (std::size_t i = 0; i < 24; ++i) all.push_back(pattern[i % pattern.size()]);
            QTest::newRow(name) << all << only << several;
        };
        row("all better", {0.9}, true, true);
        row("most better", {0.8, 0.8, 0.8, 1.1}, true, true);
        row("some better", {0.8, 1.1, 0.9, 1}, true, false);
        row("as many worse", {0.8, 1.25}, false, false);
        row("one of eight decides the mean", {0.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1}, false, false);
        row("all worse", {1.1}, false, false);
        row("the same", {1}, false, false);
    }
    void witnessesConfirm()
    {
        QFETCH(Numbers, witnesses);
        QFETCH(bool, onlyState);
        QFETCH(bool, oneOfSeveral);
        const NetworkErrors before{{}, Numbers(8, 1), Numbers(24, 1)};
        const NetworkErrors after{{}, {0.2, 1.05, 1.05, 1.05, 1.05, 1.05, 1.05, 1.05}, witnesses};
        QVERIFY(mayBeBetter(before, after, splitBatches(32, 0.25)));
        QCOMPARE(isConfirmed(before, after, Choice::OnlyState), onlyState);
        QCOMPARE(isConfirmed(before, after, Choice::OneOfSeveral), oneOfSeveral);
        QVERIFY(isConfirmed({{}, {1}, {}}, {{}, {0.9}, {}}, Choice::OneOfSeveral)); // all serve both purposes
    }

    /// Of two outputs, the second becomes worse in the batches that were trained on, but not in the held-out ones.
    void noOutputBecomesWorse()
    {
        const auto errors = [](double first, double second) {
            NetworkErrors out{{Numbers(8, first), Numbers(8, 1)}, Numbers(8, first + 1), Numbers(24, first + second)};
            out.witnessOutputs = {Numbers(24, first), Numbers(24, second)};
            return out;
        };
        const BatchSplit split = splitBatches(32, 0.25);
        QVERIFY(mayBeBetter(errors(1, 1), errors(0.5, 1.2), split));
        QVERIFY(isConfirmed(errors(1, 1), errors(0.5, 1.01), Choice::OnlyState));
        QVERIFY(!isConfirmed(errors(1, 1), errors(0.5, 1.2), Choice::OnlyState));
    }

    /// Models of float16 end with a Cast.
    void outputsOfOtherTypesCount()
    {
        const Batches batches = noiseBatches({1, 2, 4, 4}, 32);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({8, 2, 3, 3}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Cast", "cast", {"c"}, {"y"}, {{"to", std::int64_t(10)}});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        TensorQuantConfig &weight = *model.plan.find(in(model, "conv", 1));
        weight.bits = 2;
        weight.quantMin = -2;
        weight.quantMax = 1;
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {}, &batches);
        TrainingOptions options;
        options.origin = Origin::pass("learned_step_size");
        options.weightScaleRate = options.weightRate = 1e-2;
        options.steps = 100;
        const TrainingInput input{batches, batches.size(), {"cpu", 1}, 0, {}, {}, [](OpId, const Text &) {}};
        const TrainingResult result = train(model, input, options);
        QCOMPARE(result.blocks.size(), std::size_t(1));
        QVERIFY(result.before > 0 && result.blocks[0].before > 0);
        QVERIFY(result.blocks[0].kept && result.after < result.before);
    }

    void fewHeldOutSamplesAreReported_data()
    {
        QTest::addColumn<int>("samples");
        QTest::addColumn<QString>("expected");
        QTest::newRow("none") << 3 << "No calibration sample was held out";
        QTest::newRow("three") << 8 << "Only 3 calibration samples were held out";
        QTest::newRow("enough") << 32 << "";
    }
    void fewHeldOutSamplesAreReported()
    {
        QFETCH(int, samples);
        QFETCH(QString, expected);
        const Batches batches = noiseBatches({1, 3, 8, 8}, samples);
        QuantModel model = coarseResidual(batches);
        PassContext context;
        context.exec.threads = 1;
        context.calibration = &batches;
        context.calibrationSteps = batches.size();
        QString reported, summary;
        context.report = [&](const api::Problem &problem) {
            const QString text = QString::fromStdString(problem.message.english());
            if (text.contains("held out from training")) reported += text;
            if (text.contains("improved")) summary += text;
        };
        runPass(*makePass("learned_step_size", {{"steps", 60}, {"weight_rate", 1e-4}}), model, context);
        QVERIFY2(expected.isEmpty() ? reported.isEmpty() : reported.startsWith(expected), qPrintable(reported));
        QVERIFY2(summary.contains(samples > 3 ? "that were held out" : "all of which were trained on"),
                 qPrintable(summary));
    }
};

QL_TEST(TestHeldOut)
#include "tst_held_out.moc"
