// docs/recipe.md promises that its examples work: each is read, checked with the published schema and run.
#include "core/api/recipe.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/session/run.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <set>

using namespace ql;
using nlohmann::json;

class TestRecipeDoc : public QObject
{
    Q_OBJECT

private:
    static std::string text() { return readFile(QL_SOURCE_DIR "/docs/recipe.md"); }
    /// The blocks of the page in order; the first one is a whole recipe, the others are members for it.
    static std::vector<json> examples()
    {
        const std::string page = text(), fence = "```json\n";
        std::vector<json> found;
        for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
            at += fence.size();
            const std::size_t end = page.find("```", at);
            found.push_back(json::parse(page.substr(at, end - at)));
            at = end;
        }
        return found;
    }

private Q_SLOTS:
    void examplesRun_data()
    {
        QTest::addColumn<int>("number");
        const std::vector<json> all = examples();
        QVERIFY(all.size() >= 6);
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::addRow("%d: %s", int(i), all[i].begin().key().c_str()) << int(i);
    }
    void examplesRun()
    {
        QFETCH(int, number);
        const std::vector<json> all = examples();
        json document = all.front();
        document.update(all[std::size_t(number)]);
        const test::JsonSchema schema(json::parse(resources::resource("schema/recipe.schema.json")));
        const auto mistakes = schema.mistakes(document);
        QVERIFY2(mistakes.empty(), mistakes.empty() ? "" : mistakes[0].c_str());
        api::Recipe recipe = api::recipeFromJson(api::JsonText::wrap(document, "docs/recipe.md"));
        const QTemporaryDir folder;
        for (api::StepRequest &step : recipe.exports) step.path = folder.filePath(step.path.c_str()).toStdString();
        if (!document.contains("analyses")) recipe.analyses.clear();
        RunOptions options;
        options.base = QL_SOURCE_DIR "/resources/sample";
        const json report = runRecipe(recipe, options, {}).report;
        // The text about the numbers describes the sample
        for (const json &problem : report["problems"])
            QVERIFY2(problem["severity"] == "info" || problem.contains("actions") ||
                         problem["message"].get<std::string>().find("can be represented") != std::string::npos,
                     problem.dump().c_str());
        for (const api::StepRequest &step : recipe.exports) QVERIFY(std::filesystem::exists(step.path));
        // Every rule has changed something: it is named as the origin.
        std::set<std::string> origins;
        for (const json &config : report["configs"])
            for (const auto &[field, origin] : config["set_by"].items()) origins.insert(origin.get<std::string>());
        for (const json &entry : document.value("overrides", json::array())) {
            const json &match = entry["match"];
            const char *key = match.contains("op") ? "op" : "variable";
            const std::string name = match.contains(key) ? match[key] : match["types"][0];
            QVERIFY2(origins.contains("override '" + name + "'"), name.c_str());
        }
        for (const json &entry : document.value("dispatch", json::array())) {
            const auto &rows = report["operations"];
            QVERIFY(std::any_of(rows.begin(), rows.end(), [&](const json &row) {
                return row["platform"] == entry["platform"] &&
                       row["reason"].get<std::string>().starts_with("override '");
            }));
        }
    }

    void everyKeyExists()
    {
        const json schema = json::parse(resources::resource("schema/recipe.schema.json"));
        const std::string page = text();
        for (const char *part : {"match", "set"})
            for (const auto &[key, value] : schema["$defs"][part]["properties"].items())
                QVERIFY2(page.find("`" + key + "`") != std::string::npos, key.c_str());
        for (const auto &[key, value] : schema["properties"].items())
            QVERIFY2(page.find("`" + key + "`") != std::string::npos, key.c_str());
        QVERIFY(readFile(QL_SOURCE_DIR "/README.md").find("docs/recipe.md") != std::string::npos);
    }
};

QL_TEST(TestRecipeDoc)
#include "tst_recipe_doc.moc"
