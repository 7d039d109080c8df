#include "observer_support.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace ql;

static std::vector<float> joined(const Batches &batches)
{
    std::vector<float> all;
    for (const auto &batch : batches) all.insert(all.end(), batch.begin(), batch.end());
    return all;
}

class TestPercentile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void referenceVectors_data()
    {
        addReferenceColumns();
        QTest::newRow("symmetric") << false << overBatches(symmetric8("percentile")) << 0.11510724574327469 << 0;
        QTest::newRow("asymmetric") << false << overBatches(asymmetric8("percentile")) << 0.11280332505702972 << 125;
        QTest::newRow("relu, symmetric") << true << overBatches(symmetric8("percentile")) << 0.11510724574327469 << 0;
        QTest::newRow("relu, asymmetric")
            << true << overBatches(asymmetric8("percentile")) << 0.057553622871637344 << 0;
    }
    void referenceVectors() { compareWithReference(); }

    void overBatchesAveragesTheLimitsOfBatches()
    {
        const auto config = overBatches(symmetric8("percentile"));
        // Batch b of the vectors is the first one times 1 + 0.05 b, so the mean limit is the first one times 1.175 ...
        QL_COMPARE_SCALE(observe(config, {referenceBatches()[0]}), 0.11510724574327469 / 1.175);
        QL_COMPARE_SCALE(observe(config, referenceBatches()), 0.11510724574327469);
        // ... whereas the same values as one batch have another tail.
        QVERIFY(!near(observe(config, {joined(referenceBatches())}).scale[0], 0.11510724574327469, 1e-3));
        QL_COMPARE_SCALE(observe(config, {{1}, {3, 0, 0, 0}}), 4.0 / 255);
    }

    void overSamplesIsThePercentileOfAllValues_data()
    {
        QTest::addColumn<double>("percentile");
        for (const double p : {1.0, 0.9999, 0.999, 0.99}) QTest::addRow("%g", p) << p;
    }
    void overSamplesIsThePercentileOfAllValues()
    {
        QFETCH(double, percentile);
        auto config = asymmetric8("percentile");
        config.percentile = percentile;
        const auto all = observe(config, {joined(referenceBatches())}), got = observe(config, referenceBatches());
        QCOMPARE(got.scale, all.scale);
        QCOMPARE(got.zeroPoint, all.zeroPoint);
        // The order of batches makes no difference, nor do batches of different sizes
        Batches parts(referenceBatches().rbegin(), referenceBatches().rend());
        const auto middle = parts[2].begin() + 20000;
        parts.emplace_back(middle, parts[2].end());
        parts[2].erase(parts[2].begin() + 20000, parts[2].end());
        QCOMPARE(observe(config, parts).scale, all.scale);
        config.percentileOver = PercentileOver::Samples;
        QCOMPARE(observe(config, referenceBatches()).scale, all.scale);
    }

    void oneValueOfEachBatchIsNotAveraged()
    {
        // A model's only output: averaging its batches would clip 8 to (1 + 2 + 8) / 3
        QL_COMPARE_SCALE(observe(symmetric8("percentile"), {{1}, {2}, {8}}), 16.0 / 255);
    }

    void longTailsAreCountedOnAGrid_data()
    {
        QTest::addColumn<double>("percentile");
        for (const double p : {0.5, 0.9, 0.95}) QTest::addRow("%g", p) << p;
    }
    void longTailsAreCountedOnAGrid()
    {
        QFETCH(double, percentile);
        for (const auto &batches : {referenceBatches(), referenceRelu()}) {
            auto config = asymmetric8("percentile");
            config.percentile = percentile;
            const auto all = observe(config, {joined(batches)}), got = observe(config, batches);
            QVERIFY2(near(got.scale[0], all.scale[0], 0.0005),
                     qPrintable(QString("%1, expected %2").arg(got.scale[0]).arg(all.scale[0])));
        }
    }

    void batchesLargerThanExpectedWidenAtMost()
    {
        std::vector<float> small(100, 1.f), large(200000);
        for (std::size_t i = 0; i < large.size(); ++i) large[i] = float(i % 1000) / 1000;
        small[0] = 5;
        auto config = symmetric8("percentile");
        config.percentile = 0.999;
        const float all = observe(config, {joined({small, large})}).scale[0];
        QVERIFY(observe(config, {small, large}).scale[0] >= all);
        QCOMPARE(observe(config, {large, small}).scale[0], all);
    }

    void smallBatchesUseTheirMinimumAndMaximum()
    {
        std::vector<float> data(9999);
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = float(i % 100);
        data[17] = 500;
        QL_COMPARE_SCALE(observe(asymmetric8("percentile"), {data}), 500.0 / 255);
    }

    void anotherPercentile()
    {
        std::vector<float> data(1000);
        for (std::size_t i = 0; i < data.size(); ++i) data[i] = float(int(i * 7 % 1000)) - 500;
        auto config = asymmetric8("percentile");
        config.percentile = 0.9;
        // sorted: -500 .. 499; index trunc(900) is 400, index trunc(1000 * (1 - 0.9)) = trunc(99.99..) is -401
        QL_COMPARE_SCALE(observe(config, {data}), 801.0 / 255);
    }

    void nanAndEmpty()
    {
        const auto observer = observed(symmetric8("percentile"), {{nan32, 2}, {}, {nan32}});
        QCOMPARE(observer->nanCount(), std::int64_t(2));
        QL_COMPARE_SCALE(observer->result(), 4.0 / 255); // batches without a number do not count
        const auto averaging = observed(overBatches(symmetric8("percentile")), {{nan32, 2}, {}, {nan32}});
        QCOMPARE(averaging->nanCount(), std::int64_t(2));
        QL_COMPARE_SCALE(averaging->result(), 4.0 / 255);
        QVERIFY(errorOf([] { observe(symmetric8("percentile"), {{}}); }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([] { observe(symmetric8("percentile"), {{nan32}}); }).kind == ErrorKind::Numeric);
    }

    void outlyingInfinitiesAreCutOff()
    {
        auto data = referenceBatches()[0];
        data[1] = inf32;
        data[2] = -inf32;
        for (const Batches &batches : {Batches{data}, Batches{data, data}})
            for (const auto &config : {symmetric8("percentile"), overBatches(symmetric8("percentile"))})
                QVERIFY(observe(config, batches).scale[0] < 0.2f);
        QVERIFY(errorOf([] { observe(symmetric8("percentile"), {{inf32, 1}}); }).kind == ErrorKind::Numeric);
    }

    void allZero() { QL_COMPARE_SCALE(observe(asymmetric8("percentile"), {std::vector<float>(20000)}), 1e-8); }
};

QL_TEST(TestPercentile)
#include "tst_percentile.moc"
