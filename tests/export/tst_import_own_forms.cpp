// Own files have special forms of layers whose sums are exact, and of normalizations of codes: they are imported as the
// same plan, to the last bit of each scale.
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
};

QL_TEST(TestImportOwnForms)
#include "tst_import_own_forms.moc"
