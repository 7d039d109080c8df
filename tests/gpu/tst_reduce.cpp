#include "gpu/isa.h"
#include "gpu/reduce.h"
#include "gpu/test_data.h"
#include "tests/gpu/every_way.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace ql::gpu;

namespace {

std::vector<float> finite(std::vector<float> x)
{
    for (float &v : x)
        if (!std::isfinite(v) || std::abs(v) > 1e10f) v = 0.25f;
    return x;
}

} // namespace

class TestReduce : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void minMax_data()
    {
        QTest::addColumn<int>("n");
        for (const int n : {0, 1, 15, 63, 64, 65, 1000, 16385, 70001}) QTest::addRow("%d elements", n) << n;
    }

    void minMax()
    {
        QFETCH(int, n);
        const std::vector<float> x = awkwardFloats(n, 2.f, true, 4);
        MinMax expected;
        for (const float v : x) {
            if (std::isnan(v)) {
                ++expected.nanCount;
                continue;
            }
            expected.min = std::min(expected.min, v);
            expected.max = std::max(expected.max, v);
        }
        everyWay([&] {
            MinMax range;
            minMaxCpu(x.data(), n, &range);
            QCOMPARE(range.nanCount, expected.nanCount);
            QVERIFY(range.min == expected.min);
            QVERIFY(range.max == expected.max);
        });
    }

    void minMaxSpecial()
    {
        MinMax range;
        const std::vector<float> nan{kNan, kNan};
        minMaxCpu(nan.data(), 2, &range);
        QVERIFY(range.min > range.max);
        QCOMPARE(range.nanCount, 2);

        const std::vector<float> zeros(130, -0.f);
        minMaxCpu(zeros.data(), 130, &range);
        QVERIFY(sameBits(range.min, 0.f));
        QVERIFY(sameBits(range.max, 0.f));

        const std::vector<float> more{3.f, -2.f}; // a stream of batches widens
        minMaxCpu(more.data(), 2, &range);
        QCOMPARE(range.min, -2.f);
        QCOMPARE(range.max, 3.f);
        const std::vector<float> infinite{kInfinity};
        minMaxCpu(infinite.data(), 1, &range);
        QCOMPARE(range.max, kInfinity);
        QCOMPARE(range.nanCount, 2);
    }

    void minMaxChannel_data()
    {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("n");
        QTest::newRow("one channel") << 1 << 7 << 700;
        QTest::newRow("channels last") << 24 << 1 << 24 * 5000;
        QTest::newRow("channels last, three") << 3 << 1 << 3 * 1001;
        QTest::newRow("depthwise weight") << 96 << 9 << 96 * 9;
        QTest::newRow("short runs, no table") << 20000 << 9 << 20000 * 9;
        QTest::newRow("rows of 49") << 64 << 49 << 64 * 49 * 3;
        QTest::newRow("long rows") << 5 << 40000 << 5 * 40000;
        QTest::newRow("part of a period") << 7 << 3 << 50;
        QTest::newRow("empty") << 3 << 2 << 0;
    }

    void minMaxChannel()
    {
        QFETCH(int, channels);
        QFETCH(int, stride);
        QFETCH(int, n);
        const std::vector<float> x = awkwardFloats(n, 1.f, true, 6);
        std::vector<float> mins(std::size_t(channels), kInfinity), maxs(std::size_t(channels), -kInfinity);
        std::int64_t nan = 0;
        for (int i = 0; i < n; ++i) {
            const std::size_t c = std::size_t(i / stride % channels);
            const float v = x[std::size_t(i)];
            nan += std::isnan(v);
            if (v < mins[c]) mins[c] = v;
            if (v > maxs[c]) maxs[c] = v;
        }
        everyWay([&] {
            std::vector<float> mn(mins.size(), kInfinity), mx(maxs.size(), -kInfinity);
            QCOMPARE(minMaxChannelCpu(x.data(), n, channels, stride, mn.data(), mx.data()), nan);
            QCOMPARE(mn, mins);
            QCOMPARE(mx, maxs);
            const std::vector<float> wide(x.size(), 1e35f);
            minMaxChannelCpu(wide.data(), n, channels, stride, mn.data(), mx.data());
            for (std::size_t c = 0; c < mx.size(); ++c) QCOMPARE(mx[c] >= 1e35f, maxs[c] != -kInfinity);
        });
    }

    void histogram_data()
    {
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("bins");
        QTest::addColumn<float>("lo");
        QTest::addColumn<float>("hi");
        QTest::newRow("few") << 10 << 4 << -1.f << 1.f;
        QTest::newRow("one bin") << 1000 << 1 << -1.f << 1.f;
        QTest::newRow("kl") << 300001 << 4096 << 0.f << 3.3f;
        QTest::newRow("mse") << 70001 << 2048 << -2.7f << 3.1f;
        QTest::newRow("many bins") << 1000 << 100000 << -3.f << 3.f;
        QTest::newRow("empty") << 0 << 8 << 0.f << 1.f;
    }

    void histogram()
    {
        QFETCH(int, n);
        QFETCH(int, bins);
        QFETCH(float, lo);
        QFETCH(float, hi);
        const std::vector<float> x = awkwardFloats(n, 1.f, true, 7);
        std::vector<std::int64_t> plain(std::size_t(bins), 3), absolute(std::size_t(bins), 3);
        std::int64_t counted = 0, countedAbsolute = 0;
        const auto add = [bins](float v, float from, float to, std::vector<std::int64_t> *counts) {
            if (!(v >= from && v <= to)) return 0;
            const float at = (v - from) * float(bins) / (to - from);
            ++(*counts)[std::size_t(std::min(int(at), bins - 1))];
            return 1;
        };
        for (const float v : x) {
            counted += add(v, lo, hi, &plain);
            countedAbsolute += add(std::abs(v), 0.f, hi, &absolute);
        }
        everyWay([&] {
            std::vector<std::int64_t> counts(std::size_t(bins), 3); // adds to existing values
            QCOMPARE(histogramCpu(x.data(), n, lo, hi, bins, counts.data()), counted);
            QCOMPARE(counts, plain);
            std::fill(counts.begin(), counts.end(), 3);
            QCOMPARE(histogramAbsCpu(x.data(), n, hi, bins, counts.data()), countedAbsolute);
            QCOMPARE(counts, absolute);
        });
    }

    void histogramEdges()
    {
        const std::vector<float> x{0.f, 0.25f, 0.5f, 0.75f, 1.f, 1.0000001f, -1e-9f, kNan, kInfinity};
        std::vector<std::int64_t> counts(4, 0);
        QCOMPARE(histogramCpu(x.data(), 9, 0.f, 1.f, 4, counts.data()), 5);
        QCOMPARE(counts, (std::vector<std::int64_t>{1, 1, 1, 2}));
        QCOMPARE(histogramCpu(x.data(), 9, 1.f, 1.f, 4, counts.data()), 0);
        QCOMPARE(histogramCpu(x.data(), 9, kNan, 1.f, 4, counts.data()), 0);
        QCOMPARE(histogramCpu(x.data(), 9, -3e38f, 3e38f, 4, counts.data()), 0);
        QCOMPARE(counts, (std::vector<std::int64_t>{1, 1, 1, 2}));
    }

    void errorSums_data()
    {
        QTest::addColumn<int>("n");
        for (const int n : {0, 1, 31, 32, 33, 4095, 4096, 4097, 300007}) QTest::addRow("%d elements", n) << n;
    }

    void errorSums()
    {
        QFETCH(int, n);
        const std::vector<float> a = finite(awkwardFloats(n, 2.f, false, 8));
        std::vector<float> b = finite(awkwardFloats(n, 0.01f, false, 9));
        for (std::size_t i = 0; i < b.size(); ++i) b[i] += a[i];
        std::vector<double> d2, a2, b2, ab;
        double most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double d = double(a[i]) - double(b[i]);
            d2.push_back(d * d);
            a2.push_back(double(a[i]) * double(a[i]));
            b2.push_back(double(b[i]) * double(b[i]));
            ab.push_back(double(a[i]) * double(b[i]));
            most = std::max(most, std::abs(d));
        }
        const ErrorSums first = errorSumsCpu(a.data(), b.data(), n);
        QVERIFY(sameBits(first.squaredDiff, orderedSum(d2)));
        QVERIFY(sameBits(first.squaredA, orderedSum(a2)));
        QVERIFY(sameBits(first.squaredB, orderedSum(b2)));
        QVERIFY(sameBits(first.product, orderedSum(ab)));
        QVERIFY(first.maxDiff == most);
        QCOMPARE(first.count, n);
        everyWay([&] { QVERIFY(sameBits(errorSumsCpu(a.data(), b.data(), n), first)); });
    }

    void errorSumsRows()
    {
        constexpr int rows = 9, columns = 10007;
        const std::vector<float> a = finite(awkwardFloats(rows * columns, 2.f, false, 10));
        const std::vector<float> b = finite(awkwardFloats(rows * columns, 2.f, false, 11));
        everyWay([&] {
            std::vector<ErrorSums> sums(rows);
            errorSumsRowsCpu(a.data(), b.data(), rows, columns, sums.data());
            for (int r = 0; r < rows; ++r)
                QVERIFY(sameBits(sums[std::size_t(r)],
                                 errorSumsCpu(a.data() + r * columns, b.data() + r * columns, columns)));
        });
    }

    void moments_data()
    {
        QTest::addColumn<int>("n");
        QTest::addColumn<double>("offset");
        QTest::newRow("empty") << 0 << 0.0;
        QTest::newRow("one") << 1 << 0.0;
        QTest::newRow("two") << 2 << 5.0;
        QTest::newRow("one chunk") << 4096 << 0.0;
        QTest::newRow("chunks and a rest") << 100003 << 0.0;
        QTest::newRow("far from zero") << 100003 << 1000.0;
    }

    /// Against two passes in long double.
    void moments()
    {
        QFETCH(int, n);
        QFETCH(double, offset);
        std::vector<float> x = finite(awkwardFloats(n, 1.f, false, 12));
        for (float &v : x) v = (v > 2.f ? 3.f * v : v) / 8.f + float(offset); // lopsided
        long double sum = 0, m2 = 0, m3 = 0, m4 = 0;
        for (const float v : x) sum += v;
        const long double mean = n ? sum / n : 0;
        for (const float v : x) {
            const long double d = v - mean;
            m2 += d * d;
            m3 += d * d * d;
            m4 += d * d * d * d;
        }
        const Moments first = momentsCpu(x.data(), n);
        QCOMPARE(first.count, n);
        QCOMPARE(first.skipped, 0);
        const auto close = [](double a, long double b, double scale) {
            return std::abs(a - double(b)) <= 1e-11 * scale;
        };
        QVERIFY(close(first.mean, mean, double(std::abs(mean)) + 1e-3));
        QVERIFY(close(first.m2, m2, double(m2)));
        QVERIFY(close(first.m3, m3, double(std::abs(m3)) + double(m2)));
        QVERIFY(close(first.m4, m4, double(m4)));
        everyWay([&] { QVERIFY(sameBits(momentsCpu(x.data(), n), first)); });
        if (n < 2) {
            QVERIFY(std::isnan(first.deviation()));
            return;
        }
        const double deviation = std::sqrt(double(m2) / (n - 1));
        QVERIFY(close(first.deviation(), deviation, deviation));
        QVERIFY(std::abs(first.skewness() - double(m3) / n / std::pow(deviation, 3)) < 1e-9);
        QVERIFY(std::abs(first.kurtosis() - (double(m4) / n / std::pow(deviation, 4) - 3)) < 1e-8);
    }

    void momentsSpecial()
    {
        const std::vector<float> x{kNan, 1.f, kInfinity, 3.f, -kInfinity, 5.f};
        const Moments m = momentsCpu(x.data(), 6);
        QCOMPARE(m.count, 3);
        QCOMPARE(m.skipped, 3);
        QCOMPARE(m.mean, 3.0);
        QCOMPARE(m.deviation(), 2.0);
        QCOMPARE(m.skewness(), 0.0);
        const std::vector<float> none(40, kNan), constant(5000, 2.5f);
        QCOMPARE(momentsCpu(none.data(), 40).count, 0);
        QCOMPARE(momentsCpu(constant.data(), 5000).deviation(), 0.0);
        QVERIFY(std::isnan(momentsCpu(constant.data(), 5000).kurtosis()));
        Moments merged = momentsCpu(none.data(), 40);
        merged.merge(m);
        QCOMPARE(merged.skipped, 43);
        QCOMPARE(merged.mean, 3.0);
    }

    void errorSumsNan()
    {
        const std::vector<float> a{1.f, kNan, 3.f}, b{1.f, 2.f, 5.f};
        const ErrorSums sums = errorSumsCpu(a.data(), b.data(), 3);
        QVERIFY(std::isnan(sums.squaredDiff));
        QVERIFY(std::isnan(sums.squaredA));
        QCOMPARE(sums.squaredB, 30.0);
        QCOMPARE(sums.maxDiff, 2.0);
    }
};

QL_TEST(TestReduce)
#include "tst_reduce.moc"
