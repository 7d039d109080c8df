// Activations with a scale per group that is computed at run time: simulated as defined, kept by the native format,
// written as ONNX nodes, refused by files that would leave them in float32.
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/io/native.h"
#include "core/io/onnx/write.h"
#include "core/quant/quantize.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/pow.h>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

class TestGroupsOfActivations : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path m_base;

    static constexpr std::int64_t rows = 6;

    /// MatMul -> Relu -> MatMul of two activations -> Gemm
    void save() const
    {
        SmallGraph g;
        g.input("x", {rows, 40});
        g.parameter("w", noise({40, 24}, 2));
        g.parameter("v", noise({5, rows}, 3));
        g.op("MatMul", "first", {"x", "w"}, {"h"});
        g.op("Relu", "relu", {"h"}, {"r"});
        g.op("Transpose", "turn", {"h"}, {"t"}, {{"perm", std::vector<std::int64_t>{1, 0}}});
        g.op("MatMul", "scores", {"r", "t"}, {"s"});
        g.op("Gemm", "last", {"s", "v"}, {"y"}, {{"transB", std::int64_t(1)}});
        g.output("y");
        writeOnnx(g.graph, m_base / "float.onnx", {});
    }
    api::Recipe recipe(const char *platform) const
    {
        api::Recipe recipe;
        recipe.model = (m_base / "float.onnx").string();
        recipe.platform = platform;
        recipe.calibration.path = "random:12,seed=3";
        recipe.analyses.clear();
        recipe.threads = 1;
        return recipe;
    }
    QuantModel byGroup(const char *activations, bool isSymmetric = true) const
    {
        api::Recipe own = recipe("WEIGHT_ONLY");
        own.platformParams = {{"weight_format", "mxfp4"},
                              {"activation_format", activations},
                              {"activation_group", 16},
                              {"symmetric", isSymmetric}};
        return runRecipe(own, {}, {}).model;
    }
    static at::Tensor result(const QuantModel &model, const at::Tensor &x)
    {
        ProgramSpec spec;
        spec.plan = &model.plan;
        return Executor(model.graph, {"cpu", 1}).compile(spec).run({{"x", x}}, {})[0];
    }
    /// The rows of x in groups of 16, in symmetric codes of 8 bits.
    static at::Tensor rounded(const at::Tensor &x)
    {
        at::Tensor y = x.contiguous().clone();
        for (std::int64_t row = 0; row < y.size(0); ++row)
            for (std::int64_t first = 0; first < y.size(1); first += 16) {
                at::Tensor group = y[row].narrow(0, first, std::min<std::int64_t>(16, y.size(1) - first));
                const float scale = float(std::max(double(group.abs().max().item<float>()) / 127, 1e-8));
                group.copy_((group / scale).round().clamp(-127, 127) * scale);
            }
        return y;
    }
    static at::Tensor weight(const QuantModel &model, const char *op)
    {
        return simulatedParameter(model.graph, model.plan, inputSlot(model.graph.findOperation(op), 1));
    }

private Q_SLOTS:
    void initTestCase()
    {
        m_base = m_folder.path().toStdString();
        save();
    }

    void products()
    {
        const QuantModel model = byGroup("int8");
        const at::Tensor x = noise({rows, 40}, 9);
        const at::Tensor h = at::matmul(rounded(x), weight(model, "first"));
        const at::Tensor s = at::matmul(rounded(h.relu()), rounded(h).t()); // keys along the sum, too
        const at::Tensor wanted = at::matmul(rounded(s), weight(model, "last").t());
        const at::Tensor got = result(model, x);
        QVERIFY(at::allclose(got, wanted, 1e-5, 1e-5));
        QVERIFY(!at::allclose(got, result(byGroup("float32"), x), 1e-3, 1e-3));
        for (const auto &[slot, config] : model.plan.configs()) {
            const bool isInput = !slot.output && !model.graph.isParameter(variableOf(model.graph, slot));
            const bool isProduct = model.graph.operation(slot.op).type != "Relu";
            QCOMPARE(config.dynamic, isInput && isProduct);
            if (config.dynamic) QVERIFY(config.groupSize == 16 && model.plan.scale(slot).empty());
        }
    }

    /// Standard operators that compute the scales and round: the same codes as simulated, also for an incomplete group,
    /// keys along another axis, a group of zeros and powers of two.
    void nodes_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<bool>("symmetric");
        for (const char *format : {"int8", "int4", "fp8", "mxfp8", "mxfp6", "mxfp4", "nvfp4"})
            QTest::newRow(format) << format << true;
        QTest::newRow("int8, asymmetric") << "int8" << false;
        QTest::newRow("int4, asymmetric") << "int4" << false;
    }
    void nodes()
    {
        QFETCH(QString, format);
        QFETCH(bool, symmetric);
        const QuantModel model = byGroup(format.toUtf8(), symmetric);
        at::Tensor x = noise({rows, 40}, 9);
        x[0].zero_();
        x[1] = at::pow(2, at::arange(40, at::kFloat) - 20);
        x[2] = -x[1];
        x[3] *= 1e-30;
        const fs::path file = m_base / "nodes.onnx";
        exportModel("onnx_qdq", model, file, nlohmann::json::object(), [](api::Problem) {});
        QuantModel read;
        read.graph = opened(file);
        const at::Tensor got = result(read, x), wanted = result(model, x);
        const double apart = ((got - wanted).norm() / wanted.norm()).item<double>();
        QVERIFY2(apart < 1e-6, qPrintable(QString::number(apart))); // float32 sums in another order
    }

    void exports()
    {
        const QuantModel model = byGroup("nvfp4");
        const at::Tensor x = noise({rows, 40}, 9);
        exportModel("native", model, m_base / "q.qln", nlohmann::json::object(), [](api::Problem) {});
        QVERIFY(at::equal(result(modelFromBytes(readFile(m_base / "q.qln")), x), result(model, x)));
        std::size_t refused = 0;
        for (const std::string &id : Registry<ExporterEntry>::instance().ids()) {
            const auto write = [&] { exportModel(id, model, m_base / "q.out", nlohmann::json::object(), {}); };
            if (Registry<ExporterEntry>::instance().find(id)->keepsDynamicGroups) continue;
            ++refused;
            const Error error = errorOf(write);
            QCOMPARE(QString::fromStdString(error.message.english()),
                     QString("export '%1': the format cannot express an activation with a scale per group that is "
                             "computed at run time")
                         .arg(id.c_str()));
            QCOMPARE(error.op, std::string("first"));
            QCOMPARE(error.variable, std::string("x"));
            QVERIFY(!error.remedy.isEmpty() && !fs::exists(m_base / "q.out"));
        }
        QVERIFY(refused > 10);
        api::Recipe other = recipe("WEIGHT_ONLY");
        other.platformParams = {{"activation_format", "int8"}};
        other.overrides = {{.match = {.roles = {api::SlotRole::Input}}, .set = {.rounding = Rounding::HalfUp}}};
        const QuantModel roundedUp = runRecipe(other, {}, {}).model;
        const Error error = errorOf([&] { exportModel("onnx_qdq", roundedUp, m_base / "q.onnx", {}, {}); });
        QVERIFY(error.message.english().find("only if they are rounded half to even") != std::string::npos);
        QCOMPARE(error.op, std::string("first"));
    }

    /// MatMulNBits rounds what it multiplies if the groups of both are equal; nodes round all others.
    void packedProducts_data()
    {
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QString>("activations");
        QTest::addColumn<int>("group");
        QTest::addColumn<int>("level");
        QTest::newRow("4 bits") << "int4"
                                << "int8" << 16 << 4;
        QTest::newRow("8 bits") << "int8"
                                << "int8" << 16 << 4;
        QTest::newRow("other groups") << "int4"
                                      << "int8" << 8 << 1;
        QTest::newRow("fewer bits") << "int4"
                                    << "int4" << 16 << 1;
        QTest::newRow("MXFP8") << "int8"
                               << "mxfp8" << 16 << 1;
    }
    void packedProducts()
    {
        QFETCH(QString, weights);
        QFETCH(QString, activations);
        QFETCH(int, group);
        QFETCH(int, level);
        api::Recipe own = recipe("WEIGHT_ONLY");
        own.platformParams = {{"weight_format", weights.toStdString()},
                              {"weight_group", 16},
                              {"activation_format", activations.toStdString()},
                              {"activation_group", group}};
        const QuantModel model = runRecipe(own, {}, {}).model;
        const fs::path file = m_base / "packed.onnx";
        exportModel("onnx_matmul_nbits", model, file, nlohmann::json::object(), [](api::Problem) {});
        QuantModel read;
        read.graph = opened(file);
        int products = 0, scales = 0;
        for (const OpId id : read.graph.operations()) {
            const Operation &op = read.graph.operation(id);
            scales += op.type == "Abs";
            if (op.type != "MatMulNBits") continue;
            ++products;
            QCOMPARE(int(op.intAttribute("accuracy_level", 0)), level);
        }
        QCOMPARE(products, 2);
        QCOMPARE(scales, level == 4 ? 2 : 4); // the product of two activations reads two of them
        const at::Tensor x = noise({rows, 40}, 9), got = result(read, x), wanted = result(model, x);
        const double apart = ((got - wanted).norm() / wanted.norm()).item<double>();
        QVERIFY2(apart < 1e-6, qPrintable(QString::number(apart)));
        if (level != 4) return;
        const QuantModel again =
            runRecipe(importEncodings({file.string(), own.model, own.platform}, {}).recipe, {}, {}).model;
        for (const char *name : {"first", "last"}) {
            const Slot slot = inputSlot(again.graph.findOperation(name), 0);
            const TensorQuantConfig *config = again.plan.simulated(slot);
            QVERIFY(config && config->dynamic && config->groupSize == 16 && config->quantMin == -127);
        }
    }

    void fixedScalesAreNoted()
    {
        api::Recipe own = recipe("WEIGHT_ONLY");
        QuantModel model = runRecipe(own, {}, {}).model;
        const auto notes = [&] {
            return exportModel("onnx_matmul_nbits", model, m_base / "q.onnx", nlohmann::json::object(), {}).notes;
        };
        QVERIFY(notes().empty()); // the product of two activations has no weights
        model.plan.setScale(inputSlot(model.graph.findOperation("first"), 0), {0.1F}, {0}, QuantState::Active, {});
        QCOMPARE(notes().size(), std::size_t(1));
        QVERIFY(notes()[0].english().find("fixed scales") != std::string::npos);
    }

    /// Overrides on other platforms: no observer sees such a tensor.
    void overrides()
    {
        api::Recipe own = recipe("TRT_INT8");
        own.dispatcher = "pointwise";
        api::RuleSet set;
        set.granularity = api::Granularity{api::Granularity::Kind::Group, 0, 16};
        own.overrides = {{.match = {.types = {"MatMul"}, .roles = {api::SlotRole::Input}}, .set = set}};
        QCOMPARE(QString::fromStdString(errorOf([&] { runRecipe(own, {}, {}); }).message.english()),
                 QString("an activation with a scale per group must be dynamic"));
        own.overrides[0].set.dynamic = true;
        const QuantModel model = runRecipe(own, {}, {}).model;
        const Slot slot = inputSlot(model.graph.findOperation("first"), 0);
        QVERIFY(model.plan.simulated(slot) && model.plan.scale(slot).empty());
        own.overrides[0].match = {.types = {"MatMul"}, .isParameter = true};
        QCOMPARE(QString::fromStdString(errorOf([&] { runRecipe(own, {}, {}); }).message.english()),
                 QString("a constant with a scale per group cannot be dynamic"));
        own.overrides[0].match = {.types = {"MatMul"}, .roles = {api::SlotRole::Output}};
        QVERIFY(errorOf([&] { runRecipe(own, {}, {}); }).message.english().find("Conv without groups") !=
                std::string::npos);
    }
};

QL_TEST(TestGroupsOfActivations)
#include "tst_groups_of_activations.moc"
