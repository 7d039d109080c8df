#include "observer_support.h"
#include "tests/support/test_main.h"

#include <algorithm>

using namespace ql;

class TestPercentile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void referenceVectors_data()
    {
        addReferenceColumns();
        QTest::newRow("symmetric") << false << symmetric8("percentile") << 0.11510724574327469 << 0;
        QTest::newRow("asymmetric") << false << asymmetric8("percentile") << 0.11280332505702972 << 125;
        QTest::newRow("relu, symmetric") << true << symmetric8("percentile") << 0.11510724574327469 << 0;
        QTest::newRow("relu, asymmetric") << true << asymmetric8("percentile") << 0.057553622871637344 << 0;
    }
    void referenceVectors() { compareWithReference(); }

    void limitsAreAveragedOverBatchesWhateverTheirSize()
    {
        // Batch b of the vectors is the first one times 1 + 0.05 b, so the mean limit is the first one times 1.175 ...
        QL_COMPARE_SCALE(observe(symmetric8("percentile"), {referenceBatches()[0]}), 0.11510724574327469 / 1.175);
        QL_COMPARE_SCALE(observe(symmetric8("percentile"), referenceBatches()), 0.11510724574327469);
        // ... whereas the same values as one batch have another tail.
        std::vector<float> joined;
        for (const auto &batch : referenceBatches()) joined.insert(joined.end(), batch.begin(), batch.end());
        QVERIFY(!near(observe(symmetric8("percentile"), {joined}).scale[0], 0.11510724574327469, 1e-3));
        QL_COMPARE_SCALE(observe(symmetric8("percentile"), {{1}, {3, 0, 0, 0}}), 4.0 / 255);
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
        QVERIFY(errorOf([] { observe(symmetric8("percentile"), {{}}); }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([] { observe(symmetric8("percentile"), {{nan32}}); }).kind == ErrorKind::Numeric);
    }

    void outlyingInfinitiesAreCutOff()
    {
        auto data = referenceBatches()[0];
        data[1] = inf32;
        data[2] = -inf32;
        QVERIFY(observe(symmetric8("percentile"), {data}).scale[0] < 0.2f);
        QVERIFY(errorOf([] { observe(symmetric8("percentile"), {{inf32, 1}}); }).kind == ErrorKind::Numeric);
    }

    void allZero() { QL_COMPARE_SCALE(observe(asymmetric8("percentile"), {std::vector<float>(20000)}), 1e-8); }

    void perChannelIsRefused()
    {
        auto config = symmetric8("percentile");
        config.channelAxis = 0;
        const Error error = errorOf([&] { makeObserver(config); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QVERIFY(QString::fromStdString(error.remedy.english()).contains("minmax"));
        QVERIFY(!QString::fromStdString(error.remedy.english()).contains("kl"));
    }
};

QL_TEST(TestPercentile)
#include "tst_percentile.moc"
