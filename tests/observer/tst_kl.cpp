#include "observer_support.h"
#include "tests/support/test_main.h"

using namespace ql;

class TestKl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void referenceVectors_data()
    {
        addReferenceColumns();
        auto powerOfTwo = symmetric8("kl");
        powerOfTwo.powerOfTwo = true;
        QTest::newRow("X, 512 of 4096 bins") << false << symmetric8("kl") << 0.03403317928314209 << 0;
        QTest::newRow("X, power of two to the nearest") << false << powerOfTwo << 0.03125 << 0;
        QTest::newRow("relu(X)") << true << symmetric8("kl") << 0.03403317928314209 << 0;
    }
    void referenceVectors() { compareWithReference(); }

    void fourBitsPassOverCandidatesWithoutMass()
    {
        // With 8 levels the first candidate keeps only the bins that count as near zero; PPQ takes it.
        auto config = symmetric8("kl");
        config.bits = 4;
        config.quantMin = -8;
        config.quantMax = 7;
        const double binWidth = 34.8499755859375 / 4096;
        const float scale = observe(config, referenceBatches()).scale[0];
        QVERIFY2(scale > 1.5 * binWidth && scale <= 4096 * binWidth / 8 * 1.0001, qPrintable(QString::number(scale)));
    }

    void fewerBins()
    {
        auto config = symmetric8("kl");
        config.histogramBins = 1024;
        const double unit = 34.8499755859375 / 1024; // 128 levels: whole multiples of the bin width
        const double multiple = observe(config, referenceBatches()).scale[0] / unit;
        QVERIFY2(near(multiple, std::round(multiple)), qPrintable(QString::number(multiple)));
        QVERIFY(multiple >= 1 && multiple < 8.001);
    }

    void allBatchesCount()
    {
        // Both phases see all batches: the range is that of the widest one.
        const double unit = 34.8499755859375 / 4096;
        const double multiple = observe(symmetric8("kl"), referenceBatches()).scale[0] / unit;
        QVERIFY2(near(multiple, std::round(multiple)), qPrintable(QString::number(multiple)));
    }

    void degenerateData()
    {
        QL_COMPARE_SCALE(observe(symmetric8("kl"), {{0, 0, 0}}), 1e-8);
        QL_COMPARE_SCALE(observe(symmetric8("kl"), {{3, 3, 3}}), 3.0 / 128);
        const auto observer = observed(symmetric8("kl"), {{nan32, 3, -3}});
        QCOMPARE(observer->nanCount(), std::int64_t(1));
        QL_COMPARE_SCALE(observer->result(), 3.0 / 128);
        for (const Batches &bad : {Batches{{}}, Batches{{nan32}}, Batches{{inf32, 1}}})
            QVERIFY(errorOf([&] { observe(symmetric8("kl"), bad); }).kind == ErrorKind::Numeric);
    }

    void unsuitableConfigsAreRefused()
    {
        QVERIFY(errorOf([] { makeObserver(asymmetric8("kl")); }).kind == ErrorKind::BadConfig);
        auto config = symmetric8("kl");
        config.bits = 16;
        QVERIFY(errorOf([&] { makeObserver(config); }).kind == ErrorKind::BadConfig);
        QVERIFY(errorOf([&] { makeObserver(e4m3("kl")); }).kind == ErrorKind::BadConfig);
    }
};

QL_TEST(TestKl)
#include "tst_kl.moc"
