#include "gpu/fake_quant.h"
#include "gpu/fake_quant_scalar.h"
#include "gpu/isa.h"
#include "gpu/test_data.h"
#include "tests/gpu/every_way.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cfenv>
#include <set>

using namespace ql::gpu;

Q_DECLARE_METATYPE(ql::gpu::Rounding)
Q_DECLARE_METATYPE(ql::gpu::FloatParams)

namespace {

constexpr std::uint32_t kNanBits = 0x7fc00000u;

const std::vector<Rounding> kRoundings{
    Rounding::HalfEven,         Rounding::HalfUp,    Rounding::HalfDown, Rounding::HalfTowardsZero,
    Rounding::HalfAwayFromZero, Rounding::ToNearInt, Rounding::Up,       Rounding::Down};

std::vector<Isa> isas()
{
    std::vector<Isa> all;
    for (const Isa isa : {Isa::Baseline, Isa::Avx2, Isa::Avx512})
        if (isa <= bestIsa()) all.push_back(isa);
    return all;
}

/// The definition, written a second time, without the room's functors.
float roundByDefinition(float x, Rounding rounding)
{
    const float sign = x < 0 ? -1.f : 1.f;
    switch (rounding) {
    case Rounding::HalfEven: return std::nearbyint(x);
    case Rounding::HalfUp: return std::floor(x + 0.5f);
    case Rounding::HalfDown: return std::ceil(x - 0.5f);
    case Rounding::HalfTowardsZero: return sign * std::ceil(std::abs(x) - 0.5f);
    case Rounding::HalfAwayFromZero: return sign * std::floor(std::abs(x) + 0.5f);
    case Rounding::ToNearInt: return std::round(x);
    case Rounding::Up: return std::ceil(x);
    case Rounding::Down: return std::floor(x);
    }
    return 0;
}

float linearByDefinition(float x, float scale, std::int32_t zero, float lo, float hi, Rounding rounding)
{
    if (std::isnan(x)) return floatOf(kNanBits);
    float q = roundByDefinition(x / scale, rounding) + float(zero);
    if (q < lo) q = lo;
    if (q > hi) q = hi;
    return (q - float(zero)) * scale;
}

/// All non-negative numbers of a float format up to `most`, in order.
std::vector<double> numbersOf(int exponentBits, int mantissaBits, double most)
{
    std::set<double> numbers;
    const int bias = (1 << (exponentBits - 1)) - 1;
    for (int e = 0; e < (1 << exponentBits); ++e) {
        for (int m = 0; m < (1 << mantissaBits); ++m) {
            const double fraction = std::ldexp(double(m), -mantissaBits);
            const double v = e == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1 + fraction, e - bias);
            if (v <= most) numbers.insert(v);
        }
    }
    return {numbers.begin(), numbers.end()};
}

} // namespace

class TestFakeQuant : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { useIsa(bestIsa()); }

    void ties_data()
    {
        QTest::addColumn<Rounding>("rounding");
        QTest::addColumn<QList<float>>("expected"); // of -2.5 -1.5 -0.5 0.5 1.5 2.5, then 0.4 -0.4 0.6 -0.6 7 -7
        QTest::newRow("half even") << Rounding::HalfEven << QList<float>{-2, -2, 0, 0, 2, 2, 0, 0, 1, -1, 7, -7};
        QTest::newRow("half up") << Rounding::HalfUp << QList<float>{-2, -1, 0, 1, 2, 3, 0, 0, 1, -1, 7, -7};
        QTest::newRow("half down") << Rounding::HalfDown << QList<float>{-3, -2, -1, 0, 1, 2, 0, 0, 1, -1, 7, -7};
        QTest::newRow("half towards zero")
            << Rounding::HalfTowardsZero << QList<float>{-2, -1, 0, 0, 1, 2, 0, 0, 1, -1, 7, -7};
        QTest::newRow("half away from zero")
            << Rounding::HalfAwayFromZero << QList<float>{-3, -2, -1, 1, 2, 3, 0, 0, 1, -1, 7, -7};
        QTest::newRow("to near int") << Rounding::ToNearInt << QList<float>{-3, -2, -1, 1, 2, 3, 0, 0, 1, -1, 7, -7};
        QTest::newRow("up") << Rounding::Up << QList<float>{-2, -1, 0, 1, 2, 3, 1, 0, 1, 0, 7, -7};
        QTest::newRow("down") << Rounding::Down << QList<float>{-3, -2, -1, 0, 1, 2, 0, -1, 0, -1, 7, -7};
    }

    void ties()
    {
        QFETCH(Rounding, rounding);
        QFETCH(QList<float>, expected);
        const std::vector<float> x{-2.5f, -1.5f, -0.5f, 0.5f, 1.5f, 2.5f, 0.4f, -0.4f, 0.6f, -0.6f, 7.f, -7.f};
        for (std::size_t i = 0; i < x.size(); ++i) {
            QVERIFY(roundScalar(x[i], rounding) == expected[qsizetype(i)]);
            QVERIFY(fakeQuantScalar(x[i], {1.f, 3, -128.f, 127.f, rounding}) == expected[qsizetype(i)]);
        }
    }

    /// Sums up to 2^24 and beyond, ties among them, in every layout and instruction set; in place, too.
    void requantizes()
    {
        for (const Isa isa : isas())
            for (const auto &[channels, stride, outer] :
                 {std::tuple{1, 1, 1000}, {7, 1, 300}, {5, 41, 3}, {300, 4, 2}}) {
                useIsa(isa);
                const std::int64_t n = std::int64_t(channels) * stride * outer;
                std::vector<float> x(static_cast<std::size_t>(n)), factor, y(x.size());
                for (int c = 0; c < channels; ++c) factor.push_back(c == 0 ? 0.5f : 0.0013f * float(c));
                for (std::int64_t i = 0; i < n; ++i)
                    x[std::size_t(i)] = float((i * 7919 % 401 - 200) * (i % 3 == 0 ? 1 : i % 3 == 1 ? 37 : 130000));
                requantizeCpu(x.data(), y.data(), n, {factor.data(), channels, stride, -128.f, 90.f});
                for (std::int64_t i = 0; i < n; ++i) {
                    const float product = x[std::size_t(i)] * factor[std::size_t(i / stride % channels)];
                    const float want = std::min(std::max(std::nearbyint(product), -128.f), 90.f);
                    QCOMPARE(y[std::size_t(i)], want);
                }
                requantizeCpu(x.data(), x.data(), n, {factor.data(), channels, stride, -128.f, 90.f});
                QCOMPARE(firstDifference(x, y), std::int64_t(-1));
            }
    }

    void nearlyHalf()
    {
        const float x = 0.49999997f; // x + 0.5 is 1 in float32
        QCOMPARE(roundScalar(x, Rounding::HalfUp), 1.f);
        QCOMPARE(roundScalar(x, Rounding::HalfAwayFromZero), 1.f);
        QCOMPARE(roundScalar(x, Rounding::ToNearInt), 0.f);
        QCOMPARE(roundScalar(-x, Rounding::ToNearInt), -0.f);
        QCOMPARE(roundScalar(x, Rounding::HalfEven), 0.f);
        QCOMPARE(roundScalar(8388609.f, Rounding::ToNearInt), 8388609.f);
    }

    void dividesByTheScale()
    {
        // 2.5 steps of 0.1f: the division gives the tie, the product with 1 / 0.1f need not
        int different = 0;
        for (int k = 0; k < 2000; ++k) {
            const float scale = 0.001f * float(k % 37 + 1), x = (float(k) + 0.5f) * scale;
            const float expected = linearByDefinition(x, scale, 0, -32768, 32767, Rounding::HalfEven);
            QVERIFY(fakeQuantScalar(x, {scale, 0, -32768.f, 32767.f, Rounding::HalfEven}) == expected);
            different += std::nearbyint(x * (1.f / scale)) * scale != expected;
        }
        QVERIFY2(different > 0, "the inputs cannot tell division from multiplication");
    }

    void zeroPointIsAddedAfterRounding()
    {
        // 2.5 rounds to 2 before the odd zero point comes: 5, not round(5.5) = 6
        QCOMPARE(quantizeScalar(2.5f, {1.f, 3, 0.f, 255.f, Rounding::HalfEven}), 5.f);
        QCOMPARE(quantizeScalar(300.f, {1.f, 3, 0.f, 255.f, Rounding::HalfEven}), 255.f);
        QCOMPARE(quantizeScalar(-4.f, {1.f, 3, 0.f, 255.f, Rounding::HalfEven}), 0.f);
        QCOMPARE(fakeQuantScalar(kInfinity, {0.5f, 10, 0.f, 255.f, Rounding::HalfEven}), 122.5f);
        QCOMPARE(fakeQuantScalar(-kInfinity, {0.5f, 10, 0.f, 255.f, Rounding::HalfEven}), -5.f);
    }

    void nanIsTheSameEverywhere()
    {
        const float other = floatOf(0xffc12345u);
        QVERIFY(std::isnan(other));
        QCOMPARE(bitsOf(fakeQuantScalar(other, {})), kNanBits);
        QCOMPARE(bitsOf(fakeQuantFloatScalar(other, {})), kNanBits);
        for (const Rounding rounding : kRoundings) {
            QCOMPARE(bitsOf(fakeQuantScalar(kNan, {1.f, 0, -128.f, 127.f, rounding})), kNanBits);
            QCOMPARE(quantizeScalar(kNan, {1.f, 7, -128.f, 127.f, rounding}), 7.f);
        }
    }

    void wholeTensor_data()
    {
        QTest::addColumn<int>("n");
        for (const int n : {0, 1, 7, 15, 16, 17, 255, 1023, 4097, 16384, 70001, 200003})
            QTest::addRow("%d elements", n) << n;
    }

    /// Every clone, every rounding, in place and not, against the definition: bit for bit.
    void wholeTensor()
    {
        QFETCH(int, n);
        const std::vector<float> x = awkwardFloats(n, 0.05f, true);
        std::vector<float> expected(x.size()), y(x.size());
        for (const Rounding rounding : kRoundings) {
            const LinearParams p{0.05f, 11, -100.f, 120.f, rounding};
            for (std::size_t i = 0; i < x.size(); ++i)
                expected[i] = linearByDefinition(x[i], p.scale, p.zeroPoint, p.quantMin, p.quantMax, rounding);
            for (const Isa isa : isas()) {
                useIsa(isa);
                std::fill(y.begin(), y.end(), -77.f);
                fakeQuantCpu(x.data(), y.data(), n, p);
                QCOMPARE(firstDifference(y, expected), -1);
                y = x;
                fakeQuantCpu(y.data(), y.data(), n, p);
                QCOMPARE(firstDifference(y, expected), -1);
            }
        }
    }

    void channels_data()
    {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("stride");
        QTest::addColumn<int>("n");
        QTest::newRow("one channel") << 1 << 1 << 1000;
        QTest::newRow("channels last, few") << 3 << 1 << 3 * 341;
        QTest::newRow("channels last, many") << 1280 << 1 << 1280 * 7;
        QTest::newRow("channels last, threads") << 24 << 1 << 24 * 112 * 112;
        QTest::newRow("depthwise weight") << 96 << 9 << 96 * 9;
        QTest::newRow("short runs, no table") << 20000 << 9 << 20000 * 9;
        QTest::newRow("rows of 16") << 5 << 16 << 5 * 16 * 3;
        QTest::newRow("rows of 49") << 64 << 49 << 64 * 49 * 2;
        QTest::newRow("long rows, threads") << 4 << 50000 << 4 * 50000;
        QTest::newRow("part of a period") << 7 << 3 << 50;
        QTest::newRow("part of a row") << 7 << 30 << 1000;
        QTest::newRow("empty") << 4 << 4 << 0;
    }

    void channels()
    {
        QFETCH(int, channels);
        QFETCH(int, stride);
        QFETCH(int, n);
        const std::vector<float> x = awkwardFloats(n, 0.1f, true, 5);
        std::vector<float> scale(std::size_t(channels), 0.f);
        std::vector<std::int32_t> zero(std::size_t(channels), 0);
        for (int c = 0; c < channels; ++c) {
            scale[std::size_t(c)] = 0.01f * float(1 + c % 50);
            zero[std::size_t(c)] = c % 11 - 5;
        }
        std::vector<float> expected(x.size()), symmetric(x.size()), floats(x.size()), y(x.size());
        std::vector<std::int8_t> codes(x.size()), q(x.size());
        for (const Rounding rounding : {Rounding::HalfEven, Rounding::HalfUp, Rounding::ToNearInt}) {
            const FloatParams format{1.f, 4, 3, -448.f, 448.f, rounding};
            for (int i = 0; i < n; ++i) {
                const std::size_t c = std::size_t(i / stride % channels), at = std::size_t(i);
                expected[at] = linearByDefinition(x[at], scale[c], zero[c], -128, 127, rounding);
                symmetric[at] = linearByDefinition(x[at], scale[c], 0, -128, 127, rounding);
                FloatParams own = format;
                own.scale = scale[c];
                floats[at] = fakeQuantFloatScalar(x[at], own);
                codes[at] = std::int8_t(quantizeScalar(x[at], {scale[c], zero[c], -128, 127, rounding}));
            }
            LinearChannelParams p{scale.data(), zero.data(), channels, stride, -128.f, 127.f, rounding};
            for (const Isa isa : isas()) {
                useIsa(isa);
                fakeQuantChannelCpu(x.data(), y.data(), n, p);
                QCOMPARE(firstDifference(y, expected), -1);
                y = x;
                fakeQuantChannelCpu(y.data(), y.data(), n, p);
                QCOMPARE(firstDifference(y, expected), -1);
                LinearChannelParams noZero = p;
                noZero.zeroPoint = nullptr;
                fakeQuantChannelCpu(x.data(), y.data(), n, noZero);
                QCOMPARE(firstDifference(y, symmetric), -1);
                fakeQuantFloatChannelCpu(x.data(), y.data(), n, {scale.data(), channels, stride, format});
                QCOMPARE(firstDifference(y, floats), -1);
                quantizeChannelCpu(x.data(), q.data(), n, p);
                QCOMPARE(firstDifference(q, codes), -1);
                dequantizeChannelCpu(q.data(), y.data(), n, p);
                for (std::size_t i = 0; i < x.size(); ++i)
                    if (!std::isnan(x[i])) QVERIFY(y[i] == expected[i]);
            }
        }
    }

    void integers_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("isSigned");
        QTest::newRow("int8") << 8 << true;
        QTest::newRow("uint8") << 8 << false;
        QTest::newRow("int16") << 16 << true;
        QTest::newRow("uint16") << 16 << false;
        QTest::newRow("int32") << 32 << true;
    }

    void integers()
    {
        QFETCH(int, bits);
        QFETCH(bool, isSigned);
        if (bits == 8)
            isSigned ? checkIntegers<std::int8_t>() : checkIntegers<std::uint8_t>();
        else if (bits == 16)
            isSigned ? checkIntegers<std::int16_t>() : checkIntegers<std::uint16_t>();
        else
            checkIntegers<std::int32_t>();
    }

    void ownFloatVectors_data()
    {
        QTest::addColumn<FloatParams>("format");
        QTest::addColumn<float>("x");
        QTest::addColumn<float>("expected");
        const FloatParams e4m3{1.f, 4, 3, -448.f, 448.f, Rounding::HalfEven};
        const float pairs[][2] = {{1.0625f, 1.f},
                                  {1.09f, 1.125f},
                                  {1.1875f, 1.25f},
                                  {-1.1875f, -1.25f},
                                  {17.f, 16.f},
                                  {19.f, 20.f},
                                  {0.3f, 0.3125f},
                                  {0.014f, 0.013671875f},
                                  {0.0009765625f, 0.f},
                                  {0.00098f, 0.001953125f},
                                  {0.0029296875f, 0.00390625f},
                                  {440.f, 448.f},
                                  {449.f, 448.f},
                                  {1e9f, 448.f},
                                  {-1e9f, -448.f},
                                  {kInfinity, 448.f},
                                  {-kInfinity, -448.f},
                                  {0.f, 0.f}};
        for (const auto &[x, expected] : pairs) QTest::addRow("E4M3, %g", double(x)) << e4m3 << x << expected;
        FloatParams up = e4m3;
        up.rounding = Rounding::HalfUp;
        const float upPairs[][2] = {{1.0625f, 1.125f}, {1.1875f, 1.25f}, {17.f, 18.f}, {0.0009765625f, 0.001953125f}};
        for (const auto &[x, expected] : upPairs) QTest::addRow("E4M3 half up, %g", double(x)) << up << x << expected;
        const FloatParams e5m2{1.f, 5, 2, -57344.f, 57344.f, Rounding::HalfEven};
        const float wide[][2] = {{1.09f, 1.f}, {1.1875f, 1.25f}, {500.f, 512.f}, {60000.f, 57344.f}};
        for (const auto &[x, expected] : wide) QTest::addRow("E5M2, %g", double(x)) << e5m2 << x << expected;
        FloatParams towardsZero = e4m3;
        towardsZero.rounding = Rounding::HalfTowardsZero;
        const float ppq[][2] = {{1.1875f, 1.125f}, {-1.1875f, -1.125f}, {19.f, 18.f}, {17.f, 16.f}};
        for (const auto &[x, expected] : ppq)
            QTest::addRow("E4M3 half towards zero, %g", double(x)) << towardsZero << x << expected;
        FloatParams unclipped = e4m3;
        unclipped.quantMin = -1e9f;
        unclipped.quantMax = 1e9f;
        QTest::newRow("E4M3 without a clip saturates at the format's top") << unclipped << 1000.f << 480.f;
        QTest::newRow("below, too") << unclipped << -1000.f << -480.f;
        FloatParams scaled = e4m3;
        scaled.scale = 4.f;
        QTest::newRow("scaled") << scaled << 4.36f << 4.5f;
        FloatParams upwards = e4m3;
        upwards.rounding = Rounding::Up;
        QTest::newRow("up is away from zero in the normal range") << upwards << -1.01f << -1.125f;
        QTest::newRow("up is up in the subnormal range") << upwards << -0.003f << -0.001953125f;
        FloatParams downwards = e4m3;
        downwards.rounding = Rounding::Down;
        QTest::newRow("down cuts in the normal range") << downwards << -1.124f << -1.f;
        QTest::newRow("carry into the exponent") << e4m3 << 1.99f << 2.f;
    }

    void ownFloatVectors()
    {
        QFETCH(FloatParams, format);
        QFETCH(float, x);
        QFETCH(float, expected);
        QVERIFY2(fakeQuantFloatScalar(x, format) == expected,
                 qPrintable(QString::number(fakeQuantFloatScalar(x, format), 'g', 9)));
    }

    void floatFormats_data()
    {
        QTest::addColumn<int>("exponentBits");
        QTest::addColumn<int>("mantissaBits");
        QTest::addColumn<float>("most");
        QTest::newRow("E4M3") << 4 << 3 << 448.f;
        QTest::newRow("E5M2") << 5 << 2 << 57344.f;
        QTest::newRow("E5M10") << 5 << 10 << 65504.f;
        QTest::newRow("E3M4") << 3 << 4 << 31.f;
        QTest::newRow("E2M1") << 2 << 1 << 6.f;
        QTest::newRow("E2M3") << 2 << 3 << 7.5f;
        QTest::newRow("E1M2") << 1 << 2 << 3.5f;
        QTest::newRow("E6M1") << 6 << 1 << 6442450944.f;
        QTest::newRow("E4M0") << 4 << 0 << 256.f;
    }

    /// Against a search among all numbers of the format: nearest, ties towards zero (the fraction rule of HalfDown's
    /// family) or to the even code (IEEE); every clone.
    void floatFormats()
    {
        QFETCH(int, exponentBits);
        QFETCH(int, mantissaBits);
        QFETCH(float, most);
        const std::vector<double> numbers = numbersOf(exponentBits, mantissaBits, double(most));
        QCOMPARE(numbers.back(), double(most));
        std::vector<float> x;
        for (std::size_t k = 0; k + 1 < numbers.size(); ++k) {
            const float a = float(numbers[k]), middle = float((numbers[k] + numbers[k + 1]) / 2);
            for (const float v : {a, middle, std::nextafter(middle, 0.f), std::nextafter(middle, most)}) {
                x.push_back(v);
                x.push_back(-v);
            }
        }
        x.push_back(most * 1.5f);
        const auto search = [&](float v, bool even) {
            const double a = std::min(std::abs(double(v)), double(most));
            const std::size_t above =
                std::size_t(std::lower_bound(numbers.begin(), numbers.end(), a) - numbers.begin());
            std::size_t best = above;
            if (numbers[above] != a) {
                const double down = a - numbers[above - 1], up = numbers[above] - a;
                if (down < up || (down == up && (even ? (above - 1) % 2 == 0 : true))) best = above - 1;
            }
            return float(std::copysign(numbers[best], double(v)));
        };
        const double smallestNormal = std::ldexp(1.0, 2 - (1 << (exponentBits - 1)));
        for (const Rounding rounding : {Rounding::HalfTowardsZero, Rounding::HalfEven}) {
            const bool even = rounding == Rounding::HalfEven;
            const FloatParams p{1.f, exponentBits, mantissaBits, -most, most, rounding};
            for (const Isa isa : isas()) {
                useIsa(isa);
                std::vector<float> y(x.size());
                fakeQuantFloatCpu(x.data(), y.data(), std::int64_t(x.size()), p);
                for (std::size_t i = 0; i < x.size(); ++i) {
                    // an odd number of subnormal codes is below the first normal code only if there is no mantissa
                    if (even && mantissaBits == 0 && std::abs(double(x[i])) < smallestNormal) continue;
                    QVERIFY(y[i] == search(x[i], even));
                    QVERIFY(fakeQuantFloatScalar(x[i], p) == y[i]);
                }
            }
        }
    }

    /// E4M3 and E5M2 of every bfloat16: nearest, ties to even, by the exponent of the value and std::nearbyint.
    void everyBfloat16()
    {
        const auto expected = [](float x, int mantissaBits, int minExponent, float most) {
            if (std::isinf(x)) return std::copysign(most, x);
            const int exponent = x == 0 ? minExponent : std::max(std::ilogb(x), minExponent);
            const double step = std::ldexp(1.0, exponent - mantissaBits);
            return float(std::clamp(std::nearbyint(double(x) / step) * step, -double(most), double(most)));
        };
        std::vector<float> x;
        for (std::uint32_t upper = 0; upper < 0x10000; ++upper)
            if (const float value = floatOf(upper << 16); !std::isnan(value)) x.push_back(value);
        QCOMPARE(x.size(), std::size_t(0x10000 - 254)); // 127 NaN of each sign
        for (const auto &[exponentBits, mantissaBits, most] : {std::tuple{4, 3, 448.f}, std::tuple{5, 2, 57344.f}}) {
            const int minExponent = 2 - (1 << (exponentBits - 1));
            for (const Isa isa : isas()) {
                useIsa(isa);
                std::vector<float> y(x.size());
                fakeQuantFloatCpu(x.data(), y.data(), std::int64_t(x.size()),
                                  {1.f, exponentBits, mantissaBits, -most, most, Rounding::HalfEven});
                for (std::size_t i = 0; i < x.size(); ++i)
                    QCOMPARE(y[i], expected(x[i], mantissaBits, minExponent, most));
            }
        }
    }

    void wideExponents()
    {
        const std::vector<float> x = awkwardFloats(100000, 3.f, true, 9);
        const float top = std::numeric_limits<float>::max();
        std::vector<float> y(x.size());
        for (const Isa isa : isas()) {
            useIsa(isa);
            // bfloat16 by IEEE rounding is the upper half of the bits, rounded
            fakeQuantFloatCpu(x.data(), y.data(), std::int64_t(x.size()),
                              {1.f, 8, 7, -3.3895313892515355e38f, 3.3895313892515355e38f, Rounding::HalfEven});
            for (std::size_t i = 0; i < x.size(); ++i) {
                if (std::isnan(x[i])) {
                    QCOMPARE(bitsOf(y[i]), kNanBits);
                    continue;
                }
                if (std::isinf(x[i])) {
                    QCOMPARE(std::abs(y[i]), 3.3895313892515355e38f);
                    continue;
                }
                const std::uint32_t bits = bitsOf(x[i]);
                const std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) & 0xffff0000u;
                QCOMPARE(bitsOf(y[i]), rounded);
            }
            // float32 itself changes nothing that is finite
            fakeQuantFloatCpu(x.data(), y.data(), std::int64_t(x.size()), {1.f, 8, 23, -top, top, Rounding::HalfEven});
            for (std::size_t i = 0; i < x.size(); ++i)
                if (std::isfinite(x[i])) QCOMPARE(bitsOf(y[i]), bitsOf(x[i]));
        }
    }

    /// Every clone against the scalar function, for all policies.
    void floatTensor()
    {
        const std::vector<float> x = awkwardFloats(70003, 0.3f, true, 3);
        for (const Rounding rounding : kRoundings) {
            const FloatParams p{0.7f, 4, 3, -448.f, 448.f, rounding};
            std::vector<float> expected(x.size()), y(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) expected[i] = fakeQuantFloatScalar(x[i], p);
            for (const Isa isa : isas()) {
                useIsa(isa);
                fakeQuantFloatCpu(x.data(), y.data(), std::int64_t(x.size()), p);
                QCOMPARE(firstDifference(y, expected), -1);
            }
        }
    }

private:
    template <class Int>
    void checkIntegers()
    {
        constexpr double least = double(std::numeric_limits<Int>::min()),
                         most = double(std::numeric_limits<Int>::max());
        const std::vector<float> x = awkwardFloats(70001, 1e-3f, true, 2);
        for (const Rounding rounding : kRoundings) {
            // a range wider than Int: stored values must still be clamped to Int
            const LinearParams p{1e-3f, 5, float(2 * least) - 10.f, float(2 * most) + 10.f, rounding};
            std::vector<Int> y(x.size()), expected(x.size());
            for (std::size_t i = 0; i < x.size(); ++i) {
                const double q = std::isnan(x[i]) ? 5.0 : double(roundByDefinition(x[i] / p.scale, rounding) + 5.f);
                expected[i] = Int(std::clamp(q, least, most));
            }
            for (const Isa isa : isas()) {
                useIsa(isa);
                quantizeCpu(x.data(), y.data(), std::int64_t(x.size()), p);
                QCOMPARE(firstDifference(y, expected), -1);
            }
            std::vector<float> back(x.size());
            for (const Isa isa : isas()) {
                useIsa(isa);
                dequantizeCpu(y.data(), back.data(), std::int64_t(x.size()), p);
                for (std::size_t i = 0; i < x.size(); ++i) QVERIFY(sameBits(back[i], (float(y[i]) - 5.f) * 1e-3f));
            }
        }
        quantizeCpu(static_cast<const float *>(nullptr), static_cast<Int *>(nullptr), 0, {});
    }
};

QL_TEST(TestFakeQuant)
#include "tst_fake_quant.moc"
