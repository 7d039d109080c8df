// Real models against their recorded float32 outputs, through import, formatting and the compiled program. Needs the
// corpus beside the checkout; without it the test is skipped and says so.
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/pow.h>
#include <ATen/ops/stack.h>
#include <QDir>
#include <QtTest>
#include <cmath>

using namespace ql;

class TestCorpus : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fp32_data()
    {
        QTest::addColumn<QString>("model");
        for (const char *name :
             {"squeezenet1.1", "mobilenetv2_backbone", "resnet50v2_backbone", "resnet20_cifar10", "ultraface_rfb320",
              "yolox_nano", "deeplabv3_dm05", "ppocr_mobile2_cls", "ppocr_v3_det", "super_resolution", "sci_lowlight",
              "tbefn_lowlight", "fast_style_transfer", "minifasnet_v2", "stories260k", "silero_vad_16k_op15",
              "gtcrn_simple"})
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
        request.file = folder / (model.toStdString() + ".onnx");
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
        // Shapes help formatting; they come from running the graph as it is
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
            const double noise = (got - want).pow(2).sum().item().toDouble();
            const double signal = want.pow(2).sum().item().toDouble();
            const double decibel = 10 * std::log10(signal / std::max(noise, 1e-300));
            qInfo("%s %s: %.1f dB", qPrintable(model), name.c_str(), decibel);
            QVERIFY2(decibel >= 100, qPrintable(QString("%1: %2 dB").arg(QString::fromStdString(name)).arg(decibel)));
        }
        QVERIFY(compared > 0);
    }
};

QTEST_GUILESS_MAIN(TestCorpus)
#include "tst_corpus.moc"
