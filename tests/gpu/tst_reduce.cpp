#include <QTest>

#include "gpu/isa.h"
#include "gpu/reduce.h"
#include "gpu/test_data.h"

#include <omp.h>

using namespace ql::gpu;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Runs f for every clone and for one, two and five threads.
template <class F>
void everyWay(const F &f)
{
    const int threads = omp_get_max_threads();
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512}) {
        if (isa > bestIsa()) continue;
        useIsa(isa);
        for (const int count : {1, 2, 5}) {
            omp_set_num_threads(count);
            f();
        }
    }
    omp_set_num_threads(threads);
    useIsa(bestIsa());
}

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
            QCOMPARE(range.min, expected.min);
            QCOMPARE(range.max, expected.max);
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
            std::vector<std::int64_t> counts(std::size_t(bins), 3); // adds to what is there
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
        long double d2 = 0, a2 = 0, b2 = 0, ab = 0;
        double most = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double d = double(a[i]) - double(b[i]);
            d2 += d * d;
            a2 += double(a[i]) * double(a[i]);
            b2 += double(b[i]) * double(b[i]);
            ab += double(a[i]) * double(b[i]);
            most = std::max(most, std::abs(d));
        }
        const ErrorSums first = errorSumsCpu(a.data(), b.data(), n);
        const auto close = [](double x, long double y) {
            return std::abs(x - double(y)) <= 1e-12 * std::abs(double(y));
        };
        QVERIFY(close(first.squaredDiff, d2));
        QVERIFY(close(first.squaredA, a2));
        QVERIFY(close(first.squaredB, b2));
        QVERIFY(close(first.product, ab));
        QCOMPARE(first.maxDiff, most);
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

QTEST_GUILESS_MAIN(TestReduce)
#include "tst_reduce.moc"
