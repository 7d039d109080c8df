#include "core/analysis/accuracy.h"
#include "core/analysis/divergence.h"
#include "tests/support/test_main.h"

#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <QtTest>
#include <cmath>
#include <optional>

using namespace ql;

namespace {

/// scores with the largest entry of row i at picks[i]
at::Tensor scores(const std::vector<std::int64_t> &picks, std::int64_t classes)
{
    at::Tensor out = at::zeros({std::int64_t(picks.size()), classes});
    for (std::size_t i = 0; i < picks.size(); ++i) out[std::int64_t(i)][picks[i]] = 1;
    return out;
}

} // namespace

class TestAccuracy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void counts()
    {
        Accuracy accuracy;
        accuracy.add(scores({1, 2}, 4), {0, 1, 2, 3, -1}, 1);
        accuracy.add(scores({3, 1}, 4), {0, 1, 2, 3, -1}, 3);
        QCOMPARE(accuracy.total(), std::int64_t(3)); // the last sample has no label
        QCOMPARE(accuracy.value(), 1.0);
        QCOMPARE(accuracy.noScoresReason(), std::string());
    }

    /// Of 60 samples, 5 become wrong and 2 right: the standard error of the mean change is that of 60 numbers -1, 0, 1.
    void uncertainty()
    {
        Accuracy before, after;
        const std::vector<std::int64_t> labels(60, 1);
        at::Tensor was = at::ones({60}, at::kLong), is = at::ones({60}, at::kLong);
        was.slice(0, 0, 2).zero_();
        is.slice(0, 2, 7).zero_();
        before.addIndices(was, labels, 0);
        after.addIndices(is, labels, 0);
        const double mean = -3.0 / 60, variance = (7.0 / 60 - mean * mean) * 60 / 59;
        const double wanted = 1.96 * std::sqrt(variance / 60);
        QVERIFY(std::abs(uncertaintyOfDrop(before, after).value() - wanted) < 1e-12);
        QCOMPARE(uncertaintyOfDrop(before, before), std::optional<double>(0.0));
        QVERIFY(!uncertaintyOfDrop(Accuracy(), Accuracy()));
    }

    void classIndices()
    {
        Accuracy accuracy;
        accuracy.addIndices(at::tensor({1, 2}, at::kLong), {0, 1, 2, 3}, 1);
        accuracy.addIndices(at::tensor({0.f}), {0, 1, 2, 3}, 3);
        QCOMPARE(accuracy.total(), std::int64_t(3));
        QCOMPARE(accuracy.value(), 2.0 / 3);
        QVERIFY(accuracy.noScoresReason().isEmpty());
        Accuracy never;
        never.addIndices(at::zeros({8}), std::vector<std::int64_t>(8, 1), 0);
        QVERIFY(!never.noScoresReason().isEmpty());
    }

    /// Of 0.5, 0.5 from 0.75, 0.25: 0.5 log(0.5 / 0.75) + 0.5 log(0.5 / 0.25) nats; equal ones do not diverge.
    void divergence()
    {
        const double one = 0.5 * std::log(0.5 / 0.75) + 0.5 * std::log(0.5 / 0.25);
        const at::Tensor fp = at::tensor({0.5f, 0.5f, 0.75f, 0.25f}).reshape({2, 2});
        const at::Tensor q = at::tensor({0.75f, 0.25f, 0.75f, 0.25f}).reshape({2, 2});
        const auto isNear = [](const std::optional<double> &value, double wanted) {
            return value && std::abs(*value - wanted) < 1e-6;
        };
        QVERIFY(isNear(divergenceOf(fp, q, 1), one / 2)); // the mean of both rows
        QVERIFY(isNear(divergenceOf(fp.t().contiguous(), q.t().contiguous(), 0), one / 2));
        QVERIFY(isNear(divergenceOf(fp.log() + 3, q.log() - 5, 1), one / 2)); // scores, whatever they have in common
        // Rounded to 0: large, not infinite
        const auto zero = divergenceOf(fp, at::tensor({1.f, 0.f, 0.75f, 0.25f}).reshape({2, 2}), 1);
        QVERIFY(zero && *zero > 1 && std::isfinite(*zero));
        QVERIFY(!divergenceOf(fp, q.reshape({4, 1}), 1));
        QVERIFY(!divergenceOf(fp.reshape({4, 1}), q.reshape({4, 1}), 1)); // one class
        QVERIFY(!divergenceOf(fp, q, -1));
        QVERIFY(!divergenceOf(fp.to(at::kLong), q.to(at::kLong), 1));
    }

    void distinguishesScoresFromOtherOutputs_data()
    {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("right");
        QTest::addColumn<bool>("scores");
        QTest::newRow("a classifier") << 1000 << 8 << 5 << true;
        QTest::newRow("a poor classifier") << 1000 << 8 << 1 << true;
        QTest::newRow("a poor classifier of ten") << 10 << 8 << 4 << true;
        QTest::newRow("features") << 1280 << 8 << 0 << false;
        QTest::newRow("features that hit by chance") << 1280 << 400 << 1 << false;
        QTest::newRow("too few to tell") << 1280 << 3 << 0 << true;
        QTest::newRow("two classes, as good as a coin") << 2 << 8 << 4 << true;
        QTest::newRow("two classes, always wrong") << 2 << 8 << 0 << false;
    }

    void distinguishesScoresFromOtherOutputs()
    {
        QFETCH(int, classes);
        QFETCH(int, samples);
        QFETCH(int, right);
        QFETCH(bool, scores);
        std::vector<std::int64_t> labels, picks;
        for (int i = 0; i < samples; ++i) {
            labels.push_back(i % classes);
            picks.push_back(i < right ? i % classes : (i + 1) % classes);
        }
        Accuracy accuracy;
        accuracy.add(::scores(picks, classes), labels, 0);
        QCOMPARE(accuracy.value(), double(right) / samples);
        QVERIFY2(accuracy.noScoresReason().isEmpty() == scores, accuracy.noScoresReason().english().c_str());
    }

    void aLabelBeyondTheOutputIsNoClass()
    {
        Accuracy accuracy;
        accuracy.add(scores({0, 1, 2}, 3), {0, 1, 3}, 0);
        QVERIFY(accuracy.noScoresReason().english().find("label 3") != std::string::npos);
    }
};

QL_TEST(TestAccuracy)
#include "tst_accuracy.moc"
