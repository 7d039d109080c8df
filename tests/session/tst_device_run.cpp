// Complete runs, and real models, on a device: the test device (tests/support/test_device.h) everywhere, CUDA if
// available. Real models need the corpus next to the checkout and are skipped without it.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/exec/placement.h"
#include "core/exec/runtime.h"
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/session/cache.h"
#include "core/session/run.h"
#include "tests/support/test_device.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/pow.h>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace ql;
using namespace ql::test;

namespace {

double agreement(const at::Tensor &got, const at::Tensor &want)
{
    const at::Tensor a = got.to(at::kDouble), b = want.to(at::kDouble);
    const double noise = (a - b).pow(2).sum().item().toDouble(), signal = b.pow(2).sum().item().toDouble();
    return noise == 0 ? 400 : 10 * std::log10(signal / noise);
}

} // namespace

class TestDeviceRun : public QObject
{
    Q_OBJECT

    const Runtime m_runtime; // float32 on GPUs, as in the programs

private Q_SLOTS:
    void sample_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("platform");
        for (const char *device : {"test", "cuda"})
            for (const char *platform : {"RKNN_INT8", "TRT_INT8", "ONNXRUNTIME", "OPENVINO_INT8"})
                QTest::addRow("%s, %s", platform, device) << device << platform;
    }
    void sample()
    {
        QL_DEVICE();
        QFETCH(QString, platform);
        const std::filesystem::path folder = std::filesystem::path(QL_SOURCE_DIR) / "resources/sample";
        api::Recipe recipe;
        recipe.model = (folder / "model.onnx").string();
        recipe.calibration = {(folder / "calib").string(), 8, "rgb; scale 1/255; mean .5,.5,.5; std .5,.5,.5"};
        recipe.evaluation = {(folder / "eval").string(), 8, recipe.calibration.preprocess};
        recipe.platform = platform.toStdString();
        recipe.threads = 1;
        nlohmann::json cpu, got;
        for (const auto &[device_, report] : {std::pair{std::string("cpu"), &cpu}, std::pair{there, &got}}) {
            recipe.device = device_;
            *report = runRecipe(recipe, {}, {}).report;
        }
        QCOMPARE(QString::fromStdString(got["tool"]["device"]), QString::fromStdString(there));
        QCOMPARE(got["configs"].size(), cpu["configs"].size());
        for (std::size_t i = 0; i < cpu["configs"].size(); ++i) {
            const auto &a = got["configs"][i]["scale"], &b = cpu["configs"][i]["scale"];
            QCOMPARE(a.size(), b.size());
            for (std::size_t c = 0; c < a.size(); ++c)
                QVERIFY(std::abs(double(a[c]) - double(b[c])) <= 1e-5 * double(b[c]));
        }
        const auto isEstimated = [](const nlohmann::json &row) { return row.contains("estimated"); };
        for (const char *analysis : {"graphwise", "layerwise", "outputs"}) {
            for (nlohmann::json *report : {&cpu, &got}) { // the test device has no backward pass
                auto &rows = report->at(analysis).get_ref<nlohmann::json::array_t &>();
                std::erase_if(rows, isEstimated);
            }
            QVERIFY(!cpu[analysis].empty());
            QCOMPARE(got[analysis].size(), cpu[analysis].size());
            for (std::size_t i = 0; i < cpu[analysis].size(); ++i) {
                const auto &a = got[analysis][i]["sqnr_db"], &b = cpu[analysis][i]["sqnr_db"];
                QCOMPARE(a.is_null(), b.is_null());
                if (b.is_null()) continue;
                // A value that rounds the other way moves a small tensor's error by tenths
                const QString name = QString::fromStdString(cpu[analysis][i]["op"]);
                QVERIFY2(std::abs(double(a) - double(b)) < 0.5,
                         qPrintable(QString("%1 %2: %3, %4 dB").arg(analysis, name).arg(double(a)).arg(double(b))));
            }
        }
        for (const auto &problem : got["problems"])
            QVERIFY2(std::string(problem["message"]).find("run on the CPU") == std::string::npos,
                     std::string(problem["message"]).c_str());
    }

    /// Reported once per reason, also from the cache.
    void hostOperationsAreReported_data()
    {
        QTest::addColumn<QString>("device");
        QTest::newRow("test device") << "test";
        QTest::newRow("cuda") << "cuda";
    }
    void hostOperationsAreReported()
    {
        QL_DEVICE();
        const std::filesystem::path folder = std::filesystem::path(QL_CORPUS) / "wechat_qr_detect_caffe";
        if (!std::filesystem::exists(folder)) QSKIP("the corpus is not beside the checkout");
        QTemporaryDir place;
        const std::string data = (place.path() + "/data.npz").toStdString();
        const NpzFile golden(folder / "golden.npz");
        writeFileAtomically(data, [&](std::ostream &out) {
            writeNpz(out, {{"data", golden.array("in__data")->all()}});
        });
        api::Recipe recipe;
        recipe.model = (folder / "wechat_qr_detect_caffe.prototxt").string();
        recipe.calibration = {data, 1, ""};
        recipe.device = there;
        recipe.threads = 1;
        recipe.analyses.clear();
        CacheOptions kept;
        kept.folder = (place.path() + "/cache").toStdString();
        StageCache cache(kept);
        RunOptions options;
        options.cache = &cache;
        std::vector<nlohmann::json> reported;
        for (int time = 0; time < 2; ++time) {
            const nlohmann::json report = runRecipe(recipe, options, {}).report;
            for (const auto &problem : report["problems"])
                if (std::string(problem["message"]).find("run on the CPU") != std::string::npos)
                    reported.push_back(problem);
        }
        QCOMPARE(reported.size(), std::size_t(2));
        QCOMPARE(reported[0], reported[1]);
        QVERIFY2(std::string(reported[0]["message"]).find("DetectionOutput") != std::string::npos,
                 std::string(reported[0]["message"]).c_str());
    }

    /// A recipe may name a device that this machine does not have: it can be inspected, and refuses to run before
    /// anything is read.
    void absentDevice()
    {
        api::Recipe recipe;
        recipe.model = std::string(QL_SOURCE_DIR) + "/resources/sample/model.onnx";
        recipe.device = "cuda:57";
        QVERIFY(!inspectModel(recipe, {}, {}).operations.empty());
        recipe.model = "/nowhere/model.onnx";
        try {
            runRecipe(recipe, {}, {});
            QFAIL("a run on a device that is not there");
        } catch (const Error &error) {
            QVERIFY(error.kind == ErrorKind::BadConfig);
            QVERIFY2(std::string(error.what()).find("cuda:57") != std::string::npos, error.what());
        }
    }

    void realModels_data()
    {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("model");
        for (const char *device : {"test", "cuda"})
            for (const char *model :
                 {"squeezenet1.1", "mobilenetv2_backbone", "resnet50v2_backbone", "resnet20_cifar10",
                  "ultraface_rfb320", "yolox_nano", "deeplabv3_dm05", "ppocr_mobile2_cls", "ppocr_v3_det",
                  "super_resolution", "sci_lowlight", "tbefn_lowlight", "minifasnet_v2", "stories260k",
                  "silero_vad_16k_op15", "gtcrn_simple", "wechat_qr_detect_caffe"})
                QTest::addRow("%s, %s", model, device) << device << model;
    }
    void realModels()
    {
        QL_SKIP_IF_SANITIZED;
        QL_DEVICE();
        QFETCH(QString, model);
        const std::string name = model.toStdString();
        const std::filesystem::path folder = std::filesystem::path(QL_CORPUS) / name;
        if (!std::filesystem::exists(folder)) QSKIP("the corpus is not beside the checkout");
        ImportRequest request;
        request.file = folder / (name + ".onnx");
        if (!std::filesystem::exists(request.file)) request.file = folder / (name + ".prototxt");
        Graph graph = importModel(request);
        const NpzFile golden(folder / "golden.npz");
        Feed feed;
        for (const VarId id : graph.inputs()) {
            const Variable &input = graph.variable(id);
            at::Tensor all = golden.array("in__" + input.name)->all();
            if (all.dim() == std::int64_t(input.type.shape->size()) + 1) all = all.select(0, 0); // the first frame
            feed[input.name] = all;
        }
        for (const auto &[variable, type] : Executor(graph).traceTypes(feed, {}))
            if (!graph.isGraphInput(variable) && !graph.isGraphOutput(variable)) graph.edit(variable).type = type;
        const std::vector<at::Tensor> want = Executor(graph, {"cpu", 1}).compile({}).run(feed, {});
        const Executor executor(graph, {there, 1});
        const Program program = executor.compile({});
        const std::vector<at::Tensor> got = program.run(feed, {});
        QCOMPARE(got.size(), want.size());
        double worst = 400;
        for (std::size_t o = 0; o < got.size(); ++o) {
            QVERIFY(got[o].sizes() == want[o].sizes());
            if (got[o].numel() > 0) worst = std::min(worst, agreement(got[o], want[o]));
        }
        std::map<std::string, int> onHost;
        for (const HostOperation &operation : program.hostOperations()) {
            ++onHost[graph.operation(operation.op).type];
            QVERIFY2(operation.why != refusedByDevice() || there != "test", graph.operation(operation.op).name.c_str());
        }
        std::string list;
        for (const auto &[type, count] : onHost) list += " " + type + " x " + std::to_string(count);
        qInfo("%s: %.1f dB; on the CPU:%s", qPrintable(model), worst, list.empty() ? " nothing" : list.c_str());
        QVERIFY(worst >= 90);
    }
};

QL_TEST(TestDeviceRun)
#include "tst_device_run.moc"
