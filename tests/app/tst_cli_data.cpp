// The program's reports on data, rules and shapes: if numbers would be silently wrong or missing, there is a problem in
// the report and a line on standard error.
#include "tests/support/cli_program.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <QtTest>
#include <limits>

using namespace ql;
using nlohmann::json;
namespace fs = std::filesystem;

static const QString residual = QL_TEST_DATA "/models/residual.onnx";

class TestCliData : public QObject, private test::CliProgram
{
    Q_OBJECT

private:
    /// A recipe for residual.onnx on good.npz with more members.
    void recipe(const char *name, const std::string &more) const
    {
        writeFileAtomically(m_folder / name, "{\"format\": \"quantloupe-recipe/1\",\n\"model\": {\"path\": \"" +
                                                 residual.toStdString() +
                                                 "\"},\n\"calibration\": {\"path\": \"good.npz\", \"samples\": 4},\n" +
                                                 "\"evaluation\": {\"samples\": 4},\n" + more + "}");
    }
    static std::vector<json> problemsWith(const json &report, const std::string &words)
    {
        std::vector<json> found;
        for (const json &problem : report.at("problems"))
            if (problem.at("message").get<std::string>().find(words) != std::string::npos) found.push_back(problem);
        return found;
    }

private Q_SLOTS:
    void init()
    {
        makeFolder();
        arrays("good.npz", {{"x", test::spread({4, 3, 8, 8})}});
    }

    void inferAddsASampleAxis()
    {
        test::OnnxModel model; // a recurrent cell in small: the batch is axis 0 of x and axis 1 of the state
        model.input("a", {-1, 4});
        model.input("state", {2, -1, 3});
        model.output("y");
        model.output("stateN");
        model.output("total");
        model.node("Relu", "relu", {"a"}, {"y"});
        model.node("Neg", "neg", {"state"}, {"stateN"});
        auto *sum = model.node("ReduceSum", "sum", {"a"}, {"total"});
        model.attribute(sum, "keepdims", onnx::AttributeProto::INT)->set_i(0);
        model.save(m_folder / "cell.onnx");
        const at::Tensor a = test::spread({4, 4}), state = test::spread({4, 2, 1, 3});
        arrays("in.npz", {{"a", a}, {"state", state}});
        const Outcome outcome = run({"infer", file("cell.onnx"), "--in", file("in.npz"), "--out", file("out.npz")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const NpzFile out(m_folder / "out.npz");
        QCOMPARE(out.array("y")->all().sizes(), at::IntArrayRef({4, 4}));
        QCOMPARE(out.array("stateN")->all().sizes(), at::IntArrayRef({4, 2, 1, 3}));
        QVERIFY(at::equal(out.array("stateN")->all(), state.neg()));
        QCOMPARE(out.array("total")->all().sizes(), at::IntArrayRef({4}));
        QVERIFY(outcome.err.contains("stateN 4x2x1x3"));

        // Samples with the model's own axes: every output keeps them after the sample axis
        arrays("whole.npz", {{"a", a.unsqueeze(1)}, {"state", state}});
        QCOMPARE(run({"infer", file("cell.onnx"), "--in", file("whole.npz"), "--out", file("w.npz")}).code, 0);
        const NpzFile whole(m_folder / "w.npz");
        QCOMPARE(whole.array("y")->all().sizes(), at::IntArrayRef({4, 1, 4}));
        QCOMPARE(whole.array("stateN")->all().sizes(), at::IntArrayRef({4, 2, 1, 3}));
        QCOMPARE(whole.array("total")->all().sizes(), at::IntArrayRef({4}));
        QVERIFY(at::equal(whole.array("y")->all().squeeze(1), out.array("y")->all()));
    }

    void inferRefusesShapesThatDiffer()
    {
        test::OnnxModel model;
        model.input("a", {-1, 4});
        model.output("y");
        model.node("NonZero", "nonzero", {"a"}, {"y"});
        model.save(m_folder / "nonzero.onnx");
        at::Tensor a = at::full({2, 4}, 1.0);
        a[1][2] = 0;
        arrays("in.npz", {{"a", a}});
        const Outcome outcome = run({"infer", file("nonzero.onnx"), "--in", file("in.npz"), "--out", file("out.npz")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("tensor 'y': the tensor is 2x4 for the first sample and 2x3 for sample 1"),
                 outcome.err.constData());
        QVERIFY(!fs::exists(m_folder / "out.npz"));
    }

    void tensorsWithoutScaleAreReported_data()
    {
        QTest::addColumn<QString>("passes");
        QTest::addColumn<QString>("missing"); ///< empty: nothing to report
        QTest::newRow("no calibration") << R"("passes": ["quantize_fusion", "parameter_quantize", "bake"])"
                                        << "calibrate";
        QTest::newRow("no pass for parameters") << R"("passes": ["quantize_fusion", "calibrate"])"
                                                << "parameter_quantize";
        for (const char *platform : {"TRT_INT8", "ONNXRUNTIME", "NCNN_INT8", "NXP_INT8", "ACADEMIC_INT4"})
            QTest::newRow(platform) << QString("\"platform\": \"%1\"").arg(platform) << QString();
    }
    void tensorsWithoutScaleAreReported()
    {
        QFETCH(QString, passes);
        QFETCH(QString, missing);
        recipe("r.quantloupe", passes.toStdString() + ", \"analyses\": []");
        const Outcome outcome = run({"run", file("r.quantloupe"), "--json", file("r.json")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const auto reported = problemsWith(json::parse(readFile(m_folder / "r.json")), "have no scale and are not");
        QCOMPARE(reported.size(), std::size_t(missing.isEmpty() ? 0 : 1));
        if (missing.isEmpty()) return;
        const std::string words = "the passes have no '" + missing.toStdString() + "'";
        QVERIFY(reported[0]["message"].get<std::string>().find(words) != std::string::npos);
        QCOMPARE(reported[0]["remedy"].get<std::string>(), "Add '" + missing.toStdString() + "' to the passes.");
        QCOMPARE(reported[0]["severity"].get<std::string>(), std::string("warning"));
        QVERIFY2(outcome.err.contains("warning: ") && outcome.err.contains(words.c_str()), outcome.err.constData());
    }

    void fewerSamplesThanAskedFor()
    {
        const QStringList command{"run", residual, "--calib", file("good.npz"), "--analyse", "none", "--json"};
        Outcome outcome = run(command + QStringList{file("r.json"), "--samples", "10", "--eval-samples", "6"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = json::parse(readFile(m_folder / "r.json"));
        QCOMPARE(problemsWith(report, "10 samples were requested, but the data has only 4").size(), std::size_t(1));
        QCOMPARE(problemsWith(report, "6 samples were requested, but the data has only 4").size(), std::size_t(1));
        QVERIFY(outcome.err.contains("warning: 10 samples were requested, but the data has only 4"));
        // Nobody asked for the default
        outcome = run(command + QStringList{file("r.json")});
        const json usual = json::parse(readFile(m_folder / "r.json"));
        QCOMPARE(problemsWith(usual, "were requested").size(), std::size_t(0));
        QCOMPARE(problemsWith(usual, "the data has few samples (4); up to 32 would be used").size(), std::size_t(1));
        // It counts as a request if it is given
        outcome = run(command + QStringList{file("r.json"), "--samples", "32", "--eval-samples", "8"});
        const json asked = json::parse(readFile(m_folder / "r.json"));
        QCOMPARE(problemsWith(asked, "32 samples were requested, but the data has only 4").size(), std::size_t(1));
        QCOMPARE(problemsWith(asked, "8 samples were requested, but the data has only 4").size(), std::size_t(1));
        outcome = run(command + QStringList{file("r.json"), "--samples", "3"});
        QCOMPARE(problemsWith(json::parse(readFile(m_folder / "r.json")), "were requested").size(), std::size_t(0));
    }

    void oneNanIsReportedOnceAndFirst()
    {
        at::Tensor x = test::spread({4, 3, 8, 8});
        x[1][0][2][3] = std::numeric_limits<float>::quiet_NaN();
        arrays("nan.npz", {{"x", x}});
        const Outcome outcome =
            run({"run", residual, "--calib", file("nan.npz"), "--samples", "4", "--json", file("r.json")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = json::parse(readFile(m_folder / "r.json"));
        const std::string first = report["problems"][0]["message"];
        QVERIFY2(first.find("NaN or infinite values in the data: 1, first in sample 'nan.npz[1]'") == 0, first.c_str());
        QCOMPARE(problemsWith(report, "NaN or infinite values in the data").size(), std::size_t(1));
        QCOMPARE(problemsWith(report, "NaN values left out").size(), std::size_t(1));
        QCOMPARE(problemsWith(report, "graphwise: ").size(), std::size_t(1));
        QVERIFY2(report["problems"].size() <= 5, report["problems"].dump(1).c_str());
        QVERIFY(outcome.err.indexOf("NaN or infinite values in the data") < outcome.err.indexOf("NaN values left out"));
    }

    /// Calibration and evaluation read different numbers of samples of one file: the NaN are reported once.
    void nanOfBothPartsIsReportedOnce()
    {
        at::Tensor x = test::spread({4, 3, 8, 8});
        x[1][0][2][3] = x[3][0][0][0] = std::numeric_limits<float>::quiet_NaN();
        arrays("nan.npz", {{"x", x}});
        const Outcome outcome =
            run({"run", residual, "--calib", file("nan.npz"), "--eval", file("nan.npz"), "--samples", "4",
                 "--eval-samples", "2", "--sampling", "first", "--json", file("r.json")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = json::parse(readFile(m_folder / "r.json"));
        const auto found = problemsWith(report, "NaN or infinite values in the data");
        QCOMPARE(found.size(), std::size_t(1));
        QVERIFY(found[0]["message"].get<std::string>().find(": 2, first in sample 'nan.npz[1]'") != std::string::npos);
    }

    void nothingToMeasureOn()
    {
        const QStringList command{"run", residual, "--platform", "WEIGHT_ONLY", "--json", file("r.json")};
        QCOMPARE(run(command).code, 0);
        QCOMPARE(problemsWith(jsonFile("r.json"), "no errors were measured").size(), std::size_t(1));
        QCOMPARE(run(command + QStringList{"--analyse", "none"}).code, 0);
        QCOMPARE(problemsWith(jsonFile("r.json"), "no errors were measured").size(), std::size_t(0));
    }

    /// Before the model is imported or any pass runs.
    void missingCalibrationDataIsNoticedFirst()
    {
        const Outcome outcome = run({"run", residual, "--platform", "RKNN_INT8"});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.startsWith("error: pass 'calibrate' needs calibration data"), outcome.err.constData());
        const Outcome missing = run({"run", "no.onnx"});
        QVERIFY2(missing.err.contains("no.onnx: the file does not exist"), missing.err.constData());
    }

    /// A batch along another axis is measured as a whole; all of its samples count.
    void batchOnAnotherAxis()
    {
        test::OnnxModel model;
        model.input("x", {4, 3});
        model.weight("w", {3, 3}, {1, 2, 3, 0, 1, 2, -1, 0.5f, 1});
        model.node("MatMul", "mul", {"x", "w"}, {"s"});
        model.node("Transpose", "turn", {"s"}, {"y"});
        model.output("y");
        model.save(m_folder / "m.onnx");
        arrays("l.npz", {{"x", test::spread({8, 3})}, {"labels", at::arange(8, at::kLong)}});
        const Outcome outcome = run({"run", file("m.onnx"), "--calib", file("l.npz"), "--json", file("r.json")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = json::parse(readFile(m_folder / "r.json"));
        for (const char *part : {"outputs", "graphwise", "layerwise"}) QCOMPARE(report[part][0]["samples"], json(8));
        QCOMPARE(problemsWith(report, "the output is 3x4 for a batch of 4, not a row of class scores").size(),
                 std::size_t(1));
    }

    void foldersOfNoInput_data()
    {
        QTest::addColumn<QStringList>("folders");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("classes") << QStringList{"dog", "cat"}
                                 << QByteArray("only subfolders: cat, dog; expected samples, or one subfolder for each "
                                               "input: a, state.");
        QTest::newRow("one of two") << QStringList{"a"}
                                    << QByteArray("only subfolders: a; expected samples, or one subfolder for each");
        QTest::newRow("a typo") << QStringList{"a", "stat"} << QByteArray("Did you mean 'stat'?");
    }
    void foldersOfNoInput()
    {
        QFETCH(QStringList, folders);
        QFETCH(QByteArray, says);
        test::OnnxModel model;
        model.input("a", {-1, 4});
        model.input("state", {-1, 4});
        model.output("y");
        model.node("Add", "add", {"a", "state"}, {"y"});
        model.save(m_folder / "two.onnx");
        for (const QString &folder : folders) {
            fs::create_directories(m_folder / "data" / folder.toStdString());
            writeFileAtomically(m_folder / "data" / folder.toStdString() / "0.bin", std::string(16, '\0'));
        }
        const Outcome outcome = run({"run", file("two.onnx"), "--calib", file("data")});
        QCOMPARE(outcome.code, 2);
        QVERIFY2(outcome.err.contains("data: the folder holds no samples, only ") && outcome.err.contains(says),
                 outcome.err.constData());
    }

    void preparedArraysArePreparedAgainAloud()
    {
        const QStringList command{"run", residual,    "--calib", file("good.npz"), "--samples",
                                  "4",   "--analyse", "none",    "--json",         file("r.json")};
        const Outcome outcome = run(command + QStringList{"--preprocess", "scale 1/255"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const std::string words = "the preprocessing \"scale 1/255\" was applied to the arrays of 'good.npz'";
        QCOMPARE(problemsWith(json::parse(readFile(m_folder / "r.json")), words).size(), std::size_t(1));
        QVERIFY2(outcome.err.contains(words.c_str()), outcome.err.constData());
        QVERIFY(!run(command).err.contains("was applied to the arrays"));
    }

    void rulesAreRefusedWithTheirPlace_data()
    {
        QTest::addColumn<QString>("rules");
        QTest::addColumn<QString>("words"); ///< separated by |
        const auto row = [](const char *name, const char *rules, const char *words) {
            QTest::newRow(name) << QString(rules) << QString(words);
        };
        row("unknown key", R"("overrides": [{"match": {}, "set": {"bits": 8}},
{"match": {"opp": "conv1"}, "set": {"bits": 4}}])",
            "r.quantloupe: line 6: overrides[1].match.opp: unknown key|Did you mean 'op'?|Known: ");
        row("unknown role", R"("overrides": [{"match": {"role": "wheight"}, "set": {"bits": 4}}])",
            "r.quantloupe: line 5: overrides[0].match.role|Did you mean 'weight'?|Known: ");
        row("number of scales", R"("overrides": [{"match": {"op": "fc", "role": "output"}, "set": {"scale": [1, 2]}}])",
            "r.quantloupe: |overrides[0]: override 'fc': scale has 2 entries|Give one scale");
        row("platform", R"("dispatch": [{"op": "conv1", "platform": "TRT"}])",
            "r.quantloupe: line 5: dispatch[0].platform: unknown platform 'TRT'. Did you mean 'TRT_FP8', 'TRT_INT8' or "
            "|Known: ");
        row("pass", R"("passes": ["calibrat"])",
            "r.quantloupe: line 5: passes[0]: unknown pass 'calibrat'|Did you mean 'calibrate'?");
        row("analysis", R"("analyses": [{"id": "layrwise"}])",
            "r.quantloupe: line 5: analyses[0].id: unknown analysis|Did you mean 'layerwise'?");
    }
    void rulesAreRefusedWithTheirPlace()
    {
        QFETCH(QString, rules);
        QFETCH(QString, words);
        recipe("r.quantloupe", rules.toStdString());
        const Outcome outcome = run({"run", file("r.quantloupe")});
        QCOMPARE(outcome.code, 2);
        for (const QString &word : words.split('|'))
            QVERIFY2(outcome.err.contains(word.toUtf8()), qPrintable(word + " not in " + outcome.err));
    }

    void rulesWithoutEffectAreReportedWithTheirPlace()
    {
        recipe("r.quantloupe", R"("overrides": [{"match": {"op": "conv11"}, "set": {"bits": 4}}],
"dispatch": [{"op": "conv22", "platform": "FP32"}], "analyses": [])");
        const Outcome outcome = run({"run", file("r.quantloupe")});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(outcome.err.contains("overrides[0]: override 'conv11' matches no tensor"), outcome.err.constData());
        QVERIFY2(outcome.err.contains("dispatch[0]: dispatch override 'conv22' matches no operation. Did you mean"),
                 outcome.err.constData());
    }

    /// One meaning of the roles, in rules and in reports.
    void rolesOfRulesAndReports_data()
    {
        QTest::addColumn<QString>("role");
        for (const char *role : {"input", "parameter", "output"}) QTest::newRow(role) << role;
    }
    void rolesOfRulesAndReports()
    {
        QFETCH(QString, role);
        recipe("r.quantloupe", "\"overrides\": [{\"match\": {\"op\": \"conv1\", \"role\": \"" + role.toStdString() +
                                   "\"}, \"set\": {\"bits\": 6}}], \"analyses\": []");
        const Outcome outcome = run({"run", file("r.quantloupe"), "--json", file("r.json"), "-q"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        int changed = 0;
        const json report = json::parse(readFile(m_folder / "r.json"));
        for (const json &config : report["configs"]) {
            if (config["op"] != "conv1" || config["state"] == "fp32") continue;
            QCOMPARE(config["bits"] == 6, config["role"] == role.toStdString());
            changed += config["bits"] == 6;
        }
        QVERIFY(changed > 0);
    }

    void inspectCountsConstantsAndFixesShapes()
    {
        test::OnnxModel model;
        model.input("a", {-1, 4});
        model.output("y");
        test::OnnxModel::describe(model.graph()->mutable_output(0), "y", {-2, 3});
        auto *constant = model.node("Constant", "weights", {}, {"w"});
        auto *value = model.attribute(constant, "value", onnx::AttributeProto::TENSOR)->mutable_t();
        value->set_data_type(onnx::TensorProto::FLOAT);
        value->add_dims(4), value->add_dims(3);
        for (int i = 0; i < 12; ++i) value->add_float_data(float(i));
        model.node("MatMul", "matmul", {"a", "w"}, {"y"});
        model.save(m_folder / "constant.onnx");
        const auto inspect = [&](const QStringList &more) {
            return json::parse(
                run(QStringList{"inspect", file("constant.onnx"), "--json", "-"} + more).out.toStdString());
        };
        const json open = inspect({}), fixed = inspect({"--input-shape", "a=5x4"});
        QCOMPARE(open["model"]["counts"]["weights"], 12);
        QCOMPARE(open["model"]["counts"]["parameters"], 1);
        QVERIFY(open["model"]["outputs"][0]["shape"][0].is_string());
        QCOMPARE(fixed["model"]["outputs"][0]["shape"], (json{5, 3}));
        for (const json &tensor : fixed["tensors"])
            if (tensor["name"] == "y") QCOMPARE(tensor["shape"], "5x3");
        QVERIFY(run({"inspect", file("constant.onnx")}).out.contains("12 weights in 1 parameter"));
    }

    /// The same numbers as from the file that the program writes.
    void programsNeedTheOption()
    {
        write("m.json", R"({"command": ["sh", "-c", "echo >> started; cat good.npz"]})");
        recipe("r.quantloupe", "\"analyses\": []");
        const QStringList arguments{"run", file("r.quantloupe"), "--samples", "4", "--json", "-"};
        const QStringList fromProgram = arguments + QStringList{"--calib", file("m.json")};
        const Outcome refused = run(fromProgram);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("starts a program: sh -c echo >> started; cat good.npz") &&
                     refused.err.contains("--allow-commands"),
                 refused.err.constData());
        QVERIFY(!fs::exists(m_folder / "started"));
        const Outcome allowed = run(fromProgram + QStringList{"--allow-commands"}), plain = run(arguments);
        QVERIFY2(allowed.code == 0, allowed.err.constData());
        QCOMPARE(readFile(m_folder / "started"), "\n"); // once for calibration and evaluation
        QCOMPARE(json::parse(allowed.out.toStdString())["configs"], json::parse(plain.out.toStdString())["configs"]);
    }
};

QL_TEST(TestCliData)
#include "tst_cli_data.moc"
