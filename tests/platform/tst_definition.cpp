#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/resources.h"
#include "core/base/strings.h"
#include "core/ir/op_traits.h"
#include "core/platform/definition.h"
#include "tests/support/error_of.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>

#include <set>

using namespace ql;
using nlohmann::json;
using ql::test::messageOf;

namespace {

std::set<std::string> keysOf(const json &schema)
{
    std::set<std::string> keys;
    for (const auto &[key, value] : schema.at("properties").items()) keys.insert(key);
    return keys;
}

std::set<std::string> asSet(const std::vector<std::string> &keys)
{
    return {keys.begin(), keys.end()};
}

} // namespace

class TestDefinition : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_home.isValid());
        qputenv("XDG_DATA_HOME", m_home.path().toUtf8());
        QVERIFY(QDir(m_home.path()).mkpath("quantloupe/platforms"));
        // a.json extends a file that sorts after it; bad.json must not block the others
        writeFileAtomically(folder() / "a.json", R"({"id": "MY_A", "title": "A", "extends": "MY_Z", "rules": [
            {"set": {"bits": 4}}]})");
        writeFileAtomically(folder() / "z.json", R"({"id": "MY_Z", "title": "Z", "extends": "TRT_INT8"})");
        writeFileAtomically(folder() / "bad.json", "{\"id\": \"MY_BAD\",\n\"titel\": 1}");
        writeFileAtomically(folder() / "taken.json", R"({"id": "trt_int8", "title": "T", "extends": "NCNN_INT8"})");
    }

    void userFolder()
    {
        QCOMPARE(userPlatformFolder(), folder());
        QCOMPARE(platform("MY_Z").quantizable, platform("TRT_INT8").quantizable);
        QCOMPARE(platform("MY_A").rules.size(), platform("TRT_INT8").rules.size() + 1);
        QCOMPARE(platform("MY_A").rules.back().set.bits, std::optional<int>(4));
        QCOMPARE(findPlatform("MY_BAD"), nullptr);
        QCOMPARE(platformProblems().size(), std::size_t{2});
        const QString bad = QString::fromStdString(platformProblems()[0].message.english());
        QVERIFY2(bad.endsWith("bad.json: line 2: titel: unknown key 'titel'. Did you mean 'title'?"), qPrintable(bad));
        QVERIFY(platformProblems()[1].message.english().ends_with("line 1: id: 'TRT_INT8' is a built-in platform"));
    }

    void builtInFilesAreNamedAfterTheirIds()
    {
        std::vector<std::string> ids;
        for (const std::string_view name : resources::resourceNames("platforms/")) {
            const PlatformDefinition definition = platformFromText(resources::resource(name), std::string(name));
            QCOMPARE("platforms/" + lower(definition.id) + ".json", std::string(name));
            ids.push_back(definition.id);
        }
        for (const char *id : {"TRT_INT8", "OPENVINO_INT8", "ONNXRUNTIME", "PPL_CUDA_INT8", "NCNN_INT8", "TENGINE_INT8",
                               "RKNN_INT8", "NXP_INT8", "ACADEMIC_INT8", "ACADEMIC_INT4"})
            QVERIFY2(std::find(ids.begin(), ids.end(), id) != ids.end(), id);
        const auto all = platforms();
        QCOMPARE(all.size(), ids.size() + 2);
        for (std::size_t i = 0; i < ids.size(); ++i) QCOMPARE(all[i]->id, ids[i]);
    }

    /// A misspelt type would match nothing. PPQ quantizes Scale, which our Caffe importer rewrites.
    void builtInFilesNameOperators()
    {
        std::set<std::string> known{"Scale"};
        for (const std::string &id : Registry<OpTraits>::instance().ids()) known.insert(id.substr(id.rfind(':') + 1));
        for (const PlatformDefinition *definition : platforms()) {
            std::vector<std::string> types(definition->quantizable.begin(), definition->quantizable.end());
            for (const auto *more : {&definition->fuseActivations, &definition->passiveTypes})
                types.insert(types.end(), more->begin(), more->end());
            for (const api::Rule &rule : definition->rules)
                types.insert(types.end(), rule.match.types.begin(), rule.match.types.end());
            for (const std::string &type : types)
                QVERIFY2(known.contains(type), (definition->id + ": " + type).c_str());
        }
    }

    void jsonIsCompleteAndReadsBackEqual()
    {
        for (const PlatformDefinition *definition : platforms()) {
            const PlatformDefinition back = platformFromText(api::toJson(*definition).dump(), "copy");
            QVERIFY2(back == *definition, definition->id.c_str());
        }
    }

    void everyFieldOfARuleReadsBackEqual()
    {
        const json rule = {{"name", "all keys"},
                           {"match",
                            {{"types", {"Conv", "Gemm"}},
                             {"role", {"input", "weight"}},
                             {"index", 1},
                             {"index_from", 1},
                             {"is_parameter", true},
                             {"inputs", 3},
                             {"attributes", {{"group", 1}, {"strides", {{"all", 1}}}, {"pads", {0, 0, 1, 1}}}},
                             {"state", {"initial", "passive"}}}},
                           {"set",
                            {{"bits", 8},
                             {"exponent_bits", 4},
                             {"quant_min", -448},
                             {"quant_max", 448},
                             {"symmetric", true},
                             {"power_of_two", true},
                             {"scale_format", "e8m0"},
                             {"codebook", "none"},
                             {"dynamic", false},
                             {"granularity", "axis 1"},
                             {"rounding", "half_up"},
                             {"observer", "floating"},
                             {"percentile", 0.999},
                             {"percentile_over", "batches"},
                             {"min_scale", 1e-6},
                             {"histogram_bins", 512},
                             {"isotone_axis", -1},
                             {"state", "passive"},
                             {"visibility", "internal"}}}};
        // every key of the reader is in this rule, so a new key that is not written back fails here
        QCOMPARE(rule["match"].size(), api::matchKeys(api::RuleKind::Platform).size());
        QCOMPARE(rule["set"].size(), api::setKeys(api::RuleKind::Platform).size());
        const json file = {
            {"id", "X"}, {"title", "X"}, {"quantable", {"Conv"}}, {"rules", {rule}}, {"passes", {"bake"}}};
        const PlatformDefinition definition = platformFromText(file.dump(), "x.json");
        QCOMPARE(api::toJson(definition)["rules"][0].dump(), rule.dump());
    }

    void schemaKnowsTheSameKeys()
    {
        const json schema = json::parse(resources::resource("schema/platform.schema.json"));
        QCOMPARE(keysOf(schema), asSet(api::platformKeys()));
        QCOMPARE(keysOf(schema["$defs"]["rule"]), asSet(api::ruleKeys(api::RuleKind::Platform)));
        QCOMPARE(keysOf(schema["$defs"]["match"]), asSet(api::matchKeys(api::RuleKind::Platform)));
        QCOMPARE(keysOf(schema["$defs"]["set"]), asSet(api::setKeys(api::RuleKind::Platform)));
        QCOMPARE(keysOf(schema["$defs"]["pass"]["anyOf"][1]), asSet({"id", "enabled", "params"}));
    }

    void fusionLearnsTheActivations()
    {
        const auto fusion = [](const std::string &extra) {
            const PlatformDefinition d =
                platformFromText(R"({"id": "X", "title": "X", "extends": "TRT_INT8")" + extra + "}", "x.json");
            return std::find_if(d.passes.begin(), d.passes.end(),
                                [](const api::StepRequest &p) { return p.id == "quantize_fusion"; })
                ->params;
        };
        QCOMPARE(
            fusion("").dump(),
            std::string(R"({"activations":["Relu","Clip","Softplus","Sigmoid","Gelu"],"mish":false,"swish":true})"));
        QCOMPARE(fusion(R"(, "fuse_activations": ["Mish", "Relu"])").dump(),
                 std::string(R"({"activations":["Relu"],"mish":true,"swish":false})"));
        QCOMPARE(fusion(R"(, "passes": [{"id": "quantize_fusion", "params": {"swish": false}}])")["swish"].dump(),
                 std::string("false"));
        QCOMPARE(fusion(R"(, "passive": ["Slice"])")["passive_types"].dump(), std::string(R"(["Slice"])"));
    }

    void mistakes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("message");
        const auto row = [](const char *name, const char *text, const char *message) {
            QTest::newRow(name) << QByteArray(text) << message;
        };
        row("not JSON", "{\"id\": \"X\",\n \"title\" \"x\"}", "my.json: line 2, column 12: ");
        row("no id", "{\n}", "my.json: line 1: the key 'id' is missing");
        row("id of two words", "{\"id\":\n \"A B\"}", "my.json: line 1: id: an id is one word");
        row("reserved id", "{\"id\": \"FP32\"}", "my.json: line 1: id: the id FP32 is reserved for");
        row("unknown base", "{\"id\": \"X\",\n\"extends\": \"TRT_INT\"}",
            "my.json: line 2: extends: there is no platform 'TRT_INT' to extend. Did you mean 'TRT_INT8'?");
        row("itself", "{\"id\": \"TRT_INT8\", \"extends\": \"TRT_INT8\"}",
            "my.json: line 1: extends: a platform cannot extend itself");
        row("no rules", "{\"id\": \"X\", \"title\": \"x\",\n\"quantable\": [\"Conv\"]}",
            "my.json: line 1: the key 'rules' is missing");
        row("type twice", "{\"id\": \"X\", \"title\": \"x\", \"quantable\": [\"Conv\",\n\"Relu\",\n\"Conv\"]}",
            "my.json: line 3: quantable[2]: 'Conv' is listed twice");
        const auto rule = [](const char *name, const char *text, const char *message) {
            QTest::newRow(name) << QByteArray("{\"id\": \"X\", \"title\": \"x\", \"extends\": \"TRT_INT8\",\n"
                                              "\"rules\": [\n{\"set\": {\"bits\": 8}},\n") +
                                       text + "]}"
                                << message;
        };
        rule("unknown key in a rule", "{\"sets\": {}}",
             "my.json: line 4: rules[1].sets: unknown key 'sets'. Did you mean 'set'?");
        rule("rule without set", "{\"match\": {}}", "my.json: line 4: rules[1]: the key 'set' is missing");
        rule("rule that sets nothing", "{\n\"set\": {}}", "my.json: line 5: rules[1].set: the rule sets nothing");
        rule("unknown key in set", "{\"set\":\n{\n\"bitz\": 4}}",
             "my.json: line 6: rules[1].set.bitz: unknown key 'bitz'. Did you mean 'bits'?");
        rule("unknown key in match", "{\"match\": {\"typs\": [\"Conv\"]}, \"set\": {\"bits\": 8}}",
             "my.json: line 4: rules[1].match.typs: unknown key 'typs'. Did you mean 'types'?");
        rule("override key", "{\"set\": {\"scale\": 1}}", "my.json: line 4: rules[1].set.scale: unknown key 'scale'");
        rule("bits out of range", "{\"set\": {\"bits\": 33}}",
             "my.json: line 4: rules[1].set.bits: must be from 2 to 32, got 33");
        rule("half a range", "{\"set\": {\"quant_min\": 0}}",
             "my.json: line 4: rules[1].set: quant_min and quant_max must be given together");
        rule("range wider than bits", "{\"set\": {\"bits\": 6,\n\"quant_min\": -128, \"quant_max\": 127}}",
             "my.json: line 4: rules[1].set: range -128..127 has more codes than 6 bits hold");
        rule("range upside down", "{\"set\": {\"quant_min\": 5, \"quant_max\": 5}}",
             "my.json: line 4: rules[1].set: quant_min 5 must be below quant_max 5");
        rule("unknown rounding", "{\"set\": {\"rounding\": \"half_evn\"}}",
             "my.json: line 4: rules[1].set.rounding: unknown value 'half_evn'. Did you mean 'half_even'?");
        rule("unknown granularity", "{\"set\": {\"granularity\": \"axis x\"}}",
             "my.json: line 4: rules[1].set.granularity: unknown granularity 'axis x'.");
        rule("unknown role", "{\"match\": {\"role\": [\"input\",\n\"wieght\"]}, \"set\": {\"bits\": 8}}",
             "my.json: line 5: rules[1].match.role[1]: unknown value 'wieght'. Did you mean 'weight'?");
        rule("state that no rule may set", "{\"set\": {\"state\": \"baked\"}}",
             "my.json: line 4: rules[1].set.state: unknown value 'baked'.");
        rule("attribute test", "{\"match\": {\"attributes\": {\"group\": {\"any\": 1}}}, \"set\": {\"bits\": 8}}",
             "my.json: line 4: rules[1].match.attributes.group.any: unknown key 'any'.");
        rule("empty types", "{\"match\": {\"types\": []}, \"set\": {\"bits\": 8}}",
             "my.json: line 4: rules[1].match.types: must list at least one operator type");
        row("unknown observer",
            "{\"id\": \"X\", \"title\": \"x\", \"extends\": \"TRT_INT8\", \"rules\": [\n"
            "{\"match\": {\"role\": \"bias\"}, \"set\": {\"observer\": \"minmx\"}}]}",
            "my.json: line 2: rules[0].set.observer: unknown value 'minmx'. Did you mean 'minmax'?");
        const auto member = [&row](const char *name, const char *text, const char *message) {
            row(name,
                (R"({"id": "X", "title": "x", "extends": "TRT_INT8",)"
                 "\n" +
                 std::string(text) + "}")
                    .c_str(),
                (std::string("my.json: line 2: ") + message).c_str());
        };
        member("unknown pass", R"("passes": ["bake", {"id": "quantise_fusion"}])",
               "passes[1].id: unknown value 'quantise_fusion'. Did you mean 'quantize_fusion'?");
        member("unknown parameter of a pass", R"("passes": [{"id": "calibrate", "params": {"obsrver": "kl"}}])",
               "passes[0].params: pass 'calibrate' has no parameter 'obsrver'.");
        member("wrong parameter of a pass", R"("passes": [{"id": "calibrate", "params": {"observer": 1}}])",
               "passes[0].params: pass 'calibrate': parameter 'observer' must be of type string");
        member("unknown dispatcher", R"("dispatcher": "alin")", "dispatcher: unknown dispatcher 'alin'");
        member("unknown exporter", R"("exporters": ["native", "onnx_qdg"])",
               "exporters[1]: unknown value 'onnx_qdg'. Did you mean 'onnx_qdq'?");
        row("pass without id",
            "{\"id\": \"X\", \"title\": \"x\", \"extends\": \"TRT_INT8\", \"passes\": [\n{\"parms\": 1}]}",
            "my.json: line 2: passes[0].parms: unknown key 'parms'. Did you mean 'params'?");
    }
    void mistakes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, message);
        const QString got = messageOf([&] { platformFromText(text.toStdString(), "my.json"); });
        QVERIFY2(got.startsWith(message), qPrintable(got));
    }

    void unknownPlatform()
    {
        try {
            platform("TRT_INT9");
            QFAIL("accepted");
        } catch (const Error &e) {
            QCOMPARE(QString(e.what()), QString("unknown platform 'TRT_INT9'. Did you mean 'TRT_INT8'?"));
            QVERIFY(e.remedy.english().find("NCNN_INT8") != std::string::npos);
            QVERIFY(e.remedy.english().find("bad.json: line 2") != std::string::npos);
        }
    }

    /// Parameters that follow a list of the platform are inherited with that list, and not without it.
    void inheritedFusionFollowsOwnLists()
    {
        QTemporaryDir dir;
        const std::filesystem::path file = std::filesystem::path(dir.path().toStdString()) / "movers.json";
        writeFileAtomically(
            file,
            R"({"id": "MOVERS", "title": "x", "extends": "TRT_INT8", "passive": ["Slice"], "fuse_activations": ["Clip"]})");
        loadPlatformFile(file);
        const auto fusion = [](const std::string &extra) {
            const PlatformDefinition d =
                platformFromText(R"({"id": "X", "title": "X", "extends": "MOVERS")" + extra + "}", "x.json");
            return std::find_if(d.passes.begin(), d.passes.end(),
                                [](const api::StepRequest &p) { return p.id == "quantize_fusion"; })
                ->params;
        };
        const json both = fusion(""), activations = fusion(R"(, "fuse_activations": ["Relu"])"),
                   passive = fusion(R"(, "passive": ["Tile"])");
        QCOMPARE(both["passive_types"], json::array({"Slice"}));
        QCOMPARE(both["activations"], json::array({"Clip"}));
        QCOMPARE(activations["passive_types"], json::array({"Slice"}));
        QCOMPARE(activations["activations"], json::array({"Relu"}));
        QCOMPARE(passive["passive_types"], json::array({"Tile"}));
        QCOMPARE(passive["activations"], json::array({"Clip"}));
    }

    void aFileReadAgainReplacesTheOldOne()
    {
        QTemporaryDir dir;
        const std::filesystem::path file = std::filesystem::path(dir.path().toStdString()) / "p.json";
        writeFileAtomically(file, R"({"id": "AGAIN", "title": "first", "extends": "TRT_INT8"})");
        const PlatformDefinition &first = loadPlatformFile(file);
        writeFileAtomically(file, R"({"id": "AGAIN", "title": "second", "extends": "TRT_INT8"})");
        loadPlatformFile(file);
        QCOMPARE(first.title, std::string("first"));
        QCOMPARE(platform("AGAIN").title, std::string("second"));
        QVERIFY_EXCEPTION_THROWN(loadPlatformFile(file.parent_path() / "absent.json"), Error);
    }

private:
    std::filesystem::path folder() const
    {
        return std::filesystem::path(m_home.path().toStdString()) / "quantloupe" / "platforms";
    }
    QTemporaryDir m_home;
};

QL_TEST(TestDefinition)
#include "tst_definition.moc"
