// Real models against their recorded float32 outputs, through import, formatting and the compiled program. Needs the
// corpus next to the checkout; otherwise the test is skipped with a message.
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/exp.h>
#include <ATen/ops/max.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/stack.h>
#include <QDir>
#include <QtTest>
#include <cmath>

using namespace ql;

namespace {

std::filesystem::path modelFile(const std::filesystem::path &folder, const std::string &name)
{
    const std::filesystem::path onnx = folder / (name + ".onnx");
    return std::filesystem::exists(onnx) ? onnx : folder / (name + ".prototxt"); // the weights are next to it
}

double decibels(const at::Tensor &got, const at::Tensor &want)
{
    const double noise = (got - want).pow(2).sum().item().toDouble();
    const double signal = want.pow(2).sum().item().toDouble();
    return 10 * std::log10(signal / std::max(noise, 1e-300));
}

} // namespace

class TestCorpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fp32_data()
    {
        QTest::addColumn<QString>("model");
        for (const char *name : {"squeezenet1.1",          "mobilenetv2_backbone",  "resnet50v2_backbone",
                                 "resnet20_cifar10",       "ultraface_rfb320",      "yolox_nano",
                                 "deeplabv3_dm05",         "ppocr_mobile2_cls",     "ppocr_v3_det",
                                 "super_resolution",       "sci_lowlight",          "tbefn_lowlight",
                                 "fast_style_transfer",    "minifasnet_v2",         "stories260k",
                                 "silero_vad_16k_op15",    "gtcrn_simple",          "squeezenet1.1_caffe",
                                 "ultraface_rfb320_caffe", "wechat_qr_detect_caffe"})
            QTest::newRow(name) << name;
    }

    void fp32()
    {
        QFETCH(QString, model);
        const std::filesystem::path folder = std::filesystem::path(QL_CORPUS) / model.toStdString();
        if (!std::filesystem::exists(folder)) QSKIP("the corpus is not beside the checkout");
        const NpzFile golden(folder / "golden.npz");
        QuantModel quantModel;
        Graph &graph = quantModel.graph;
        ImportRequest request;
        request.file = modelFile(folder, model.toStdString());
        graph = importModel(request);
        // A stateful model's arrays have one more axis in front: the frame, states recorded for each
        const VarId firstInput = graph.inputs()[0];
        const at::Tensor first = golden.array("in__" + graph.variable(firstInput).name)->all();
        const bool framed = first.dim() == std::int64_t(graph.variable(firstInput).type.shape->size()) + 1;
        const std::int64_t frames = framed ? first.size(0) : 1;
        const auto feedOf = [&](std::int64_t frame) {
            Feed feed;
            for (const VarId id : graph.inputs()) {
                const Variable &input = graph.variable(id);
                const at::Tensor all = golden.array("in__" + input.name)->all();
                const bool each = framed && all.dim() == std::int64_t(input.type.shape->size()) + 1;
                feed[input.name] = each ? all.select(0, frame) : all;
            }
            return feed;
        };
        // Shapes help formatting; they come from running the unformatted graph
        for (const auto &[variable, type] : Executor(graph).traceTypes(feedOf(0), {}))
            if (!graph.isGraphInput(variable) && !graph.isGraphOutput(variable)) graph.edit(variable).type = type;
        for (const std::string &id : defaultFormatPipeline()) runPass(*makePass(id, {}), quantModel, PassContext{});
        const Executor executor(graph, {"cpu", 1});
        const Program program = executor.compile({});
        std::vector<std::vector<at::Tensor>> outputs; // [output][frame]
        for (std::int64_t frame = 0; frame < frames; ++frame) {
            const std::vector<at::Tensor> results = program.run(feedOf(frame), {});
            outputs.resize(results.size());
            for (std::size_t o = 0; o < results.size(); ++o) outputs[o].push_back(results[o].contiguous());
        }
        int compared = 0;
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const std::string name = graph.variable(graph.outputs()[o]).name;
            const bool isLast = !golden.contains("out__" + name) && golden.contains("out__last_" + name);
            const std::string key = isLast ? "out__last_" + name : "out__" + name;
            if (framed && !golden.contains(key)) continue; // the next frame's recorded state
            QVERIFY2(golden.contains(key), name.c_str());
            ++compared;
            const at::Tensor want = golden.array(key)->all().flatten().to(at::kDouble);
            const at::Tensor whole = isLast ? outputs[o].back() : at::stack(outputs[o], 0);
            at::Tensor got = whole.flatten().to(at::kDouble);
            if (golden.contains("stride__" + name)) {
                const std::int64_t stride = golden.array("stride__" + name)->all().item().toLong();
                got = got.slice(0, 0, got.numel(), stride);
            }
            QCOMPARE(got.numel(), want.numel());
            const double decibel = decibels(got, want);
            qInfo("%s %s: %.1f dB", qPrintable(model), name.c_str(), decibel);
            QVERIFY2(decibel >= 100, qPrintable(QString("%1: %2 dB").arg(QString::fromStdString(name)).arg(decibel)));
        }
        QVERIFY(compared > 0);
    }

    void twins_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("probabilities"); // the Caffe net has a Softmax after the scores of the ONNX model
        QTest::newRow("squeezenet1.1") << "squeezenet1.1" << true;
        QTest::newRow("ultraface_rfb320") << "ultraface_rfb320" << false;
    }

    void twins()
    {
        QFETCH(QString, model);
        QFETCH(bool, probabilities);
        const std::filesystem::path corpus(QL_CORPUS);
        const std::string name = model.toStdString();
        if (!std::filesystem::exists(corpus / (name + "_caffe"))) QSKIP("the corpus is not beside the checkout");
        const NpzFile golden(corpus / (name + "_caffe") / "golden.npz");
        const auto run = [&](const std::string &which) {
            ImportRequest request;
            request.file = modelFile(corpus / which, which);
            const Graph graph = importModel(request);
            const std::string input = graph.variable(graph.inputs()[0]).name;
            const Executor executor(graph, {"cpu", 1});
            const Feed feed{{input, golden.array("in__" + input)->all()}};
            std::map<std::string, at::Tensor> outputs;
            ProgramSpec spec;
            spec.outputs = graph.outputs();
            std::vector<std::string> names;
            for (VarId &output : spec.outputs) {
                names.push_back(probabilities ? "output" : graph.variable(output).name);
                // The ONNX model also decodes its boxes, the Caffe net ends before
                const OpId raw = graph.findOperation("Concat_215");
                if (names.back() == "boxes" && raw != noOp) output = graph.operation(raw).outputs[0];
            }
            const std::vector<at::Tensor> results = executor.compile(spec).run(feed, {});
            for (std::size_t i = 0; i < results.size(); ++i) outputs[names[i]] = results[i].to(at::kDouble).flatten();
            return outputs;
        };
        std::map<std::string, at::Tensor> onnx = run(name), caffe = run(name + "_caffe");
        QCOMPARE(onnx.size(), caffe.size());
        for (auto &[output, want] : onnx) {
            QVERIFY2(caffe.contains(output), output.c_str());
            if (probabilities) {
                want = (want - want.max()).exp();
                want = want / want.sum();
            }
            const double decibel = decibels(caffe[output], want);
            qInfo("%s %s: %.1f dB", qPrintable(model), output.c_str(), decibel);
            QVERIFY2(decibel >= 100, output.c_str());
        }
    }
};

QL_TEST(TestCorpus)
#include "tst_corpus.moc"
