// Results from a process's memory equal those of a run that reads everything again, and are not used for files that
// changed.
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/io/npz.h"
#include "core/session/recent_inputs.h"
#include "core/session/run.h"
#include "tests/support/onnx_model.h"
#include "tests/support/sample_recipe.h"
#include "tests/support/test_main.h"

#include <ATen/ops/rand.h>

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <set>

using namespace ql;
using nlohmann::json;
namespace fs = std::filesystem;

static api::Rule inFloat(const std::string &op)
{
    return {.match = {.op = op}, .set = {.platform = "FP32"}};
}

class TestRecentInputs : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_temporary;
    fs::path m_folder;
    api::Recipe m_recipe;

    RunOptions options(RecentInputs *recent) const
    {
        RunOptions options;
        options.base = m_folder;
        options.recent = recent;
        return options;
    }
    /// The report without times and memory.
    json report(const api::Recipe &recipe, RecentInputs *recent, std::set<std::string> *recalled = nullptr,
                const JobContext &job = {}) const
    {
        json report = runRecipe(recipe, options(recent), job).report;
        for (json &stage : report["stages"]) {
            if (recalled && stage["cached"] == true) recalled->insert(stage["id"].get<std::string>());
            stage.erase("cached");
            stage.erase("seconds");
        }
        for (json &pass : report["passes"]) pass.erase("seconds");
        for (const char *key : {"seconds", "peak_rss_mib", "started"}) report.erase(key);
        return report;
    }

    /// The operations whose layerwise error a run computes, by its progress; its report equals that of a fresh run.
    QStringList measuredOf(const api::Recipe &recipe, RecentInputs &recent) const
    {
        QStringList measured;
        const json found =
            report(recipe, &recent, nullptr, JobContext([&](const Progress &progress) {
                       const QString name = QString::fromStdString(progress.detail);
                       if (progress.what == QL_TEXT("layerwise error") && !name.isEmpty() && !measured.contains(name))
                           measured.append(name);
                   }));
        return found == report(recipe, nullptr) ? measured : QStringList{QStringLiteral("another report")};
    }

private Q_SLOTS:
    void init()
    {
        m_folder = fs::path(m_temporary.path().toStdString()) / "sample";
        fs::remove_all(m_folder);
        fs::copy(QL_SOURCE_DIR "/resources/sample", m_folder, fs::copy_options::recursive);
        m_recipe = test::sampleRecipe(8, 4, m_folder);
        m_recipe.calibration.sampling = m_recipe.evaluation.sampling = api::Sampling::First; // files by their names
    }

    void editsGiveTheNumbersOfAFreshRun()
    {
        RecentInputs recent;
        report(m_recipe, &recent);
        for (const char *platform : {"RKNN_INT8", "TRT_INT8", "OPENVINO_INT8"}) {
            m_recipe.platform = platform;
            m_recipe.dispatch = {inFloat("left")};
            std::set<std::string> recalled;
            QCOMPARE(report(m_recipe, &recent, &recalled), report(m_recipe, nullptr));
            QVERIFY(recalled.contains("import") && recalled.contains("format"));
        }
    }

    /// Nothing upstream of an edit is recomputed, and nothing else is skipped.
    void calibrationStartsAtTheEdit_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("observer");
        QTest::newRow("two phases") << "TRT_INT8"
                                    << "kl";
        QTest::newRow("integer arithmetic") << "ONNXRUNTIME"
                                            << "mse";
#ifndef __SANITIZE_ADDRESS__ // which takes half a minute for each
        QTest::newRow("percentile") << "TRT_INT8"
                                    << "";
        QTest::newRow("asymmetric") << "OPENVINO_INT8"
                                    << "minmax";
#endif
    }
    void calibrationStartsAtTheEdit()
    {
        QFETCH(QString, platform);
        QFETCH(QString, observer);
        m_recipe.platform = platform.toStdString();
        m_recipe = completeRecipe(m_recipe);
        for (api::StepRequest &step : *m_recipe.passes)
            if (step.id == "calibrate") step.params["observer"] = observer.toStdString();
        RecentInputs recent;
        report(m_recipe, &recent);
        // In integer arithmetic all is computed again
        const bool resumes = platform != QStringLiteral("ONNXRUNTIME");
        QCOMPARE(recent.calibration.kept.cuts.size() > 4, resumes);
        const auto start = m_recipe.overrides;
        const auto edited = [&](const char *op) {
            m_recipe.overrides = start;
            m_recipe.overrides.push_back({.match = {.op = op, .roles = {api::SlotRole::Weight}}, .set = {.bits = 4}});
        };
        const auto first = [&] {
            return resumes ? recent.calibration.observations.begin()->second.back().observation
                           : std::shared_ptr<const Observation>();
        };
        const auto before = first();
        for (const char *op : {"tail", "right_depthwise", "mix_project", "scores"}) {
            edited(op);
            QCOMPARE(report(m_recipe, &recent), report(m_recipe, nullptr));
            QCOMPARE(first(), before); // it was not observed again
            m_recipe.overrides = start;
            m_recipe.dispatch = {inFloat(op)};
            QCOMPARE(report(m_recipe, &recent), report(m_recipe, nullptr));
            QCOMPARE(first(), before);
            m_recipe.dispatch.clear();
        }
        edited("stem"); // the first operation: all follows it
        QCOMPARE(report(m_recipe, &recent), report(m_recipe, nullptr));
        QCOMPARE(first() != before, resumes);
    }

    /// For operations with unchanged quantization the error is known, upstream and downstream of an edit.
    void layerwiseMeasuresChangedOperations()
    {
        m_recipe.platform = "TRT_INT8";
        RecentInputs recent;
        report(m_recipe, &recent);
        const auto known = [&] { return recent.layerwise.measures.size(); };
        const std::size_t all = known();
        QVERIFY(all > 5);
        QCOMPARE(measuredOf(m_recipe, recent), QStringList()); // the same again
        const auto coarse = [](const char *op) {
            return api::Rule{.match = {.op = op, .roles = {api::SlotRole::Weight}}, .set = {.bits = 4}};
        };
        m_recipe.overrides = {coarse("left")};
        // Downstream, ranges differ; but most operations are rounded at the activation that they are fused with
        QCOMPARE(measuredOf(m_recipe, recent), (QStringList{"left", "scores"}));
        m_recipe.overrides = {
            coarse("left"),
            {.match = {.op = "stem_relu6", .roles = {api::SlotRole::Output}}, .set = {.observer = "minmax"}}};
        QCOMPARE(measuredOf(m_recipe, recent), QStringList()); // other observers, the same ranges elsewhere
        m_recipe.dispatch = {inFloat("left")};
        QVERIFY(measuredOf(m_recipe, recent).size() <
                qsizetype(all) / 2); // a slot that inherited its scale now has its own
        QCOMPARE(known(), all - 1);
        m_recipe.evaluation.samples = 2;
        QCOMPARE(measuredOf(m_recipe, recent).size(), qsizetype(all) - 1); // other data
        m_recipe = completeRecipe(m_recipe);
        for (api::StepRequest &step : m_recipe.analyses)
            if (step.id == "layerwise") step.params["shared_scales"] = true;
        QCOMPARE(measuredOf(m_recipe, recent).size(), qsizetype(all) - 1); // an operation's error depends on others
    }

    /// Residual and branching networks, whose tensors live over many operations.
    void realNetworks_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("crop");
        QTest::newRow("residual") << "mobilenetv2_backbone"
                                  << "data_imagenet"
                                  << "crop 224; ";
        QTest::newRow("branches") << "squeezenet1.1"
                                  << "data_imagenet"
                                  << "crop 224; ";
        QTest::newRow("small") << "resnet20_cifar10"
                               << "data_cifar10"
                               << "";
    }
    void realNetworks()
    {
        QL_SKIP_IF_SANITIZED;
        QFETCH(QString, model);
        QFETCH(QString, data);
        QFETCH(QString, crop);
        const fs::path corpus(QL_CORPUS), folder = corpus / model.toStdString();
        if (!fs::exists(folder)) QSKIP("the corpus is not beside the checkout");
        api::Recipe recipe;
        recipe.model = (folder / (model.toStdString() + ".onnx")).string();
        recipe.platform = "TRT_INT8";
        recipe.calibration = {(corpus / data.toStdString()).string(), 3,
                              "rgb; " + crop.toStdString() + "scale 1/255; mean .5,.5,.5; std .2,.2,.2; layout nchw"};
        recipe.evaluation = recipe.calibration;
        recipe.evaluation.samples = 1;
        recipe.analyses = {{"graphwise", true, {}, {}}};
        RecentInputs recent;
        const json rows = report(recipe, &recent)["graphwise"];
        QVERIFY(recent.calibration.kept.cuts.size() > 8);
        for (const double part : {0.9, 0.6, 0.3}) {
            const std::string op = rows[std::size_t(double(rows.size()) * part)]["op"];
            recipe.dispatch = {inFloat(op)};
            const auto before = recent.calibration.observations.begin()->second.back().observation;
            QCOMPARE(report(recipe, &recent), report(recipe, nullptr));
            QCOMPARE(recent.calibration.observations.begin()->second.back().observation, before);
            QVERIFY(recent.graphwise.quantized.start > 0);
        }
    }

    /// Layers are fused with the activation after them, and weights computed from parameters are folded: a cut changes
    /// neither.
    void fusedLayersAndFoldedWeights_data()
    {
        QTest::addColumn<QString>("platform");
        for (const char *platform : {"TRT_INT8", "OPENVINO_INT8", "ONNXRUNTIME"}) QTest::newRow(platform) << platform;
    }
    void fusedLayersAndFoldedWeights()
    {
        QFETCH(QString, platform);
        constexpr int layers = 12, channels = 8;
        test::OnnxModel model;
        model.input("x0", {1, channels, 8, 8});
        for (int i = 0; i < layers; ++i) {
            const std::string n = std::to_string(i), x = "x" + n, c = "c" + n, y = "x" + std::to_string(i + 1);
            std::vector<float> values(channels * channels * 9);
            for (std::size_t v = 0; v < values.size(); ++v)
                values[v] = float(int(v * 7 + std::size_t(i)) % 23 - 11) / 60;
            test::OnnxModel::floats(model.graph()->add_initializer(), "p" + n, {channels, channels, 3, 3}, values);
            std::string weight = "p" + n;
            if (i % 3 == 1) {
                model.node("Neg", "neg" + n, {"p" + n}, {"t" + n});
                weight = "t" + n;
            }
            auto *conv = model.node("Conv", "conv" + n, {x, weight}, {c});
            auto *pads = test::OnnxModel::attribute(conv, "pads", onnx::AttributeProto::INTS);
            for (int k = 0; k < 4; ++k) pads->add_ints(1);
            if (i % 4 == 0) {
                model.node("Sigmoid", "gate" + n, {c}, {"s" + n});
                model.node("Mul", "silu" + n, {c, "s" + n}, {y});
            } else {
                model.node(i % 4 == 1 ? "Tanh" : i % 4 == 2 ? "LeakyRelu" : "Sigmoid", "act" + n, {c}, {y});
            }
        }
        model.output("x" + std::to_string(layers));
        const fs::path file = m_folder / "fused.onnx", data = m_folder / "fused.npz";
        std::ofstream(file, std::ios::binary) << model.proto.SerializeAsString();
        {
            std::ofstream out(data, std::ios::binary);
            writeNpz(out, {{"x0", at::rand({4, channels, 8, 8})}});
        }
        api::Recipe recipe;
        recipe.model = file.string();
        recipe.platform = platform.toStdString();
        recipe.calibration = {data.string(), 4, ""};
        recipe.evaluation = {data.string(), 4, ""};
        recipe.analyses = {{"graphwise", true, {}, {}}};
        RecentInputs recent;
        QCOMPARE(report(recipe, &recent), report(recipe, nullptr));
        for (const int i : {11, 8, 5, 2}) {
            recipe.dispatch = {inFloat("conv" + std::to_string(i))};
            QCOMPARE(report(recipe, &recent), report(recipe, nullptr));
            QCOMPARE(recent.graphwise.quantized.start > 0, platform != QStringLiteral("ONNXRUNTIME"));
        }
    }

    void otherRequestsAreReadAgain()
    {
        RecentInputs recent;
        report(m_recipe, &recent);
        m_recipe.calibration.samples = 7;
        std::set<std::string> recalled;
        QCOMPARE(report(m_recipe, &recent, &recalled), report(m_recipe, nullptr));
        QVERIFY(!recalled.contains("import"));
        m_recipe.sha256 = std::string(64, '0');
        QVERIFY_EXCEPTION_THROWN(report(m_recipe, &recent), Error);
    }

    void changedFilesAreReadAgain_data()
    {
        QTest::addColumn<QString>("file");
        QTest::newRow("model") << "model.onnx";
        QTest::newRow("calibration") << "calib/000_circle.png";
        QTest::newRow("evaluation") << "eval/001_ring.png";
    }
    void changedFilesAreReadAgain()
    {
        QFETCH(QString, file);
        RecentInputs recent;
        const json before = report(m_recipe, &recent);
        const fs::path changed = m_folder / file.toStdString();
        if (changed.extension() == ".onnx")
            writeFileAtomically(changed, readFile(changed) + std::string("\x3a\x00", 2)); // an empty graph merged in
        else
            writeFileAtomically(changed, readFile(changed.parent_path() / "002_square.png"));
        std::set<std::string> recalled;
        const json after = report(m_recipe, &recent, &recalled);
        QVERIFY(!recalled.contains("import"));
        QVERIFY(after != before);
        QCOMPARE(after, report(m_recipe, nullptr));
    }
};

QL_TEST(TestRecentInputs)
#include "tst_recent_inputs.moc"
