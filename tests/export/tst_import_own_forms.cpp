// Own files have special forms of layers whose sums are exact, and of normalizations of codes: they are imported as the
// same plan, to the last bit of each scale.
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <random>

using namespace ql;
using test::OnnxModel;

class TestImportOwnForms : public QObject
{
    Q_OBJECT

private:
    std::mt19937 m_random{7};

    std::vector<float> values(std::size_t count)
    {
        std::normal_distribution<float> normal(0, 0.3f);
        std::vector<float> drawn(count);
        for (float &value : drawn) value = normal(m_random);
        return drawn;
    }

    static QuantModel quantized(api::Recipe recipe)
    {
        recipe.analyses.clear();
        recipe.threads = 1;
        return runRecipe(recipe, {}, {}).model;
    }

private Q_SLOTS:
    void samePlan_data()
    {
        QTest::addColumn<int>("channels");
        QTest::newRow("Tanh") << 64; // the layer before it is not rounded
        QTest::newRow("InstanceNormalization") << 8;
        QTest::newRow("Relu") << 1;
    }
    void samePlan()
    {
        QFETCH(const int, channels);
        const std::string type = QTest::currentDataTag();
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const auto count = std::size_t(channels);
        OnnxModel m;
        m.input("x", {1, 3, 6, 6});
        m.output("y");
        m.weight("w", {channels, 3, 3, 3}, values(count * 27));
        m.weight("v", {4, channels, 1, 1}, values(count * 4));
        m.node("Conv", "first", {"x", "w"}, {"c"});
        if (type == "InstanceNormalization") {
            m.weight("scale", {channels}, values(count));
            m.weight("bias", {channels}, values(count));
            m.node("Relu", "relu", {"c"}, {"r"});
            m.node(type.c_str(), "middle", {"r", "scale", "bias"}, {"t"});
        } else {
            m.node(type.c_str(), "middle", {"c"}, {"t"});
        }
        m.node("Conv", "last", {"t", "v"}, {"y"});
        m.save(base / "m.onnx");
        api::Recipe recipe;
        recipe.model = (base / "m.onnx").string();
        recipe.platform = "ONNXRUNTIME";
        recipe.calibration.path = "random:4,seed=3";
        const QuantModel model = quantized(recipe);
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});

        const ImportedEncodings imported = importEncodings({(base / "q.onnx").string(), recipe.model, {}}, {});
        QVERIFY2(imported.problems.empty(),
                 imported.problems.empty() ? "" : imported.problems[0].message.english().c_str());
        const QuantModel again = quantized(imported.recipe);
        int compared = 0;
        for (const auto &[slot, config] : model.plan.configs()) {
            const Operation &op = model.graph.operation(slot.op);
            const Slot same{again.graph.findOperation(op.name), slot.output, slot.index};
            const TensorQuantConfig *other = again.plan.find(same);
            if (!model.plan.simulated(slot)) continue;
            QVERIFY2(other && other->state == config.state, op.name.c_str());
            QCOMPARE(again.plan.scale(same), model.plan.scale(slot));
            QCOMPARE(other->channelAxis, config.channelAxis);
            ++compared;
        }
        QVERIFY(compared >= 3);
    }

    /// What platforms change: other operations (Gemm, Resize), rounding, biases that a file stores as rounded floats,
    /// limits of a Clip, inputs of a Sub with one scale.
    void samePlanOnPlatform_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("network");
        for (const char *platform : {"METAX_INT8_C", "METAX_INT8_T", "NXP_INT8", "ASC_INT8", "QNN_DSP_INT8", "MNN_INT8",
                                     "PPL_CUDA_INT8", "TRT_INT8", "ONNXRUNTIME", "OPENVINO_INT8", "RKNN_INT8"})
            for (const char *network : {"moving", "residual"})
                QTest::addRow("%s, %s", platform, network) << platform << network;
    }
    void samePlanOnPlatform()
    {
        QFETCH(const QString, platform);
        QFETCH(const QString, network);
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        api::Recipe recipe;
        recipe.model = (network == "moving" ? moving(base / "m.onnx") : residual(base / "m.onnx")).string();
        recipe.platform = platform.toStdString();
        recipe.calibration.path = "random:4,seed=3";
        const QuantModel model = quantized(recipe);
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        const ImportedEncodings imported = importEncodings({(base / "q.onnx").string(), recipe.model, {}}, {});
        QCOMPARE(imported.recipe.platform, recipe.platform); // the file names it
        QVERIFY2(imported.problems.empty(),
                 imported.problems.empty() ? "" : imported.problems[0].message.english().c_str());
        const QuantModel again = quantized(imported.recipe);
        exportModel("onnx_qdq", again, base / "again.onnx", {}, [](api::Problem) {});
        QVERIFY(readFile(base / "q.onnx") == readFile(base / "again.onnx"));
        QCOMPARE(again.plan.configs().size(), model.plan.configs().size());
        for (const auto &[slot, config] : model.plan.configs()) {
            const Operation &op = model.graph.operation(slot.op);
            const Slot same{again.graph.findOperation(op.name), slot.output, slot.index};
            const TensorQuantConfig *other = again.plan.find(same);
            QVERIFY2(other && other->state == config.state, op.name.c_str());
            if (!model.plan.simulated(slot)) continue;
            QVERIFY2(other->sameScheme(config), op.name.c_str());
            QCOMPARE(again.plan.scale(same), model.plan.scale(slot));
            QCOMPARE(again.plan.zeroPoint(same), model.plan.zeroPoint(slot));
        }
    }

    /// A file for a platform that only another user has.
    void unknownPlatform()
    {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        api::Recipe recipe;
        recipe.model = residual(base / "m.onnx").string();
        recipe.platform = "OPENVINO_INT8";
        recipe.calibration.path = "random:2,seed=3";
        exportModel("onnx_qdq", quantized(recipe), base / "q.onnx", {}, [](api::Problem) {});
        std::string text = readFile(base / "q.onnx");
        const std::size_t place = text.find(recipe.platform);
        QVERIFY(place != std::string::npos);
        writeFileAtomically(base / "q.onnx", text.replace(place, recipe.platform.size(), "MY_OWN_DEVICE"));
        const ImportedEncodings imported = importEncodings({(base / "q.onnx").string(), recipe.model, {}}, {});
        QCOMPARE(imported.recipe.platform, std::string("ONNXRUNTIME"));
        QVERIFY(!imported.problems.empty());
        QCOMPARE(imported.problems[0].message.english(),
                 std::string("the file was exported for the unknown platform 'MY_OWN_DEVICE'; it is read for "
                             "ONNXRUNTIME"));
    }

private:
    /// Conv -> Clip -> Pad -> Conv -> Transpose -> Sub of a parameter -> Transpose -> Resize -> Conv -> mean -> Gemm.
    std::filesystem::path moving(const std::filesystem::path &file)
    {
        OnnxModel m;
        m.input("x", {1, 3, 6, 6});
        m.output("y");
        m.weight("w", {4, 3, 3, 3}, values(4 * 27));
        m.weight("b", {4}, values(4));
        m.weight("low", {}, {0});
        m.weight("high", {}, {1.5f});
        m.weight("v", {4, 4, 3, 3}, values(4 * 36));
        m.weight("shift", {4}, {3, -2, 1, .5f});
        m.weight("scales", {4}, {1, 1, 2, 2});
        m.weight("u", {8, 4, 1, 1}, values(8 * 4));
        m.weight("g", {5, 8}, values(5 * 8));
        m.weight("c", {5}, values(5));
        auto *ends = m.graph()->add_initializer();
        ends->set_name("ends");
        ends->set_data_type(onnx::TensorProto::INT64);
        ends->add_dims(8);
        for (const int end : {0, 0, 1, 1, 0, 0, 1, 1}) ends->add_int64_data(end);
        const auto axes = [](onnx::NodeProto *node, const char *name, std::initializer_list<int> order) {
            auto *attribute = OnnxModel::attribute(node, name, onnx::AttributeProto::INTS);
            for (const int axis : order) attribute->add_ints(axis);
        };
        m.node("Conv", "first", {"x", "w", "b"}, {"t0"});
        m.node("Clip", "limit", {"t0", "low", "high"}, {"t1"});
        m.node("Pad", "pad", {"t1", "ends"}, {"t2"});
        m.node("Conv", "second", {"t2", "v", "b"}, {"t3"});
        axes(m.node("Transpose", "turn", {"t3"}, {"t4"}), "perm", {0, 2, 3, 1});
        m.node("Sub", "sub", {"t4", "shift"}, {"t5"});
        axes(m.node("Transpose", "back", {"t5"}, {"t6"}), "perm", {0, 3, 1, 2});
        m.node("Resize", "resize", {"t6", "", "scales"}, {"t7"});
        m.node("Conv", "third", {"t7", "u"}, {"t8"});
        axes(m.node("ReduceMean", "mean", {"t8"}, {"t9"}), "axes", {2, 3});
        m.node("Flatten", "flat", {"t9"}, {"t10"});
        OnnxModel::attribute(m.node("Gemm", "last", {"t10", "g", "c"}, {"y"}), "transB", onnx::AttributeProto::INT)
            ->set_i(1);
        m.save(file);
        return file;
    }

    /// With an open batch: Conv -> Relu -> MaxPool -> two blocks of Conv -> Add -> Relu -> Conv.
    std::filesystem::path residual(const std::filesystem::path &file)
    {
        OnnxModel m;
        m.input("x", {-1, 3, 6, 6});
        OnnxModel::describe(m.graph()->add_output(), "y", {-1, 4, 5, 5});
        m.weight("w", {4, 3, 1, 1}, values(12));
        m.node("Conv", "first", {"x", "w"}, {"c"});
        m.node("Relu", "relu", {"c"}, {"r"});
        auto *kernel =
            OnnxModel::attribute(m.node("MaxPool", "pool", {"r"}, {"t0"}), "kernel_shape", onnx::AttributeProto::INTS);
        for (const int size : {2, 2}) kernel->add_ints(size);
        std::string read = "t0";
        for (const std::string block : {"1", "2"}) {
            m.weight("w" + block, {4, 4, 1, 1}, values(16));
            m.node("Conv", "conv" + block, {read, "w" + block}, {"c" + block});
            m.node("Add", "add" + block, {"c" + block, read}, {"a" + block});
            read = "t" + block;
            m.node("Relu", "relu" + block, {"a" + block}, {read});
        }
        m.weight("v", {4, 4, 1, 1}, values(16));
        m.node("Conv", "last", {read, "v"}, {"y"});
        m.save(file);
        return file;
    }
};

QL_TEST(TestImportOwnForms)
#include "tst_import_own_forms.moc"
