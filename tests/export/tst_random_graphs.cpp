// Small random graphs through the whole way: written, opened again, quantized on some platform, exported and read back.
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/native.h"
#include "core/io/npz.h"
#include "core/io/onnx/write.h"
#include "core/platform/definition.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/random_graph.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <QTemporaryDir>
#include <QtTest>
#include <random>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

namespace {

std::vector<at::Tensor> runFloat(const Graph &graph, const Feed &feed)
{
    return Executor(graph, {"cpu", 1}).compile({}).run(feed, {});
}

} // namespace

class TestRandomGraphs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void roundTrip_data()
    {
        QTest::addColumn<unsigned>("seed");
        QTest::addColumn<QString>("platform");
        const auto all = platforms();
        for (unsigned seed = 0; seed < 40; ++seed) {
            const std::string id = all[seed % all.size()]->id;
            QTest::addRow("%u %s", seed, id.c_str()) << seed << QString::fromStdString(id);
        }
    }
    void roundTrip()
    {
        QFETCH(unsigned, seed);
        QFETCH(QString, platform);
        const QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        const Graph graph = RandomGraph(seed).take();
        graph.verify();
        const Feed feed{{"x", noise({1, 3, RandomGraph::side, RandomGraph::side}, seed)}};
        const std::vector<at::Tensor> want = runFloat(graph, feed);

        // Written and opened again: the same graph to the last bit.
        writeOnnx(graph, folder / "float.onnx", {});
        const std::vector<at::Tensor> again = runFloat(opened(folder / "float.onnx"), feed);
        QCOMPARE(again.size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i) QVERIFY(at::equal(again[i], want[i]));

        // Quantized, exported in every format, read back.
        writeFileAtomically(folder / "calib.npz", [&](std::ostream &out) {
            writeNpz(out, {{"x", noise({8, 3, RandomGraph::side, RandomGraph::side}, seed + 1)}});
        });
        api::Recipe recipe;
        recipe.model = (folder / "float.onnx").string();
        recipe.platform = platform.toStdString();
        recipe.calibration.path = (folder / "calib.npz").string();
        recipe.threads = 1;
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        ProgramSpec spec;
        spec.plan = &model.plan;
        std::vector<at::Tensor> simulated = Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, {});

        exportModel("native", model, folder / "q.qln", nlohmann::json::object(), [](api::Problem) {});
        const QuantModel native = modelFromBytes(readFile(folder / "q.qln"));
        spec.plan = &native.plan;
        const std::vector<at::Tensor> fromNative = Executor(native.graph, {"cpu", 1}).compile(spec).run(feed, {});
        for (std::size_t i = 0; i < simulated.size(); ++i) QVERIFY(at::equal(fromNative[i], simulated[i]));

        try {
            exportModel("onnx_qdq", model, folder / "q.onnx", {{"quantized_parameters", true}}, [](api::Problem) {});
        } catch (const Error &error) {
            QVERIFY2(error.kind == ErrorKind::BadConfig && !error.remedy.isEmpty(), error.what());
            QVERIFY(!fs::exists(folder / "q.onnx"));
            QSKIP(error.what());
        }
        QuantPlan plain = model.plan; // QDQ does not express the other kernels of a runtime
        plain.kernels = {};
        spec.plan = &plain;
        simulated = Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, {});
        const std::vector<at::Tensor> fromQdq = runFloat(opened(folder / "q.onnx"), feed);
        QCOMPARE(fromQdq.size(), simulated.size());
        for (std::size_t i = 0; i < simulated.size(); ++i) {
            QCOMPARE(fromQdq[i].sizes().vec(), simulated[i].sizes().vec());
            // Sums in another order may move a value across the border of two codes, here and there. Scales that are
            // powers of two put many values exactly between two codes, where NXP rounds up and ONNX to even.
            // MNN and ncnn round away from zero.
            const double limit = platform == "NXP_INT8" ? 1e-2 : platform == "MNN_INT8" ? 1e-3 : 1e-4;
            const double signal = simulated[i].square().sum().item().toDouble();
            const double noiseSum = (fromQdq[i] - simulated[i]).square().sum().item().toDouble();
            QVERIFY2(noiseSum <= limit * signal, qPrintable(QString::number(noiseSum / signal)));
        }
    }
};

QL_TEST(TestRandomGraphs)
#include "tst_random_graphs.moc"
