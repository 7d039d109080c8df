#include "gpu/adam.h"
#include "gpu/fake_quant.h"
#include "gpu/rounding.h"
#include "gpu/test_data.h"
#include "tests/gpu/every_way.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace ql::gpu;

namespace {

std::vector<float> bounded(std::vector<float> x)
{
    for (float &v : x)
        if (!(std::abs(v) < 1e6f)) v = 0.3f;
    return x;
}

struct Gradient
{
    float dx;
    double ds;
};

/// The formula again, in its own words; half-even rounding.
Gradient byDefinition(float x, float dy, float scale, int zero, float lo, float hi)
{
    if (std::isnan(x)) return {0.f, 0.0};
    const float s = std::abs(scale), sign = scale < 0 ? -1.f : 1.f;
    const float code = std::nearbyint(x / s) + float(zero);
    if (code > hi) return {0.f, double(sign * (dy * (hi - float(zero))))};
    if (code < lo) return {0.f, double(sign * (dy * (lo - float(zero))))};
    return {dy, double(sign * (dy * ((code - float(zero)) - x / s)))};
}

} // namespace

class TestBackward : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void known()
    {
        // codes: 2.6 -> 3, 200 -> above 127, -200 -> below -128
        const std::vector<float> x{2.6f, 200.f, -200.f}, dy{2.f, 3.f, 5.f};
        std::vector<float> dx(3);
        double ds = 0;
        fakeQuantBackwardCpu(x.data(), dy.data(), dx.data(), &ds, 3, {1.f, 0, -128.f, 127.f, Rounding::HalfEven});
        QCOMPARE(dx, (std::vector<float>{2.f, 0.f, 0.f}));
        QVERIFY(std::abs(ds - (2 * 0.4 + 3 * 127 - 5 * 128)) < 1e-6);
        double negative = 0;
        fakeQuantBackwardCpu(x.data(), dy.data(), dx.data(), &negative, 3,
                             {-1.f, 0, -128.f, 127.f, Rounding::HalfEven});
        QVERIFY(negative == -ds);
        fakeQuantBackwardCpu(nullptr, nullptr, nullptr, &ds, 0, {});
        QCOMPARE(ds, 0.0);
    }

    /// The slope of the scale is that of the loss as long as no code changes: inside, dy * ((c - zero) - x / s) plus
    /// the straight-through part x / s that rounding hides.
    void matchesDifferenceQuotientOutside()
    {
        const float x = 300.f, s = 2.f, step = 0.25f; // 150 > 127: y = 127 s, so dy/ds = 127 exactly
        float up = 0, down = 0, dy = 1.f, dx = 0;
        fakeQuantCpu(&x, &up, 1, {s + step, 0, -128.f, 127.f, Rounding::HalfEven});
        fakeQuantCpu(&x, &down, 1, {s - step, 0, -128.f, 127.f, Rounding::HalfEven});
        double ds = 0;
        fakeQuantBackwardCpu(&x, &dy, &dx, &ds, 1, {s, 0, -128.f, 127.f, Rounding::HalfEven});
        // 300 / 2.25 = 133.3 and 300 / 1.75 = 171.4 are both above 127
        QVERIFY(double(up - down) / double(2 * step) == ds);
    }

    void layouts_data()
    {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("n");
        QTest::newRow("one channel, few") << 1 << 1 << 5;
        QTest::newRow("one channel, chunks") << 1 << 1 << 100003;
        QTest::newRow("channels last") << 24 << 1 << 24 * 5000;
        QTest::newRow("channels last, many") << 150 << 1 << 150 * 9;
        QTest::newRow("channels last, part of a row") << 150 << 1 << 150 * 9 + 70;
        QTest::newRow("channels last, a row begins a chunk") << 6 << 1 << 6 * 4096 + 3;
        QTest::newRow("depthwise weight") << 96 << 9 << 96 * 9;
        QTest::newRow("rows of 49") << 64 << 49 << 64 * 49 * 3;
        QTest::newRow("long rows") << 3 << 40000 << 3 * 40000 * 2;
        QTest::newRow("part of a period") << 7 << 30 << 1000;
        QTest::newRow("empty") << 4 << 4 << 0;
    }

    void layouts()
    {
        QFETCH(int, channels);
        QFETCH(int, stride);
        QFETCH(int, n);
        std::vector<float> x = bounded(awkwardFloats(n, 0.5f, false, 1));
        if (n > 3) x[3] = std::numeric_limits<float>::quiet_NaN();
        const std::vector<float> dy = bounded(awkwardFloats(n, 1.f, false, 2));
        std::vector<float> scale;
        std::vector<std::int32_t> zero;
        for (int c = 0; c < channels; ++c) {
            scale.push_back(0.01f * float(c % 7 + 1) * (c % 5 == 4 ? -1.f : 1.f));
            zero.push_back(c % 9 - 4);
        }
        std::vector<float> expected(x.size());
        std::vector<std::vector<double>> terms(scale.size());
        for (int i = 0; i < n; ++i) {
            const std::size_t at = std::size_t(i), c = std::size_t(i / stride % channels);
            const Gradient g = byDefinition(x[at], dy[at], scale[c], zero[c], -128, 127);
            expected[at] = g.dx;
            terms[c].push_back(g.ds);
        }
        const LinearChannelParams p{scale.data(), zero.data(), channels, stride, -128.f, 127.f, Rounding::HalfEven};
        std::vector<double> first(scale.size(), -1.0);
        std::vector<float> dx(x.size());
        fakeQuantBackwardChannelCpu(x.data(), dy.data(), dx.data(), first.data(), n, p);
        for (std::size_t c = 0; c < scale.size(); ++c) QVERIFY(sameBits(first[c], orderedSum(terms[c])));
        everyWay([&] {
            std::vector<double> ds(scale.size(), -1.0);
            std::fill(dx.begin(), dx.end(), -7.f);
            fakeQuantBackwardChannelCpu(x.data(), dy.data(), dx.data(), ds.data(), n, p);
            QCOMPARE(firstDifference(dx, expected), -1);
            QCOMPARE(firstDifference(ds, first), -1);
            dx = dy; // dx may be dy
            fakeQuantBackwardChannelCpu(x.data(), dx.data(), dx.data(), ds.data(), n, p);
            QCOMPARE(firstDifference(dx, expected), -1);
            QCOMPARE(firstDifference(ds, first), -1);
        });
        if (channels == 1) {
            double ds = -1;
            fakeQuantBackwardCpu(x.data(), dy.data(), dx.data(), &ds, n,
                                 {scale[0], zero[0], -128.f, 127.f, Rounding::HalfEven});
            QVERIFY(sameBits(ds, first[0]));
        }
    }

    void adamStep()
    {
        const std::vector<float> dx = bounded(awkwardFloats(1000, 1.f, false));
        AdamParams p{0.01f};
        p.bias1 = 1.f - p.beta1;
        p.bias2 = 1.f - p.beta2;
        std::vector<float> first;
        everyWay([&] {
            std::vector<float> x(dx.size(), 1.f), m(dx.size()), v(dx.size());
            adamStepCpu(x.data(), dx.data(), m.data(), v.data(), std::int64_t(dx.size()), p);
            for (std::size_t i = 0; i < dx.size(); ++i) {
                QVERIFY(std::abs(m[i] - 0.1f * dx[i]) <= 1e-6f * std::abs(dx[i]));
                // the first step has the length of the rate
                if (std::abs(dx[i]) > 1e-3f) QVERIFY(std::abs(x[i] - (dx[i] > 0 ? 0.99f : 1.01f)) < 1e-5f);
            }
            if (first.empty()) first = x;
            QCOMPARE(firstDifference(x, first), -1);
        });
    }

    void softRounding()
    {
        // 0.5 + penalty, both ends saturated, and outside the codes
        const std::vector<float> sigmoid{0.5f, 0.9f, 0.01f, 0.99f, 0.6f}, low{1, 1, 1, 1, 7}, lowest(5, -8.f),
            highest(5, 7.f), scale(5, 0.25f), dy{1, 2, 3, 4, 5};
        const SoftRounding grid{low.data(), lowest.data(), highest.data(), scale.data()};
        everyWay([&] {
            std::vector<float> y(5), dv(5);
            softRoundCpu(sigmoid.data(), y.data(), 5, grid);
            const std::vector<float> wanted{0.375f, 0.495f, 0.25f, 0.5f, 1.75f};
            for (std::size_t i = 0; i < 5; ++i) QVERIFY(std::abs(y[i] - wanted[i]) < 1e-6f);
            softRoundBackwardCpu(sigmoid.data(), dy.data(), dv.data(), 5, grid, 0.1f, 3);
            // h = 0.98: the penalty's slope is -0.1 * 3 * 0.96^2 * 2
            const float second = (2 * 0.25f - 0.6f * 0.96f * 0.96f) * 1.2f * 0.09f;
            QVERIFY(std::abs(dv[1] - second) < 1e-5f);
            QVERIFY(std::abs(dv[0] - 0.25f * 1.2f * 0.25f) < 1e-3f); // no slope in the middle
            QCOMPARE(dv[2], 0.f);
            QCOMPARE(dv[3], 0.f);
            // only the penalty: h = 0.62
            QVERIFY(std::abs(dv[4] + 0.6f * 0.24f * 0.24f * 1.2f * 0.24f) < 1e-5f);
        });
    }

    void everyRounding()
    {
        const std::vector<float> x{0.5f, 1.5f, -0.5f, 2.25f}, dy{1.f, 1.f, 1.f, 1.f};
        std::vector<float> dx(4);
        for (int r = 0; r < 8; ++r) {
            const LinearParams p{1.f, 0, -128.f, 127.f, Rounding(r)};
            std::vector<float> y(4);
            fakeQuantCpu(x.data(), y.data(), 4, p);
            double ds = 0, expected = 0;
            fakeQuantBackwardCpu(x.data(), dy.data(), dx.data(), &ds, 4, p);
            for (std::size_t i = 0; i < 4; ++i) expected += double(y[i] - x[i]);
            QVERIFY(ds == expected);
        }
    }
};

QL_TEST(TestBackward)
#include "tst_backward.moc"
