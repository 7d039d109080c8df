#include "core/base/error.h"
#include "core/report/report_compare.h"
#include "tests/report/synthetic_report.h"
#include "tests/support/test_main.h"

#include <QtTest>

#include <cmath>

using namespace ql;
using nlohmann::json;

static json op(const char *name, json noise)
{
    return {{"op", name}, {"type", "Conv"}, {"noise_ratio", noise}};
}

static json reportWith(const char *section, const json &rows)
{
    json report = test::syntheticReport(3);
    for (const char *other : {"outputs", "graphwise", "layerwise"}) report[other] = json::array();
    report[section] = test::errorRows(rows);
    return report;
}

static ReportComparison compared(const json &a, const json &b)
{
    return compareReports(reportFromJson(a), reportFromJson(b));
}

/// A report whose recipe has every default spelled out, like those of a run.
static json wholeReport(int operations, int channels = 32, std::uint64_t seed = 7)
{
    return test::syntheticReport(operations, channels, seed).get<api::Report>();
}

class TestReportCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsDifferences_data()
    {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("expected"); // [[path, before, after]], a missing one as "-"
        QTest::newRow("equal") << R"({"a": [1, {"b": 2}]})"
                               << R"({"a": [1, {"b": 2}]})"
                               << R"([])";
        QTest::newRow("value") << R"({"a": {"b": 1}})"
                               << R"({"a": {"b": 2}})"
                               << R"([["/a/b", 1, 2]])";
        QTest::newRow("type") << R"({"a": 1})"
                              << R"({"a": "1"})"
                              << R"([["/a", 1, "1"]])";
        QTest::newRow("null is not absent") << R"({"a": null})"
                                            << R"({})"
                                            << R"([["/a", null, "-"]])";
        QTest::newRow("added") << R"({})"
                               << R"({"a": 1})"
                               << R"([["/a", "-", 1]])";
        QTest::newRow("escaped") << R"({"a/b": 1, "c~d": 1})"
                                 << R"({"a/b": 2, "c~d": 2})"
                                 << R"([["/a~1b", 1, 2], ["/c~0d", 1, 2]])";
        QTest::newRow("plain list is one value") << R"({"mean": [1, 2]})"
                                                 << R"({"mean": [1, 3, 4]})"
                                                 << R"([["/mean", [1, 2], [1, 3, 4]]])";
        QTest::newRow("pass put in between") << R"([{"id": "a"}, {"id": "b"}, {"id": "c"}])"
                                             << R"([{"id": "a"}, {"id": "x"}, {"id": "b"}, {"id": "c"}])"
                                             << R"([["/1", "-", {"id": "x"}]])";
        QTest::newRow("pass removed, another changed") << R"([{"id": "a"}, {"id": "b"}, {"id": "c", "p": 1}])"
                                                       << R"([{"id": "b"}, {"id": "c", "p": 2}])"
                                                       << R"([["/0", {"id": "a"}, "-"], ["/1/p", 1, 2]])";
        QTest::newRow("passes exchanged") << R"([{"id": "a"}, {"id": "b"}])"
                                          << R"([{"id": "b"}, {"id": "a"}])"
                                          << R"([["/0", {"id": "a"}, "-"], ["/1", "-", {"id": "a"}]])";
        QTest::newRow("the same pass twice") << R"([{"id": "a", "p": 1}])"
                                             << R"([{"id": "a", "p": 1}, {"id": "a", "p": 2}])"
                                             << R"([["/1", "-", {"id": "a", "p": 2}]])";
        QTest::newRow("objects without id") << R"([{"x": 1}, {"x": 2}])"
                                            << R"([{"x": 1}, {"x": 3}, {"x": 4}])"
                                            << R"([["/1/x", 2, 3], ["/2", "-", {"x": 4}]])";
        QTest::newRow("all removed") << R"({"p": [{"id": "a"}]})"
                                     << R"({"p": []})"
                                     << R"([["/p/0", {"id": "a"}, "-"]])";
    }
    void findsDifferences()
    {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, expected);
        json found = json::array();
        for (const FieldChange &change :
             differences(json::parse(before.toStdString()), json::parse(after.toStdString()))) {
            found.push_back({change.path, change.before.value_or("-"), change.after.value_or("-")});
        }
        QCOMPARE(QString::fromStdString(found.dump()),
                 QString::fromStdString(json::parse(expected.toStdString()).dump()));
    }

    void sortsByChange()
    {
        const json a = reportWith("layerwise", {op("same", 0.1), op("better", 0.1), op("worse", 0.01), op("gone", 0.3),
                                                op("zero", 0.0), op("both zero", 0.0), op("undefined", nullptr),
                                                op("both undefined", nullptr)});
        const json b = reportWith("layerwise", {op("new", 0.2), op("worse", 0.02), op("better", 0.001), op("same", 0.1),
                                                op("zero", 0.1), op("both zero", 0.0), op("undefined", 0.1),
                                                op("both undefined", nullptr)});
        const ReportComparison comparison = compared(a, b);
        QStringList order;
        for (const ErrorChange &change : comparison.layerwise) order << QString::fromStdString(change.op);
        QCOMPARE(order.join(", "), "zero, undefined, better, worse, same, both zero, both undefined, gone, new");
        const std::vector<ErrorChange> &rows = comparison.layerwise;
        QVERIFY(std::isinf(*rows[0].ratio()));
        QVERIFY(!rows[1].ratio());
        QCOMPARE(*rows[2].ratio(), 0.01);
        QCOMPARE(*rows[3].ratio(), 2.0);
        QCOMPARE(*rows[5].ratio(), 1.0);
        QVERIFY(rows[7].a && !rows[7].b && rows[8].b && !rows[8].a);
    }

    void pairsGraphwiseByOpAndVariable()
    {
        json first = op("split", 0.1), second = op("split", 0.2);
        first["variable"] = "left";
        second["variable"] = "right";
        const ReportComparison comparison =
            compared(reportWith("graphwise", {first, second}), reportWith("graphwise", {second, first}));
        QCOMPARE(comparison.graphwise.size(), std::size_t(2));
        for (const ErrorChange &change : comparison.graphwise) QCOMPARE(*change.ratio(), 1.0);
    }

    void writesText()
    {
        json a = test::syntheticReport(40);
        json b = a;
        b["recipe"]["platform"] = "NCNN_INT8";
        b["outputs"][0]["noise_ratio"] = a["outputs"][0]["noise_ratio"].get<double>() / 4.0;
        b["outputs"][0]["metric"]["quantized"] = 0.955;
        b["layerwise"][2]["op"] = "evil\x1b[2J";
        const QString text = QString::fromStdString(toText(compared(a, b), 5));
        QVERIFY2(text.contains("Recipe: 1 difference\n  platform  \"TRT_INT8\" -> \"NCNN_INT8\"\n"), qPrintable(text));
        QVERIFY2(text.contains("Outputs: 1 better, 0 worse, 0 equal\n"), qPrintable(text));
        QVERIFY2(text.contains("x0.25"), qPrintable(text));
        QVERIFY2(text.contains("top1: float 96.20 %, quantized A 81.00 %, B 95.50 %"), qPrintable(text));
        QVERIFY2(text.contains("Layerwise: 0 better, 0 worse, 19 equal, 2 in only one report"), qPrintable(text));
        QVERIFY2(text.contains("only in A") && text.contains("only in B"), qPrintable(text));
        QVERIFY2(!text.contains('\x1b') && text.contains("evil\\u{1b}[2J"), qPrintable(text));
        QVERIFY2(text.contains("Graphwise: 0 better, 0 worse, 20 equal\n"), qPrintable(text));
    }

    void tablesAreAligned()
    {
        const QString text =
            QString::fromStdString(toText(compared(test::syntheticReport(60), test::syntheticReport(60, 32, 11)), 8));
        const QStringList lines =
            text.mid(text.indexOf("Layerwise:")).section("\n\n", 0, 0).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), qsizetype(1 + 1 + 8 + 1));
        for (const QString &line : lines.mid(2, 8)) QCOMPARE(line.size(), lines[1].size());
    }

    void equalReportsHaveNoDifference()
    {
        const json report = test::syntheticReport(30);
        const ReportComparison comparison = compared(report, report);
        QVERIFY(comparison.sameRecipe() && comparison.context.empty());
        for (const ErrorChange &change : comparison.layerwise) QCOMPARE(change.magnitude(), 0.0);
        QVERIFY(QString::fromStdString(toText(comparison)).startsWith("Recipe: no difference\n"));
    }

    void writesJson()
    {
        json a = wholeReport(10);
        json b = a;
        b["layerwise"].erase(0);
        b["recipe"]["passes"].erase(0);
        b["tool"]["threads"] = 4;
        b["graphwise"][1]["noise_ratio"] = nullptr;
        const json out = comparisonRows(compared(a, b));
        QVERIFY(out["schema"] == "quantloupe-comparison/1");
        QVERIFY(out["context"] == json::array({{{"path", "/tool/threads"}, {"before", 2}, {"after", 4}}}));
        QVERIFY(out["recipe"][0]["path"] == "/passes/0" && out["recipe"][0]["before"]["id"] == "fuse_activation" &&
                !out["recipe"][0].contains("after"));
        const json &gone = out["layerwise"].back();
        QVERIFY(gone["op"] == a["layerwise"][0]["op"] && gone["only_in"] == "a" && gone["b"].is_null() &&
                gone["ratio"].is_null());
        QVERIFY(out["graphwise"][0]["ratio"].is_null() && out["graphwise"][0]["only_in"].is_null() &&
                out["graphwise"][0]["b"]["noise_ratio"].is_null());
        QVERIFY(out["outputs"][0]["ratio"] == 1.0);
        QVERIFY(out["outputs"][0]["a"]["metric"]["name"] == "top1");
    }

    void recipeFieldsAreNamedAsSetTakesThem()
    {
        const json a = wholeReport(3);
        json b = a;
        b["recipe"]["passes"].insert(b["recipe"]["passes"].begin(),
                                     json::object({{"id", "new"}, {"params", json::object()}}));
        b["recipe"]["passes"][1]["params"]["gain"] = 3;
        b["recipe"]["calibration"]["samples"] = 77;
        const std::string first = a["recipe"]["passes"][0]["id"], last = a["recipe"]["passes"].back()["id"];
        b["recipe"]["passes"].erase(b["recipe"]["passes"].size() - 1);
        const QString text = QString::fromStdString(toText(compared(a, b)));
        QVERIFY2(text.contains("\n  passes.new "), qPrintable(text));
        QVERIFY2(text.contains("\n  passes." + QString::fromStdString(last) + " "), qPrintable(text));
        QVERIFY2(text.contains("\n  passes." + QString::fromStdString(first) + ".gain "), qPrintable(text));
        QVERIFY2(text.contains("\n  calibration.samples "), qPrintable(text));
        QVERIFY(!text.contains("/passes"));
    }

    void refusesOtherDocuments_data()
    {
        QTest::addColumn<QString>("document");
        QTest::newRow("array") << "[]";
        QTest::newRow("number") << "3";
        QTest::newRow("recipe") << R"({"version": 1})";
        QTest::newRow("another schema") << R"({"schema": "quantloupe-report/2"})";
    }
    void refusesOtherDocuments()
    {
        QFETCH(QString, document);
        const json report = test::syntheticReport(3);
        const json other = json::parse(document.toStdString());
        QVERIFY_EXCEPTION_THROWN(compared(report, other), Error);
        try {
            compared(other, report);
            QFAIL("no error");
        } catch (const Error &error) {
            QVERIFY(error.kind == ErrorKind::BadData);
            QVERIFY2(QString(error.what()).contains("the file is not a report"), error.what());
            QVERIFY(!error.remedy.isEmpty());
        }
    }
};

QL_TEST(TestReportCompare)
#include "tst_report_compare.moc"
