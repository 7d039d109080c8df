#include "observer_support.h"
#include "tests/support/test_main.h"

#include <algorithm>
#include <random>

using namespace ql;

class TestIsotone : public QObject
{
    Q_OBJECT

private:
    inline static const std::vector<float> rows = {.1f, .7f, .2f, .5f, .3f, .2f, .9f, .05f, .05f, .34f, .33f, .33f};

private Q_SLOTS:
    void referenceVector()
    {
        const auto result = observe(symmetric8("isotone"), {rows}, 3, 1);
        QL_COMPARE_SCALE(result, 0.0026089020539075136);
        QCOMPARE(result.zeroPoint[0], 0);
    }

    void anyAxis()
    {
        // The same rows standing upright: [3, 4], axis 0
        std::vector<float> columns(12);
        for (std::size_t i = 0; i < 12; ++i) columns[i % 3 * 4 + i / 3] = rows[i];
        QL_COMPARE_SCALE(observe(symmetric8("isotone"), {columns}, 3, 4), 0.0026089020539075136);
    }

    void theAxisThatIsObserved()
    {
        auto config = symmetric8("isotone");
        QCOMPARE(observedAxis(config, 4).value(), 3);
        config.isotoneAxis = 1;
        QCOMPARE(observedAxis(config, 4).value(), 1);
        config.isotoneAxis = -2;
        QCOMPARE(observedAxis(config, 4).value(), 2);
        QVERIFY(!observedAxis(config, 0).has_value());
        QVERIFY(errorOf([&] { observedAxis(config, 1); }).kind == ErrorKind::BadConfig);
        QVERIFY(!observedAxis(symmetric8("minmax"), 4).has_value());
        config = symmetric8("minmax");
        config.channelAxis = 0;
        QCOMPARE(observedAxis(config, 4).value(), 0);
    }

    void batchesAddUp()
    {
        const Batches split = {{rows.begin(), rows.begin() + 6}, {rows.begin() + 6, rows.end()}};
        QL_COMPARE_SCALE(observe(symmetric8("isotone"), split, 3, 1), 0.0026089020539075136);
    }

    void noUsableRowFallsBackToTheRange()
    {
        QL_COMPARE_SCALE(observe(symmetric8("isotone"), {{1, 1, 1}}, 3, 1),
                         2.0 / 255); // equal: no scale separates them
        QL_COMPARE_SCALE(observe(symmetric8("isotone"), {{-1, -2, -4}}, 3, 1), 2.0 / 255);
        QVERIFY(errorOf([] { observe(symmetric8("isotone"), {{}}, 3, 1); }).kind == ErrorKind::Numeric);
        QVERIFY(errorOf([] { observe(symmetric8("isotone"), {{nan32, nan32}}, 2, 1); }).kind == ErrorKind::Numeric);
    }

    void aNegativeRunnerUpIsBelowEveryWinner()
    {
        // Only the upper limit 2 * 0.5 counts; any scale above 0 keeps the order, so the smallest is answered.
        QL_COMPARE_SCALE(observe(symmetric8("isotone"), {{.5f, -.9f, -1}}, 3, 1), 1e-8);
    }

    void nanAreCounted()
    {
        const auto observer = observed(symmetric8("isotone"), {{nan32, .7f, .2f}}, 3, 1);
        QCOMPARE(observer->nanCount(), std::int64_t(1));
        QL_COMPARE_SCALE(observer->result(), .2 / (127 - .51));
    }

    void asymmetricCodesStartAtZero()
    {
        QL_COMPARE_SCALE(observe(asymmetric8("isotone"), {{.7f, .2f}}, 2, 1), .2 / (255 - .51));
        auto config = asymmetric8("isotone");
        config.quantMin = -128;
        config.quantMax = 127;
        const auto result = observe(config, {{.7f, .2f}}, 2, 1);
        QL_COMPARE_SCALE(result, .2 / (255 - .51));
        QCOMPARE(result.zeroPoint[0], -128);
    }

    void manyRowsAreCountedOnAGrid()
    {
        // 200,000 rows have more ends than are kept exactly; the scale stays within the grid's distance of the exact
        // one
        std::mt19937 random(7);
        std::vector<float> data;
        std::vector<std::pair<float, int>> ends;
        for (int i = 0; i < 200000; ++i) {
            float a = float(random() % 1000003) / 1000003.f, b = float(random() % 1000003) / 1000003.f;
            if (a < b) std::swap(a, b);
            data.insert(data.end(), {a, b});
            const float lower = float(double(b) / (127 - 0.51)), upper = 2 * (a - b);
            if (!(upper > lower)) continue;
            ends.emplace_back(lower, 1);
            ends.emplace_back(upper, -1);
        }
        std::sort(ends.begin(), ends.end());
        int running = 0, most = 0;
        float exact = 0;
        for (const auto &[value, change] : ends) {
            running += change;
            if (running > most) {
                most = running;
                exact = value;
            }
        }
        const float scale = observe(symmetric8("isotone"), {data}, 2, 1).scale[0];
        const auto covered = [&](float s) {
            int count = 0;
            for (const auto &[value, change] : ends) count += value <= s ? change : 0;
            return count;
        };
        // as good a scale as the best one, up to the rows whose ends lie within one grid distance
        QVERIFY2(covered(scale) >= most - 400, qPrintable(QString("%1 of %2").arg(covered(scale)).arg(most)));
        QVERIFY(near(scale, exact, 0.05));
    }
};

QL_TEST(TestIsotone)
#include "tst_isotone.moc"
