#include "core/analysis/analyser.h"
#include "core/base/error.h"
#include "core/exec/executor.h"
#include "core/exec/runtime.h"
#include "core/pass/pass.h"
#include "core/quant/quantize.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_device.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <QtTest>
#include <sys/wait.h>
#include <unistd.h>

using namespace ql;
using namespace ql::test;

namespace {

void devices()
{
    QTest::addColumn<QString>("device");
    QTest::newRow("test device") << "test";
    QTest::newRow("cuda") << "cuda";
}

std::vector<at::Tensor> run(const Graph &graph, const std::string &device, const ProgramSpec &spec, const Feed &feed,
                            std::vector<HostOperation> *onHost = nullptr)
{
    const Executor executor(graph, {device, 1});
    const Program program = executor.compile(spec);
    const std::vector<at::Tensor> out = program.run(feed, {});
    if (onHost) *onHost = program.hostOperations();
    return out;
}

class OneBatch : public BatchSource
{
public:
    explicit OneBatch(Feed feed) : m_feed(std::move(feed)) {}
    std::size_t size() const override { return 1; }
    Feed batch(std::size_t) const override { return m_feed; }

private:
    Feed m_feed;
};

} // namespace

class TestDevice : public QObject
{
    Q_OBJECT

    const Runtime m_runtime; // float32 on GPUs, as in the programs

private Q_SLOTS:
    void names_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("device");
        QTest::newRow("cpu") << "cpu"
                             << "cpu";
        QTest::newRow("cuda") << "cuda"
                              << "cuda:0";
        QTest::newRow("numbered") << "cuda:12"
                                  << "cuda:12";
        for (const char *text : {"", "gpu", "CPU", "cpu:0", "cuda:", "cuda:-1", "cuda:1x", "cuda:100", "cuda:0x1"})
            QTest::newRow(text) << text << "";
    }
    void names()
    {
        QFETCH(QString, text);
        QFETCH(QString, device);
        if (!device.isEmpty()) {
            QCOMPARE(QString::fromStdString(parseDevice(text.toStdString()).str()), device);
            return;
        }
        QVERIFY_THROWS_EXCEPTION(Error, parseDevice(text.toStdString()));
    }

    /// Without a CUDA device, the message says what to do.
    void absent()
    {
        const std::string why = missing("cuda:57");
        QVERIFY(!why.empty());
        QVERIFY2(QString::fromStdString(why).contains("cuda:57"), why.c_str());
        try {
            Executor(toyGraph(), {"cuda:57", 1});
            QFAIL("an executor for a device that is not there");
        } catch (const Error &error) {
            QVERIFY(error.kind == ErrorKind::BadConfig);
            QVERIFY2(QString::fromStdString(error.remedy.english()).contains("--device cpu"),
                     error.remedy.english().c_str());
        }
    }

    /// The other tests prove something only while the test device's memory is out of reach.
    void memoryIsLocked()
    {
        const c10::InferenceMode noGradients;
        const at::Tensor x = at::randn({4, 4});
        const at::Tensor far = toDevice(x, parseDevice("test"));
        const pid_t child = fork();
        if (child == 0) {
            signal(SIGSEGV, SIG_DFL);
            const volatile float value = far.data_ptr<float>()[3];
            _exit(value == 1 ? 1 : 0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
        QVERIFY(at::equal(toHost(far), x));
        QVERIFY(at::equal(toHost(far * 2 + far), x * 2 + x));
    }

    void floatForward_data() { devices(); }
    void floatForward()
    {
        QL_DEVICE();
        const Graph graph = toyGraph();
        const Feed feed{{"x", spread({1, 3, 8, 8})}};
        std::vector<HostOperation> onHost;
        const std::vector<at::Tensor> got = run(graph, there, {}, feed, &onHost);
        QVERIFY(got[0].is_cpu());
        QVERIFY(at::allclose(got[0], run(graph, "cpu", {}, feed)[0], 1e-5, 1e-6));
        QVERIFY(onHost.empty());
        ProgramSpec stays;
        stays.onDevice = true;
        QVERIFY(run(graph, there, stays, feed)[0].device() == parseDevice(there));
    }

    void quantizedForward_data() { devices(); }
    void quantizedForward()
    {
        QL_DEVICE();
        const QuantModel model = toyModel();
        const Feed feed{{"x", spread({1, 3, 8, 8})}};
        ProgramSpec spec;
        spec.plan = &model.plan;
        std::vector<bool> probedThere;
        spec.probes.push_back({outputSlot(model.graph.findOperation("relu1")), ProbePoint::Quantized,
                               [&](const at::Tensor &t, std::size_t) { probedThere.push_back(!t.is_cpu()); }});
        spec.onDevice = true;
        const at::Tensor got = toHost(run(model.graph, there, spec, feed)[0]);
        QCOMPARE(probedThere, std::vector<bool>{true});
        QVERIFY(at::equal(got, run(model.graph, "cpu", spec, feed)[0]));
        spec.onDevice = false;
        run(model.graph, there, spec, feed);
        QCOMPARE(probedThere, (std::vector<bool>{true, false, false}));
    }

    void fakeQuantBits_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<bool>("perChannel");
        QTest::addColumn<bool>("floating");
        QTest::addColumn<bool>("dynamic");
        for (const char *device : {"test", "cuda"}) {
            const auto row = [&](const char *what, bool perChannel, bool floating, bool dynamic) {
                QTest::addRow("%s, %s", what, device) << device << perChannel << floating << dynamic;
            };
            row("per tensor", false, false, false);
            row("per channel", true, false, false);
            row("float8", false, true, false);
            row("float8 per channel", true, true, false);
            row("dynamic", false, false, true);
            row("dynamic per channel", true, false, true);
        }
    }
    void fakeQuantBits()
    {
        QL_DEVICE();
        QFETCH(bool, perChannel);
        QFETCH(bool, floating);
        QFETCH(bool, dynamic);
        const c10::InferenceMode noGradients;
        TensorQuantConfig config;
        if (perChannel) config.channelAxis = 1;
        config.dynamic = dynamic;
        if (floating) {
            config.exponentBits = 4;
            config.quantMin = -448;
            config.quantMax = 448;
        }
        std::vector<float> scale{0.02f};
        if (perChannel) scale = {0.02f, 0.03f, 0.05f};
        const std::vector<std::int32_t> zero(scale.size(), 0);
        const at::Tensor x = at::randn({2, 3, 5, 7});
        for (const at::Tensor &layout : {x, x.contiguous(at::MemoryFormat::ChannelsLast), x.transpose(2, 3)}) {
            at::Tensor far = toDevice(layout, parseDevice(there));
            const at::Tensor want = fakeQuant(layout, config, scale, zero);
            const at::Tensor got = fakeQuant(far, config, scale, zero);
            QVERIFY(got.device() == far.device());
            QVERIFY(at::equal(toHost(got), want));
            fakeQuantInPlace(far, config, scale, zero);
            QVERIFY(at::equal(toHost(far), want));
        }
    }

    void observers_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("observer");
        QTest::addColumn<bool>("symmetric");
        for (const char *device : {"test", "cuda"})
            for (const char *observer : {"minmax", "percentile", "kl", "mse", "isotone", "floating"})
                for (const bool symmetric : {true, false}) {
                    if (!symmetric && (std::string(observer) == "kl" || std::string(observer) == "floating")) continue;
                    QTest::addRow("%s %s, %s", observer, symmetric ? "symmetric" : "asymmetric", device)
                        << device << observer << symmetric;
                }
    }
    void observers()
    {
        QL_DEVICE();
        QFETCH(QString, observer);
        QFETCH(bool, symmetric);
        at::Tensor x = at::randn({1, 3, 64, 64});
        x.data_ptr<float>()[5] = std::numeric_limits<float>::quiet_NaN();
        std::map<std::string, TensorQuantConfig> found;
        for (const std::string &where : {std::string("cpu"), there}) {
            SmallGraph net;
            net.input("x", {1, 3, 64, 64});
            net.op("Identity", "id", {"x"}, {"y"});
            net.output("y");
            QuantModel model;
            model.graph = std::move(net.graph);
            TensorQuantConfig config;
            config.state = QuantState::Initial;
            config.observer = observer.toStdString();
            config.symmetric = symmetric;
            if (observer == "floating") {
                config.exponentBits = 4;
                config.quantMin = -448;
                config.quantMax = 448;
            }
            if (!symmetric) {
                config.quantMin = 0;
                config.quantMax = 255;
            }
            const Slot slot = inputSlot(model.graph.findOperation("id"), 0);
            model.plan.set(slot, config);
            const OneBatch data({{"x", x}});
            PassContext context;
            context.calibration = &data;
            context.calibrationSteps = 1;
            context.exec = {where, 1};
            runPass(*makePass("calibrate", {}), model, context);
            found[where] = *model.plan.find(slot);
            QVERIFY(found[where].state == QuantState::Active);
        }
        QCOMPARE(found[there].scale, found["cpu"].scale);
        QCOMPARE(found[there].zeroPoint, found["cpu"].zeroPoint);
    }

    /// Shapes are computed on the CPU without a report; an operator with its own loop is reported.
    void hostOperations_data() { devices(); }
    void hostOperations()
    {
        QL_DEVICE();
        SmallGraph net;
        net.input("x", {2, 3, 4, 4});
        net.parameter("zero", ints({0}));
        net.parameter("rest", ints({-1}));
        net.op("Relu", "relu", {"x"}, {"r"});
        net.op("Shape", "shape", {"r"}, {"s"});
        net.op("Gather", "pick", {"s", "zero"}, {"n"});
        net.op("Concat", "join", {"n", "rest"}, {"to"}, {{"axis", std::int64_t{0}}});
        net.op("Reshape", "flat", {"r", "to"}, {"f"});
        net.op("Sigmoid", "act", {"f"}, {"g"});
        net.output("g");
        const Feed feed{{"x", spread({2, 3, 4, 4})}};
        std::vector<HostOperation> onHost;
        const at::Tensor got = run(net.graph, there, {}, feed, &onHost)[0];
        QVERIFY(onHost.empty());
        QVERIFY(at::allclose(got, run(net.graph, "cpu", {}, feed)[0], 1e-6, 1e-7));

        SmallGraph other(16);
        other.input("x", {3, 4});
        other.parameter("at", ints({1}).reshape({1, 1}));
        other.parameter("row", spread({1, 4}));
        other.op("Relu", "relu", {"x"}, {"r"});
        other.op("ScatterND", "scatter", {"r", "at", "row"}, {"s"}, {{"reduction", std::string("add")}});
        other.op("Sigmoid", "act", {"s"}, {"y"});
        other.output("y");
        const Feed rows{{"x", spread({3, 4})}};
        QVERIFY(at::allclose(run(other.graph, there, {}, rows, &onHost)[0], run(other.graph, "cpu", {}, rows)[0]));
        QCOMPARE(onHost.size(), std::size_t(1));
        QVERIFY(onHost[0].op == other.graph.findOperation("scatter"));
    }

    /// Operations that LibTorch does not support there run on the CPU; errors of the model are reported as on the CPU.
    void indexOutside_data() { devices(); }
    void indexOutside()
    {
        QL_DEVICE();
        SmallGraph net;
        net.input("x", {3, 4});
        net.input("i", {2}, at::kLong);
        net.op("Gather", "pick", {"x", "i"}, {"y"});
        net.output("y");
        const at::Tensor x = spread({3, 4});
        QVERIFY(
            at::equal(run(net.graph, there, {}, {{"x", x}, {"i", ints({-1, 0})}})[0], x.index_select(0, ints({2, 0}))));
        for (const std::int64_t outside : {3, -4}) {
            try {
                run(net.graph, there, {}, {{"x", x}, {"i", ints({0, outside})}});
                QFAIL("an index outside the axis");
            } catch (const Error &error) {
                QVERIFY(error.kind == ErrorKind::Kernel);
                QCOMPARE(QString::fromStdString(error.op), "pick");
            }
        }
        QVERIFY(at::equal(run(net.graph, there, {}, {{"x", x}, {"i", ints({1, 2})}})[0], x.narrow(0, 1, 2)));
    }

    void analyses_data() { devices(); }
    void analyses()
    {
        QL_DEVICE();
        const QuantModel model = toyModel();
        const OneBatch data({{"x", spread({1, 3, 8, 8})}});
        for (const char *id : {"graphwise", "layerwise", "statistics", "outputs"}) {
            std::map<std::string, nlohmann::json> answers;
            for (const std::string &where : {std::string("cpu"), there}) {
                AnalysisContext context(model);
                context.data = &data;
                context.batches = 1;
                context.exec = {where, 1};
                answers[where] = analyse(id, context, nlohmann::json::object());
            }
            const auto &want = answers["cpu"], &got = answers[there];
            for (const auto &[name, rows] : want.items()) {
                QCOMPARE(got.at(name).size(), rows.size());
                QVERIFY(!rows.empty());
                for (std::size_t i = 0; i < rows.size(); ++i) {
                    QCOMPARE(got.at(name)[i]["op"], rows[i]["op"]);
                    if (!rows[i].contains("noise_ratio")) continue;
                    const double a = got.at(name)[i]["noise_ratio"], b = rows[i]["noise_ratio"];
                    QVERIFY2(std::abs(a - b) <= 1e-4 * b + 1e-12, id);
                }
            }
        }
    }
};

QL_TEST(TestDevice)
#include "tst_device.moc"
