// Caffe nets: rounded parameters, and OpenPPL's ranges.
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/model_file.h"
#include "core/io/onnx/write.h"
#include "core/quant/quantize.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace ql;
using namespace ql::test;

namespace fs = std::filesystem;

class TestCaffeRanges : public QObject
{
    Q_OBJECT

private:
    /// y = Relu(Conv(x))
    static SmallGraph convAndRelu()
    {
        SmallGraph g;
        g.input("x", {1, 2, 6, 6});
        g.parameter("w", noise({3, 2, 3, 3}, 2));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"y"});
        g.output("y");
        return g;
    }

private Q_SLOTS:
    /// Weights and biases are those that the simulator computes with.
    void parametersAreRounded()
    {
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        SmallGraph g;
        g.input("x", {1, 2, 6, 6});
        g.parameter("w", noise({3, 2, 3, 3}, 2));
        const at::Tensor bias = noise({3}, 5) * 0.0123f;
        g.parameter("b", bias);
        g.op("Conv", "conv", {"x", "w", "b"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"y"});
        g.output("y");
        writeOnnx(g.graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 2, 6, 6}, "PPL_DSP_INT8");
        exportModel("caffe", model, base / "net.prototxt", {}, [](api::Problem) {});
        const auto written = Registry<ModelFileEntry>::instance().find(".prototxt")->parameters(base / "net.prototxt");
        const OpId conv = model.graph.findOperation("conv");
        for (const std::size_t input : {1, 2}) {
            const at::Tensor rounded = simulatedParameter(model.graph, model.plan, inputSlot(conv, input));
            QVERIFY(at::equal(written.at("conv:" + std::to_string(input - 1)), rounded));
            if (input == 2) QVERIFY(!at::equal(rounded, bias));
        }
    }

    /// TI's layers have the ranges of their channels, which the reader skips.
    void caffeRanges()
    {
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(convAndRelu().graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 2, 6, 6}, "PPL_DSP_TI_INT8");
        exportModel("caffe", model, base / "net.prototxt", {}, [](api::Problem) {});
        const QString text = QString::fromStdString(readFile(base / "net.prototxt"));
        QCOMPARE(text.count("type: \"bottom\""), 1);
        QCOMPARE(text.count("type: \"top\""), 2);
        QCOMPARE(text.count("type: \"topperchannel\""), 3);
        const RecordedRange &seen = model.plan.recordedRanges.at(outputSlot(model.graph.findOperation("conv")));
        QVERIFY(seen.max[2] > 0);
        QRegularExpressionMatchIterator each =
            QRegularExpression("type: \"topperchannel\"\\s+range_min: 0\\s+range_max: (\\S+)").globalMatch(text);
        for (const float max : seen.max) {
            QVERIFY(each.hasNext());
            QVERIFY(std::abs(each.next().captured(1).toFloat() - max) <= 1e-5f * max);
        }
        QCOMPARE(opened(base / "net.prototxt").operations().size(), std::size_t(2));
    }

    /// Scales that are all known need no data, neither for TI's ranges of channels.
    void caffeRangesWithoutData()
    {
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(convAndRelu().graph, base / "float.onnx", {});
        api::Recipe recipe;
        recipe.model = (base / "float.onnx").string();
        recipe.platform = "PPL_DSP_TI_INT8";
        std::vector<api::StepRequest> passes;
        for (const char *id : {"quantize_simplify", "parameter_quantize", "fixed_scales", "bake", "record_ranges"})
            passes.emplace_back().id = id;
        recipe.passes = passes;
        nlohmann::json fixed;
        fixed["match"]["role"] = nlohmann::json::array({"input", "output"});
        fixed["set"]["scale"] = nlohmann::json::array({0.25});
        const api::JsonText rules = api::JsonText::wrap(nlohmann::json::array({fixed}));
        recipe.overrides = api::rulesFromJson(api::JsonNode(rules), api::RuleKind::Override);
        recipe.analyses.clear();
        recipe.threads = 1;
        const auto done = runRecipe(recipe, {}, {});
        QVERIFY(done.model.plan.recordedRanges.empty());
        QVERIFY(std::any_of(done.report.problems.begin(), done.report.problems.end(), [](const api::Problem &problem) {
            return problem.message.english().find("'record_ranges' is left out") != std::string::npos;
        }));
        exportModel("ppl_dsp", done.model, base / "net.prototxt", {}, [](api::Problem) {});
        const QString text = QString::fromStdString(readFile(base / "net.prototxt"));
        QVERIFY2(QRegularExpression("type: \"bottom\"\\s+range_min: -32\\s+range_max: 31.75").match(text).hasMatch(),
                 qPrintable(text));
    }

    void pplDspRanges_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<int>("ranges"); // of the weights of each layer
        QTest::newRow("per tensor") << "PPL_DSP_INT8" << 1;
        QTest::newRow("per channel") << "TRT_INT8" << 3;
    }
    void pplDspRanges()
    {
        QFETCH(QString, platform);
        QFETCH(int, ranges);
        SmallGraph g;
        g.input("x", {1, 2, 6, 6});
        g.parameter("w", noise({3, 2, 3, 3}, 2));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"r"});
        g.op("Flatten", "flat", {"r"}, {"f"}, {{"axis", std::int64_t(1)}});
        g.parameter("fw", noise({3, 48}, 3));
        g.op("Gemm", "fc", {"f", "fw"}, {"y"}, {{"transB", std::int64_t(1)}});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        const QuantModel model = quantized(base / "float.onnx", {1, 2, 6, 6}, platform.toUtf8());
        exportModel("ppl_dsp", model, base / "net.prototxt", {}, [](api::Problem) {});
        const QString text = QString::fromStdString(readFile(base / "net.prototxt"));
        QCOMPARE(text.count("type: \"filter\""), 2 * ranges);
        QCOMPARE(text.count("type: \"bottom\""), 1);
        QCOMPARE(text.count("type: \"top\""), 4);
        QCOMPARE(text.count("topperchannel"), 0);
        // The first range of the Conv, as its scale represents it
        const Slot weight = inputSlot(model.graph.findOperation("conv"), 1);
        const TensorQuantConfig &config = *model.plan.find(weight);
        const float scale = model.plan.scale(weight)[0], zero = float(model.plan.zeroPoint(weight)[0]);
        const auto found = QRegularExpression("convolution_param \\{[^{}]*quantize_param \\{\\s*type: \"filter\"\\s+"
                                              "range_min: (\\S+)\\s+range_max: (\\S+)")
                               .match(text);
        QVERIFY2(found.hasMatch(), qPrintable(text));
        QVERIFY(std::abs(found.captured(1).toFloat() - scale * (float(config.quantMin) - zero)) < 1e-5f);
        QVERIFY(std::abs(found.captured(2).toFloat() - scale * (float(config.quantMax) - zero)) < 1e-5f);
        // Both files are read as the net that the plain exporter writes
        exportModel("caffe", model, base / "plain.prototxt", {}, [](api::Problem) {});
        QVERIFY(readFile(base / "plain.prototxt").find("quantize_param") == std::string::npos);
        const Feed feed{{"x", noise({1, 2, 6, 6}, 9)}};
        const auto outputOf = [&](const char *file) {
            return Executor(opened(base / file), {"cpu", 1}).compile({}).run(feed, {})[0];
        };
        QVERIFY(at::equal(outputOf("net.prototxt"), outputOf("plain.prototxt")));
    }
};

QL_TEST(TestCaffeRanges)
#include "tst_caffe_ranges.moc"
