#include "observer_support.h"
#include "tests/support/test_main.h"

#include "core/observer/mse_search.h"

#include <random>

using namespace ql;

class TestMse : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void referenceVectors_data()
    {
        addReferenceColumns();
        QTest::newRow("symmetric, end 1792") << false << symmetric8("mse") << 0.2391664981842041 << 0;
        QTest::newRow("asymmetric, 120 to 1912") << false << asymmetric8("mse") << 0.2368503212928772 << 127;
        QTest::newRow("relu, symmetric, end 1536") << true << symmetric8("mse") << 0.20499984920024872 << 0;
        QTest::newRow("relu, asymmetric, 0 to 1536") << true << asymmetric8("mse") << 0.10249992460012436 << 0;
    }
    void referenceVectors() { compareWithReference(); }

    void theSearchEqualsTryingEveryCandidate_data()
    {
        QTest::addColumn<int>("bins");
        QTest::addColumn<int>("levels");
        QTest::addColumn<int>("lastStart");
        QTest::addColumn<int>("shape");
        for (const int shape : {0, 1, 2, 3, 4})
            for (const auto &[bins, levels, lastStart] : {std::tuple{2048, 256, 2047},
                                                          {2048, 256, 0},
                                                          {2048, 256, -8},
                                                          {2048, 16, 1024},
                                                          {512, 256, 511},
                                                          {300, 7, 299}})
                QTest::addRow("shape %d, %d bins, %d levels, start up to %d", shape, bins, levels, lastStart)
                    << bins << levels << lastStart << shape;
    }
    void theSearchEqualsTryingEveryCandidate()
    {
        QFETCH(int, bins);
        QFETCH(int, levels);
        QFETCH(int, lastStart);
        QFETCH(int, shape);
        std::mt19937 random(unsigned(bins + levels + shape));
        std::vector<std::int64_t> counts{};
        counts.resize(std::size_t(bins));
        for (int i = 0; i < bins; ++i) {
            std::int64_t &count = counts[std::size_t(i)];
            const int r = int(random() % 1000);
            if (shape == 0) count = r;
            if (shape == 1) count = r < 30 ? 1 : 0; // sparse: many ties
            if (shape == 2)
                count = std::int64_t(1e9 * std::exp(-std::abs(i - bins / 2) / 40.0)); // a peak, large counts
            if (shape == 3) count = i == 0 ? 1000000 : (i > bins - 4 ? 50 : 0);       // Relu with outliers
            if (shape == 4) count = 0;                                                // every candidate ties
        }
        MseCandidate expected{0, bins / levels + 1, levels * (bins / levels + 1)};
        MseLoss least = mseLoss(counts, expected);
        for (int start = 0; start < bins && start <= lastStart; start += 8)
            for (int step = 1; step <= bins / levels; ++step) {
                const MseCandidate candidate{start, step, start + levels * step};
                if (candidate.end > bins + levels) break;
                const MseLoss loss = mseLoss(counts, candidate);
                if (loss < least) {
                    least = loss;
                    expected = candidate;
                }
            }
        const MseCandidate got = bestMseCandidate(counts, levels, lastStart);
        QVERIFY2(got == expected, qPrintable(QString("got %1+%2, expected %3+%4")
                                                 .arg(got.start)
                                                 .arg(got.step)
                                                 .arg(expected.start)
                                                 .arg(expected.step)));
    }

    void theLossOfSingleBins()
    {
        // 16 times the squared error in bins, by hand
        const auto loss = [](int bin, MseCandidate c) {
            std::vector<std::int64_t> counts(10);
            counts[std::size_t(bin)] = 1;
            return std::uint64_t(mseLoss(counts, c));
        };
        QCOMPARE(loss(2, {4, 1, 8}), std::uint64_t(36)); // 1.5 bins below the start
        QCOMPARE(loss(9, {0, 4, 8}), std::uint64_t(36)); // 1.5 bins beyond the end
        QCOMPARE(loss(3, {0, 1, 9}), std::uint64_t(1));  // a step of one bin: a quarter
        QCOMPARE(loss(0, {0, 4, 9}), std::uint64_t(4));  // half a bin
        QCOMPARE(loss(1, {0, 4, 9}), std::uint64_t(36)); // one and a half
        QCOMPARE(loss(2, {0, 4, 9}), std::uint64_t(36));
        QCOMPARE(loss(4, {0, 3, 9}), std::uint64_t(25)); // the middle of three: 1.25
    }

    /// PPQ tries no start where all values are above zero: the range of 9 bins a level is left.
    void allValuesAboveZero()
    {
        QL_COMPARE_SCALE(observe(asymmetric8("mse"), {{1, 1.25f, 1.5f, 2}}), (1 + 2304.0 / 2048) / 255);
        QL_COMPARE_SCALE(observe(asymmetric8("mse"), {{0, 1.25f, 1.5f, 2}}), 2.0 / 255);
    }

    /// There are at least as many bins as levels, unless the user requests fewer.
    void manyBits()
    {
        TensorQuantConfig config = symmetric8("mse");
        for (const int bits : {12, 16}) {
            config.bits = bits;
            config.quantMin = -(1 << (bits - 1));
            config.quantMax = (1 << (bits - 1)) - 1;
            QL_COMPARE_SCALE(observe(config, {{-1, 0.25f, 0.5f, 1}}), 2.0 / ((1 << bits) - 1));
        }
    }

    void degenerateData()
    {
        QL_COMPARE_SCALE(observe(symmetric8("mse"), {{0, 0}}), 1e-8);
        QL_COMPARE_SCALE(observe(asymmetric8("mse"), {{3, 3}}), 3.0 / 255); // no width: the value itself
        const auto constant = observe(asymmetric8("mse"), {{-3, -3}});
        QL_COMPARE_SCALE(constant, 3.0 / 255);
        QCOMPARE(constant.zeroPoint[0], 255);
        const auto observer = observed(asymmetric8("mse"), {{nan32, 0, 1}, {nan32}});
        QCOMPARE(observer->nanCount(), std::int64_t(2));
        QVERIFY(observer->result().scale[0] > 0);
        for (const Batches &bad : {Batches{{}}, Batches{{nan32}}, Batches{{-inf32, 1}}})
            QVERIFY(errorOf([&] { observe(asymmetric8("mse"), bad); }).kind == ErrorKind::Numeric);
    }

    void unsuitableConfigsAreRefused()
    {
        auto config = symmetric8("mse");
        config.bits = 16;
        config.quantMin = -32768;
        config.quantMax = 32767;
        config.histogramBins = 2048;
        QVERIFY(errorOf([&] { makeObserver(config); }).kind == ErrorKind::BadConfig);
    }
};

QL_TEST(TestMse)
#include "tst_mse.moc"
