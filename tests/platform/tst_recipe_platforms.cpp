// Other names of platforms, their parameters, and definitions that a recipe carries.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/platform/quantizer.h"
#include "core/platform/recipe_platforms.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;

namespace {

api::Recipe recipeOn(const std::string &id, const json &params = json::object())
{
    api::Recipe recipe;
    recipe.platform = id;
    recipe.platformParams = params;
    return recipe;
}

/// The configs of the toy network on the recipe's platform, by operation and slot.
QuantModel configured(const api::Recipe &recipe)
{
    const RecipePlatforms known(recipe);
    QuantModel model;
    model.graph = test::toyGraph();
    for (const OpId id : model.graph.operations()) model.dispatch[id] = {known.main().id, "test"};
    configure(model, known.main(), [&](std::string_view id) { return known.find(id); });
    return model;
}

TensorQuantConfig configOf(const QuantModel &model, const char *op, int input)
{
    return *model.plan.find(inputSlot(model.graph.findOperation(op), input));
}

} // namespace

class TestRecipePlatforms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_DATA_HOME", m_home.path().toUtf8()); }

    void otherNames_data()
    {
        QTest::addColumn<QString>("alias");
        QTest::addColumn<QString>("id");
        QTest::newRow("ORT_OOS_INT8") << "ORT_OOS_INT8"
                                      << "RKNN_INT8";
        QTest::newRow("HOST_INT8") << "HOST_INT8"
                                   << "ONNXRUNTIME";
        QTest::newRow("INT8") << "INT8"
                              << "ONNXRUNTIME";
        QTest::newRow("HEXAGON_INT8") << "HEXAGON_INT8"
                                      << "QNN_DSP_INT8";
        QTest::newRow("FP8") << "FP8"
                             << "TRT_FP8";
    }
    void otherNames()
    {
        QFETCH(QString, alias);
        QFETCH(QString, id);
        QCOMPARE(QString::fromStdString(RecipePlatforms(recipeOn(alias.toStdString())).main().id), id);
    }

    void noNameHasTwoMeanings()
    {
        std::set<std::string> names;
        for (const PlatformDefinition *definition : platforms()) {
            QVERIFY2(names.insert(definition->id).second, definition->id.c_str());
            for (const std::string &alias : definition->aliases) QVERIFY2(names.insert(alias).second, alias.c_str());
        }
    }

    /// The ranges of every slot follow from bits and symmetric; weights have one scale or one per channel.
    void lowBits_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<qint64>("low");
        QTest::addColumn<qint64>("high");
        QTest::addColumn<bool>("perChannel");
        QTest::newRow("defaults") << QByteArray("{}") << qint64(-128) << qint64(127) << true;
        QTest::newRow("2 bits") << QByteArray(R"({"bits": 2})") << qint64(-2) << qint64(1) << true;
        QTest::newRow("4 bits") << QByteArray(R"({"bits": 4})") << qint64(-8) << qint64(7) << true;
        QTest::newRow("4 bits, unsigned")
            << QByteArray(R"({"bits": 4, "symmetric": false})") << qint64(0) << qint64(15) << true;
        QTest::newRow("6 bits, per tensor")
            << QByteArray(R"({"bits": 6, "per_channel": false})") << qint64(-32) << qint64(31) << false;
        QTest::newRow("16 bits") << QByteArray(R"({"bits": 16})") << qint64(-32768) << qint64(32767) << true;
    }
    void lowBits()
    {
        QFETCH(QByteArray, params);
        QFETCH(qint64, low);
        QFETCH(qint64, high);
        QFETCH(bool, perChannel);
        const QuantModel model = configured(recipeOn("TRT_INT8", json::parse(params.toStdString())));
        for (const int input : {0, 1}) {
            const TensorQuantConfig config = configOf(model, "conv1", input);
            QCOMPARE(config.quantMin, std::int64_t(low));
            QCOMPARE(config.quantMax, std::int64_t(high));
            QCOMPARE(config.symmetric, low < 0);
            QCOMPARE(config.channelAxis.has_value(), input == 1 && perChannel);
        }
        QCOMPARE(configOf(model, "conv1", 1).observer, std::string("minmax"));
        QVERIFY(configOf(model, "conv1", 2).state == QuantState::Off); // bias in float32
    }

    void illegalParameters_data()
    {
        QTest::addColumn<QByteArray>("params");
        QTest::addColumn<QString>("message");
        QTest::newRow("too many bits") << QByteArray(R"({"bits": 17})")
                                       << "platform 'TRT_INT8': parameter 'bits' must be at most 16, got 17";
        QTest::newRow("too few bits") << QByteArray(R"({"bits": 1})")
                                      << "platform 'TRT_INT8': parameter 'bits' must be at least 2, got 1";
        QTest::newRow("type") << QByteArray(R"({"symmetric": 1})")
                              << "platform 'TRT_INT8': parameter 'symmetric' must be of type bool, got 1";
        QTest::newRow("name") << QByteArray(R"({"bit": 4})")
                              << "platform 'TRT_INT8' has no parameter 'bit'. Did you mean 'bits'?";
    }
    void illegalParameters()
    {
        QFETCH(QByteArray, params);
        QFETCH(QString, message);
        const QString got =
            messageOf([&] { RecipePlatforms(recipeOn("TRT_INT8", json::parse(params.toStdString()))); });
        QVERIFY2(got.startsWith(message), qPrintable(got));
    }

    void mistakesInDeclarations_data()
    {
        QTest::addColumn<QByteArray>("members");
        QTest::addColumn<QString>("message");
        QTest::newRow("no such parameter") << QByteArray(R"("rules": [{"set": {"bits": "$bit"}}])")
                                           << "p.json: line 1: rules[0].set.bits: the platform has no parameter 'bit'.";
        QTest::newRow("illegal condition")
            << QByteArray(R"("rules": [{"when": {"bits": 99}, "set": {"bits": 4}}])")
            << "p.json: line 1: rules[0].when.bits: not a legal value of the parameter 'bits'";
        QTest::newRow("default out of range")
            << QByteArray(R"("params": [{"name": "x", "type": "int", "default": 9, "max": 8}])")
            << "p.json: line 1: params[0].default: not a legal value of the parameter 'x'";
        QTest::newRow("no default") << QByteArray(R"("params": [{"name": "x", "type": "bool", "default": null}])")
                                    << "p.json: line 1: params[0].default: not a legal value of the parameter 'x'";
        QTest::newRow("twice") << QByteArray(R"("params": [{"name": "x", "type": "int", "default": 9},
            {"name": "x", "type": "int", "default": 9}])")
                               << "p.json: line 2: params[1].name: 'x' is listed twice";
    }
    void mistakesInDeclarations()
    {
        QFETCH(QByteArray, members);
        QFETCH(QString, message);
        const std::string text = R"({"id": "X", "title": "x", "extends": "TRT_INT8", )" + members.toStdString() + "}";
        const QString got = messageOf([&] { platformFromText(text, "p.json"); });
        QVERIFY2(got.startsWith(message), qPrintable(got));
    }

    /// Inherited rules use the parameters of the platform that extends theirs.
    void anHeirHasTheParameters()
    {
        const PlatformDefinition heir = platformFromText(
            R"({"id": "X", "title": "x", "extends": "TRT_INT8", "params": [
                {"name": "bits", "type": "int", "default": 4, "min": 3, "max": 5}]})",
            "x.json");
        QCOMPARE(heir.params.size(), std::size_t{3});
        QCOMPARE(heir.rules[0].set.bits, std::optional<int>(4));
        QCOMPARE(api::withParams(heir, {{"bits", 5}}).rules[0].set.bits, std::optional<int>(5));
        QVERIFY(heir.aliases.empty());
    }

    void aRecipeCarriesItsPlatform()
    {
        const std::filesystem::path file = std::filesystem::path(m_home.path().toStdString()) / "mine.json";
        writeFileAtomically(file, R"({"id": "MINE", "title": "Mine", "extends": "TRT_INT8", "rules": [
            {"match": {"types": ["Conv"], "role": "weight"}, "set": {"bits": 5}}]})");
        api::Recipe recipe;
        recipe.model = "m.onnx";
        usePlatformFile(recipe, file);
        QCOMPARE(recipe.platform, std::string("MINE"));
        recipe.dispatch.push_back({.match = {.op = "fc"}, .set = {.platform = "MINE"}});
        // As on another machine: only the text of the recipe
        const api::Recipe read = api::recipeFromJson(api::JsonText::parse(api::toJson(recipe).dump(), "r.json"));
        QVERIFY(read == recipe);
        QCOMPARE(findPlatform("MINE"), nullptr);
        QCOMPARE(configOf(configured(read), "conv1", 1).bits, 5);
        QCOMPARE(withPlatforms(read).platforms.size(), std::size_t{1});
    }

    void aSavedRecipeCarriesTheUsersPlatform()
    {
        const std::filesystem::path file = std::filesystem::path(m_home.path().toStdString()) / "own.json";
        writeFileAtomically(file, R"({"id": "OWN", "title": "Own", "extends": "TRT_INT8"})");
        loadPlatformFile(file);
        QCOMPARE(withPlatforms(recipeOn("OWN")).platforms.size(), std::size_t{1});
        QVERIFY(withPlatforms(recipeOn("TRT_INT8")).platforms.empty());
    }

    void refusedDefinitions()
    {
        const auto carried = [](const json &definition) {
            return json{{"format", "quantloupe-recipe/1"},
                        {"model", {{"path", "m.onnx"}}},
                        {"platforms", json::array({definition})}}
                .dump();
        };
        const auto read = [](const std::string &text) {
            return api::recipeFromJson(api::JsonText::parse(text, "r.json"));
        };
        QVERIFY(messageOf([&] {
                    read(carried({{"id", "X"}, {"titel", "x"}}));
                }).startsWith("r.json: line 1: platforms[0].titel: unknown key 'titel'."));
        const api::Recipe taken = read(carried({{"id", "trt_int8"}, {"title", "x"}, {"extends", "NCNN_INT8"}}));
        QVERIFY(messageOf([&] {
                    RecipePlatforms{taken};
                }).startsWith("platform 'trt_int8' of the recipe: 'TRT_INT8' is a built-in platform"));
    }

private:
    QTemporaryDir m_home;
};

QL_TEST(TestRecipePlatforms)
#include "tst_recipe_platforms.moc"
