// Rows of reports as JSON and back: nothing is lost, and unknown members are refused.
#include "core/api/problem.h"
#include "core/api/report.h"
#include "core/base/error.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <functional>

using namespace ql;
using nlohmann::json;

Q_DECLARE_METATYPE(json)

namespace {

api::ConfigRow config()
{
    api::ConfigRow row;
    row.slot = {"conv", api::SlotRole::Input, 1};
    row.variable = "w";
    row.quantizable = false;
    row.outputChannelAxis = 0;
    row.root = api::SlotName{"relu", api::SlotRole::Output, 0};
    row.scheme.state = api::QuantState::Active;
    row.scheme.channelAxis = 1;
    row.scheme.percentile = 0.99;
    row.scheme.percentileOver = api::PercentileOver::Batches;
    row.scheme.rounding = api::Rounding::HalfUp;
    row.scheme.scaleFormat = api::ScaleFormat::E8M0;
    row.scheme.codebook = api::Codebook::Nf4;
    row.scheme.visibility = api::Visibility::Internal;
    row.scheme.scale = {0.1f, 3e-7f};
    row.scheme.zeroPoint = {-3, 128};
    const Origin rule{.kind = Origin::Kind::Rule, .id = "TRT_INT8", .index = 2, .name = "bias in float32"};
    row.scheme.setBy = {{"bits", rule}, {"range", rule}, {"scale", Origin::pass("calibrate")}};
    return row;
}

std::string rowError(const std::function<void()> &work)
{
    try {
        work();
    } catch (const Error &error) {
        return error.what();
    }
    return "no error";
}

} // namespace

class TestReportRows : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void configs()
    {
        const api::ConfigRow row = config();
        const json written = row;
        const auto read = json::parse(written.dump()).get<api::ConfigRow>();
        QVERIFY(read.slot == row.slot && read.root == row.root && read.scheme == row.scheme);
        QVERIFY(read.variable == row.variable && !read.quantizable && read.outputChannelAxis == 0);
        QCOMPARE(json(read), written);
        QCOMPARE(written["set_by"]["range"], json("platform TRT_INT8: rule 3 (bias in float32)"));
        QCOMPARE(written["origins"][0], json({{"kind", "rule"},
                                              {"id", "TRT_INT8"},
                                              {"index", 2},
                                              {"name", "bias in float32"},
                                              {"fields", {"bits", "range"}}}));
        json unknown = written;
        unknown["origins"][0]["kind"] = "rulle";
        QVERIFY(rowError([&] { unknown.get<api::ConfigRow>(); }).find("rulle") != std::string::npos);
        const api::ConfigRow plain;
        const json shorter = plain;
        QVERIFY(!shorter.contains("quantizable") && !shorter.contains("output_channel_axis"));
        QVERIFY(shorter["root"].is_null() && shorter["channel_axis"].is_null());
        QVERIFY(shorter.get<api::ConfigRow>().quantizable);
        api::ShortConfigRow inList;
        inList.slot = row.slot;
        inList.scheme = 3;
        QCOMPARE(json(inList).get<api::ShortConfigRow>().scheme, std::size_t(3));
    }
    void measures()
    {
        api::OutputRow row;
        row.variable = "y";
        row.noiseRatio = 0.0;
        row.metric = api::Metric{"top1", 0.5, 0.25, 8};
        const json written = std::vector<api::OutputRow>{row, {}};
        QVERIFY(written[0]["sqnr_db"].is_null() && !written[0].contains("op") && !written[1].contains("metric"));
        const auto read = written.get<std::vector<api::OutputRow>>();
        QVERIFY(read[0].isExact() && !read[1].isExact());
        QVERIFY(read[0].metric == row.metric);
        QCOMPARE(json(read), written);
    }
    void ranges()
    {
        api::Ranges all;
        api::RangeRow &row = all.tensors.emplace_back();
        row.op = "conv";
        row.min = -1;
        row.clip = {-2, 2};
        row.channels.emplace().min = {1.0, std::nullopt};
        row.channels->learned = true;
        all.joins.push_back({"add", "Add", {{"a", -1, 1}, {"b", std::nullopt, 2}}, true});
        const json written = all;
        QVERIFY(written["tensors"][0]["max"].is_null() && written["tensors"][0]["channels"]["min"][1].is_null());
        QCOMPARE(json(written.get<api::Ranges>()), written);
    }

    /// "set_by" has the fields of a config, and the same as "origins" if the row has those.
    void settersOfFields()
    {
        const json written = config();
        json early = written;
        early.erase("origins");
        QVERIFY(early.get<api::ConfigRow>().scheme.setBy.empty());

        const auto refused = [](json row, const std::string &message) {
            const std::string found = rowError([&] { row.get<api::ConfigRow>(); });
            QVERIFY2(found.find(message) != std::string::npos, found.c_str());
        };
        const std::string misspelt = "set_by: unknown field 'scales'. Did you mean 'scale'?";
        json row = written;
        row["set_by"]["scales"] = "pass calibrate";
        refused(row, misspelt);
        row.erase("origins");
        refused(row, misspelt);
        row = written;
        row["set_by"]["observer"] = "pass calibrate";
        refused(row, "set_by: field 'observer' has no origin");
        row = written;
        row["set_by"].erase("bits");
        refused(row, "set_by: field 'bits' is missing");
        row = written;
        row["origins"][0]["fields"][0] = "bit";
        refused(row, "origins: unknown field 'bit'. Did you mean 'bits'?");
        row = written;
        row["origins"][1]["fields"].push_back("bits");
        refused(row, "origins: field 'bits' has two origins");
    }

    void severities()
    {
        for (const auto severity : {api::Severity::Error, api::Severity::Warning, api::Severity::Info}) {
            const json written = api::Problem{.severity = severity, .message = "a message"};
            QCOMPARE(written["severity"], json(toString(severity)));
            QVERIFY(written.get<api::Problem>().severity == severity);
        }
        json wrong = api::Problem{.message = "a message"};
        wrong["severity"] = "fatal";
        QCOMPARE(rowError([&] { wrong.get<api::Problem>(); }),
                 std::string("a problem.severity: unknown severity 'fatal'."));
        wrong["severity"] = "warn";
        QCOMPARE(rowError([&] { wrong.get<api::Problem>(); }),
                 std::string("a problem.severity: unknown severity 'warn'. Did you mean 'warning'?"));
    }

    /// A misspelt, missing or mistyped member is an error that names it, never a default.
    void refused_data()
    {
        QTest::addColumn<json>("patch");
        QTest::addColumn<QString>("message");
        QTest::newRow("missing") << json{{"bits", nullptr}} << "a row of configs has no 'bits'";
        QTest::newRow("unknown") << json{{"bitz", 8}} << "a row of configs has an unknown member 'bitz'";
        QTest::newRow("type") << json{{"bits", "8"}} << "a row of configs.bits must be an integer, got string";
        QTest::newRow("fraction") << json{{"bits", 8.5}} << "a row of configs.bits must be an integer, got number";
        QTest::newRow("element") << json{{"scale", {0.1, "x"}}}
                                 << "a row of configs.scale must be a number, got string";
        QTest::newRow("inside") << json{{"root", {{"op", "a"}, {"role", "input"}}}}
                                << "a row of configs.root has no 'index'";
        QTest::newRow("word") << json{{"state", "activ"}}
                              << "a row of configs.state: unknown state 'activ'. Did you mean 'active'?";
        QTest::newRow("word inside") << json{{"root", {{"op", "a"}, {"role", "result"}, {"index", 0}}}}
                                     << "a row of configs.root.role: unknown role 'result'.";
        QTest::newRow("rounding")
            << json{{"rounding", "half_evn"}}
            << "a row of configs.rounding: unknown rounding 'half_evn'. Did you mean 'half_even'?";
        QTest::newRow("scale format")
            << json{{"scale_format", "e4m4"}}
            << "a row of configs.scale_format: unknown scale_format 'e4m4'. Did you mean 'e4m3'?";
        QTest::newRow("codebook") << json{{"codebook", "nf5"}}
                                  << "a row of configs.codebook: unknown codebook 'nf5'. Did you mean 'nf4'?";
        QTest::newRow("percentile over")
            << json{{"percentile_over", "sample"}}
            << "a row of configs.percentile_over: unknown percentile_over 'sample'. Did you mean 'samples'?";
        QTest::newRow("visibility") << json{{"visibility", 3}}
                                    << "a row of configs.visibility: must be from 0 to 2, got 3";
        QTest::newRow("no word") << json{{"role", 1}} << "a row of configs.role must be a string, got number";
        QTest::newRow("no object") << json{{"root", 3}} << "a row of configs.root must be an object";
    }
    void refused()
    {
        QFETCH(json, patch);
        QFETCH(QString, message);
        json row = config();
        for (const auto &[key, value] : patch.items()) {
            if (value.is_null())
                row.erase(key);
            else
                row[key] = value;
        }
        QCOMPARE(QString::fromStdString(rowError([&] { row.get<api::ConfigRow>(); })), message);
    }
};

QL_TEST(TestReportRows)
#include "tst_report_rows.moc"
