// The program's defaults: it runs if that makes sense, and refuses if results would be wrong.
#include "tests/support/cli_program.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <QtTest>
#include <set>

using namespace ql;
using nlohmann::json;
namespace fs = std::filesystem;

class TestCliDefaults : public QObject, private test::CliProgram
{
    Q_OBJECT

private:
    static bool reports(const json &report, const std::string &severity, const std::string &words)
    {
        return std::any_of(report.at("problems").begin(), report.at("problems").end(), [&](const json &problem) {
            return problem.at("severity") == severity &&
                   problem.at("message").get<std::string>().find(words) != std::string::npos;
        });
    }
    /// y = Relu(x * w + b) of [batch, 4]; type: TensorProto.DataType of all tensors.
    void gemm(const char *name, std::int64_t batch, int type = 1) const
    {
        test::OnnxModel model;
        model.input("x", {batch, 4}, type);
        model.output("y");
        test::OnnxModel::describe(model.graph()->mutable_output(0), "y", {batch, 3}, type);
        const at::ScalarType scalar = type == 10 ? at::kHalf : type == 16 ? at::kBFloat16 : at::kFloat;
        for (const auto &[weight, shape] :
             {std::pair<const char *, std::vector<std::int64_t>>{"w", {4, 3}}, {"b", {3}}}) {
            const at::Tensor value = test::spread(shape).to(scalar).contiguous();
            auto *tensor = model.graph()->add_initializer();
            tensor->set_name(weight);
            tensor->set_data_type(type);
            for (const std::int64_t size : shape) tensor->add_dims(size);
            tensor->set_raw_data(static_cast<const char *>(value.data_ptr()), value.nbytes());
        }
        model.node("Gemm", "gemm", {"x", "w", "b"}, {"t"});
        model.node("Relu", "relu", {"t"}, {"y"});
        model.save(m_folder / name);
    }

private Q_SLOTS:
    void init()
    {
        makeFolder();
        arrays("calib.npz", {{"x", test::spread({8, 3, 8, 8})}});
    }

    void aFixedBatchAboveTheDefaultNumberOfSamplesRuns()
    {
        gemm("m.onnx", 16);
        arrays("data.npz", {{"x", test::spread({40, 4})}});
        const Outcome outcome =
            run({"run", file("m.onnx"), "--calib", file("data.npz"), "--json", file("r.json"), "-q"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY(reports(jsonFile("r.json"), "info", "16 are used instead of 8"));
    }

    void inferTakesTheShapesOfTheGraphAsOneBatch()
    {
        test::OnnxModel model;
        model.input("a", {-1, 4});
        model.input("state", {2, -2, 3});
        model.input("factor", {});
        for (const char *output : {"y", "stateN"}) model.output(output);
        model.node("Mul", "mul", {"a", "factor"}, {"y"});
        model.node("Neg", "neg", {"state"}, {"stateN"});
        model.save(m_folder / "cell.onnx");
        for (const std::int64_t batch : {1, 2, 3}) {
            const at::Tensor a = test::spread({batch, 4}), state = test::spread({2, batch, 3});
            arrays("in.npz", {{"a", a}, {"state", state}, {"factor", at::full({}, 3.0)}});
            const Outcome outcome = run({"infer", file("cell.onnx"), "--in", file("in.npz"), "--out", file("o.npz")});
            QVERIFY2(outcome.code == 0, outcome.err.constData());
            const NpzFile out(m_folder / "o.npz");
            QVERIFY(at::allclose(out.array("y")->all(), a * 3.0));
            QVERIFY(at::equal(out.array("stateN")->all(), state.neg()));
        }
    }

    /// The leading axis is fixed, and not that of the batch, as for an LSTM.
    void inferGivesOneBatchAsItIs()
    {
        test::OnnxModel model;
        model.input("x", {3, -1, 4});
        model.output("y");
        auto *mean = model.node("ReduceMean", "mean", {"x"}, {"y"});
        test::OnnxModel::attribute(mean, "axes", onnx::AttributeProto::INTS)->add_ints(0);
        test::OnnxModel::attribute(mean, "keepdims", onnx::AttributeProto::INT)->set_i(0);
        model.save(m_folder / "mean.onnx");
        for (const std::int64_t batch : {1, 2, 3}) {
            const at::Tensor x = test::spread({3, batch, 4});
            arrays("in.npz", {{"x", x}});
            const Outcome outcome = run({"infer", file("mean.onnx"), "--in", file("in.npz"), "--out", file("o.npz")});
            QVERIFY2(outcome.code == 0, outcome.err.constData());
            QVERIFY(at::allclose(NpzFile(m_folder / "o.npz").array("y")->all(), x.mean(0)));
        }
    }

    void samplesAreDrawnFromAllData()
    {
        at::Tensor x = test::spread({64, 3, 8, 8});
        for (std::int64_t i = 0; i < 64; ++i)
            x[i] *= i < 8 ? 0.01 : 1 + double(i) / 64; // the first ones are unlike the rest
        arrays("large.npz", {{"x", x}});
        const auto scaleOf = [&](const QStringList &more) {
            const Outcome outcome =
                run(QStringList{"run", QL_TEST_DATA "/models/residual.onnx", "--calib", file("large.npz"), "--samples",
                                "8", "--observer", "minmax", "--analyse", "none", "--json", file("r.json"), "-q"} +
                    more);
            const json report = jsonFile("r.json");
            for (const json &config : report["configs"])
                if (config["variable"] == "x") return config["scale"][0].get<double>();
            return outcome.code + 0.0;
        };
        const double even = scaleOf({});
        QVERIFY(even > 50 * scaleOf({"--sampling", "first"}));
        QCOMPARE(scaleOf({"--seed", "0"}), even);
        std::set<double> scales;
        for (const char *seed : {"1", "2", "3", "4", "5"}) scales.insert(scaleOf({"--seed", seed}));
        QVERIFY(scales.size() > 1);
        const json recipe = jsonFile("r.json")["recipe"];
        QCOMPARE(recipe["calibration"]["sampling"], "even");
        QCOMPARE(recipe["evaluation"]["seed"], 5);
    }

    void overlapOfEvaluationAndCalibrationIsReported()
    {
        arrays("other.npz", {{"x", test::spread({8, 3, 8, 8}) + 1}});
        const auto report = [&](const QStringList &more) {
            const Outcome outcome = run(residualRun(QStringList{"--json", file("r.json"), "-q"} + more));
            return outcome.code == 0 ? jsonFile("r.json") : json();
        };
        QVERIFY(
            reports(report({"--samples", "4"}), "info", "4 of 4 evaluation samples were also used for calibration"));
        QVERIFY(reports(report({"--eval", file("calib.npz")}), "warning", "8 of 8 evaluation samples"));
        const json inFloat =
            report({"--set", R"(dispatch=[{"op": "*", "platform": "FP32"}])"}); // no errors to be too low
        QVERIFY(!inFloat.is_null() && !reports(inFloat, "info", "evaluation samples"));
        QVERIFY(!reports(report({"--eval", file("other.npz")}), "warning", "evaluation samples"));
        // Parts of the same data, in separate files
        const at::Tensor calibrated = test::spread({8, 3, 8, 8});
        arrays("parts.npz", {{"x", at::cat({calibrated.narrow(0, 3, 2), calibrated.narrow(0, 0, 2) + 1})}});
        QVERIFY(reports(report({"--eval", file("parts.npz")}), "warning", "2 of 4 evaluation samples"));
    }

    void exportingWithoutCalibrationIsRefused()
    {
        const QStringList passes{"--set", R"(passes=["quantize_fusion", "parameter_quantize"])", "-q"};
        for (const char *target :
             {"onnx_qdq:q.onnx", "native:q.qln", "csv:q.csv", "onnx:p.onnx", "model_explorer:m.json"}) {
            const QString written = file(QByteArray(target).split(':')[1].constData());
            const QStringList asked{"--export", QString(target).split(':')[0] + ":" + written};
            const Outcome refused = run(residualRun(passes + asked));
            QCOMPARE(refused.code, 2);
            QVERIFY2(refused.err.contains("not calibrated"), refused.err.constData());
            QVERIFY(!QFile::exists(written));
            const Outcome forced = run(residualRun(passes + asked + QStringList{"--export-uncalibrated"}));
            QVERIFY2(forced.code == 0 && QFile::exists(written), forced.err.constData());
        }
        // Without data at all: weights are quantized, activations are not
        const QStringList bare{"run", residualRun({})[1], "--analyse", "none", "--export", "onnx:" + file("bare.onnx")};
        const Outcome refused = run(bare);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("needs calibration data"), refused.err.constData());
        const Outcome forced = run(bare + QStringList{"--export-uncalibrated"});
        QVERIFY2(forced.code == 0 && QFile::exists(file("bare.onnx")), forced.err.constData());
        QVERIFY2(forced.err.contains("pass 'calibrate' is left out"), forced.err.constData());
    }

    void aFixedScaleNeedsNoObserver()
    {
        // kl supports only symmetric configs, and these tensors are not observed
        const QString overrides = R"(overrides=[{"match": {"role": ["input", "output"]},
                                                 "set": {"observer": "kl", "range": [-2, 6]}}])";
        const Outcome outcome = run(residualRun(
            {"--platform", "TENGINE_INT8", "--set", overrides, "--analyse", "none", "--json", file("r.json"), "-q"}));
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        int fixed = 0;
        const json report = jsonFile("r.json");
        for (const json &config : report["configs"])
            if (config["role"] == "output" && config["state"] == "active") {
                QCOMPARE(config["scale"][0].get<float>(), float(8.0 / 255));
                ++fixed;
            }
        QVERIFY(fixed > 0);
    }

    void weightsPerChannelTakeEveryObserverOfWeights()
    {
        for (const char *observer : {"minmax", "percentile", "mse", "kl"}) {
            const Outcome outcome = run(residualRun({"--set", QString("passes.parameter_quantize.observer=") + observer,
                                                     "--analyse", "none", "--json", file("r.json"), "-q"}));
            QVERIFY2(outcome.code == 0, outcome.err.constData());
            bool isFound = false;
            const json report = jsonFile("r.json");
            for (const json &config : report["configs"])
                isFound = isFound || (config["observer"] == observer && config["role"] == "parameter" &&
                                      config["scale"].size() > 1);
            QVERIFY2(isFound, observer);
        }
    }

    void modelsInShortFloatsAreQuantized_data()
    {
        QTest::addColumn<int>("type");
        QTest::newRow("float16") << 10;
        QTest::newRow("bfloat16") << 16;
    }
    void modelsInShortFloatsAreQuantized()
    {
        QFETCH(int, type);
        gemm("m.onnx", 1, type);
        gemm("wide.onnx", 1);
        arrays("data.npz", {{"x", test::spread({32, 4})}});
        const Outcome outcome = run({"run", file("m.onnx"), "--calib", file("data.npz"), "--json", file("r.json"),
                                     "--export", "onnx_qdq:" + file("q.onnx"), "-q"});
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        const json report = jsonFile("r.json");
        for (const json &op : report["operations"]) {
            const bool isLayer = op["type"] == "Gemm" || op["type"] == "Relu";
            QVERIFY2(op["quantized"].get<bool>() == isLayer, op.dump().c_str());
        }
        QVERIFY(report["outputs"][0]["sqnr_db"].get<double>() > 25);
        // The file has the types of the model, and computes the same as the simulator
        const Outcome exported = run({"infer", file("q.onnx"), "--in", file("data.npz"), "--out", file("q.npz")});
        QVERIFY2(exported.code == 0, exported.err.constData());
        const Outcome wide = run({"infer", file("wide.onnx"), "--in", file("data.npz"), "--out", file("w.npz")});
        QVERIFY2(wide.code == 0, wide.err.constData());
        const NpzFile got(m_folder / "q.npz"), expected(m_folder / "w.npz");
        QCOMPARE(got.array("y")->all().scalar_type(), type == 10 ? at::kHalf : at::kFloat); // npz has no bfloat16
        QVERIFY(at::allclose(got.array("y")->all().to(at::kFloat), expected.array("y")->all(), 0.1, 0.1));
    }

    void inspectReportsByItsExitCodeWhetherTheModelRuns()
    {
        QCOMPARE(run({"inspect", QL_TEST_DATA "/models/residual.onnx"}).code, 0);
        test::OnnxModel model;
        model.input("x", {1, 2});
        model.output("y");
        model.node("Frobnicate", "a", {"x"}, {"t"});
        model.node("Frobnicate", "b", {"t"}, {"u"});
        model.node("Relu", "c", {"u"}, {"y"});
        model.save(m_folder / "unknown.onnx");
        QCOMPARE(run({"inspect", file("unknown.onnx"), "--json", file("i.json")}).code, 1);
        QCOMPARE(jsonFile("i.json")["unsupported"].size(), std::size_t(2));
        const Outcome listed = run({"inspect", file("unknown.onnx")});
        QVERIFY2(listed.code == 1 && listed.out.contains("a and 1 more"), listed.out.constData());
        const Outcome refused = run({"run", file("unknown.onnx"), "--calib", file("calib.npz")});
        QVERIFY2(refused.code == 2 && refused.err.count("not implemented") == 1 &&
                     refused.err.contains("'a', 'b' (Fro"),
                 refused.err.constData());
        QCOMPARE(run({"inspect", file("missing.onnx")}).code, 2);
    }

    void classicalMachineLearningIsOutOfScope()
    {
        test::OnnxModel model;
        auto *import = model.proto.add_opset_import();
        import->set_domain("ai.onnx.ml");
        import->set_version(2);
        model.input("x", {1, 2});
        model.output("y");
        model.node("Scaler", "scale", {"x"}, {"y"})->set_domain("ai.onnx.ml");
        model.save(m_folder / "trees.onnx");
        const Outcome inspected = run({"inspect", file("trees.onnx")});
        QVERIFY2(inspected.code == 1 && inspected.out.contains("out of scope"), inspected.out.constData());
        const Outcome refused = run({"run", file("trees.onnx"), "--calib", file("calib.npz")});
        QVERIFY2(refused.code == 2 && refused.err.contains("out of scope") && refused.err.contains("neural networks"),
                 refused.err.constData());
    }
};

QL_TEST(TestCliDefaults)
#include "tst_cli_defaults.moc"
