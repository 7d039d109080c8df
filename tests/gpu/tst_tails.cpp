#include "gpu/isa.h"
#include "gpu/select.h"
#include "gpu/tails_order.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace ql::gpu;

/// By sorting everything.
static Tails reference(const std::vector<float> &x, double p)
{
    std::vector<float> v;
    for (const float value : x)
        if (!std::isnan(value)) v.push_back(value);
    Tails tails;
    const auto m = std::int64_t(v.size());
    tails.nanCount = std::int64_t(x.size()) - m;
    if (m == 0) return tails;
    std::sort(v.begin(), v.end());
    tails.min = v.front() + 0.f; // no -0
    tails.max = v.back() + 0.f;
    tails.low = v[std::size_t(std::max<std::int64_t>(std::int64_t(double(m) * (1 - p)), 0))] + 0.f;
    tails.high = v[std::size_t(std::min<std::int64_t>(std::int64_t(double(m) * p), m - 1))] + 0.f;
    return tails;
}

class TestTails : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { useIsa(bestIsa()); }

    void exact_data()
    {
        QTest::addColumn<int>("isa");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("order");
        QTest::addColumn<double>("p");
        static const char *orders[] = {"random",   "ascending", "descending", "relu",
                                       "constant", "with NaN",  "infinities", "zeros"};
        for (int isa = 0; isa <= int(bestIsa()); ++isa)
            for (const int n : {0, 1, 63, 64, 65, 9999, 10000, 20001, 300007})
                for (int order = 0; order < 8; ++order)
                    for (const double p : {0.9999, 0.99, 0.5, 1.0}) {
                        if (isa < int(bestIsa()) && n > 20001) continue;
                        QTest::addRow("%s, n %d, %s, p %g", toString(Isa(isa)), n, orders[order], p)
                            << isa << n << order << p;
                    }
    }
    void exact()
    {
        QFETCH(int, isa);
        QFETCH(int, n);
        QFETCH(int, order);
        QFETCH(double, p);
        useIsa(Isa(isa));
        std::mt19937 random(unsigned(n + order));
        std::normal_distribution<float> normal;
        std::vector<float> x(static_cast<std::size_t>(n));
        for (float &value : x) value = normal(random);
        if (order == 1) std::sort(x.begin(), x.end());
        if (order == 2) std::sort(x.begin(), x.end(), std::greater<>());
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (order == 3) x[i] = std::clamp(x[i], 0.f, 2.f);
            if (order == 4) x[i] = -1.5f;
            if (order == 5 && random() % 3 == 0) x[i] = std::numeric_limits<float>::quiet_NaN();
            if (order == 6 && random() % 50 == 0)
                x[i] = std::numeric_limits<float>::infinity() * (x[i] > 0 ? 1.f : -1.f);
            if (order == 7) x[i] = std::copysign(0.f, x[i]);
        }
        const Tails expected = reference(x, p), got = tailsCpu(x.data(), n, p);
        // As CUDA does it, with the CPU's reductions
        Tails byRank;
        tailsByRank(
            n, p,
            [&](MinMax *range) {
                minMaxCpu(x.data(), n, range);
                return int(Ok);
            },
            [&](std::int64_t rank, bool largest, float *value) {
                *value = selectCpu(x.data(), n, rank, largest);
                return int(Ok);
            },
            &byRank);
        for (const Tails &tails : {got, byRank}) {
            for (const auto member : {&Tails::low, &Tails::high, &Tails::min, &Tails::max}) {
                QCOMPARE(tails.*member, expected.*member);
                QCOMPARE(std::signbit(tails.*member), std::signbit(expected.*member)); // never -0
            }
            QCOMPARE(tails.nanCount, expected.nanCount);
        }
    }
};

QL_TEST(TestTails)
#include "tst_tails.moc"
