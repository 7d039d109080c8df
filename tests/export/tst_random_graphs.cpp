// Small random graphs through the whole way: written, opened again, quantized on some platform, exported and read back.
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/importer.h"
#include "core/io/native.h"
#include "core/io/npz.h"
#include "core/io/onnx/write.h"
#include "core/platform/definition.h"
#include "core/session/run.h"
#include "tests/pass/pass_support.h"
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

constexpr int side = 8; ///< all tensors but the head's are 1 x channels x side x side

/// Grows a graph of convolutional and elementwise operations over tensors of one height and width, with a head.
class RandomGraph
{
public:
    explicit RandomGraph(unsigned seed) : m_random(seed)
    {
        m_graph.input("x", {1, 3, side, side});
        m_tensors.push_back({"x", 3});
        const int count = 3 + pick(12);
        for (int i = 0; i < count; ++i) grow(std::to_string(i));
        head();
    }
    Graph take() { return std::move(m_graph.graph); }

private:
    struct Tensor
    {
        std::string name;
        int channels;
    };

    int pick(int n) { return int(m_random() % unsigned(n)); }
    std::uint64_t seed() { return m_random(); }
    const Tensor &anyTensor() { return m_tensors[std::size_t(pick(int(m_tensors.size())))]; }
    std::string weight(const std::string &name, const std::vector<std::int64_t> &shape, double deviation)
    {
        m_graph.parameter(name, noise(shape, seed(), deviation));
        return name;
    }
    void done(const std::string &name, int channels) { m_tensors.push_back({name, channels}); }

    void convolution(const std::string &n, const Tensor &x)
    {
        const int kernel = pick(2) ? 3 : 1, padding = kernel / 2;
        const bool depthwise = pick(3) == 0;
        const int channels = depthwise ? x.channels : 2 + pick(6);
        const int inner = depthwise ? 1 : x.channels;
        std::vector<std::string> inputs{x.name, weight("w" + n, {channels, inner, kernel, kernel},
                                                       1.0 / std::sqrt(double(inner * kernel * kernel)))};
        if (pick(2)) inputs.push_back(weight("b" + n, {channels}, 0.2));
        m_graph.op("Conv", "conv" + n, inputs, {"t" + n},
                   {{"kernel_shape", std::vector<std::int64_t>{kernel, kernel}},
                    {"pads", std::vector<std::int64_t>(4, padding)},
                    {"group", std::int64_t(depthwise ? channels : 1)}});
        done("t" + n, channels);
    }

    void grow(const std::string &n)
    {
        const Tensor x = anyTensor();
        const std::string y = "t" + n;
        const std::vector<std::int64_t> three{3, 3}, ones(4, 1);
        switch (pick(11)) {
        case 0:
        case 1:
        case 2:
        case 3: return convolution(n, x);
        case 4: m_graph.op("Relu", "relu" + n, {x.name}, {y}); break;
        case 5: {
            m_graph.parameter("low" + n, floats({}, {0}));
            m_graph.parameter("high" + n, floats({}, {6}));
            m_graph.op("Clip", "clip" + n, {x.name, "low" + n, "high" + n}, {y});
            break;
        }
        case 6: m_graph.op(pick(2) ? "Sigmoid" : "Tanh", "act" + n, {x.name}, {y}); break;
        case 7: m_graph.op("LeakyRelu", "leaky" + n, {x.name}, {y}, {{"alpha", 0.1f}}); break;
        case 8: {
            std::vector<Tensor> partners;
            for (const Tensor &t : m_tensors)
                if (t.channels == x.channels) partners.push_back(t);
            m_graph.op(pick(2) ? "Add" : "Mul", "two" + n,
                       {x.name, partners[std::size_t(pick(int(partners.size())))].name}, {y});
            break;
        }
        case 9: {
            const Tensor other = anyTensor();
            m_graph.op("Concat", "cat" + n, {x.name, other.name}, {y}, {{"axis", std::int64_t(1)}});
            return done(y, x.channels + other.channels);
        }
        default:
            m_graph.op(pick(2) ? "MaxPool" : "AveragePool", "pool" + n, {x.name}, {y},
                       {{"kernel_shape", three}, {"pads", ones}});
        }
        done(y, x.channels);
    }

    void head()
    {
        const Tensor last = m_tensors.back();
        m_graph.op("GlobalAveragePool", "gap", {last.name}, {"pooled"});
        m_graph.op("Flatten", "flat", {"pooled"}, {"flattened"});
        m_graph.op("Gemm", "fc", {"flattened", weight("wf", {4, last.channels}, 0.5), weight("bf", {4}, 0.2)}, {"y"},
                   {{"transB", std::int64_t(1)}});
        m_graph.output("y");
        if (last.name != "x") m_graph.output(last.name); // a second output, inside the network
    }

    std::mt19937 m_random;
    SmallGraph m_graph;
    std::vector<Tensor> m_tensors;
};

std::vector<at::Tensor> runFloat(const Graph &graph, const Feed &feed)
{
    return Executor(graph, {"cpu", 1}).compile({}).run(feed, {});
}

Graph opened(const fs::path &file)
{
    ImportRequest request;
    request.file = file;
    return importModel(request);
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
        const Feed feed{{"x", noise({1, 3, side, side}, seed)}};
        const std::vector<at::Tensor> want = runFloat(graph, feed);

        // Written and opened again: the same graph to the last bit.
        writeOnnx(graph, folder / "float.onnx", {});
        const std::vector<at::Tensor> again = runFloat(opened(folder / "float.onnx"), feed);
        QCOMPARE(again.size(), want.size());
        for (std::size_t i = 0; i < want.size(); ++i) QVERIFY(at::equal(again[i], want[i]));

        // Quantized, exported in every format, read back.
        writeFileAtomically(folder / "calib.npz", [&](std::ostream &out) {
            writeNpz(out, {{"x", noise({8, 3, side, side}, seed + 1)}});
        });
        api::Recipe recipe;
        recipe.model = (folder / "float.onnx").string();
        recipe.platform = platform.toStdString();
        recipe.calibration.path = (folder / "calib.npz").string();
        recipe.threads = 1;
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        ProgramSpec spec;
        spec.plan = &model.plan;
        const std::vector<at::Tensor> simulated = Executor(model.graph, {"cpu", 1}).compile(spec).run(feed, {});

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
        const std::vector<at::Tensor> fromQdq = runFloat(opened(folder / "q.onnx"), feed);
        QCOMPARE(fromQdq.size(), simulated.size());
        for (std::size_t i = 0; i < simulated.size(); ++i) {
            QCOMPARE(fromQdq[i].sizes().vec(), simulated[i].sizes().vec());
            // Sums in another order may move a value across the border of two codes, here and there. Scales that are
            // powers of two put many values exactly between two codes, where NXP rounds up and ONNX to even.
            const double limit = platform == "NXP_INT8" ? 1e-2 : 1e-4;
            const double signal = simulated[i].square().sum().item().toDouble();
            const double noiseSum = (fromQdq[i] - simulated[i]).square().sum().item().toDouble();
            QVERIFY2(noiseSum <= limit * signal, qPrintable(QString::number(noiseSum / signal)));
        }
    }
};

QL_TEST(TestRandomGraphs)
#include "tst_random_graphs.moc"
