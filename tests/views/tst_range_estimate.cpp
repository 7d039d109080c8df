// What dragged clip limits would cost, from a histogram.
#include "tests/support/test_main.h"
#include "views/models/range_estimate.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

using namespace ql;

class TestRangeEstimate : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void estimateIsNearTheMeasurement_data()
    {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("isRelu");
        QTest::newRow("everything inside") << -6.0 << 6.0 << false;
        QTest::newRow("tails clipped") << -1.5 << 1.5 << false;
        QTest::newRow("one side") << -3.0 << 0.7 << false;
        QTest::newRow("half of them zero") << 0.0 << 2.0 << true;
        QTest::newRow("nearly all clipped") << -0.05 << 0.05 << false;
    }
    /// Normal values, quantized one by one: signal and noise to 12 %, the clipped share to half a percent.
    void estimateIsNearTheMeasurement()
    {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, isRelu);
        std::mt19937 random(3);
        std::normal_distribution<double> normal;
        QVector<double> values;
        for (int i = 0; i < 100000; ++i) {
            const double value = normal(random);
            values.append(isRelu ? std::max(0.0, value) : value);
        }
        const auto [least, most] = std::minmax_element(values.begin(), values.end());
        Histogram histogram;
        histogram.counts = QVector<double>(512, 0);
        histogram.low = *least;
        histogram.width = (*most - *least) / 512;
        const double step = (high - low) / 255, zero = std::round(-low / step);
        double noise = 0, signal = 0, clipped = 0;
        for (const double value : values) {
            ++histogram.counts[std::min(511, int((value - *least) / histogram.width))];
            histogram.zeros += value == 0;
            const double code = std::clamp(std::nearbyint(value / step) + zero, 0.0, 255.0);
            const double rounded = (code - zero) * step;
            noise += (value - rounded) * (value - rounded);
            signal += value * value;
            clipped += value < low || value > high;
        }
        const RangeEstimate found = estimateRange(histogram, low, high, 255);
        QCOMPARE(found.step, step);
        QVERIFY2(std::abs(found.clipped - clipped / values.size()) < 0.005, qPrintable(QString::number(found.clipped)));
        const double ratio = found.noiseRatio / (noise / signal);
        QVERIFY2(ratio > 0.88 && ratio < 1.12, qPrintable(QString::number(ratio)));
    }

    void nothingToEstimate()
    {
        const RangeEstimate found = estimateRange({}, -1, 1, 255);
        QCOMPARE(found.noiseRatio, 0.0);
        QCOMPARE(found.clipped, 0.0);
    }

    /// A parameter of value 6 with limits of 0.7: all of it is clipped.
    void constantOutsideOfTheLimits()
    {
        Histogram constant;
        constant.counts = {4};
        constant.low = 6;
        constant.width = 1e-30;
        QCOMPARE(estimateRange(constant, -0.7, 0.7, 255).clipped, 1.0);
        QCOMPARE(estimateRange(constant, -7, 7, 255).clipped, 0.0);
        QVERIFY(std::abs(estimateRange(constant, -3, 3, 255).noiseRatio - 0.25) < 1e-9);
    }
};

QL_TEST(TestRangeEstimate)
#include "tst_range_estimate.moc"
