#include "observer_support.h"
#include "tests/support/test_main.h"

using namespace ql;

/// Observers of whole tensors serve channels one by one.
class TestPerChannel : public QObject
{
    Q_OBJECT

private:
    static TensorQuantConfig perChannel(TensorQuantConfig config)
    {
        config.channelAxis = 0;
        return config;
    }

private Q_SLOTS:
    void eachChannelHasTheScaleOfItsValues_data()
    {
        QTest::addColumn<QString>("observer");
        QTest::addColumn<int>("stride");
        for (const char *observer : {"percentile", "mse", "kl"})
            for (const int stride : {1, 7, 4096})
                QTest::addRow("%s, stride %d", observer, stride) << observer << stride;
    }
    void eachChannelHasTheScaleOfItsValues()
    {
        QFETCH(QString, observer);
        QFETCH(int, stride);
        const std::string id = observer.toStdString();
        constexpr std::size_t channels = 3;
        Batches batches(2, std::vector<float>(channels * std::size_t(stride) * (stride == 4096 ? 1 : 600)));
        std::vector<Batches> parts(channels, Batches(2));
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (std::size_t i = 0; i < batches[b].size(); ++i) {
                const std::size_t channel = i / std::size_t(stride) % channels;
                batches[b][i] = referenceBatches()[b][i * 7 % 65536] * float(1 + 10 * channel);
                parts[channel][b].push_back(batches[b][i]);
            }
        const auto got = observe(perChannel(symmetric8(id.c_str())), batches, channels, stride);
        QCOMPARE(got.scale.size(), channels);
        for (std::size_t c = 0; c < channels; ++c)
            QCOMPARE(got.scale[c], observe(symmetric8(id.c_str()), parts[c]).scale[0]);
        QVERIFY(got.scale[2] > 2 * got.scale[0]);
        if (id == "kl") return;
        const auto asymmetric = observe(perChannel(asymmetric8(id.c_str())), batches, channels, stride);
        for (std::size_t c = 0; c < channels; ++c)
            QCOMPARE(asymmetric.zeroPoint[c], observe(asymmetric8(id.c_str()), parts[c]).zeroPoint[0]);
    }

    void rangesAndNanOfAllChannels()
    {
        const auto observer = observed(perChannel(symmetric8("mse")), {{1, 2, nan32, 4, -5, 6}}, 2, 3);
        QCOMPARE(observer->nanCount(), std::int64_t(1));
        QCOMPARE(observer->seenMin(), -5.f);
        QCOMPARE(observer->seenMax(), 6.f);
        QCOMPARE(observer->result().scale.size(), std::size_t(2));
    }

    void channelsWithoutNumbersAreRefused()
    {
        QVERIFY(errorOf([&] {
                    observe(perChannel(symmetric8("kl")), {{1, 2, nan32, nan32}}, 2, 2);
                }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([&] { observe(perChannel(symmetric8("percentile")), {{}}, 2, 2); }).kind == ErrorKind::Numeric);
    }

    /// The remedy lists what serves every property of the config.
    void remedyOfAnAsymmetricConfig()
    {
        const Error error = errorOf([&] { makeObserver(perChannel(asymmetric8("kl"))); });
        QCOMPARE(QString::fromStdString(error.remedy.english()),
                 QStringLiteral("Use one of: minmax, mse, percentile."));
    }

    /// Its rows run along a separate axis.
    void orderPreservingStaysPerTensor()
    {
        const Error error = errorOf([&] { makeObserver(perChannel(symmetric8("isotone"))); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        for (const char *serving : {"minmax", "percentile", "mse", "kl"})
            QVERIFY2(QString::fromStdString(error.remedy.english()).contains(serving), serving);
    }
};

QL_TEST(TestPerChannel)
#include "tst_per_channel.moc"
