// Real models against their recorded float32 outputs, through import, formatting and the compiled program. Needs the
// corpus beside the checkout; without it the test is skipped and says so.
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/pass/format_pipeline.h"
#include "core/pass/pass.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/pow.h>
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
              "tbefn_lowlight", "fast_style_transfer"})
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
        Feed feed;
        for (const VarId id : graph.inputs())
            feed[graph.variable(id).name] = golden.array("in__" + graph.variable(id).name)->all();
        // Shapes help formatting; they come from running the graph as it is
        for (const auto &[variable, type] : Executor(graph).traceTypes(feed, {}))
            if (!graph.isGraphInput(variable) && !graph.isGraphOutput(variable)) graph.edit(variable).type = type;
        for (const std::string &id : defaultFormatPipeline()) runPass(*makePass(id, {}), quantModel, PassContext{});
        const std::vector<at::Tensor> outputs = Executor(graph).compile({}).run(feed, {});
        for (std::size_t o = 0; o < outputs.size(); ++o) {
            const std::string name = graph.variable(graph.outputs()[o]).name;
            QVERIFY2(golden.contains("out__" + name), name.c_str());
            const at::Tensor want = golden.array("out__" + name)->all().flatten().to(at::kDouble);
            at::Tensor got = outputs[o].contiguous().flatten().to(at::kDouble);
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
    }
};

QTEST_GUILESS_MAIN(TestCorpus)
#include "tst_corpus.moc"
