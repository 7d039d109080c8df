// The diagnosis of a metric that is worse after quantization: certain, uncertain, without much noise.
#include "core/session/diagnosis.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <cmath>

using namespace ql;
using api::Problem;

namespace {

/// One operation that adds noise alone; an output with a SQNR in decibels.
Facts measured(double noise, double sqnrDb)
{
    Facts facts;
    api::ErrorRow &row = facts.layerwise.emplace_back();
    row.op = "a";
    row.type = "Conv";
    row.variable = "x";
    row.noiseRatio = noise;
    api::OutputRow &output = facts.outputs.emplace_back();
    output.variable = "y";
    output.sqnrDb = sqnrDb;
    output.noiseRatio = std::pow(10, -sqnrDb / 10);
    return facts;
}

QString inEnglish(const Text &text)
{
    return QString::fromStdString(text.english());
}

} // namespace

class TestLostAccuracy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Lost accuracy is reported whatever the signal to noise ratio is; a little is none.
    void lostAccuracy()
    {
        Facts facts = measured(0.00001, 26);
        facts.outputs[0].metric = api::Metric{"top1", 0.6275, 0.5125, 400};
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(inEnglish(problems[0].message).startsWith("Accuracy drops by 11.5 points, but no single operation"));
        facts.outputs[0].metric->quantized = 0.62;
        QVERIFY(diagnose(facts).empty());
    }

    /// A drop that may be chance is information, with its interval; one beyond it is a warning.
    void uncertainAccuracy()
    {
        Facts facts = measured(0.000001, 40);
        facts.outputs[0].metric = api::Metric{"top1", 0.95, 0.9, 60, false, 0.056};
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(problems[0].severity, api::Severity::Info);
        QCOMPARE(inEnglish(problems[0].message),
                 QString::fromUtf8(
                     "Accuracy drops by 5 ± 5.6 points (95 % interval): 60 samples are too few to confirm it."));
        QVERIFY(inEnglish(problems[0].remedy).contains("--eval-samples"));
        facts.outputs[0].metric->uncertainty = 0.03;
        QVERIFY(inEnglish(diagnose(facts).at(0).message)
                    .startsWith(QString::fromUtf8("Accuracy drops by 5 ± 3 points, but no single operation")));
    }

    /// A perplexity has no points.
    void otherMetrics()
    {
        Facts facts = measured(0.00001, 26);
        facts.outputs[0].metric = api::Metric{"perplexity", 12, 12.1, 60, true};
        QVERIFY(diagnose(facts).empty());
        facts.outputs[0].metric->quantized = 12.5;
        QVERIFY(inEnglish(diagnose(facts).at(0).message)
                    .startsWith("The metric perplexity changes from 12 to 12.5, but no single"));
        facts.outputs[0].metric = api::Metric{"cer", 0.1, 0.15, 60, true};
        QVERIFY(inEnglish(diagnose(facts).at(0).message).startsWith("The metric cer rises by 5 points"));
    }

    /// Noise of a few hundredths of a percent is no warning about an operation, even if accuracy is lost.
    void littleNoise()
    {
        api::NoiseRow tensor;
        tensor.slot = {"a", api::SlotRole::Output, 0};
        tensor.variable = "a";
        tensor.noiseRatio = 0.000245;
        Facts facts = measured(0.000245, 36);
        facts.noise = {tensor};
        facts.outputs[0].metric = api::Metric{"top1", 0.9, 0.8, 1000, false, 0.01};
        const std::vector<Problem> problems = diagnose(facts);
        QCOMPARE(problems.size(), std::size_t(1));
        QVERIFY(problems[0].op.empty());
        QVERIFY(inEnglish(problems[0].message).contains("'a' (0.0245 %)"));
    }
};

QL_TEST(TestLostAccuracy)
#include "tst_lost_accuracy.moc"
