#include "observer_support.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <cmath>

using namespace ql;

class TestObserver : public QObject
{
    Q_OBJECT

    /// One of a plug-in, with any result.
    struct Returning final : Observer
    {
        Result value;
        void observe(const TensorView &) override {}
        Result result() const override { return value; }
    };

private Q_SLOTS:
    void resultsAreScales()
    {
        Returning observer;
        const auto errorFor = [&](std::vector<float> scales) {
            observer.value.scale = std::move(scales);
            return errorOf([&] { resultOf(observer, symmetric8("minmax")); });
        };
        for (const std::vector<float> &scales : {std::vector<float>{}, {1.f, 2.f}}) {
            const Error error = errorFor(scales);
            QVERIFY(error.kind == ErrorKind::Internal);
            QVERIFY2(error.text().find("observer 'minmax' returned") != std::string::npos, error.text().c_str());
        }
        for (const float scale : {0.f, -1.f, float(NAN), float(INFINITY)})
            QVERIFY(errorFor({scale}).kind == ErrorKind::Numeric);
        observer.value.scale = {0.5f};
        QCOMPARE(resultOf(observer, symmetric8("minmax")).scale[0], 0.5f);
    }

    void theCatalogueIsComplete()
    {
        const auto ids = Registry<ObserverEntry>::instance().ids();
        QVERIFY(!ids.empty());
        for (const std::string &id : ids) {
            const ObserverEntry *entry = Registry<ObserverEntry>::instance().find(id);
            QCOMPARE(entry->info.id, id);
            QVERIFY2(!entry->info.title.isEmpty() && !entry->info.meaning.isEmpty(), id.c_str());
            for (const auto &param : entry->info.params) QVERIFY2(!param.meaning.isEmpty(), param.name.c_str());
            // the defaults pass their own checks
            api::completeParams(entry->info.params, api::completeParams(entry->info.params, {}, id), id);
        }
    }

    void namesIgnoreCase()
    {
        auto config = symmetric8("MinMax");
        const float data[] = {1, -2};
        const auto observer = makeObserver(config);
        observer->observe({data, 2});
        QL_COMPARE_SCALE(observer->result(), 4.0 / 255);
    }

    void anUnknownNameIsRefusedWithTheNearestOne()
    {
        const Error error = errorOf([] { makeObserver(symmetric8("percentil")); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QVERIFY2(error.text().find("'percentile'") != std::string::npos, error.text().c_str());
    }

    void theCompleteRangeIsKept()
    {
        std::vector<float> data(20000, 1.f);
        data[3] = 900;
        data[5] = -70;
        data[7] = nan32;
        for (const char *id : {"minmax", "percentile", "kl", "mse", "isotone"}) {
            const auto observer = observed(symmetric8(id), {data, {2, 1}}, 2, 1);
            QCOMPARE(observer->seenMin(), -70.f);
            QCOMPARE(observer->seenMax(), 900.f);
        }
        QVERIFY(makeObserver(symmetric8("minmax"))->seenMin() > 0);
    }

    void parametersOutsideTheirLimits()
    {
        TensorQuantConfig config = symmetric8("kl");
        config.histogramBins = 64;
        const Error error = errorOf([&] { makeObserver(config); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QVERIFY2(error.text().find("observer 'kl'") != std::string::npos, error.text().c_str());
        QVERIFY2(error.text().find("histogram_bins") != std::string::npos, error.text().c_str());
        config.observer = "minmax"; // which has none
        makeObserver(config);
    }

    void phases()
    {
        for (const char *id : {"minmax", "percentile", "isotone"}) QCOMPARE(makeObserver(symmetric8(id))->phases(), 1);
        for (const char *id : {"kl", "mse"}) QCOMPARE(makeObserver(symmetric8(id))->phases(), 2);
        QCOMPARE(phasesOf(symmetric8("kl")), 2);
        QCOMPARE(phasesOf(symmetric8("constant")), 1); // does not support integers: observes nothing
        QVERIFY(errorOf([] { phasesOf(symmetric8("minmx")); }).kind == ErrorKind::BadConfig);
    }
};

QL_TEST(TestObserver)
#include "tst_observer.moc"
