// The report's configs, and the short form of them for a window.
#include "core/api/report_writer.h"
#include "core/base/file.h"
#include "core/platform/quantizer.h"
#include "core/session/report.h"
#include "core/session/run.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_graph.h"

#include <QtTest>
#include <set>
#include <sstream>

using namespace ql;
using nlohmann::json;

class TestReport : public QObject
{
    Q_OBJECT

private:
    static api::Recipe sample()
    {
        const std::string file = QL_SOURCE_DIR "/resources/sample/sample.quantloupe";
        return api::recipeFromJson(api::JsonText::wrap(json::parse(readFile(file)), file));
    }

private Q_SLOTS:
    /// With own and shared scales, per tensor and per channel, rules, passes and overrides.
    void shortRowsSayTheSame()
    {
        api::Recipe recipe = sample();
        recipe.analyses.clear();
        recipe.exports.clear();
        RunOptions options;
        options.base = QL_SOURCE_DIR "/resources/sample";
        const RunResult result = runRecipe(recipe, options, {});
        const json full = configRows(result.model);
        const api::ShortConfigs configs = shortConfigRows(result.model);
        const json schemes = configs.schemes;
        json rows = configs.rows;
        QCOMPARE(rows.size(), full.size());
        std::set<std::string> different;
        for (const json &scheme : schemes) different.insert(scheme.dump());
        QCOMPARE(different.size(), schemes.size());
        bool sharesScale = false;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            json row = schemes.at(rows[i]["scheme"].get<std::size_t>());
            rows[i].erase("scheme");
            row.update(rows[i]);
            QVERIFY2(row == full[i], (row.dump() + " instead of " + full[i].dump()).c_str());
            sharesScale = sharesScale || row["root"].is_object();
        }
        QVERIFY(sharesScale);
    }

    /// Written row by row, the text is that of the JSON value.
    void writtenRowByRow()
    {
        RunOptions options;
        options.base = QL_SOURCE_DIR "/resources/sample";
        api::Report report = runRecipe(sample(), options, {}).report;
        report.operations.at(0).name = "caf\xe9 \n\"";
        const auto isSame = [&] {
            std::ostringstream out;
            api::writeReport(out, report);
            return out.str() == json(report).dump(1, ' ', false, json::error_handler_t::replace);
        };
        QVERIFY(!report.configs.empty() && report.measures.noise && isSame());
        report.measures = {};
        report.configs.clear();
        QVERIFY(isSame());
    }

    void sizesAreReported()
    {
        test::TinyGraph g;
        g.parameter("shape", {2}, at::kLong);
        g.op("reshape", "Reshape", {"x", "shape"});
        QuantModel model;
        model.graph = g.graph;
        model.dispatch[g["reshape"]] = {"TRT_INT8", "test"};
        configure(model, platform("TRT_INT8"));
        const json rows = configRows(model);
        QCOMPARE(rows.size(), std::size_t{3});
        for (const json &row : rows) QCOMPARE(row.value("quantizable", true), row["variable"] != "shape");
    }

    /// A Conv in float before a rounded activation rounds nothing; the activation does.
    void floatOperationBeforeItsActivation()
    {
        api::Recipe recipe = sample();
        recipe.analyses.clear();
        recipe.exports.clear();
        recipe.overrides = {{.match = {.op = "down_depthwise"}, .set = {.state = QuantState::Off}}};
        RunOptions options;
        options.base = QL_SOURCE_DIR "/resources/sample";
        const api::Report report = runRecipe(recipe, options, {}).report;
        for (const api::OperationRow &row : report.operations) {
            if (row.name == "down_depthwise") QVERIFY(!row.quantized);
            if (row.name == "down_depthwise_relu6" || row.name == "down_expand") QVERIFY(row.quantized);
        }
    }

    /// Before calibration there are few of them.
    void fewSchemes()
    {
        RunOptions options;
        options.base = QL_SOURCE_DIR "/resources/sample";
        options.configs = true;
        const auto configs = inspectModel(sample(), options, {}).configs;
        QVERIFY(configs && !configs->rows.empty());
        QVERIFY(configs->schemes.size() * 2 < configs->rows.size());
    }
};

QL_TEST(TestReport)
#include "tst_report.moc"
