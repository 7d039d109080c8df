// Rules in the spelling of files: round trips, and mistakes with their line and the nearest known key.
#include "core/api/params.h"
#include "core/api/platform.h"
#include "core/api/rule.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;

Q_DECLARE_METATYPE(api::RuleKind)

namespace {

api::Rule read(const std::string &text, api::RuleKind kind)
{
    const api::JsonText parsed = api::JsonText::parse(text, "file.json");
    return api::ruleFromJson(api::JsonNode(parsed), kind);
}

/// Every field that a set can have, none with its usual value.
api::RuleSet everySet()
{
    return {.bits = 4,
            .exponentBits = 2,
            .quantMin = -8,
            .quantMax = 7,
            .symmetric = false,
            .powerOfTwo = true,
            .dynamic = true,
            .granularity = api::Granularity{.kind = api::Granularity::Kind::Group, .size = 32},
            .scaleFormat = api::ScaleFormat::E8M0,
            .codebook = api::Codebook::Nf4,
            .rounding = api::Rounding::HalfUp,
            .observer = "kl",
            .percentile = 0.9,
            .minScale = 1e-6,
            .percentileOver = api::PercentileOver::Batches,
            .histogramBins = 512,
            .isotoneAxis = -1,
            .state = api::QuantState::Passive,
            .visibility = api::Visibility::Internal,
            .scale = {0.1, 0.2},
            .zeroPoint = {0, 3}};
}

} // namespace

class TestRule : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void roundTrip_data()
    {
        QTest::addColumn<api::RuleKind>("kind");
        QTest::addColumn<QByteArray>("text");
        const auto row = [](const char *name, api::RuleKind kind, const char *text) {
            QTest::newRow(name) << kind << QByteArray(text);
        };
        using Kind = api::RuleKind;
        row("dispatch by name", Kind::Dispatch, R"({"op": "stem", "platform": "FP32"})");
        row("dispatch by type", Kind::Dispatch, R"({"types": ["Conv", "Gemm"], "platform": "SOI"})");
        row("dispatch by both", Kind::Dispatch, R"({"op": "down_*", "types": ["Conv"], "platform": "FP32"})");
        row("override of everything", Kind::Override, R"({"match": {}, "set": {"range": [-1.0, 1.0]}})");
        row("override, every key of match", Kind::Override,
            R"({"match": {"op": "c*", "variable": "w?", "types": ["Conv"], "role": ["input", "weight"], "index": 1,
                "index_from": 1, "is_parameter": true, "inputs": {"at_least": 2}, "state": ["initial", "fp32"],
                "attributes": {"group": 1, "strides": {"all": 1}, "pads": [0, 0, 1, 1], "mode": "same"}},
                "set": {"bits": 4}})");
        row("override, number as it was written", Kind::Override,
            R"({"match": {"op": "a"}, "set": {"scale": [0.1, 3.3e-05], "zero_point": [0, -1]}})");
        row("platform", Kind::Platform,
            R"({"name": "few", "match": {"role": "bias", "inputs": 3}, "set": {"state": "passive", "bits": 32}})");
        row("platform, every slot", Kind::Platform, R"({"set": {"granularity": "output_channel"}})");
    }
    void roundTrip()
    {
        QFETCH(api::RuleKind, kind);
        QFETCH(QByteArray, text);
        const api::Rule rule = read(text.toStdString(), kind);
        const json written = api::toJson(rule, kind);
        QCOMPARE(written.dump(), json::parse(text.toStdString()).dump());
        QVERIFY(read(written.dump(), kind) == rule);
    }

    /// Every setting of each kind of rule is written and read, and has its own field name.
    void everyField()
    {
        const api::RuleSet set = everySet();
        const json written = api::toJson(set);
        QCOMPARE(written.size(), api::setKeys(api::RuleKind::Override).size() - 1); // except range
        const api::JsonText text = api::JsonText::wrap(written);
        QVERIFY(api::setFromJson(api::JsonNode(text), api::RuleKind::Override) == set);
        QCOMPARE(api::fieldsOf(set).size(), written.size());
        for (const api::RuleField field : api::fieldsOf(set)) {
            QVERIFY(written.contains(api::toString(field)));
            QVERIFY(api::ruleFieldFromString(api::toString(field)) == field);
            api::RuleSet without = set, alone;
            api::removeField(without, field);
            QVERIFY(!api::hasField(without, field));
            QCOMPARE(api::fieldsOf(without).size(), written.size() - 1);
            api::update(without, set);
            QVERIFY(without == set);
        }
        QVERIFY(!api::ruleFieldFromString("bitz"));
        QVERIFY(set.setsScheme() && set.fixesScale());
        const api::RuleSet fixed{.scale = {1}, .zeroPoint = {0}};
        QVERIFY(!fixed.setsScheme() && fixed.fixesScale() && !fixed.empty());
    }

    void mistakes_data()
    {
        QTest::addColumn<api::RuleKind>("kind");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        using Kind = api::RuleKind;
        const auto row = [](const char *name, Kind kind, const char *text, const char *message) {
            QTest::newRow(name) << kind << QByteArray(text) << message;
        };
        row("misspelt key", Kind::Override, "{\"match\": {},\n\"set\": {\n\"bitz\": 4}}",
            "file.json: line 3: set.bitz: unknown key 'bitz'. Did you mean 'bits'?");
        row("misspelt key of match", Kind::Override, "{\"match\": {\n\"typs\": []}, \"set\": {\"bits\": 4}}",
            "file.json: line 2: match.typs: unknown key 'typs'. Did you mean 'types'?");
        row("misspelt key of dispatch", Kind::Dispatch, "{\"op\": \"a\",\n\"platfrom\": \"FP32\"}",
            "file.json: line 2: platfrom: unknown key 'platfrom'. Did you mean 'platform'?");
        row("no set", Kind::Override, "{\"match\": {}}", "file.json: line 1: the key 'set' is missing");
        row("no platform", Kind::Dispatch, "{\"op\": \"a\"}", "file.json: line 1: the key 'platform' is missing");
        row("dispatch of nothing", Kind::Dispatch, "{\"platform\": \"FP32\"}",
            "file.json: line 1: needs op (a name or shell pattern) or types");
        row("no end of inputs", Kind::Override, R"({"match": {"inputs": {}}, "set": {"bits": 4}})",
            "file.json: line 1: match.inputs: the key 'at_least' is missing");
        row("nothing set", Kind::Override, R"({"match": {}, "set": {}})",
            "file.json: line 1: set: the override sets nothing");
        row("key of another kind", Kind::Platform, R"({"match": {"op": "a"}, "set": {"bits": 4}})",
            "file.json: line 1: match.op: unknown key 'op'.");
        row("name of an override", Kind::Override, R"({"name": "x", "match": {}, "set": {"bits": 4}})",
            "file.json: line 1: name: unknown key 'name'.");
        row("another type", Kind::Override, R"({"match": {}, "set": {"symmetric": 1}})",
            "file.json: line 1: set.symmetric: must be true or false, got 1");
        row("out of range", Kind::Override, R"({"match": {}, "set": {"percentile": 2}})",
            "file.json: line 1: set.percentile: must be from 0.5 to 1.0, got 2");
        row("misspelt word", Kind::Override, R"({"match": {"role": "wieght"}, "set": {"bits": 4}})",
            "file.json: line 1: match.role: unknown value 'wieght'. Did you mean 'weight'?");
        row("no object", Kind::Override, "[]", "file.json: line 1: must be an object, got array");
    }
    void mistakes()
    {
        QFETCH(api::RuleKind, kind);
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const QString got = messageOf([&] { read(text.toStdString(), kind); });
        QVERIFY2(got.startsWith(message), qPrintable(got));
    }

    /// The name of an override, also shown as the origin of a config's fields.
    void labels()
    {
        QCOMPARE(api::labelOf({}), std::string("*"));
        QCOMPARE(api::labelOf({.roles = {api::SlotRole::Bias}}), std::string("bias"));
        QCOMPARE(api::labelOf({.types = {"Conv", "Gemm"}, .roles = {api::SlotRole::Bias}}), std::string("Conv, Gemm"));
        QCOMPARE(api::labelOf({.op = "c*", .variable = "w"}), std::string("c*"));
    }

    void actions()
    {
        const json written = {{"id", "observer"},
                              {"option", "--set x=1"},
                              {"dispatch", {{{"op", "a"}, {"platform", "FP32"}}}},
                              {"overrides", {{{"match", {{"op", "a"}}}, {"set", {{"observer", "mse"}}}}}},
                              {"drop_override", {{"match", {{"op", "b"}}}, {"set", {{"bits", 4}}}}},
                              {"fields", {{"analyses.layerwise.samples", 4}}},
                              {"pass", "equalize"},
                              {"gain_db", 2.5},
                              {"gain_points", -0.5}};
        const api::Action action = written.get<api::Action>();
        QCOMPARE(action.overrides.at(0).set.observer, std::string("mse"));
        QCOMPARE(json(action).dump(), written.dump());
        json misspelt = written;
        misspelt["dispatch"][0]["platfrom"] = "FP32";
        QVERIFY(messageOf([&] {
                    misspelt.get<api::Action>();
                }).startsWith("dispatch[0].platfrom: unknown key 'platfrom'. Did you mean 'platform'?"));
        misspelt = written;
        misspelt.erase("id");
        QCOMPARE(messageOf([&] { misspelt.get<api::Action>(); }), QString("the key 'id' is missing"));
    }

    /// A platform that extends another one contains only its changes.
    void platformFiles()
    {
        const std::string whole = R"({"id": "A", "title": "a", "quantable": ["Conv"], "rules": [{"set": {"bits": 8}}],
            "passes": ["bake", {"id": "calibrate", "enabled": false, "params": {"observer": "kl"}}],
            "exporters": ["native"], "arithmetic": "integer"})";
        const auto fileOf = [](const std::string &text) {
            return api::platformFileFromJson(api::JsonText::parse(text, "p.json"));
        };
        const api::PlatformDefinition base = api::resolved(fileOf(whole), nullptr);
        QVERIFY(base.integerArithmetic);
        QCOMPARE(base.dispatcher, std::string("conservative"));
        QCOMPARE(base.passes.at(1).params.dump(), std::string(R"({"observer":"kl"})"));
        QVERIFY(api::toJson(base).get<api::PlatformDefinition>() == base);

        const std::string text =
            R"({"extends":"TRT_INT8","id":"B","rules":[{"set":{"bits":4}}],"title":"b"})"; // keys as they are sorted
        const api::PlatformFile file = fileOf(text);
        QCOMPARE(api::toJson(file).dump(), text);
        QVERIFY(api::definesMember(file, "rules") && !api::definesMember(file, "passes"));
        const api::PlatformDefinition own = api::resolved(file, &base);
        QCOMPARE(own.rules.size(), std::size_t(2));
        QCOMPARE(own.rules.at(1).set.bits, 4);
        QVERIFY(own.passes == base.passes && own.integerArithmetic && own.title == "b");

        const auto refused = [&](const char *name, const std::string &bad, const char *message) {
            const QString got = messageOf([&] { fileOf(bad); });
            QVERIFY2(got.startsWith(QLatin1String(message)), qPrintable(QLatin1String(name) + QString(": ") + got));
        };
        refused("missing", R"({"id": "A", "title": "a", "rules": [], "passes": []})",
                "p.json: line 1: the key 'quantable' is missing");
        refused("misspelt", "{\"id\": \"A\", \"extends\": \"B\",\n\"titel\": \"a\"}",
                "p.json: line 2: titel: unknown key 'titel'. Did you mean 'title'?");
        refused("step",
                R"({"id": "B", "extends": "TRT_INT8", "title": "b", "passes": [{"id": "bake", "enable": true}]})",
                "p.json: line 1: passes[0].enable: unknown key 'enable'. Did you mean 'enabled'?");
    }
};

QL_TEST(TestRule)
#include "tst_rule.moc"
