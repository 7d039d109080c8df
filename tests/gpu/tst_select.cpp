#include "gpu/select.h"
#include "gpu/test_data.h"
#include "tests/gpu/every_way.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace ql::gpu;

namespace {

/// @returns the element of that rank by sorting, NaN when there is none.
float byDefinition(std::vector<float> x, std::int64_t rank, bool largest)
{
    x.erase(std::remove_if(x.begin(), x.end(), [](float v) { return std::isnan(v); }), x.end());
    if (rank >= std::int64_t(x.size())) return kNan;
    const auto at = x.begin() + rank;
    if (largest)
        std::nth_element(x.begin(), at, x.end(), std::greater<float>());
    else
        std::nth_element(x.begin(), at, x.end());
    return *at + 0.f;
}

/// Kinds of data that selection finds hard.
std::vector<float> dataOf(const QString &kind, int n, unsigned seed)
{
    std::vector<float> x = awkwardFloats(n, 1.f, kind == "nan", seed);
    if (kind == "relu")
        for (float &v : x) v = std::max(v, 0.f);
    if (kind == "constant") std::fill(x.begin(), x.end(), -1.5f);
    if (kind == "rising") std::sort(x.begin(), x.end());
    if (kind == "falling") std::sort(x.begin(), x.end(), std::greater<float>());
    if (kind == "few values")
        for (float &v : x) v = std::round(std::clamp(v, -2.f, 2.f));
    if (kind == "mostly nan")
        for (std::size_t i = 0; i < x.size(); ++i)
            if (i % 50) x[i] = kNan;
    return x;
}

} // namespace

class TestSelect : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void select_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("n");
        for (const char *kind : {"normal", "nan", "relu", "constant", "rising", "falling", "few values", "mostly nan"})
            for (const int n : {1, 2, 17, 1000, 4099, 100003}) QTest::addRow("%s, %d", kind, n) << QString(kind) << n;
    }

    void select()
    {
        QFETCH(QString, kind);
        QFETCH(int, n);
        const std::vector<float> x = dataOf(kind, n, 1);
        for (const std::int64_t rank : {0, 1, 9, n / 10000, n / 1000, n / 20, n / 2, n - 1, n}) {
            for (const bool largest : {false, true}) {
                const float expected = byDefinition(x, rank, largest);
                everyWay([&] {
                    const float exact = selectCpu(x.data(), n, rank, largest);
                    if (std::isnan(expected)) {
                        QVERIFY(std::isnan(exact));
                        return;
                    }
                    QVERIFY(sameBits(exact, expected));
                });
            }
        }
    }

    void emptyAndOutOfRange()
    {
        const float one = 4.f;
        QVERIFY(std::isnan(selectCpu(nullptr, 0, 0, true)));
        QVERIFY(std::isnan(selectCpu(&one, 1, -1, true)));
        QVERIFY(std::isnan(selectCpu(&one, 1, 1, true)));
        QCOMPARE(selectCpu(&one, 1, 0, false), 4.f);
    }
};

QL_TEST(TestSelect)
#include "tst_select.moc"
