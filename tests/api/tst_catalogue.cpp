// The catalogue as JSON and back: nothing is lost, and what does not belong is refused with its place.
#include "core/api/catalogue.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QtTest>
#include <functional>
#include <nlohmann/json.hpp>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;

namespace {

api::Catalogue sample()
{
    api::Catalogue all;
    api::PlatformItem platform{{.id = "A", .title = "a", .meaning = QL_TEXT("For %1.").with(8)}, {}};
    platform.definition.id = "A";
    platform.definition.title = "a";
    platform.definition.quantizable = {"Conv"};
    platform.definition.rules = {{.name = "few", .match = {.types = {"Conv"}}, .set = {.bits = 4}}};
    platform.builtIn = false;
    platform.file = "/platforms/A.json";
    platform.text = "{}";
    all.platforms = {platform};
    const api::ParamSpec spec{.name = "steps",
                              .type = "int",
                              .fallback = 32,
                              .meaning = QL_TEXT("Batches to use."),
                              .unit = "batches",
                              .min = 1,
                              .max = 100,
                              .choices = {"a"},
                              .follows = "passive"};
    all.passes = {{{.id = "align", .title = QL_TEXT("Alignment"), .params = {spec}},
                   {.kind = api::PassKind::Quant,
                    .needsData = true,
                    .needs = {api::PassAspect::ActivationScales},
                    .writes = {api::PassAspect::SharedScales},
                    .finishes = {api::PassAspect::SharedScales},
                    .joins = {api::PassAspect::DerivedScales}}}};
    all.observers = {{{.id = "kl"}, true, false, false}};
    all.exporters = {{{.id = "native"}, {".qln"}}};
    all.importers = {{{.id = "onnx"}, {".onnx"}, false, {}},
                     {{.id = "caffe"}, {".prototxt"}, true, {{{"ReLU", "Relu", "in place"}}}}};
    api::OperatorItem op;
    op.id = op.type = "Conv";
    op.family = "convolution";
    op.domain = "ai.onnx";
    op.minVersion = 1;
    op.maxVersion = 11;
    op.status = "complete";
    all.ops = {op};
    all.dispatchers = {{.id = "allin"}};
    all.analyses = {{{.id = "layerwise"}, true}};
    all.steps = {{.id = "crop", .example = "crop 224"}};
    all.presets = {{.id = "imagenet", .example = "resize 256 short; crop 224"}};
    all.devices = {"cpu"};
    return all;
}

} // namespace

class TestCatalogue : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void roundTrip()
    {
        const json written = sample();
        const auto back = written.get<api::Catalogue>();
        QCOMPARE(json(back).dump(), written.dump());
        const api::PassItem *pass = api::findItem(back.passes, "align");
        QVERIFY(pass && pass->traits.needsData && !api::findItem(back.passes, "bake"));
        QVERIFY(pass->params == sample().passes[0].params);
        QVERIFY(pass->traits.needs == std::vector{api::PassAspect::ActivationScales});
        QVERIFY(back.platforms[0].definition == sample().platforms[0].definition);
        QCOMPARE(back.platforms[0].meaning.english(), std::string("For 8."));
        QCOMPARE(api::passTraitsOf(back.passes).size(), std::size_t(1));
        // What a list of one kind is made of
        QCOMPARE(json(back.passes[0]).dump(), written["passes"][0].dump());
        QVERIFY(!written["importers"][0].contains("types") && !written["dispatchers"][0].contains("example"));
    }

    void mistakes_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value"); // empty: removed
        QTest::addColumn<QString>("message");
        QTest::newRow("missing list") << "/observers"
                                      << ""
                                      << "the catalogue has no 'observers'";
        QTest::newRow("missing key") << "/observers/0/floating"
                                     << ""
                                     << "has no 'floating'";
        QTest::newRow("misspelt key") << "/passes/0/need"
                                      << "[]"
                                      << "'need'";
        QTest::newRow("missing kind") << "/passes/0/kind"
                                      << ""
                                      << "has no 'kind'";
        QTest::newRow("unknown aspect") << "/passes/0/needs/0"
                                        << R"("scales")"
                                        << "scales";
        QTest::newRow("another type") << "/passes/0/needs_data"
                                      << "1"
                                      << "must be a boolean";
        QTest::newRow("key of a parameter") << "/passes/0/params/0/defualt"
                                            << "1"
                                            << "'defualt'";
        QTest::newRow("key of a platform") << "/platforms/0/definition/quantabel"
                                           << "[]"
                                           << "'quantable'";
        QTest::newRow("rule of a platform") << "/platforms/0/definition/rules/0/set/bitz"
                                            << "4"
                                            << "rules[0].set.bitz";
    }
    void mistakes()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, message);
        json written = sample();
        const json::json_pointer place(pointer.toStdString());
        if (value.isEmpty())
            written[place.parent_pointer()].erase(place.back());
        else
            written[place] = json::parse(value.toStdString());
        const QString got = messageOf([&] { (void)written.get<api::Catalogue>(); });
        QVERIFY2(got.contains(message), qPrintable(got));
    }

    void observersServe()
    {
        const api::ObserverItem symmetric{{.id = "kl"}, true, false, true, false};
        QVERIFY(symmetric.serves({.isFloating = false, .isSymmetric = true, .isPerChannel = true}));
        QVERIFY(!symmetric.serves({.isFloating = false, .isSymmetric = false, .isPerChannel = false}));
        QVERIFY(!symmetric.serves({.isFloating = true, .isSymmetric = true, .isPerChannel = false}));
        const api::ObserverItem whole{{.id = "isotone"}, false, true, true, false};
        QVERIFY(!whole.serves({.isFloating = false, .isSymmetric = false, .isPerChannel = true}));
    }

    void params()
    {
        const api::ParamSpec spec{.name = "n", .type = "int", .fallback = 3, .min = 1, .max = 8};
        QCOMPARE(api::paramOf(json::object(), spec), json(3));
        QCOMPARE(api::paramOf({{"n", 5}}, spec), json(5));
        QCOMPARE(api::defaultParams({spec}), json({{"n", 3}}));
        QVERIFY(api::isLegal(spec, 8) && !api::isLegal(spec, 9) && !api::isLegal(spec, 1.5));
        const api::ParamSpec observer{.name = "o", .type = "observer", .fallback = "", .choices = {"kl"}};
        QVERIFY(api::isLegal(observer, "") && api::isLegal(observer, "kl") && !api::isLegal(observer, "lk"));
    }
};

QL_TEST(TestCatalogue)
#include "tst_catalogue.moc"
