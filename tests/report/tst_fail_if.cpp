#include "core/base/error.h"
#include "core/report/ci_report.h"
#include "core/report/fail_if.h"
#include "tests/report/synthetic_report.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;
using ql::test::errorOf;

// Two outputs and one of integers, three ops; "c" is exact, "u" is undefined.
static api::Report smallReport()
{
    const auto entry = [](const char *key, const char *name, json noise, json sqnr, json cosine) {
        return test::errorRow({{key, name},
                               {"noise_ratio", noise},
                               {"sqnr_db", sqnr},
                               {"cosine", cosine},
                               {"mse", 0.5},
                               {"max_abs", 2.0}});
    };
    json report = test::syntheticReport(3);
    report["outputs"] = {entry("variable", "boxes", 0.01, 20.0, 0.995),
                         entry("variable", "scores[0]", 0.1, 10.0, 0.95)};
    report["outputs"].push_back(test::errorRow({{"variable", "classes"}, {"equal_share", 0.9}}));
    report["outputs"][0]["metric"] = {{"name", "top1"}, {"fp32", 0.96}, {"quantized", 0.93}, {"samples", 8}};
    report["outputs"][1]["metric"] = {{"name", "map"}, {"fp32", 0.5}, {"quantized", 0.5}, {"samples", 8}};
    report["graphwise"] = {entry("op", "a", 0.2, 7.0, 0.9), entry("op", "b", 0.001, 30.0, 0.9995),
                           entry("op", "c", 0.0, nullptr, nullptr)};
    report["layerwise"] = {entry("op", "a<b", 0.2, 7.0, 0.9), entry("op", "u", nullptr, nullptr, nullptr)};
    report["seconds"] = 3.5;
    report["peak_rss_mib"] = 500.0;
    auto read = report.get<api::Report>();
    read.problems = {{api::Severity::Warning, "", "", "", ""},
                     {api::Severity::Warning, "", "", "", ""},
                     {api::Severity::Info, "", "", "", ""}};
    return read;
}

class TestFailIf : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void evaluates_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<bool>("held");
        QTest::addColumn<QString>("hits");
        const auto row = [](const char *expression, bool held, const char *hits = "") {
            QTest::newRow(expression) << expression << held << hits;
        };
        row("output.sqnr_db<20", true, "scores[0]");
        row("output.sqnr_db<=20", true, "scores[0] boxes");
        row("output.sqnr_db<10", false);
        row("all.output.sqnr_db<=20", true, "scores[0] boxes");
        row("all.output.sqnr_db<20", false);
        row("outputs.sqnr_db<20", true, "scores[0]");
        row("output[boxes].sqnr_db<20", false);
        row("output.equal_share<0.99", true, "classes"); // of integers, which have no SQNR
        row("output.equal_share<90%", false);
        row("output[boxes].sqnr_db==20", true, "boxes");
        row("output[scores[0]].sqnr_db<20", true, "scores[0]");
        row("output[sc*].sqnr_db<20", true, "scores[0]");
        row("  output[boxes].mse > 1e-3  ", true, "boxes");
        row("any.graphwise.noise_ratio>0.1", true, "a");
        row("graphwise.noise_ratio > 10%", true, "a");
        row("graphwise.noise_ratio>0.2", false);
        row("graphwise.noise_ratio>=0.2", true, "a");
        row("graphwise.noise_ratio!=0.001", true, "a c");
        row("graphwise.noise_ratio==0", true, "c");
        row("graphwise.sqnr_db<5", false);           // c is infinite
        row("graphwise[c].sqnr_db>1000", true, "c"); // likewise
        row("graphwise[c].cosine>=1", true, "c");
        row("all.graphwise.cosine>=0.9", true, "c b a");
        row("layerwise[u].noise_ratio>1e9", true, "u"); // undefined meets everything
        row("layerwise[u].noise_ratio<-1", true, "u");
        row("layerwise[a<b].noise_ratio>0.1", true, "a<b"); // an operator inside of the name
        row("all.layerwise.noise_ratio>0.1", true, "u a<b");
        row("metric.drop>0.01", true, "top1");
        row("metric.drop>3%", false); // 0.96 - 0.93, which is a little more in float64
        row("metric.drop==0.03", true, "top1");
        row("metric[map].drop>0", false);
        row("metric.quantized<0.6", true, "map");
        row("metric[top1].fp32<0.95", false);
        row("problems.error>0", false);
        row("problems.warning>=2", true, "");
        row("problems.total==3", true, "");
        row("problem.info!=1", false);
        row("seconds>3", true, "");
        row("peak_rss_mib>2048", false);
    }
    void evaluates()
    {
        QFETCH(QString, expression);
        QFETCH(bool, held);
        QFETCH(QString, hits);
        const FailIf::Result result = FailIf::parse(expression.toStdString()).evaluate(smallReport());
        QVERIFY2(result.held == held, result.message.c_str());
        QStringList names;
        for (const FailIf::Hit &hit : result.hits) names << QString::fromStdString(hit.name);
        QCOMPARE(names.join(' ').trimmed(), hits);
    }

    void refuses_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("remedy");
        const auto row = [](const char *expression, const char *message, const char *remedy) {
            QTest::newRow(expression) << expression << message << remedy;
        };
        row("", "no operator", "output.sqnr_db<20");
        row("output.sqnr_db", "no operator", "< <= > >= == !=");
        row("output.sqnr_db=20", "unknown operator '='", "< <= > >= == !=");
        row("output.sqnr_db=<20", "unknown operator '=<'", "< <= > >= == !=");
        row("output.sqnr_db<", "expected a number after the operator, got ''", "5%");
        row("output.sqnr_db<twenty", "got 'twenty'", "1e-3");
        row("output.sqnr_db<20dB", "got '20dB'", "20");
        row("output.sqnr_db<nan", "got 'nan'", "20");
        row("output.sqnr<20", "'output' has no field 'sqnr'", "Did you mean 'sqnr_db'?");
        row("output.snr_db<20", "no field 'snr_db'", "noise_ratio, sqnr_db, cosine, mse, max_abs");
        row("output<20", "'output' needs a field", "noise_ratio");
        row("graphwize.mse>1", "unknown word 'graphwize'", "Did you mean 'graphwise'?");
        row("every.graphwise.mse>1", "unknown word 'every'", "graphwise");
        row("output[logits.mse>1", "no closing ]", "output[logits]");
        row("output[].mse>1", "the name is empty", "brackets");
        row("output[x]mse>1", "expected a field like .noise_ratio, got 'mse'", "output[logits]");
        row("problems[conv].error>0", "'problems' is a single number", "problems.error>0");
        row("all.seconds>3", "'seconds' is a single number", "seconds>0");
        row("seconds.total>3", "'seconds' has no fields", "seconds>60");
        row("problems.errors>0", "no field 'errors'", "Did you mean 'error'?");
    }
    void refuses()
    {
        QFETCH(QString, expression);
        QFETCH(QString, message);
        QFETCH(QString, remedy);
        const Error error = errorOf([&] { FailIf::parse(expression.toStdString()); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QVERIFY2(QString(error.what()).contains(message), error.what());
        QVERIFY2(QString(error.what()).contains("--fail-if '" + expression.trimmed() + "'"), error.what());
        QVERIFY2(QString::fromStdString(error.remedy.english()).contains(remedy), error.remedy.english().c_str());
    }

    void namesMissingReportMembers_data()
    {
        QTest::addColumn<QString>("expression");
        QTest::addColumn<QString>("erased");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("analysis") << "layerwise.mse>1"
                                  << "layerwise"
                                  << "no layerwise errors"
                                  << "--analyse";
        QTest::newRow("outputs") << "output.mse>1"
                                 << "outputs"
                                 << "no output errors"
                                 << "evaluation data";
        QTest::newRow("labels") << "metric.drop>0"
                                << "outputs"
                                << "no labels"
                                << "labels";
        QTest::newRow("op") << "graphwise[aa].mse>1"
                            << ""
                            << "no graphwise is named 'aa'"
                            << "Did you mean 'a'?";
        QTest::newRow("pattern") << "output[head*].mse>1"
                                 << ""
                                 << "no output is named 'head*'"
                                 << "There are 2";
    }
    void namesMissingReportMembers()
    {
        QFETCH(QString, expression);
        QFETCH(QString, erased);
        QFETCH(QString, message);
        QFETCH(QString, remedy);
        api::Report report = smallReport();
        if (erased == QStringLiteral("layerwise")) report.measures.layerwise.reset();
        if (erased == QStringLiteral("outputs")) report.measures.outputs.reset();
        const Error error = errorOf([&] { FailIf::parse(expression.toStdString()).evaluate(report); });
        QVERIFY(error.kind == ErrorKind::BadConfig);
        QVERIFY2(QString(error.what()).contains(message), error.what());
        QVERIFY2(QString::fromStdString(error.remedy.english()).contains(remedy), error.remedy.english().c_str());
    }

    void reportsTheCondition()
    {
        const auto message = [](const char *expression) {
            return FailIf::parse(expression).evaluate(smallReport()).message;
        };
        QCOMPARE(message("output.sqnr_db<20"), "output.sqnr_db<20 holds: output.sqnr_db of 'scores[0]' is 10 (1 of 2)");
        QCOMPARE(message("output.sqnr_db<5"), "output.sqnr_db<5 does not hold: output.sqnr_db of 'scores[0]' is 10");
        QCOMPARE(message("all.output.sqnr_db<20"),
                 "all.output.sqnr_db<20 does not hold: output.sqnr_db of 'boxes' is 20");
        QCOMPARE(message("layerwise.noise_ratio>1"),
                 "layerwise.noise_ratio>1 holds: layerwise.noise_ratio of 'u' is undefined (1 of 2)");
        QCOMPARE(message("problems.error>0"), "problems.error>0 does not hold: problems.error is 0");
    }

    void anEmptyAnalysisNeverHolds()
    {
        api::Report report = smallReport();
        report.measures.graphwise->clear();
        QVERIFY(!FailIf::parse("any.graphwise.mse>=0").evaluate(report).held);
        QVERIFY(!FailIf::parse("all.graphwise.mse>=0").evaluate(report).held);
    }

    void saysWhichAnalysisItNeeds()
    {
        QCOMPARE(FailIf::parse("any.graphwise.mse>0").analysis(), "graphwise");
        QCOMPARE(FailIf::parse("layerwise[x].mse>0").analysis(), "layerwise");
        QCOMPARE(FailIf::parse("output.mse>0").analysis(), "");
    }

    void worksOnALargeReport()
    {
        const auto report = test::syntheticReport(2000, 1).get<api::Report>();
        const FailIf::Result result = FailIf::parse("graphwise.noise_ratio>0").evaluate(report);
        QVERIFY(result.held);
        QCOMPARE(result.hits.size(), report.measures.graphwise->size());
        QVERIFY(*result.hits.front().value >= *result.hits.back().value);
    }

    void comparesWithABaseline()
    {
        const api::Report report = smallReport();
        api::Report baseline = report;
        baseline.measures.outputs->at(0).metric->quantized = 0.94; // now 0.93
        QVERIFY(FailIf::parse("regression>0.5%").evaluate(report, &baseline).held);
        QVERIFY(!FailIf::parse("regression>2%").evaluate(report, &baseline).held);
        QVERIFY(!FailIf::parse("regression>0%").evaluate(report, &report).held);
        api::Report unlabelled = report;
        for (api::OutputRow &row : *unlabelled.measures.outputs) row.metric.reset();
        for (api::OutputRow &row : *baseline.measures.outputs) row.metric.reset();
        baseline.measures.outputs->at(1).sqnrDb = 20; // now 10
        QVERIFY(FailIf::parse("regression>49%").evaluate(unlabelled, &baseline).held);
        QVERIFY(!FailIf::parse("regression>51%").evaluate(unlabelled, &baseline).held);
        QVERIFY(test::messageOf([&] { FailIf::parse("regression>1%").evaluate(report); }).contains("--baseline"));
    }

    /// A run that lost its labels must not pass: its outputs alone say less than the metric of the baseline.
    void metricOfTheBaselineIsMissing()
    {
        const api::Report baseline = smallReport();
        api::Report unlabelled = baseline;
        for (api::OutputRow &row : *unlabelled.measures.outputs) row.metric.reset();
        const QString lost = test::messageOf([&] { FailIf::parse("regression>1%").evaluate(unlabelled, &baseline); });
        QVERIFY2(lost.contains("the baseline has the metric map of output 'scores[0]', but"), qPrintable(lost));
        api::Report renamed = baseline; // the other output alone says nothing about it
        renamed.measures.outputs->at(0).variable = "other";
        const QString gone = test::messageOf([&] { FailIf::parse("regression>1%").evaluate(renamed, &baseline); });
        QVERIFY2(gone.contains("the baseline has the metric top1 of output 'boxes', but"), qPrintable(gone));
    }

    /// As the expression writes it.
    void shownInPercent()
    {
        const api::Report report = smallReport();
        api::Report baseline = report;
        baseline.measures.outputs->at(0).metric->quantized = 0.94;
        const std::string message = FailIf::parse("regression>0.5%").evaluate(report, &baseline).message;
        QVERIFY2(message.starts_with("regression>0.5% holds: regression of 'top1' is 1% "), message.c_str());
    }

    void goalsNeedEveryEntry()
    {
        const api::Report report = smallReport();
        const auto worst = [&](const char *goal, api::TuneCost cost = {}) {
            const FailIf parsed = FailIf::parse(goal, FailIf::Use::Goal);
            const std::optional<double> value = parsed.worstOf(report, cost);
            return std::pair(value, parsed.isMetBy(value));
        };
        QVERIFY(worst("output.sqnr_db>15") == std::pair(std::optional(10.0), false));
        QVERIFY(worst("output.sqnr_db>5") == std::pair(std::optional(10.0), true));
        QVERIFY(worst("output[boxes].sqnr_db>15") == std::pair(std::optional(20.0), true));
        QVERIFY(worst("int8.macs>90%", {.int8Macs = 0.5}) == std::pair(std::optional(0.5), false));
        QVERIFY(worst("cost.weight_bytes<100", {.weightBytes = 64}) == std::pair(std::optional(64.0), true));
        QVERIFY(test::messageOf([] { FailIf::parse("int8.macs<1"); }).contains("known only as a goal"));
    }

    void limitsThatNoMetricReaches_data()
    {
        QTest::addColumn<QString>("goal");
        QTest::addColumn<bool>("isLoss");
        QTest::addColumn<double>("fp32");     ///< 0: not measured yet
        QTest::addColumn<QString>("message"); ///< empty: possible
        QTest::newRow("a share") << "metric.quantized>1.5" << false << 0.0 << "metric.quantized is at most 1";
        QTest::newRow("a drop before") << "metric.drop<-50%" << false << 0.0 << "";
        QTest::newRow("a drop after") << "metric.drop<-50%" << false << 0.6
                                      << "metric.drop is at least -40%, because the metric is 60% in float32";
        QTest::newRow("within reach") << "metric.drop<=-40%" << false << 0.6 << "";
        QTest::newRow("float") << "metric.fp32>70%" << false << 0.6 << "metric.fp32 is at most 60%";
        QTest::newRow("a loss") << "metric.quantized<0.5" << true << 0.0 << "metric.quantized is at least 1";
        QTest::newRow("less loss") << "metric.drop<-3" << true << 3.5
                                   << "metric.drop is at least -2.5, because the metric is 3.5 in float32";
        QTest::newRow("more loss") << "metric.drop>100" << true << 3.5 << "";
    }
    void limitsThatNoMetricReaches()
    {
        QFETCH(const QString, goal);
        QFETCH(const bool, isLoss);
        QFETCH(const double, fp32);
        QFETCH(const QString, message);
        MetricValues metric{0, 1, isLoss, {}};
        if (isLoss) metric = {1, std::numeric_limits<double>::infinity(), true, {}}; // as perplexity
        if (fp32 > 0) metric.fp32 = fp32;
        const FailIf parsed = FailIf::parse(goal.toStdString(), FailIf::Use::Goal);
        if (message.isEmpty()) return parsed.refuseImpossible(metric); // throws nothing
        const QString found = test::messageOf([&] { parsed.refuseImpossible(metric); });
        QVERIFY2(found.contains(message), qPrintable(found));
    }

    /// Outputs of the same name do not make it the same model.
    void saysWhereTheBaselineDiffers()
    {
        api::Report report = smallReport(), baseline = report;
        report.model.path = "/models/new|net.onnx";
        baseline.model.path = "/old/net.onnx";
        QVERIFY(noteOnBaseline(report, baseline).empty()); // renamed
        baseline.measures.outputs->at(0).metric->samples = report.measures.outputs->at(0).metric->samples + 60;
        const QString samples = QString::fromStdString(noteOnBaseline(report, baseline));
        QVERIFY2(samples.startsWith("the baseline has ") && samples.contains(" samples, this run of "),
                 qPrintable(samples));
        baseline.model.sha256 = "1";
        QCOMPARE(QString::fromStdString(noteOnBaseline(report, baseline)),
                 "the baseline is of another model: net.onnx, not new|net.onnx");
        const QString text = QString::fromStdString(markdownSummary({}, report, &baseline));
        QVERIFY2(text.contains("Note: the baseline is of another model: net.onnx, not new\\|net.onnx.\n"),
                 qPrintable(text));
        report.model.path = "net.onnx";
        QCOMPARE(QString::fromStdString(noteOnBaseline(report, baseline)),
                 "the model file net.onnx has changed since the baseline");
    }

    void writesReportsForCiSystems()
    {
        api::Report report = smallReport();
        report.problems = {{.severity = api::Severity::Warning, .op = "conv_1", .message = QL_TEXT("a problem")}};
        const std::vector<CheckOutcome> outcomes{{"metric.drop>1%", true, "metric.drop>1% holds: <3 points>"},
                                                 {"seconds>60", false, "it took 3.5"},
                                                 {"regression>1%", false, "there is no report", true}};
        const QString xml = QString::fromStdString(junitReport(outcomes, report));
        QVERIFY(xml.contains("tests=\"3\" failures=\"1\" errors=\"1\""));
        QVERIFY(xml.contains("name=\"metric.drop&gt;1%\""));
        QVERIFY(xml.contains("<failure message=\"metric.drop&gt;1% holds: &lt;3 points&gt;\"/>"));
        QVERIFY(xml.contains("<error message=\"there is no report\"/>"));
        QCOMPARE(xml.count("<testcase"), 3);
        QCOMPARE(QString::fromStdString(junitReport({}, report)).count("<testcase"), 1);
        api::Report baseline = report;
        baseline.measures.outputs->at(0).metric->quantized = 0.94;
        const QString text = QString::fromStdString(markdownSummary(outcomes, report, &baseline));
        QVERIFY(text.startsWith("### ") && text.contains("failed"));
        QVERIFY(text.contains("| boxes | 20.0 dB | 20.0 dB | top1 | 96.00 % | 93.00 % (-3.00 points) | 94.00 % |") ||
                text.contains("94"));
        QVERIFY(text.contains("* warning: conv\\_1: a problem\n")); // a span of code would show the backslash
        QVERIFY(text.contains("| regression\\>1% | **not checked**: there is no report |"));
        QVERIFY(markdownSummary({outcomes[2]}, report, nullptr).find(": failed\n") != std::string::npos);
        QVERIFY(markdownSummary({}, report, nullptr).find(": passed\n") != std::string::npos);
    }
};

QL_TEST(TestFailIf)
#include "tst_fail_if.moc"
