#pragma once

#include "core/observer/observer.h"
#include "tests/support/error_of.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <vector>

namespace ql {

using test::errorOf;
using Batches = std::vector<std::vector<float>>;

constexpr float nan32 = std::numeric_limits<float>::quiet_NaN();
constexpr float inf32 = std::numeric_limits<float>::infinity();

/// The data of PPQ's test vectors: 8 batches of [1, 4, 128, 128].
inline const Batches &referenceBatches()
{
    static const Batches batches = [] {
        Batches out(8, std::vector<float>(65536));
        for (std::int64_t i = 0; i < 65536; ++i) {
            const double v = (double(40503 * i % 65536) + 0.5) / 65536;
            const double x = std::pow(std::log(v / (1 - v)), 3) / 64 + 0.25;
            for (std::size_t b = 0; b < 8; ++b) out[b][std::size_t(i)] = float(x * (1 + 0.05 * double(b)));
        }
        return out;
    }();
    return batches;
}

inline const Batches &referenceRelu()
{
    static const Batches batches = [] {
        Batches out = referenceBatches();
        for (auto &batch : out)
            for (float &value : batch) value = std::max(value, 0.f);
        return out;
    }();
    return batches;
}

inline TensorQuantConfig symmetric8(const char *observer)
{
    TensorQuantConfig config;
    config.observer = observer;
    return config;
}

inline TensorQuantConfig asymmetric8(const char *observer)
{
    TensorQuantConfig config = symmetric8(observer);
    config.symmetric = false;
    config.quantMin = 0;
    config.quantMax = 255;
    return config;
}

/// As PPQ takes percentiles.
inline TensorQuantConfig overBatches(TensorQuantConfig config)
{
    config.percentileOver = PercentileOver::Batches;
    return config;
}

inline TensorQuantConfig e4m3(const char *observer)
{
    TensorQuantConfig config = symmetric8(observer);
    config.exponentBits = 4;
    config.quantMin = -448;
    config.quantMax = 448;
    config.powerOfTwo = true;
    return config;
}

/// Shows all batches in each phase. channels and stride as in TensorView.
inline std::unique_ptr<Observer> observed(const TensorQuantConfig &config, const Batches &batches,
                                          std::int64_t channels = 1, std::int64_t stride = 1)
{
    auto observer = makeObserver(config);
    observer->expectBatches(batches.size());
    for (int phase = 0; phase < observer->phases(); ++phase) {
        if (phase > 0) observer->nextPhase();
        for (const auto &batch : batches)
            observer->observe({batch.data(), std::int64_t(batch.size()), channels, stride});
    }
    return observer;
}

inline Observer::Result observe(const TensorQuantConfig &config, const Batches &batches, std::int64_t channels = 1,
                                std::int64_t stride = 1)
{
    return observed(config, batches, channels, stride)->result();
}

/// PPQ's numbers are float32: equal to a relative 1e-6.
inline bool near(double value, double expected, double tolerance = 1e-6)
{
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

#define QL_COMPARE_SCALE(result, expected)                                                                             \
    do {                                                                                                               \
        const double got_ = (result).scale.at(0);                                                                      \
        QVERIFY2(                                                                                                      \
            near(got_, expected),                                                                                      \
            qPrintable(QString("scale %1, expected %2").arg(got_, 0, 'g', 12).arg(double(expected), 0, 'g', 12)));     \
    } while (false)

} // namespace ql

Q_DECLARE_METATYPE(ql::TensorQuantConfig)

namespace ql {

/// Rows "relu, config, scale, zeroPoint" of reference vectors, and the test of one.
inline void addReferenceColumns()
{
    QTest::addColumn<bool>("relu");
    QTest::addColumn<TensorQuantConfig>("config");
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("zeroPoint");
}

inline void compareWithReference()
{
    QFETCH(bool, relu);
    QFETCH(TensorQuantConfig, config);
    const auto result = observe(config, relu ? referenceRelu() : referenceBatches());
    QTEST(int(result.zeroPoint.at(0)), "zeroPoint");
    QFETCH(double, scale);
    QL_COMPARE_SCALE(result, scale);
}

} // namespace ql
