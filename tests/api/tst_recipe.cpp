#include "core/api/recipe.h"
#include "core/api/recipe_path.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/platform/rule.h"
#include "tests/support/error_of.h"
#include "tests/support/json_schema.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <filesystem>
#include <set>

using namespace ql;
using api::Recipe;
using nlohmann::json;
using ql::test::messageOf;

namespace {

Recipe parse(const std::string &text)
{
    return api::recipeFromJson(api::JsonText::parse(text, "r.quantloupe"));
}

/// A recipe in which nothing has its default.
Recipe full()
{
    return parse(R"({"format": "quantloupe-recipe/1",
        "model": {"path": "m.onnx", "weights": "w.bin", "sha256": ")" +
                 std::string(64, 'a') + R"("},
        "input_shapes": {"x.1": [1, 3, -1, -1]},
        "calibration": {"path": "c", "samples": 64, "preprocess": "rgb", "sampling": "first", "seed": 3},
        "evaluation": {"path": "e.npz", "samples": 5, "preprocess": "bgr", "sampling": "first", "seed": 4},
        "platform": "NCNN_INT8", "dispatcher": "allin",
        "dispatch": [{"op": "conv*", "platform": "FP32"}],
        "passes": ["quantize_fusion", {"id": "calibrate", "enabled": false, "params": {"observer": "kl"}}],
        "overrides": [{"match": {"op": "fc"}, "set": {"bits": 4}}],
        "analyses": ["statistics", {"id": "graphwise", "params": {"a": 1}}],
        "exports": [{"format": "native", "path": "o.qln", "params": {"b": true}}],
        "device": "cuda:1", "threads": 3})");
}

json schema(const std::string &name)
{
    return json::parse(resources::resource("schema/" + name + ".schema.json"));
}

std::set<std::string> keysOf(const json &object)
{
    std::set<std::string> keys;
    for (const auto &[key, value] : object.items()) keys.insert(key);
    return keys;
}

std::set<std::string> asSet(const std::vector<std::string> &list)
{
    return {list.begin(), list.end()};
}

} // namespace

class TestRecipe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaultsAreSpelledOut()
    {
        const Recipe recipe = parse(R"({"format": "quantloupe-recipe/1", "model": {"path": "m.onnx"}})");
        const json out = api::toJson(recipe);
        QCOMPARE(out["calibration"]["samples"], 32);
        QCOMPARE(out["evaluation"]["samples"], 8);
        QCOMPARE(out["platform"], "TRT_INT8");
        QCOMPARE(out["device"], "cpu");
        QCOMPARE(out["analyses"].size(), std::size_t(2));
        QVERIFY(out["passes"].is_null());
        QCOMPARE(keysOf(out), keysOf(api::toJson(full())));
    }

    void roundTrip()
    {
        for (const Recipe &recipe : {Recipe(), full()}) {
            const json out = api::toJson(recipe);
            const Recipe again = parse(out.dump());
            QVERIFY(again == recipe);
            QCOMPARE(api::toJson(again), out);
            QCOMPARE(api::recipeHash(again), api::recipeHash(recipe));
        }
        QVERIFY(api::recipeHash(Recipe()) != api::recipeHash(full()));
        QVERIFY(full().passes->at(1).params == json({{"observer", "kl"}}));
        QVERIFY(!full().passes->at(1).enabled);
    }

    /// When saved in the same folder, no path is rewritten.
    void pathsMoveWithTheFolder()
    {
        Recipe recipe;
        recipe.model = "m.onnx";
        recipe.calibration.path = "../data/calib";
        QCOMPARE(movedTo(recipe, "/a/b", "/a/b").calibration.path, std::string("../data/calib"));
        QCOMPARE(movedTo(recipe, "/a/b", "/a/./b/").calibration.path, std::string("../data/calib"));
        QCOMPARE(movedTo(recipe, "/a/b", "/a").calibration.path, std::string("data/calib"));
        QCOMPARE(movedTo(recipe, "/a/b", "/a").model, std::string("b/m.onnx"));
        QCOMPARE(movedTo(recipe, "/a/b", "/c").model, std::string("/a/b/m.onnx"));
        QCOMPARE(movedTo(recipe, "/a/b", "/a/c").model, std::string("../b/m.onnx"));
        QCOMPARE(movedTo(recipe, "/a/b", "/a/c/d/e").model, std::string("../../../b/m.onnx"));
        QCOMPARE(movedTo(recipe, "/a/b", "/a/c/d/e/f").model, std::string("/a/b/m.onnx"));
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const char *rest, const char *message) {
            QTest::newRow(name) << QByteArray(
                                       "{\"format\": \"quantloupe-recipe/1\",\n\"model\": {\"path\": \"m\"},\n") +
                                       rest + "}"
                                << QString(message);
        };
        row("typo", "\"platfrom\": \"X\"", "line 3: platfrom: unknown key 'platfrom'. Did you mean 'platform'?");
        row("typo inside", "\"calibration\": {\n\"sampels\": 3}", "Did you mean 'samples'?");
        row("typo in a pass", "\"passes\": [{\"id\": \"a\",\n\n\"enable\": true}]", "Did you mean 'enabled'?");
        row("wrong type", "\"threads\": \"two\"", "line 3: threads: must be");
        row("out of range", "\"calibration\": {\"samples\": 0}", "calibration.samples");
        row("fraction", "\"calibration\": {\"samples\": 1.5}", "calibration.samples");
        row("list for text", "\"platform\": []", "line 3: platform: must be");
        row("export without a path", "\"exports\": [{\"format\": \"native\"}]", "path");
        row("export as a word", "\"exports\": [\"native\"]", "exports[0]");
        row("no list", "\"passes\": {}", "passes");
        row("shape of text", "\"input_shapes\": {\"x\": [\"n\"]}", "input_shapes.x[0]");
        row("twice", "\"device\": \"cpu\",\n\"device\": \"cuda\"", "duplicate key 'device', first used in line 3");
        row("cut off", "\"device\": ", "line 3");
        QTest::newRow("another version") << QByteArray(
                                                "{\"format\": \"quantloupe-recipe/9\", \"model\": {\"path\": \"m\"}}")
                                         << "expected \"quantloupe-recipe/1\", got \"quantloupe-recipe/9\"";
        QTest::newRow("no format") << QByteArray("{\"model\": {\"path\": \"m\"}}") << "format";
        QTest::newRow("no model") << QByteArray("{\"format\": \"quantloupe-recipe/1\"}") << "model";
        QTest::newRow("a list") << QByteArray("[]") << "must be";
    }
    void mistakes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const QString got = messageOf([&] { parse(text.toStdString()); });
        QVERIFY2(got.contains(message) && got.startsWith("r.quantloupe"), qPrintable(got));
    }

    void setField_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("pointer"); ///< of the field that must have changed, and nothing else
        QTest::addColumn<QString>("result");
        const auto row = [](const char *path, const char *value, const char *pointer, const char *result) {
            QTest::newRow(path) << path << value << pointer << result;
        };
        row("calibration.samples", "7", "/calibration/samples", "7");
        row("calibration.path", "123", "/calibration/path", "\"123\"");
        row("platform", "RKNN_INT8", "/platform", "\"RKNN_INT8\"");
        row("passes.calibrate.observer", "mse", "/passes/1/params/observer", "\"mse\"");
        row("passes.1.params.observer", "mse", "/passes/1/params/observer", "\"mse\"");
        row("passes.calibrate.enabled", "true", "/passes/1/enabled", "true");
        row("passes.quantize_fusion.new", "[1,2]", "/passes/0/params/new", "[1,2]");
        row("exports.native.path", "p", "/exports/0/path", "\"p\"");
        row("overrides.0.set.bits", "8", "/overrides/0/set/bits", "8");
        row("overrides.0.set.symmetric", "false", "/overrides/0/set/symmetric", "false");
        row("input_shapes.y", "[1,2]", "/input_shapes/y", "[1,2]");
        row("platform_params.new", "4", "/platform_params/new", "4");
        row("model.sha256", "", "/model/sha256", "\"\"");
        row("threads", "0", "/threads", "0");
        row("passes", "null", "/passes", "null");
    }
    void setField()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, pointer);
        QFETCH(QString, result);
        json want = api::toJson(full());
        want[json::json_pointer(pointer.toStdString())] = json::parse(result.toStdString());
        QCOMPARE(api::toJson(api::withField(full(), path.toStdString(), value.toStdString())), want);
    }

    void setFieldMistakes_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("message");
        QTest::newRow("typo") << "calibration.sample"
                              << "3"
                              << "Did you mean 'samples'?";
        QTest::newRow("first key") << "platfrom"
                                   << "X"
                                   << "Did you mean 'platform'?";
        QTest::newRow("unknown pass") << "passes.calibrat.observer"
                                      << "kl"
                                      << "Did you mean 'calibrate'?";
        QTest::newRow("index behind the end") << "exports.3.path"
                                              << "p"
                                              << "no field";
        QTest::newRow("below a value") << "threads.x"
                                       << "1"
                                       << "no field";
        QTest::newRow("wrong type") << "threads"
                                    << "many"
                                    << "threads";
        QTest::newRow("out of range") << "calibration.samples"
                                      << "-1"
                                      << "calibration.samples";
        QTest::newRow("list as text") << "passes"
                                      << "abc"
                                      << "passes";
        QTest::newRow("empty path") << ""
                                    << "1"
                                    << "no field";
    }
    void setFieldMistakes()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, message);
        const QString got = messageOf([&] { api::withField(full(), path.toStdString(), value.toStdString()); });
        QVERIFY2(got.contains(message), qPrintable(got));
    }

    /// An inspection is made again after any edit that may change its graph.
    void sameGraphDependsOn_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::addColumn<bool>("isSame");
        const auto row = [](const char *path, const char *value, bool isSame) {
            QTest::newRow(path) << path << value << isSame;
        };
        row("model.path", "other.onnx", false);
        row("plugins", R"(["other.so"])", false);
        row("cut.outputs", R"(["t"])", false);
        row("cut.before_unsupported", "true", false);
        row("platform_params", R"({"x": 1})", false);
        row("platform", "OPENVINO_INT8", false);
        row("passes", R"(["calibrate"])", false);
        row("overrides", "[]", false);
        row("calibration.path", "other", true);
        row("evaluation.samples", "77", true);
        row("analyses", "[]", true);
        row("exports", "[]", true);
        row("threads", "7", true);
    }
    void sameGraphDependsOn()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        const Recipe before = full(), after = api::withField(before, path.toStdString(), value.toStdString());
        QVERIFY(!(after == before));
        QTEST(api::sameGraph(before, after), "isSame");
    }

    void schemaFits()
    {
        const test::JsonSchema checker(schema("recipe"));
        std::vector<json> documents{api::toJson(Recipe()), api::toJson(full())};
        for (const char *folder : {"/resources/sample", "/tests/data/recipes"})
            if (std::filesystem::exists(std::string(QL_SOURCE_DIR) + folder))
                for (const auto &entry : std::filesystem::directory_iterator(std::string(QL_SOURCE_DIR) + folder))
                    if (entry.path().extension() == ".quantloupe") {
                        const std::string text = readFile(entry.path());
                        documents.push_back(json::parse(text));
                        parse(text); // and the reader agrees
                    }
        QVERIFY(documents.size() > 2);
        for (const json &document : documents) {
            const auto mistakes = checker.mistakes(document);
            QVERIFY2(mistakes.empty(), mistakes.empty() ? "" : mistakes[0].c_str());
        }
    }

    void schemaRefusesWhatTheReaderRefuses()
    {
        const test::JsonSchema checker(schema("recipe"));
        for (const char *text :
             {R"({"format": "quantloupe-recipe/2", "model": {"path": "m"}})", R"({"format": "quantloupe-recipe/1"})",
              R"({"format": "quantloupe-recipe/1", "model": {"path": "m"}, "platfrom": "x"})",
              R"({"format": "quantloupe-recipe/1", "model": {"path": "m"}, "calibration": {"samples": 0}})",
              R"({"format": "quantloupe-recipe/1", "model": {"path": "m"}, "exports": ["native"]})",
              R"({"format": "quantloupe-recipe/1", "model": {"path": "m"}, "passes": [{"name": "x"}]})"}) {
            QVERIFY2(!checker.mistakes(json::parse(text)).empty(), text);
            QVERIFY2(messageOf([&] { parse(text); }) != "nothing was thrown", text);
        }
    }

    /// The schema has exactly the keys that the readers accept.
    void schemaKnowsTheSameKeys()
    {
        const json recipe = schema("recipe"), written = api::toJson(full());
        auto known = keysOf(written);
        known.insert("$schema");
        QCOMPARE(keysOf(recipe["properties"]), known);
        for (const char *key : {"model", "calibration", "evaluation"})
            QCOMPARE(keysOf(recipe["properties"][key]["properties"]), keysOf(written[key]));
        const json &defs = recipe["$defs"];
        QCOMPARE(keysOf(defs["pass"]["anyOf"][1]["properties"]), keysOf(written["passes"][0]));
        QCOMPARE(keysOf(defs["analysis"]["anyOf"][1]["properties"]), keysOf(written["analyses"][0]));
        QCOMPARE(keysOf(defs["export"]["properties"]), keysOf(written["exports"][0]));
        QCOMPARE(keysOf(defs["match"]["properties"]), asSet(matchKeys(api::RuleKind::Override)));
        QCOMPARE(keysOf(defs["set"]["properties"]), asSet(setKeys(api::RuleKind::Override)));
    }

    /// What trains starts from weights that another pass rounded, also if it was listed first, switched off.
    void addsPassesBeforeThoseThatBuildOnThem()
    {
        using A = api::PassAspect;
        const auto item = [](const char *id, std::vector<A> needs, std::vector<A> writes, std::vector<A> finishes) {
            api::PassItem pass;
            pass.id = id;
            pass.traits = {.needs = std::move(needs), .writes = std::move(writes), .finishes = std::move(finishes)};
            return pass;
        };
        const std::vector<api::PassItem> known{
            item("scales", {}, {A::ParameterScales}, {}), item("observes", {}, {A::ActivationScales}, {}),
            item("rounds", {A::ParameterScales}, {A::TrainedValues}, {A::ParameterScales}),
            item("trains", {A::ParameterScales, A::ActivationScales}, {A::TrainedValues},
                 {A::ParameterScales, A::ActivationScales, A::SharedScales}),
            item("ends", {}, {A::DerivedScales}, {A::TrainedValues})};
        const auto step = [](const char *id, bool enabled) {
            api::StepRequest request;
            request.id = id;
            request.enabled = enabled;
            return request;
        };
        const auto orderAfter = [&](const std::vector<std::string> &added, const std::vector<api::StepRequest> &usual) {
            Recipe recipe;
            for (const std::string &id : added)
                api::setRecipeField(recipe, "passes." + id + ".enabled", "true", known, usual);
            QStringList ids;
            for (const api::StepRequest &pass : *recipe.passes) ids.append(QString::fromStdString(pass.id));
            return ids.join(' ');
        };
        const std::vector<api::StepRequest> plain{step("scales", true), step("observes", true), step("ends", true)};
        const std::vector<api::StepRequest> trained{step("scales", true), step("observes", true), step("trains", false),
                                                    step("ends", true)};
        const QString wanted("scales observes rounds trains ends");
        QCOMPARE(orderAfter({"trains", "rounds"}, trained), wanted);
        QCOMPARE(orderAfter({"trains", "rounds"}, plain), wanted);
        QCOMPARE(orderAfter({"rounds", "trains"}, plain), wanted);
    }
};

QL_TEST(TestRecipe)
#include "tst_recipe.moc"
