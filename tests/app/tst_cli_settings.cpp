// Options that choose and change the target, cut the model, and make up data.
#include "tests/support/cli_program.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <QtTest>

using namespace ql;
using nlohmann::json;

class TestCliSettings : public QObject, private test::CliProgram
{
    Q_OBJECT

private:
    /// x [1,4] -> Relu -> t -> Boxes (of another domain) -> y
    void detector(const char *name) const
    {
        test::OnnxModel model;
        auto *import = model.proto.add_opset_import();
        import->set_domain("my.tools");
        import->set_version(1);
        model.input("x", {1, 4});
        model.output("y");
        model.weight("w", {4, 4}, std::vector<float>(16, 0.25f));
        model.node("MatMul", "mul", {"x", "w"}, {"s"});
        model.node("Relu", "relu", {"s"}, {"t"});
        model.node("Boxes", "boxes", {"t"}, {"y"})->set_domain("my.tools");
        model.save(m_folder / name);
    }
    static const json &configOf(const json &report, const std::string &role)
    {
        for (const json &config : report.at("configs"))
            if (config.at("role") == role && config.at("state") != "fp32") return config;
        qFatal("no config");
    }

private Q_SLOTS:
    void init() { makeFolder(); }

    void otherNameOfAPlatform()
    {
        detector("m.onnx");
        const Outcome listed = run({"platforms", "ORT_OOS_INT8"});
        QCOMPARE(listed.code, 0);
        QVERIFY(listed.out.startsWith("RKNN_INT8") && listed.out.contains("ORT_OOS_INT8"));
        const Outcome inspected =
            run({"inspect", file("m.onnx"), "--platform", "ORT_OOS_INT8", "--outputs", "t", "--json", file("i.json")});
        QVERIFY2(inspected.code == 0, inspected.err.constData());
        QCOMPARE(jsonFile("i.json").at("platform"), json("RKNN_INT8"));
    }

    void parametersOfAPlatform()
    {
        const QString model = QString::fromStdString(models + "residual.onnx");
        const Outcome page = run({"platforms", "TRT_INT8"});
        QVERIFY(page.out.contains("bits (int), default 8, from 2 to 16"));
        const Outcome outcome = run({"run", model, "--calib", "random:4,seed=1", "--platform-param", "bits=4",
                                     "--platform-param", "per_channel=false", "--json", file("r.json"), "--save-recipe",
                                     file("r.quantloupe"), "-q", "--threads", "1"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = jsonFile("r.json");
        QCOMPARE(configOf(report, "parameter").at("bits"), json(4));
        QCOMPARE(configOf(report, "parameter").at("channel_axis"), json());
        QCOMPARE(jsonFile("r.quantloupe").at("platform_params"),
                 (json{{"bits", 4}, {"symmetric", true}, {"per_channel", false}}));
        QCOMPARE(jsonFile("r.quantloupe").at("calibration").at("path"), json("random:4,seed=1"));
        const Outcome refused = run({"inspect", model, "--platform-param", "bits=40"});
        QCOMPARE(refused.code, 2);
        QVERIFY(refused.err.contains("parameter 'bits' must be at most 16, got 40"));
    }

    /// The saved recipe runs where the platform's file does not exist.
    void ownPlatformInAFile()
    {
        write("mine.json", R"({"id": "MINE", "title": "Mine", "extends": "TRT_INT8", "rules": [
            {"match": {"role": "weight"}, "set": {"bits": 5}}]})");
        const QString model = QString::fromStdString(models + "residual.onnx");
        const Outcome first = run({"run", model, "--platform", "mine.json", "--calib", "random:2", "--analyse", "none",
                                   "--save-recipe", file("r.quantloupe"), "-q"});
        QVERIFY2(first.code == 0, first.err.constData());
        std::filesystem::remove(m_folder / "mine.json");
        const Outcome again = run({"run", file("r.quantloupe"), "--json", file("r.json"), "-q"});
        QVERIFY2(again.code == 0, again.err.constData());
        QCOMPARE(configOf(jsonFile("r.json"), "parameter").at("bits"), json(5));
        QCOMPARE(jsonFile("r.json").at("recipe").at("platform"), json("MINE"));
        const Outcome missing = run({"inspect", model, "--platform", "none.json"});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("none.json"), missing.err.constData());
    }

    /// In the platform, in an override and in a dispatch rule; in no platform of our own.
    void misspeltOperatorTypes()
    {
        write("mine.json", R"({"id": "MINE", "title": "Mine", "extends": "TRT_INT8", "rules": [
            {"match": {"types": ["Covn"], "role": "weight"}, "set": {"bits": 5}}]})");
        const QString model = QString::fromStdString(models + "residual.onnx");
        const Outcome outcome =
            run({"run", model, "--platform", "mine.json", "--calib", "random:2", "--analyse", "none", "--set",
                 R"(overrides=[{"match": {"types": ["Gem"]}, "set": {"bits": 5}}])", "--set",
                 R"(dispatch=[{"types": ["Rellu"], "platform": "FP32"}])"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        for (const char *words : {"operator type 'Covn', which does not exist. Did you mean 'Conv'?",
                                  "operator type 'Gem', which does not exist. Did you mean 'Gemm'?",
                                  "operator type 'Rellu', which does not exist. Did you mean 'Relu'?"})
            QVERIFY2(outcome.err.contains(words), outcome.err.constData());
        const Outcome all = run({"platforms", "--json", file("platforms.json")});
        QVERIFY2(all.code == 0, all.err.constData());
        const json list = jsonFile("platforms.json");
        for (const json &platform : list.at("platforms")) {
            const QString id = QString::fromStdString(platform.at("id"));
            const Outcome own = run({"run", model, "--platform", id, "--calib", "random:2", "--analyse", "none"});
            QVERIFY2(!own.err.contains("which does not exist"), qPrintable(id + ": " + own.err));
        }
    }

    /// Each by its name, as they name no tensor of the model.
    void manyOverridesWithoutEffect()
    {
        json overrides = json::array();
        for (const char *name : {"aa", "bb", "cc", "dd", "ee"})
            overrides.push_back({{"match", {{"variable", name}}}, {"set", {{"bits", 5}}}});
        const Outcome outcome =
            run({"run", QString::fromStdString(models + "residual.onnx"), "--platform", "TRT_INT8", "--calib",
                 "random:2", "--analyse", "none", "--set", QString::fromStdString("overrides=" + overrides.dump())});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(!outcome.err.contains("''") && outcome.err.contains("'aa'") && outcome.err.contains("'ee'"),
                 outcome.err.constData());
    }

    void presetsAndSettings()
    {
        const QString model = QString::fromStdString(models + "residual.onnx");
        const Outcome preset = run({"run", model, "--platform", "PPL_DSP_INT8", "--preset", "dsp", "--calib",
                                    "random:2", "--analyse", "none", "--json", file("r.json"), "-q"});
        QVERIFY2(preset.code == 0, preset.err.constData());
        const json passes = jsonFile("r.json").at("recipe").at("passes");
        QCOMPARE(passes[0].at("enabled"), json(true));
        QCOMPARE(passes[0].at("params").at("iterations"), json(3));
        write("s.json", R"({"equalization": true, "extension": true, "version": "0.6.6"})");
        const Outcome converted = run({"convert-setting", file("s.json"), "--platform", "ORT_OOS_INT8", "--model",
                                       model, "--save-recipe", file("s.quantloupe")});
        QVERIFY2(converted.code == 0, converted.err.constData());
        QVERIFY2(converted.err.contains("extension (true) is not converted"), converted.err.constData());
        QCOMPARE(jsonFile("s.quantloupe").at("platform"), json("RKNN_INT8"));
        QCOMPARE(run({"run", file("s.quantloupe"), "--calib", "random:2", "--analyse", "none", "-q"}).code, 0);
        const Outcome shown = run({"convert-setting", file("s.json"), "--platform", "ORT_OOS_INT8"});
        QVERIFY2(shown.code == 0, shown.err.constData());
        QCOMPARE(json::parse(shown.out.toStdString()).at("platform"), json("RKNN_INT8"));
        QVERIFY2(shown.err.contains("extension (true) is not converted"), shown.err.constData());
        write("bad.json", R"({"equalisation": true})");
        const Outcome refused = run({"convert-setting", file("bad.json"), "--save-recipe", file("bad.quantloupe")});
        QCOMPARE(refused.code, 2);
        QVERIFY(refused.err.contains("unknown key 'equalisation'"));
        QVERIFY(!std::filesystem::exists(m_folder / "bad.quantloupe"));
    }

    void cutBeforeUnsupportedOperations()
    {
        detector("m.onnx");
        const Outcome whole = run({"run", file("m.onnx"), "--calib", "random:2"});
        QCOMPARE(whole.code, 2);
        QVERIFY2(whole.err.contains("--cut-unsupported"), whole.err.constData());
        const Outcome outcome = run({"run", file("m.onnx"), "--cut-unsupported", "--calib", "random:2", "--export",
                                     "onnx_qdq:" + file("q.onnx"), "--json", file("r.json")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY(outcome.err.contains("1 of 3 operations are left out (1 Boxes); its outputs are t"));
        QCOMPARE(jsonFile("r.json").at("outputs")[0].at("variable"), json("t"));
        QCOMPARE(run({"inspect", file("q.onnx")}).code, 0);
    }

    void stringsHaveAType()
    {
        test::OnnxModel model;
        model.input("x");
        model.input("words", {2}, 8);
        model.node("Relu", "r", {"x"}, {"y"});
        model.node("Identity", "i", {"words"}, {"same"});
        model.output("y");
        test::OnnxModel::describe(model.graph()->add_output(), "same", {2}, 8);
        model.save(m_folder / "m.onnx");
        const Outcome outcome = run({"inspect", file("m.onnx"), "-q"});
        QVERIFY2(outcome.out.contains("words  string 2") && outcome.out.contains("same  string 2"),
                 outcome.out.constData());
    }

    void cutAtTensors()
    {
        detector("m.onnx");
        const Outcome inferred = run(
            {"infer", file("m.onnx"), "--inputs", "s", "--outputs", "t", "--in", "random:3", "--out", file("o.npz")});
        QVERIFY2(inferred.code == 0, inferred.err.constData());
        QCOMPARE(NpzFile(m_folder / "o.npz").array("t")->shape(), (std::vector<std::int64_t>{3, 4}));
        const Outcome unknown = run({"run", file("m.onnx"), "--outputs", "tt", "--calib", "random:2"});
        QCOMPARE(unknown.code, 2);
        QVERIFY2(unknown.err.contains("m.onnx: the model cannot be cut at 'tt': it has no tensor of that name. "
                                      "Did you mean 't'?"),
                 unknown.err.constData());
        for (const char *option : {"--inputs", "--outputs"})
            for (const char *names : {"", " , "}) {
                const Outcome none = run({"run", file("m.onnx"), option, names, "--calib", "random:2"});
                QCOMPARE(none.code, 2);
                QVERIFY2(none.err.contains("expected names of tensors, got '"), none.err.constData());
            }
    }

    /// After an operation that is not implemented, nothing is known about a tensor.
    void randomDataOfUnknownType()
    {
        test::OnnxModel model;
        auto *import = model.proto.add_opset_import();
        import->set_domain("my.tools");
        import->set_version(1);
        model.input("x", {1, 4});
        model.output("y");
        model.node("Boxes", "boxes", {"x"}, {"b"})->set_domain("my.tools");
        model.node("Relu", "relu", {"b"}, {"y"});
        model.save(m_folder / "m.onnx");
        const QStringList command{"run", file("m.onnx"), "--inputs", "b", "--calib", "random:2", "--analyse", "none"};
        const Outcome shapeless = run(command);
        QCOMPARE(shapeless.code, 2);
        QVERIFY2(shapeless.err.contains("--input-shape b="), shapeless.err.constData());
        const Outcome outcome = run(command + QStringList{"--input-shape", "b=1x4"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(outcome.err.contains("the random data is float32"), outcome.err.constData());
    }

    void floatsOf16Bits()
    {
        const QString model = QString::fromStdString(models + "residual.onnx");
        const Outcome refused = run({"run", model, "--platform", "FP16", "--calib", "random:2"});
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("exponent_bits to 5 (float16) or 8 (bfloat16)"), refused.err.constData());
        const Outcome outcome =
            run({"run", model, "--calib", "random:2", "--json", file("r.json"), "--set",
                 R"(overrides=[{"match": {}, "set": {"bits": 16, "exponent_bits": 5, "symmetric": true,
                    "observer": "constant", "quant_min": -65504, "quant_max": 65504}}])"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QCOMPARE(configOf(jsonFile("r.json"), "input").at("scale"), json::array({1.0}));
    }
};

QL_TEST(TestCliSettings)
#include "tst_cli_settings.moc"
