// What exported models declare: versions of operators in bodies, operators of other formats; and layers
// without a rounded result, which ONNXRUNTIME computes from exact sums.
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/npz.h"
#include "core/io/onnx/write.h"
#include "core/ir/subgraphs.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

class TestExportedForms : public QObject
{
    Q_OBJECT

private:
    /// The problems of a run on 8 normal samples of x.
    static std::vector<api::Problem> problemsOf(const fs::path &file, const nlohmann::json &platformParams,
                                                const char *format)
    {
        const fs::path calibration = file.parent_path() / "calibration.npz";
        writeFileAtomically(calibration, [&](std::ostream &out) { writeNpz(out, {{"x", noise({8, 3, 6, 6}, 1)}}); });
        api::Recipe recipe;
        recipe.model = file.string();
        recipe.calibration.path = calibration.string();
        recipe.platform = "TRT_INT8";
        recipe.platformParams = platformParams;
        recipe.analyses.clear();
        recipe.threads = 1;
        if (format)
            recipe.exports = {{format, true, (file.parent_path() / "out.onnx").string(), nlohmann::json::object()}};
        return runRecipe(recipe, {}, {}).report.problems;
    }

    static bool dropsAxes(const Graph &graph, std::int64_t opset)
    {
        bool good = true;
        for (const OpId id : graph.operations()) {
            const Operation &op = graph.operation(id);
            good = good && op.opset == opset && !(op.type == "Squeeze" && op.hasAttribute("axes"));
            for (const auto &body : bodies(op)) good = good && dropsAxes(*body, opset);
        }
        return good;
    }

    /// The file, read again; the input is 1 x 3 x 6 x 6.
    static Graph exportedForOpenVino(const Graph &graph)
    {
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 3, 6, 6}, "OPENVINO_INT8", {}, "[]");
        exportModel("openvino_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        return opened(base / "q.onnx");
    }

private Q_SLOTS:
    /// A body has operations of the old version, too.
    void bodiesGetTheNewVersion()
    {
        test::OnnxModel m(11);
        m.input("x", {1, 4});
        m.output("y");
        m.weight("w", {4, 4}, {1, 2, -1, 3, 0.5f, -2, 1, 1, -3, 1, 2, 1, 1, 1, -1, 0.25f});
        m.weight("zero", {}, {0});
        m.node("MatMul", "matmul", {"x", "w"}, {"h"});
        m.node("Relu", "relu", {"h"}, {"r"});
        auto *most = m.node("ReduceMax", "max", {"x"}, {"s"});
        test::OnnxModel::attribute(most, "keepdims", onnx::AttributeProto::INT)->set_i(0);
        m.node("Greater", "greater", {"s", "zero"}, {"c"});
        auto *branch = m.node("If", "if", {"c"}, {"y"});
        for (const char *name : {"then_branch", "else_branch"}) {
            auto *body = test::OnnxModel::attribute(branch, name, onnx::AttributeProto::GRAPH)->mutable_g();
            body->set_name(name);
            const std::string n = name;
            auto *squeeze = test::OnnxModel::node(body->mutable_node(), "Squeeze", n, {"r"}, {n + "_squeezed"});
            test::OnnxModel::attribute(squeeze, "axes", onnx::AttributeProto::INTS)->add_ints(0);
            test::OnnxModel::node(body->mutable_node(), n[0] == 't' ? "Neg" : "Abs", n + "2", {n + "_squeezed"},
                                  {n + "_out"});
            body->add_output()->set_name(n + "_out");
        }
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        m.save(base / "if.onnx");
        const QuantModel model = quantized(base / "if.onnx", {1, 4}, "TRT_INT8");
        for (const char *format : {"onnx", "onnx_qdq"}) {
            exportModel(format, model, base / "out.onnx", {}, [](api::Problem) {});
            const Graph again = opened(base / "out.onnx");
            QVERIFY(dropsAxes(again, 13));
            const Feed feed{{"x", noise({1, 4}, 5)}};
            QCOMPARE(Executor(again, {"cpu", 1}).compile({}).run(feed, {})[0].dim(), std::int64_t(1));
        }
    }

    void foreignOperatorsAreRefused()
    {
        QuantModel model = test::toyModel();
        Operation &last = model.graph.edit(model.graph.findOperation("flat"));
        last.type = "DetectionOutput";
        last.domain = "caffe";
        model.plan.erase(last.id);
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "out.onnx";
        for (const char *format : {"onnx", "onnx_qdq", "ort_overrides"}) {
            try {
                exportModel(format, model, file, {}, [](api::Problem) {});
                QFAIL("was written");
            } catch (const Error &error) {
                QVERIFY(error.kind == ErrorKind::UnsupportedOp);
                QCOMPARE(error.op, std::string("flat"));
                QVERIFY(error.remedy.english().find("NonMaxSuppression") != std::string::npos);
            }
            QVERIFY(!fs::exists(file));
            const ExportResult result =
                exportModel(format, model, file, {{"foreign_operators", true}}, [](api::Problem) {});
            QVERIFY(std::any_of(result.notes.begin(), result.notes.end(), [](const Text &note) {
                return note.english().find("DetectionOutput") != std::string::npos;
            }));
            fs::remove(file);
        }
    }

    void otherTypes_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("overrides");
        QTest::addColumn<QString>("weight"); // type in the file
        QTest::addColumn<QString>("input");
        QTest::addColumn<int>("opset");
        const char *int4 = R"([{"match": {"role": "weight"}, "set": {"bits": 4}}])";
        const char *dynamic = R"([{"match": {"role": ["input", "output"]}, "set": {"dynamic": true}}])";
        QTest::newRow("FP8") << "TRT_FP8"
                             << "onnx_qdq"
                             << "[]"
                             << "float8e4m3fn"
                             << "float8e4m3fn" << 19;
        QTest::newRow("FP8 weights as floats") << "GRAPHCORE_FP8"
                                               << "trt_qdq"
                                               << "[]"
                                               << "float8e4m3fn"
                                               << "float8e4m3fn" << 19;
        QTest::newRow("INT4") << "TRT_INT8"
                              << "onnx_qdq" << int4 << "int4"
                              << "int8" << 21;
        QTest::newRow("UINT4") << "TENGINE_INT8"
                               << "openvino_qdq" << int4 << "uint4"
                               << "uint8" << 21;
        const char *fp6 = R"([{"match": {"role": "weight"}, "set": {"bits": 6, "exponent_bits": 3}}])";
        QTest::newRow("FP6 E3M2") << "TRT_INT8"
                                  << "onnx_qdq" << fp6 << "uint8"
                                  << "int8" << 13;
        const char *symmetricFp6 =
            R"([{"match": {"role": "weight"}, "set": {"bits": 6, "exponent_bits": 3, "symmetric": true}}])";
        QTest::newRow("FP6 E3M2, one scale") << "TENGINE_INT8"
                                             << "openvino_qdq" << symmetricFp6 << "uint8"
                                             << "uint8" << 13;
        QTest::newRow("FP6 E3M2 as floats") << "TRT_INT8"
                                            << "trt_qdq" << fp6 << "float32"
                                            << "int8" << 13;
        QTest::newRow("FP16") << "TRT_INT8"
                              << "onnx_qdq"
                              << R"([{"match": {"role": "weight"}, "set": {"bits": 16, "exponent_bits": 5}}])"
                              << "float32"
                              << "int8" << 13;
        QTest::newRow("NF4") << "TRT_INT8"
                             << "onnx_qdq"
                             << R"([{"match": {"role": "weight"}, "set": {"bits": 4, "codebook": "nf4"}}])"
                             << "uint4"
                             << "int8" << 21;
        QTest::newRow("weights as floats") << "TRT_INT8"
                                           << "trt_qdq"
                                           << "[]"
                                           << "int8"
                                           << "int8" << 13;
        QTest::newRow("unsigned, scale at run time") << "TENGINE_INT8"
                                                     << "onnx_qdq" << dynamic << "uint8"
                                                     << "uint8" << 13;
        QTest::newRow("symmetric, scale at run time") << "TRT_INT8"
                                                      << "onnx_qdq" << dynamic << "int8"
                                                      << "int8" << 13;
    }
    /// Types other than 8-bit integers: the file gives the simulator's results, and the preview names the types.
    void otherTypes()
    {
        QFETCH(QString, platform);
        QFETCH(QString, format);
        QFETCH(QString, overrides);
        QFETCH(QString, weight);
        QFETCH(QString, input);
        QFETCH(int, opset);
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({4, 3, 3, 3}, 2));
        g.parameter("b", noise({4}, 4));
        g.parameter("fw", noise({5, 4}, 3));
        g.op("Conv", "layer", {"x", "w", "b"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"r"});
        g.op("GlobalAveragePool", "pool", {"r"}, {"p"});
        g.op("Flatten", "flat", {"p"}, {"f"});
        g.op("Gemm", "last", {"f", "fw"}, {"y"}, {{"transB", std::int64_t(1)}});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 3, 6, 6}, platform.toLatin1().constData(), {},
                                           overrides.toLatin1().constData());
        const nlohmann::json params = weight.endsWith("int4") ? nlohmann::json{{"int4", true}} : nlohmann::json();
        const ExportResult written =
            exportModel(format.toStdString(), model, base / "q.onnx", params, [](api::Problem) {});
        const auto layer = std::find_if(written.operations.begin(), written.operations.end(),
                                        [](const auto &row) { return row.name == "layer"; });
        QVERIFY(layer != written.operations.end());
        QCOMPARE(QString::fromStdString(layer->inputs.at(0).type), input);
        QCOMPARE(QString::fromStdString(layer->inputs.at(1).type), weight);
        if (weight != "float32") QCOMPARE(layer->inputs.at(1).scales, std::int64_t(platform == "TENGINE_INT8" ? 1 : 4));
        QVERIFY(std::none_of(written.operations.begin(), written.operations.end(),
                             [](const auto &row) { return row.type == "Gather" || row.type == "Cast"; }));
        const Graph again = opened(base / "q.onnx");
        QCOMPARE(again.opsets.at(""), std::int64_t(opset));
        for (const OpId id : again.operations()) {
            const Operation &op = again.operation(id);
            if (op.type != "QuantizeLinear" && op.type != "DequantizeLinear") continue;
            const at::Tensor &scale = again.variable(op.inputs[1]).value;
            QCOMPARE(op.hasAttribute("axis"), format == "openvino_qdq" || (scale.defined() && scale.dim() == 1));
        }
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Feed feed{{"x", noise({1, 3, 6, 6}, 9)}};
        const at::Tensor want = Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, {})[0].contiguous();
        const at::Tensor got = Executor(again, {"cpu", 1}).compile({}).run(feed, {})[0].contiguous();
        const double apart = (got - want).abs().max().item().toDouble(); // a scale at run time: rounded in float32
        QVERIFY2(overrides.contains("dynamic") ? apart < 1e-5 : apart == 0, qPrintable(QString::number(apart)));
    }

    /// Unsigned codes on the same grid, also of tensors that a Pad moves.
    void openVinoReadsUnsignedCodes()
    {
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({3, 3, 3, 3}, 2));
        g.parameter("pads", ints({0, 0, 1, 1, 0, 0, 1, 1}));
        g.op("Conv", "first", {"x", "w"}, {"c1"});
        g.op("Relu", "relu1", {"c1"}, {"r1"});
        g.op("Pad", "pad", {"r1", "pads"}, {"p"});
        g.op("Conv", "second", {"p", "w"}, {"c2"});
        g.op("Relu", "relu2", {"c2"}, {"r2"});
        g.output("r2");
        const Graph again = exportedForOpenVino(g.graph);
        int quantizers = 0;
        for (const OpId id : again.operations()) {
            const Operation &op = again.operation(id);
            if (op.type != "QuantizeLinear") continue;
            const at::Tensor &zero = again.variable(op.inputs.at(2)).value;
            QCOMPARE(zero.scalar_type(), at::kByte);
            QCOMPARE(zero.item().toInt(), 128);
            ++quantizers;
        }
        QVERIFY2(quantizers >= 3, qPrintable(QString::number(quantizers)));
    }

    /// A QuantizeLinear of the model itself has a zero point only if it wants one.
    void openVinoReadsOwnCodesOfConstants()
    {
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({3, 3, 3, 3}, 2));
        g.parameter("c", noise({1, 3, 4, 4}, 3).abs());
        g.parameter("s", floats({}, {0.02f}));
        g.op("Conv", "conv", {"x", "w"}, {"y"});
        g.op("Transpose", "turn", {"c"}, {"t"}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
        g.op("QuantizeLinear", "own", {"t", "s"}, {"q"});
        g.op("DequantizeLinear", "restore", {"q", "s"}, {"d"});
        g.op("Add", "add", {"y", "d"}, {"z"});
        g.output("z");
        const Graph again = exportedForOpenVino(g.graph);
        const Operation &restore = again.operation(again.findOperation("restore"));
        const at::Tensor codes = again.variable(restore.inputs.at(0)).value;
        QVERIFY(codes.defined() && codes.scalar_type() == at::kByte);
    }

    /// OpenVINO removes a Slice of everything, and crashes at two equal pairs in a row after a Concat.
    void openVinoHasOnePairAroundNothing_data()
    {
        QTest::addColumn<int>("end");
        QTest::addColumn<bool>("hasPair");
        QTest::addColumn<bool>("isDepthwise");
        QTest::newRow("everything") << 6 << false << false;
        QTest::newRow("everything, a scale per channel") << 6 << true << true;
        QTest::newRow("a part") << 5 << true << false;
    }
    void openVinoHasOnePairAroundNothing()
    {
        QFETCH(int, end);
        QFETCH(bool, hasPair);
        QFETCH(bool, isDepthwise);
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({3, 3, 3, 3}, 2));
        g.parameter("v", isDepthwise ? noise({6, 1, 3, 3}, 4) : noise({3, end, 3, 3}, 4));
        g.parameter("from", ints({0}));
        g.parameter("to", ints({end}));
        g.parameter("axis", ints({1}));
        g.op("Conv", "a", {"x", "w"}, {"ya"});
        g.op("Conv", "b", {"x", "w"}, {"yb"});
        g.op("Concat", "join", {"ya", "yb"}, {"z"}, {{"axis", std::int64_t{1}}});
        g.op("Slice", "part", {"z", "from", "to", "axis"}, {"p"});
        g.op("Conv", "last", {"p", "v"}, {"r"}, {{"group", std::int64_t{isDepthwise ? 6 : 1}}});
        g.output("r");
        const Graph again = exportedForOpenVino(g.graph);
        const VarId read = again.operation(again.findOperation("last")).inputs.at(0);
        const std::string &producer = again.operation(again.variable(read).producer).type;
        QCOMPARE(producer, std::string(hasPair ? "DequantizeLinear" : "Slice"));
        // A Concat that is rounded again per channel has signed codes
        const VarId joined = again.operation(again.findOperation("join")).outputs.at(0);
        const Operation &rounding = again.operation(again.variable(joined).uses.at(0).op);
        const bool isSigned = again.variable(rounding.inputs.at(2)).value.scalar_type() == at::kChar;
        QCOMPARE(isSigned, isDepthwise);
    }

    /// OpenVINO does not load a QuantizeLinear of a constant that an Add reads: the file has the codes.
    void openVinoReadsCodesOfConstants()
    {
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({3, 3, 3, 3}, 2));
        g.parameter("c", noise({1, 4, 3, 4}, 3));
        g.op("Conv", "conv", {"x", "w"}, {"y"});
        g.op("Transpose", "turn", {"c"}, {"t"}, {{"perm", std::vector<std::int64_t>{0, 2, 1, 3}}});
        g.op("Add", "add", {"y", "t"}, {"z"});
        g.op("Conv", "last", {"z", "w"}, {"u"});
        g.output("u");
        const Graph again = exportedForOpenVino(g.graph);
        const Operation &add = again.operation(again.findOperation("add"));
        const Operation &restore = again.operation(again.variable(add.inputs.at(1)).producer);
        QCOMPARE(restore.type, std::string("DequantizeLinear"));
        const at::Tensor codes = again.variable(restore.inputs.at(0)).value;
        QVERIFY(codes.defined() && codes.scalar_type() == at::kByte);
        const at::Tensor &scale = again.variable(restore.inputs.at(1)).value;
        const at::Tensor want = noise({1, 4, 3, 4}, 3).permute({0, 2, 1, 3});
        QVERIFY(((codes.to(at::kFloat) - 128) * scale - want).abs().max().item().toFloat() <=
                0.5001f * scale.item().toFloat());
    }

    /// Operators whose form changed between the opset of the model and that of the file.
    void newerOperators()
    {
        SmallGraph g(18);
        g.input("x", {1, 4, 6, 6});
        g.parameter("w", noise({4, 4, 1, 1}, 2));
        g.parameter("scale", floats({2}, {0.5f, 2}));
        g.parameter("bias", floats({2}, {1, -1}));
        g.parameter("grid", noise({1, 5, 5, 2}, 3, 0.5));
        g.op("Conv", "layer", {"x", "w"}, {"c"});
        g.op("GroupNormalization", "norm", {"c", "scale", "bias"}, {"n"}, {{"num_groups", std::int64_t(2)}});
        g.op("GridSample", "sample", {"n", "grid"}, {"y"}, {{"mode", std::string("bilinear")}});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 4, 6, 6}, "TRT_INT8", {},
                                           R"([{"match": {"role": "weight"}, "set": {"bits": 4}}])");
        exportModel("onnx_qdq", model, base / "q.onnx", {{"int4", true}}, [](api::Problem) {});
        const Graph again = opened(base / "q.onnx");
        QCOMPARE(again.opsets.at(""), std::int64_t(21));
        const Operation &norm = again.operation(again.findOperation("norm"));
        QCOMPARE(again.variable(norm.inputs[1]).value.numel(), std::int64_t(4)); // of each channel
        QCOMPARE(again.operation(again.findOperation("sample")).stringAttribute("mode", ""), std::string("linear"));
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Feed feed{{"x", noise({1, 4, 6, 6}, 9)}};
        const at::Tensor want = Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, {})[0].contiguous();
        const at::Tensor got = Executor(again, {"cpu", 1}).compile({}).run(feed, {})[0].contiguous();
        QVERIFY((got - want).abs().max().item().toDouble() < 1e-6);
    }

    /// A run reports what the reader of its files refuses, also if it writes none.
    void runsAreLinted()
    {
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({4, 3, 3, 3}, 2));
        g.parameter("v", noise({4, 4, 1, 1}, 3));
        g.op("Conv", "layer", {"x", "w"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"r"});
        g.op("Conv", "last", {"r", "v"}, {"y"});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "float.onnx";
        writeOnnx(g.graph, file, {});
        const auto refusals = [](const std::vector<api::Problem> &problems) {
            return std::count_if(problems.begin(), problems.end(), [](const api::Problem &problem) {
                return problem.severity == api::Severity::Error && problem.op == "layer" &&
                       problem.message.english().starts_with("TensorRT: codes are symmetric");
            });
        };
        QCOMPARE(refusals(problemsOf(file, nlohmann::json::object(), "trt_qdq")), 0);
        QCOMPARE(refusals(problemsOf(file, {{"symmetric", false}}, "trt_qdq")), 1);
        QCOMPARE(refusals(problemsOf(file, {{"symmetric", false}}, nullptr)), 1);
        QCOMPARE(refusals(problemsOf(file, {{"symmetric", false}}, "native")), 0);
        const std::vector<api::Problem> narrow = problemsOf(file, {{"bits", 4}}, "trt_qdq"); // each fact once
        const auto isOfWeights = [](const api::Problem &problem) {
            return problem.message.english().starts_with("TensorRT: weights");
        };
        QCOMPARE(std::count_if(narrow.begin(), narrow.end(), isOfWeights), 1);
    }

    /// MNN's converter crashes if an LSTM leaves out its last states.
    void recurrentOutputsForMnn()
    {
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        OnnxModel m(14);
        m.input("x", {1, 2, 4});
        m.output("y");
        m.weight("w", {2, 2, 1}, {.5f, .25f, -.5f, 1});
        m.weight("W", {1, 4, 4}, std::vector<float>(16, .5f));
        m.weight("R", {1, 4, 1}, std::vector<float>(4, .25f));
        m.node("Conv", "conv", {"x", "w"}, {"c"});
        OnnxModel::attribute(m.node("LSTM", "lstm", {"c", "W", "R"}, {"y"}), "hidden_size", onnx::AttributeProto::INT)
            ->set_i(1);
        m.save(base / "float.onnx");
        exportModel("mnn_json", quantized(base / "float.onnx", {1, 2, 4}, "MNN_INT8"), base / "out.onnx", {},
                    [](api::Problem) {});
        const Graph written = opened(base / "out.onnx");
        QCOMPARE(written.operation(written.findOperation("lstm")).outputs.size(), std::size_t(3));
    }

    /// Read back, a Caffe net computes what the plain ONNX file of the same model does.
    void caffeNet()
    {
        const auto ints4 = [](std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d) {
            return std::vector<std::int64_t>{a, b, c, d};
        };
        SmallGraph g;
        g.input("x", {1, 4, 11, 11});
        g.parameter("w", noise({6, 2, 3, 3}, 2));
        g.parameter("b", noise({6}, 3));
        g.op("Conv", "conv", {"x", "w", "b"}, {"c"},
             {{"group", std::int64_t(2)}, {"pads", ints4(2, 2, 2, 2)}, {"dilations", std::vector<std::int64_t>{2, 2}}});
        g.op("LeakyRelu", "leaky", {"c"}, {"l"}, {{"alpha", 0.2f}});
        g.op("MaxPool", "max", {"l"}, {"m"},
             {{"kernel_shape", std::vector<std::int64_t>{3, 3}},
              {"strides", std::vector<std::int64_t>{2, 2}},
              {"pads", ints4(1, 1, 1, 1)}});
        g.op("AveragePool", "mean", {"m"}, {"a"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
        g.op("GlobalAveragePool", "gap", {"a"}, {"p"});
        g.op("Sigmoid", "gate", {"p"}, {"s"});
        g.op("Mul", "scale", {"a", "s"}, {"e"});
        g.parameter("shift", noise({1, 6, 1, 1}, 4));
        g.op("Add", "shifted", {"e", "shift"}, {"f"});
        g.op("Sub", "difference", {"f", "a"}, {"d"});
        g.parameter("starts", ints({1, 0}));
        g.parameter("ends", ints({5, 4}));
        g.parameter("axes", ints({1, 2}));
        g.op("Slice", "slice", {"d", "starts", "ends", "axes"}, {"t"});
        g.parameter("u", noise({4, 3, 2, 2}, 5));
        g.op("ConvTranspose", "up", {"t", "u"}, {"v"}, {{"strides", std::vector<std::int64_t>{2, 2}}});
        g.parameter("slope", noise({3, 1, 1}, 6));
        g.op("PRelu", "prelu", {"v", "slope"}, {"q"});
        g.parameter("scales", floats({4}, {1, 1, 2, 2}));
        g.op("Resize", "resize", {"q", "", "scales"}, {"r"},
             {{"mode", std::string("nearest")},
              {"coordinate_transformation_mode", std::string("asymmetric")},
              {"nearest_mode", std::string("floor")}});
        g.parameter("low", floats({}, {0}));
        g.parameter("high", floats({}, {6}));
        g.op("Clip", "clip", {"r", "low", "high"}, {"k"});
        g.op("Transpose", "turn", {"k"}, {"n"}, {{"perm", ints4(0, 2, 3, 1)}});
        g.op("ReduceMean", "reduce", {"n"}, {"o"},
             {{"axes", std::vector<std::int64_t>{2, 3}}, {"keepdims", std::int64_t(0)}});
        g.parameter("fw", noise({5, 16}, 7));
        g.parameter("fb", noise({5}, 8));
        g.op("Gemm", "fc", {"o", "fw", "fb"}, {"z"}, {{"transB", std::int64_t(1)}});
        g.op("Softmax", "soft", {"z"}, {"y"}, {{"axis", std::int64_t(1)}});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 4, 11, 11}, "SNPE_INT8");
        exportModel("onnx", model, base / "plain.onnx", {}, [](api::Problem) {});
        const ExportResult written = exportModel("caffe", model, base / "net.prototxt", {}, [](api::Problem) {});
        QCOMPARE(written.files.size(), std::size_t(3));
        const std::string weights = readFile(base / "net.caffemodel"), text = readFile(base / "net.prototxt");
        QVERIFY(text.find("blobs") == std::string::npos);
        const Feed feed{{"x", noise({1, 4, 11, 11}, 9)}};
        const at::Tensor want = Executor(opened(base / "plain.onnx"), {"cpu", 1}).compile({}).run(feed, {})[0];
        const at::Tensor got = Executor(opened(base / "net.prototxt"), {"cpu", 1}).compile({}).run(feed, {})[0];
        QVERIFY((got - want).abs().max().item().toDouble() < 1e-5);
        exportModel("caffe", model, base / "net.prototxt", {}, [](api::Problem) {});
        QVERIFY(readFile(base / "net.caffemodel") == weights && readFile(base / "net.prototxt") == text);
    }

    void caffeRefusesOperations()
    {
        QuantModel model = test::toyModel();
        for (const OpId id : model.graph.operations())
            for (const VarId output : model.graph.operation(id).outputs)
                model.graph.edit(output).type = {at::kFloat, std::vector<Dim>{{1, {}}, {4, {}}, {8, {}}, {8, {}}}};
        model.graph.edit(model.graph.findOperation("conv1")).attributes["pads"] = std::vector<std::int64_t>{1, 1, 2, 2};
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "net.prototxt";
        try {
            exportModel("caffe", model, file, {}, [](api::Problem) {});
            QFAIL("was written");
        } catch (const Error &error) {
            QVERIFY(error.kind == ErrorKind::UnsupportedOp);
            QCOMPARE(error.op, std::string("conv1"));
        }
        QVERIFY(fs::is_empty(file.parent_path()));
    }

    void scalesThatCannotBeComputed()
    {
        QuantModel model = test::toyModel();
        for (const auto &[slot, config] : QuantPlan::Map(model.plan.configs())) {
            if (model.graph.isParameter(variableOf(model.graph, slot)) || !config.isApplied()) continue;
            TensorQuantConfig changed = config;
            changed.dynamic = changed.powerOfTwo = true;
            model.plan.set(slot, changed);
        }
        const QTemporaryDir folder;
        const fs::path file = fs::path(folder.path().toStdString()) / "out.onnx";
        QVERIFY_EXCEPTION_THROWN(exportModel("onnx_qdq", model, file, {}, [](api::Problem) {}), Error);
        QVERIFY(!fs::exists(file));
    }

    void resultsThatAreNotRounded_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char *kind : {"LeakyRelu", "ConvTranspose", "ReduceMean", "wide", "Resize"})
            QTest::newRow(kind) << QString(kind);
    }
    /// The file gives the simulator's codes exactly: sums of codes do not depend on their order.
    void resultsThatAreNotRounded()
    {
        QFETCH(QString, kind);
        const std::int64_t channels = kind == "wide" ? 1200 : 6; // sums beyond 2^24: two parts
        SmallGraph g;
        g.input("x", {1, channels, 6, 6});
        g.parameter("w", kind == "wide" ? noise({4, channels, 1, 1}, 2, 0.01) + 1 : noise({channels, 4, 3, 3}, 2));
        if (kind != "ConvTranspose" && kind != "wide") g.parameter("w1", noise({4, channels, 1, 1}, 3));
        g.parameter("b", noise({4}, 4));
        if (kind == "ConvTranspose")
            g.op("ConvTranspose", "layer", {"x", "w", "b"}, {"c"});
        else
            g.op("Conv", "layer", {"x", kind == "wide" ? "w" : "w1", "b"}, {"c"});
        if (kind == "ReduceMean") {
            g.op("ReduceMean", "mean", {"c"}, {"y"}, {{"axes", std::vector<std::int64_t>{1}}});
        } else if (kind == "Resize") {
            g.parameter("scales", floats({4}, {1, 1, 2, 2}));
            g.op("Resize", "resize", {"c", "", "scales"}, {"y"}, {{"mode", std::string("linear")}});
        } else {
            g.op("LeakyRelu", "act", {"c"}, {"y"}, {{"alpha", 0.1f}});
        }
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, channels, 6, 6}, "ONNXRUNTIME");
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        const Graph again = opened(base / "q.onnx");
        int steps = 0, layers = 0;
        for (const OpId id : again.operations()) {
            const Operation &op = again.operation(id);
            steps += op.type == "Mul" && op.hasInput(1) && again.isParameter(op.inputs[1]);
            layers += op.type == "Conv" || op.type == "ConvTranspose";
        }
        QCOMPARE(steps, 1);
        QCOMPARE(layers, kind == "wide" ? 2 : 1);
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Feed feed{{"x", noise({1, channels, 6, 6}, 9)}};
        const at::Tensor want = Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, {})[0].contiguous();
        const at::Tensor got = Executor(again, {"cpu", 1}).compile({}).run(feed, {})[0].contiguous();
        QVERIFY(at::equal(got, want));
    }
};

QL_TEST(TestExportedForms)
#include "tst_exported_forms.moc"
