#include "observer_support.h"
#include "tests/support/test_main.h"

#include <random>

using namespace ql;

class TestFloating : public QObject
{
    Q_OBJECT

private:
    static std::vector<float> normal(float deviation, std::size_t n)
    {
        std::mt19937 random(3);
        std::normal_distribution<float> distribution(0, deviation);
        std::vector<float> out(n);
        for (float &value : out) value = distribution(random);
        return out;
    }

private Q_SLOTS:
    void largeValuesNeedALargeScale()
    {
        // 4096 times the largest code: only the largest candidate comes near
        QCOMPARE(observe(e4m3("floating"), {{4096.f * 448}}).scale, std::vector<float>{64});
        // Values that E4M3 has exactly at scale 1/8 and coarser are tied; the smallest scale without error wins.
        QCOMPARE(observe(e4m3("floating"), {{1.f, 2.f, -1.5f}}).scale, std::vector<float>{1 / 128.f});
        // 448 is exact at scale 1, saturates below
        QCOMPARE(observe(e4m3("floating"), {{448.f, 1.f}}).scale, std::vector<float>{1});
    }

    void samplingIsRepeatable()
    {
        const auto data = normal(3, 100000);
        const auto a = observe(e4m3("floating"), {data, data}), b = observe(e4m3("floating"), {data, data});
        QCOMPARE(a.scale, b.scale);
        QCOMPARE(a.scale.size(), std::size_t(1));
        QCOMPARE(a.zeroPoint, std::vector<std::int32_t>{0});
    }

    void perChannelUsesItsOwnAxis()
    {
        auto config = e4m3("floating");
        config.channelAxis = 1;
        // [2, 2, 2] with axis 1: channel 1 is large
        const std::vector<float> data = {1, 1.5, 28672, 28672, 1, 2, 28672, 14336};
        const auto result = observe(config, {data}, 2, 2);
        QCOMPARE(result.scale, (std::vector<float>{1 / 128.f, 64}));
        QCOMPARE(result.zeroPoint, (std::vector<std::int32_t>{0, 0}));
    }

    void nanAreCountedAndNothingElseIsRefused()
    {
        const auto observer = observed(e4m3("floating"), {{nan32, 448, 1}});
        QCOMPARE(observer->nanCount(), std::int64_t(1));
        QCOMPARE(observer->result().scale, std::vector<float>{1});
        QVERIFY(errorOf([] { observe(e4m3("floating"), {{}}); }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([] { observe(e4m3("floating"), {{nan32}}); }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([] { makeObserver(symmetric8("floating")); }).kind == ErrorKind::BadConfig);
    }
};

QL_TEST(TestFloating)
#include "tst_floating.moc"
