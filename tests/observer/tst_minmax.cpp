#include "observer_support.h"
#include "tests/support/test_main.h"

using namespace ql;

class TestMinmax : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void referenceVectors_data()
    {
        QTest::addColumn<TensorQuantConfig>("config");
        QTest::addColumn<double>("scale");
        QTest::addColumn<int>("zeroPoint");
        auto pot = symmetric8("minmax"), asymPot = asymmetric8("minmax");
        pot.powerOfTwo = asymPot.powerOfTwo = true;
        QTest::newRow("symmetric") << symmetric8("minmax") << 0.2733331322669983 << 0;
        QTest::newRow("asymmetric") << asymmetric8("minmax") << 0.2706860899925232 << 126;
        QTest::newRow("power of two, symmetric") << pot << 0.5 << 0;
        // PPQ keeps 126, the zero point of the unrounded scale; with it -34 would be out of reach.
        QTest::newRow("power of two, asymmetric: zero point of the rounded scale") << asymPot << 0.5 << 68;
        auto oneSided = asymmetric8("minmax");
        oneSided.quantMin = -128;
        oneSided.quantMax = 127;
        QTest::newRow("asymmetric, signed codes") << oneSided << 0.2706860899925232 << -2;
    }
    void referenceVectors()
    {
        QFETCH(TensorQuantConfig, config);
        const auto result = observe(config, referenceBatches());
        QTEST(int(result.zeroPoint.at(0)), "zeroPoint");
        QFETCH(double, scale);
        QL_COMPARE_SCALE(result, scale);
    }

    void perChannel()
    {
        auto sym = symmetric8("minmax"), asym = asymmetric8("minmax");
        sym.channelAxis = asym.channelAxis = 1;
        const auto s = observe(sym, referenceBatches(), 4, 128 * 128);
        const auto a = observe(asym, referenceBatches(), 4, 128 * 128);
        const std::vector<double> symScale = {.2680390179157257, .19916677474975586, .2733331322669983,
                                              .17158260941505432};
        const std::vector<double> asymScale = {.23624998331069946, .16273730993270874, .19465002417564392,
                                               .14642183482646942};
        const std::vector<std::int32_t> zero = {145, 156, 76, 149};
        QCOMPARE(s.scale.size(), std::size_t(4));
        for (std::size_t c = 0; c < 4; ++c) {
            QVERIFY(near(s.scale[c], symScale[c]));
            QVERIFY(near(a.scale[c], asymScale[c]));
            QCOMPARE(s.zeroPoint[c], 0);
            QCOMPARE(a.zeroPoint[c], zero[c]);
        }
    }

    void perChannelOfAnotherLayoutIsTheSame()
    {
        // [2, 3, 2] with axis 1, as is and with the channels last
        std::vector<float> first(12), last(12);
        for (std::size_t i = 0; i < 12; ++i) {
            first[i] = float(int(i * 7 % 11)) - 4;
            const std::size_t n = i / 6, c = i / 2 % 3, x = i % 2;
            last[n * 6 + x * 3 + c] = first[i];
        }
        auto config = asymmetric8("minmax");
        config.channelAxis = 1;
        const auto a = observe(config, {first}, 3, 2), b = observe(config, {last}, 3, 1);
        QCOMPARE(a.scale, b.scale);
        QCOMPARE(a.zeroPoint, b.zeroPoint);
        QCOMPARE(a.scale.size(), std::size_t(3));
    }

    void theRangeIsThatOfAllBatches()
    {
        QL_COMPARE_SCALE(observe(symmetric8("minmax"), {{-1, 2}, {-7, 1}, {3, 0}}), 14.0 / 255);
    }

    void nanAreLeftOutAndCounted()
    {
        const auto observer = observed(symmetric8("minmax"), {{nan32, 1, -2}, {nan32, nan32}});
        QL_COMPARE_SCALE(observer->result(), 4.0 / 255);
        QCOMPARE(observer->nanCount(), std::int64_t(3));
    }

    void unusableData_data()
    {
        QTest::addColumn<QList<float>>("data");
        QTest::newRow("nothing") << QList<float>{};
        QTest::newRow("only NaN") << QList<float>{nan32, nan32};
        QTest::newRow("infinity") << QList<float>{1, inf32};
        QTest::newRow("negative infinity") << QList<float>{-inf32, 2};
    }
    void unusableData()
    {
        QFETCH(QList<float>, data);
        const auto observer = observed(asymmetric8("minmax"), {std::vector<float>(data.begin(), data.end())});
        const Error error = errorOf([&] { observer->result(); });
        QVERIFY(error.kind == ErrorKind::Numeric);
        QVERIFY(!error.remedy.isEmpty());
    }

    void allZeroGivesTheSmallestScale()
    {
        QL_COMPARE_SCALE(observe(symmetric8("minmax"), {{0, 0, 0}}), 1e-8);
        auto config = symmetric8("minmax");
        config.minScale = 0.25;
        QL_COMPARE_SCALE(observe(config, {{0, 0, 0}}), 0.25);
        QL_COMPARE_SCALE(observe(config, {{1, 2, 3}}), 0.25);
    }

    void aChangingNumberOfChannelsIsRefused()
    {
        auto config = symmetric8("minmax");
        config.channelAxis = 0;
        const auto observer = makeObserver(config);
        const std::vector<float> data = {1, 2, 3, 4, 5, 6};
        observer->observe({data.data(), 6, 3, 2});
        QVERIFY(errorOf([&] { observer->observe({data.data(), 6, 2, 3}); }).kind == ErrorKind::Numeric);
    }
};

QL_TEST(TestMinmax)
#include "tst_minmax.moc"
