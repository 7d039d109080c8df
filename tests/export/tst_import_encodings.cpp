// Quantized models and encodings of other tools as recipes: what was exported is imported as the same plan.
#include "core/api/recipe.h"
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/dataset.h"
#include "core/io/onnx/write.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/support/error_of.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace ql;
using ql::test::opened;
namespace fs = std::filesystem;

class TestImportEncodings : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_temporary;
    fs::path m_folder = m_temporary.path().toStdString();
    static fs::path modelFile(const std::string &name) { return fs::path(QL_TEST_DATA) / "models" / (name + ".onnx"); }

    static QuantModel quantized(api::Recipe recipe)
    {
        recipe.analyses.clear();
        recipe.threads = 1;
        return runRecipe(recipe, {}, {}).model;
    }
    static QuantModel calibrated(const fs::path &file, const std::string &platform)
    {
        api::Recipe recipe;
        recipe.model = file.string();
        recipe.platform = platform;
        recipe.calibration.path = "random:4,seed=3";
        return quantized(recipe);
    }
    fs::path exported(const QuantModel &model, const std::string &format, const std::string &name) const
    {
        exportModel(format, model, m_folder / name, {}, [](api::Problem) {});
        return m_folder / name;
    }
    static ImportedEncodings imported(const fs::path &file, const fs::path &model = {},
                                      const std::string &platform = {})
    {
        return importEncodings({file.string(), model.string(), platform}, {});
    }
    static at::Tensor outputOf(const Graph &graph, const QuantPlan *plan, const Feed &feed)
    {
        const Executor executor(graph, {"cpu", 1});
        ProgramSpec spec;
        spec.plan = plan;
        return executor.compile(spec).run(feed, {})[0].contiguous();
    }
    static Feed feedOf(const Graph &graph) { return Dataset::open("random:1,seed=9", graph, {"", 1})->batch(0); }

    /// What differs between slots that the first plan rounds and the same slots of the second one.
    static QString differences(const QuantModel &first, const QuantModel &second)
    {
        QString found;
        int compared = 0;
        for (const auto &[slot, config] : first.plan.configs()) {
            if (!first.plan.simulated(slot) || config.visibility == Visibility::Internal) continue;
            const Operation &op = first.graph.operation(slot.op);
            const Slot same{second.graph.findOperation(op.name), slot.output, slot.index};
            const TensorQuantConfig *other = same.op == noOp ? nullptr : second.plan.find(same);
            ++compared;
            const bool isEqual =
                other && second.plan.hasScale(same) && other->bits == config.bits &&
                second.plan.scale(same) == first.plan.scale(slot) &&
                second.plan.zeroPoint(same)[0] - other->quantMin == first.plan.zeroPoint(slot)[0] - config.quantMin &&
                other->quantMax - other->quantMin == config.quantMax - config.quantMin &&
                other->channelAxis == config.channelAxis && other->groupSize == config.groupSize &&
                other->exponentBits == config.exponentBits && other->codebook == config.codebook;
            if (!isEqual)
                found += QString("%1 %2 %3; ").arg(op.name.c_str(), slot.output ? "output" : "input").arg(slot.index);
        }
        return compared == 0 ? QString("nothing is rounded") : found;
    }

    /// Slots of the first plan that have another state in the second one.
    static QString otherStates(const QuantModel &first, const QuantModel &second)
    {
        QString found;
        for (const auto &[slot, config] : first.plan.configs()) {
            const Operation &op = first.graph.operation(slot.op);
            const TensorQuantConfig *other =
                second.plan.find({second.graph.findOperation(op.name), slot.output, slot.index});
            if (variableOf(op, slot) == noVar || config.visibility == Visibility::Internal) continue;
            if (!other || other->state != config.state)
                found += QString("%1 %2 %3; ").arg(op.name.c_str(), slot.output ? "output" : "input").arg(slot.index);
        }
        return found;
    }

    /// Operations that move values, on both sides of operations that compute.
    fs::path moves() const
    {
        test::OnnxModel m;
        m.input("x", {1, 2, 4, 4});
        m.output("y");
        std::vector<float> values;
        for (int i = 0; i < 3 * 2 * 3 * 3; ++i) values.push_back(float((i * 37) % 101 - 50) / 64);
        m.weight("w", {3, 2, 3, 3}, values);
        m.weight("v", {3, 4}, {1, -2, 3, .5f, 2, 1, -1, .25f, .75f, 1, 2, -3});
        m.node("Conv", "conv", {"x", "w"}, {"c"});
        auto *order =
            test::OnnxModel::attribute(m.node("Transpose", "turn", {"c"}, {"t"}), "perm", onnx::AttributeProto::INTS);
        for (const int axis : {0, 2, 3, 1}) order->add_ints(axis);
        m.node("Relu", "relu", {"t"}, {"r"});
        m.node("MatMul", "mm", {"r", "v"}, {"m"});
        m.node("Sigmoid", "gate", {"m"}, {"g"});
        m.node("Mul", "product", {"m", "g"}, {"y"});
        m.save(m_folder / "moves.onnx");
        return m_folder / "moves.onnx";
    }

private Q_SLOTS:
    void ownExport_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("model");
        for (const char *platform : {"ONNXRUNTIME", "TRT_INT8", "OPENVINO_INT8", "TRT_FP8"})
            for (const char *model : {"residual", "concat_branches", "conv_bn_clip", "moves"})
                QTest::addRow("%s %s", platform, model) << platform << model;
    }

    /// Against the float model, and with the float model in the file itself.
    void ownExport()
    {
        QFETCH(QString, platform);
        QFETCH(QString, model);
        const fs::path source = model == "moves" ? moves() : modelFile(model.toStdString());
        const QuantModel original = calibrated(source, platform.toStdString());
        const fs::path file = exported(original, "onnx_qdq", "q.onnx");
        const Feed feed = feedOf(original.graph);
        const at::Tensor want = outputOf(original.graph, &original.plan, feed);
        for (const fs::path &parent : {source, fs::path()}) {
            const ImportedEncodings result = imported(file, parent);
            QCOMPARE(QString::fromStdString(result.recipe.platform), platform);
            QCOMPARE(result.matched, result.tensors);
            const QuantModel again = quantized(result.recipe);
            QCOMPARE(differences(original, again), QString());
            QCOMPARE(otherStates(original, again), QString());
            const at::Tensor got = outputOf(again.graph, &again.plan, feed);
            QVERIFY2(at::equal(want, got), qPrintable(QString::number((want - got).abs().max().item().toDouble())));
        }
    }

    /// Layers whose results are not rounded sum codes exactly in a file; read back, they are layers on values again.
    void unroundedLayers_data()
    {
        QTest::addColumn<QString>("model");
        for (const char *model : {"residual", "concat_branches", "conv_bn_clip"}) QTest::newRow(model) << model;
    }
    void unroundedLayers()
    {
        QFETCH(QString, model);
        const fs::path source = modelFile(model.toStdString());
        api::Recipe recipe;
        recipe.model = source.string();
        recipe.platform = "ONNXRUNTIME";
        recipe.calibration.path = "random:4,seed=3";
        recipe.overrides = {{.match = {.types = {"Conv", "Gemm", "MatMul"}, .roles = {api::SlotRole::Output}},
                             .set = {.state = QuantState::Off}}};
        const QuantModel original = quantized(recipe);
        const fs::path file = exported(original, "onnx_qdq", "sums.onnx");
        const Feed feed = feedOf(original.graph);
        const at::Tensor want = outputOf(original.graph, &original.plan, feed);
        for (const fs::path &parent : {source, fs::path()}) {
            const QuantModel again = quantized(imported(file, parent, "ONNXRUNTIME").recipe);
            int compared = 0;
            for (const auto &[slot, config] : original.plan.configs()) {
                const Operation &op = original.graph.operation(slot.op);
                if (!original.plan.simulated(slot) || config.visibility == Visibility::Internal) continue;
                const OpId same = again.graph.findOperation(op.name);
                QVERIFY2(same != noOp, op.name.c_str());
                const std::vector<float> &a = original.plan.scale(slot);
                const std::vector<float> &b = again.plan.scale({same, slot.output, slot.index});
                QVERIFY2(a == b, op.name.c_str());
                ++compared;
            }
            QVERIFY(compared > 3);
            const at::Tensor got = outputOf(again.graph, &again.plan, feed);
            QVERIFY2(at::equal(want, got), qPrintable(QString::number((want - got).abs().max().item().toDouble())));
        }
    }

    /// Weights by group, scales of run time, 16-bit codes without sign: written, read back, written again.
    void otherGrids_data()
    {
        QTest::addColumn<QString>("what");
        for (const char *what : {"groups", "dynamic", "dynamic symmetric", "16 bits"}) QTest::newRow(what) << what;
    }
    void otherGrids()
    {
        QFETCH(QString, what);
        test::OnnxModel m;
        m.input("x", {1, 32});
        m.output("y");
        std::vector<float> values;
        for (int i = 0; i < 32 * 4; ++i) values.push_back(float((i * 37) % 101 - 50) / 64);
        m.weight("w", {32, 4}, values);
        m.node("MatMul", "mm", {"x", "w"}, {"h"});
        m.node("Relu", "relu", {"h"}, {"y"});
        m.save(m_folder / "grids.onnx");
        api::Recipe recipe;
        recipe.model = (m_folder / "grids.onnx").string();
        recipe.platform = what == "groups" ? "WEIGHT_ONLY" : "ONNXRUNTIME";
        recipe.calibration.path = "random:4,seed=3";
        if (what == "groups")
            recipe.platformParams = {{"weight_format", "int4"}, {"weight_group", 16}};
        else if (what == "16 bits")
            recipe.overrides = {{.match = {.roles = {api::SlotRole::Input}},
                                 .set = {.bits = 16, .quantMin = 0, .quantMax = 65535, .symmetric = false}}};
        else
            recipe.overrides = {
                {.match = {.op = "mm", .roles = {api::SlotRole::Input}},
                 .set = {.symmetric = what == "dynamic symmetric", .dynamic = true}},
                {.match = {.op = "relu"}, .set = {.state = QuantState::Off}},
                {.match = {.op = "mm", .roles = {api::SlotRole::Output}}, .set = {.state = QuantState::Off}}};
        if (what == "dynamic") recipe.overrides[0].set.quantMin = 0, recipe.overrides[0].set.quantMax = 255;
        const QuantModel original = quantized(recipe);
        const fs::path file = exported(original, "onnx_qdq", "grids-q.onnx");
        const QuantModel again = quantized(imported(file, {}, recipe.platform).recipe);
        const OpId before = original.graph.findOperation("mm"), after = again.graph.findOperation("mm");
        QVERIFY(after != noOp);
        for (const int i : {0, 1}) {
            const Slot first = inputSlot(before, std::size_t(i)), second = inputSlot(after, std::size_t(i));
            const TensorQuantConfig *want = original.plan.simulated(first), *got = again.plan.simulated(second);
            QCOMPARE(want != nullptr, got != nullptr);
            if (!want) continue;
            QCOMPARE(got->dynamic, want->dynamic);
            QCOMPARE(got->groupSize, want->groupSize);
            QCOMPARE(got->quantMax - got->quantMin, want->quantMax - want->quantMin);
            if (!want->dynamic) QCOMPARE(again.plan.scale(second), original.plan.scale(first));
        }
        const Feed feed = feedOf(original.graph);
        QVERIFY(at::equal(outputOf(original.graph, &original.plan, feed), outputOf(again.graph, &again.plan, feed)));
        exported(again, "onnx_qdq", "grids-again.onnx");
    }

    /// Matrices in blocks: of a MatMul, and of a Gemm whose weight the float model stores transposed.
    void matricesInBlocks_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("weights");
        for (const char *format : {"onnx_matmul_nbits", "onnx_qdq"})
            for (const char *weights : {"int4", "int8"}) QTest::addRow("%s, %s", format, weights) << format << weights;
    }
    void matricesInBlocks()
    {
        QFETCH(const QString, format);
        QFETCH(const QString, weights);
        test::OnnxModel m;
        m.input("x", {1, 32});
        m.output("y");
        std::vector<float> values;
        for (int i = 0; i < 32 * 32; ++i) values.push_back(float((i * i * 37) % 101 - 50) / 64);
        m.weight("w", {32, 32}, values);
        m.weight("v", {3, 32}, {values.begin(), values.begin() + 3 * 32});
        m.weight("b", {3}, {1, 2, 3});
        m.node("MatMul", "mm", {"x", "w"}, {"h"});
        m.attribute(m.node("Gemm", "gemm", {"h", "v", "b"}, {"y"}), "transB", onnx::AttributeProto::INT)->set_i(1);
        m.save(m_folder / "matrices.onnx");
        api::Recipe recipe;
        recipe.model = (m_folder / "matrices.onnx").string();
        recipe.platform = "WEIGHT_ONLY";
        recipe.calibration.path = "random:4,seed=3";
        recipe.platformParams = {{"weight_format", weights.toStdString()}, {"weight_group", 16}};
        const QuantModel original = quantized(recipe);
        const fs::path file = exported(original, format.toStdString(), "matrices-q.onnx");
        const QuantModel again = quantized(imported(file, recipe.model, recipe.platform).recipe);
        const Feed feed = feedOf(original.graph);
        const at::Tensor before = outputOf(original.graph, &original.plan, feed),
                         after = outputOf(again.graph, &again.plan, feed),
                         floating = outputOf(original.graph, nullptr, feed);
        QVERIFY(at::allclose(after, before, 1e-5, 1e-5));
        QVERIFY(!at::allclose(floating, before, 1e-5, 1e-5));
    }

    /// One operation that computes with codes as numbers does not keep the others from becoming float operations.
    void codesAsNumbers()
    {
        test::OnnxModel m;
        m.input("x", {1, 4});
        m.output("y");
        m.output("codes_as_numbers");
        m.weight("s", {}, {0.05f});
        auto *zero = m.graph()->add_initializer();
        zero->set_name("z");
        zero->set_data_type(2);
        zero->add_int32_data(120);
        m.node("QuantizeLinear", "q", {"x", "s", "z"}, {"c"});
        test::OnnxModel::attribute(m.node("Cast", "cast", {"c"}, {"codes_as_numbers"}), "to", onnx::AttributeProto::INT)
            ->set_i(1);
        m.node("DequantizeLinear", "dq", {"c", "s", "z"}, {"d"});
        m.node("Relu", "relu", {"d"}, {"y"});
        m.save(m_folder / "numbers.onnx");
        const Graph file = opened(m_folder / "numbers.onnx");
        const QuantModel model = quantized(imported(m_folder / "numbers.onnx").recipe);
        QCOMPARE(model.plan.scale(inputSlot(model.graph.findOperation("relu"), 0)), std::vector<float>{0.05f});
        const Feed feed = feedOf(file);
        const Executor first(file, {"cpu", 1}), second(model.graph, {"cpu", 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const auto want = first.compile({}).run(feed, {}), got = second.compile(spec).run(feed, {});
        for (std::size_t i = 0; i < want.size(); ++i) QVERIFY(at::equal(want[i], got[i]));
    }

    /// Scales with a sign, as NNCF writes them for INT4 weights, have no grid: the float model keeps them.
    void scalesWithSign()
    {
        test::OnnxModel m;
        m.input("x", {1, 2});
        m.output("y");
        m.weight("s", {2}, {0.5f, -0.25f});
        m.weight("x_scale", {}, {0.5f});
        m.node("QuantizeLinear", "q", {"x", "x_scale"}, {"x_codes"});
        m.node("DequantizeLinear", "x_dq", {"x_codes", "x_scale"}, {"x_restored"});
        auto *codes = m.graph()->add_initializer();
        codes->set_name("w");
        codes->set_data_type(3);
        for (const int size : {2, 2}) codes->add_dims(size);
        for (const int code : {3, -8, 7, 2}) codes->add_int32_data(code);
        test::OnnxModel::attribute(m.node("DequantizeLinear", "dq", {"w", "s"}, {"v"}), "axis",
                                   onnx::AttributeProto::INT)
            ->set_i(1);
        m.node("MatMul", "mm", {"x_restored", "v"}, {"y"});
        m.save(m_folder / "signs.onnx");
        const QuantModel model = quantized(imported(m_folder / "signs.onnx").recipe);
        const Feed feed{{"x", at::ones({1, 2})}};
        QVERIFY(at::equal(outputOf(model.graph, &model.plan, feed), at::tensor({5.f, 1.5f}).reshape({1, 2})));
    }

    /// Operators on codes: the float model computes what they approximate, on their grids.
    void operatorsOnCodes()
    {
        test::OnnxModel m;
        m.input("x", {1, 2, 4, 4});
        m.output("y");
        m.weight("xs", {}, {0.05f});
        m.weight("ws", {2}, {0.01f, 0.02f});
        m.weight("ys", {}, {0.1f});
        const auto codes = [&](const std::string &name, int type, const std::vector<std::int64_t> &dims,
                               const std::vector<int> &values) {
            auto *tensor = m.graph()->add_initializer();
            tensor->set_name(name);
            tensor->set_data_type(type);
            for (const std::int64_t d : dims) tensor->add_dims(d);
            for (const int value : values) tensor->add_int32_data(value);
        };
        codes("xz", 2, {}, {120});
        codes("w", 3, {2, 2, 1, 1}, {100, -50, 30, 7});
        codes("wz", 3, {2}, {0, 0});
        codes("yz", 2, {}, {128});
        codes("b", 6, {2}, {1000, -300});
        m.node("QuantizeLinear", "q", {"x", "xs", "xz"}, {"x_quantized"});
        m.node("QLinearConv", "conv", {"x_quantized", "xs", "xz", "w", "ws", "wz", "ys", "yz", "b"}, {"c_quantized"});
        m.node("MaxPool", "pool", {"c_quantized"}, {"p"});
        auto *kernel =
            test::OnnxModel::attribute(m.graph()->mutable_node(2), "kernel_shape", onnx::AttributeProto::INTS);
        kernel->add_ints(2);
        kernel->add_ints(2);
        m.node("DequantizeLinear", "dq", {"p", "ys", "yz"}, {"y"});
        m.save(m_folder / "codes.onnx");
        const ImportedEncodings result = imported(m_folder / "codes.onnx");
        const QuantModel model = quantized(result.recipe);
        const OpId conv = model.graph.findOperation("conv");
        QVERIFY(conv != noOp);
        QCOMPARE(model.graph.operation(conv).type, std::string("Conv"));
        QCOMPARE(model.plan.scale(outputSlot(conv)), std::vector<float>{0.1f});
        QCOMPARE(model.plan.scale(inputSlot(conv, 1)), (std::vector<float>{0.01f, 0.02f}));
        QCOMPARE(model.plan.find(inputSlot(conv, 2))->bits, 32);
        QCOMPARE(model.graph.variable(model.graph.outputs()[0]).name, std::string("y"));
        const Graph file = opened(m_folder / "codes.onnx");
        const Feed feed = feedOf(file);
        QVERIFY(at::equal(outputOf(file, nullptr, feed), outputOf(model.graph, &model.plan, feed)));
    }

    /// ONNX Runtime adds the zero point before it rounds: an odd one turns ties round. Values are those of
    /// version 1.31.
    void tiesOfOperatorsOnCodes()
    {
        test::OnnxModel m;
        auto *contrib = m.proto.add_opset_import();
        contrib->set_domain("com.microsoft");
        contrib->set_version(1);
        m.input("a", {1, 1, 1, 4}, 2);
        m.weight("half", {}, {0.5f});
        m.weight("one", {}, {1});
        const auto codes = [&](const std::string &name, const std::vector<std::int64_t> &dims,
                               const std::vector<int> &values) {
            auto *tensor = m.graph()->add_initializer();
            tensor->set_name(name);
            tensor->set_data_type(2);
            for (const std::int64_t d : dims) tensor->add_dims(d);
            for (const int value : values) tensor->add_int32_data(value);
        };
        codes("b", {1, 1, 1, 4}, {1, 0, 1, 2});
        codes("none", {}, {0});
        codes("odd", {}, {3});
        const std::vector<std::string> pair{"a", "half", "none", "b", "half", "none", "one", "odd"};
        m.node("QLinearAdd", "add", pair, {"added"})->set_domain("com.microsoft");
        m.node("QLinearMul", "mul", {"a", "half", "none", "b", "one", "none", "one", "odd"}, {"multiplied"})
            ->set_domain("com.microsoft");
        auto *pool = m.node("QLinearAveragePool", "pool", {"a", "one", "none", "one", "odd"}, {"pooled"});
        pool->set_domain("com.microsoft");
        auto *kernel = test::OnnxModel::attribute(pool, "kernel_shape", onnx::AttributeProto::INTS);
        kernel->add_ints(1);
        kernel->add_ints(2);
        for (const char *name : {"added", "multiplied", "pooled"}) m.output(name);
        m.save(m_folder / "ties.onnx");
        const Graph graph = opened(m_folder / "ties.onnx");
        at::Tensor a = at::zeros({1, 1, 1, 4}, at::TensorOptions(at::kByte));
        for (int i = 0; i < 4; ++i) a.data_ptr<std::uint8_t>()[i] = std::uint8_t(i);
        const Executor executor(graph, {"cpu", 1});
        const std::vector<at::Tensor> results = executor.compile({}).run({{"a", a}}, {});
        const auto valuesOf = [](const at::Tensor &tensor) {
            const at::Tensor flat = tensor.contiguous();
            const auto *data = flat.data_ptr<std::uint8_t>();
            return std::vector<int>(data, data + flat.numel());
        };
        QCOMPARE(valuesOf(results[0]), (std::vector<int>{4, 4, 4, 6}));
        QCOMPARE(valuesOf(results[1]), (std::vector<int>{3, 3, 4, 6}));
        QCOMPARE(valuesOf(results[2]), (std::vector<int>{4, 4, 6}));
    }

    /// Files next to a float model. Biases and Clip limits of these platforms follow from the rest.
    void sideFiles_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("ending");
        QTest::newRow("AIMET") << "QNN_DSP_INT8"
                               << "aimet_encodings"
                               << ".encodings";
        QTest::newRow("QNN") << "QNN_DSP_INT8"
                             << "qnn_encodings"
                             << ".encodings";
        QTest::newRow("TensorRT") << "TRT_INT8"
                                  << "trt_json"
                                  << ".json";
        QTest::newRow("PPQ") << "PPL_CUDA_INT8"
                             << "ppq_json"
                             << ".json";
    }

    void sideFiles()
    {
        QFETCH(QString, platform);
        QFETCH(QString, format);
        QFETCH(QString, ending);
        const fs::path source = modelFile("residual");
        const QuantModel original = calibrated(source, platform.toStdString());
        exported(original, format.toStdString(), "side.onnx");
        const fs::path file = m_folder / ("side" + ending.toStdString());
        const ImportedEncodings result = imported(file, source, platform.toStdString());
        QCOMPARE(result.matched, result.tensors);
        const QuantModel again = quantized(result.recipe);
        QCOMPARE(differences(original, again), QString());
        const Feed feed = feedOf(original.graph);
        QVERIFY(at::equal(outputOf(original.graph, &original.plan, feed), outputOf(again.graph, &again.plan, feed)));
        test::OnnxModel m;
        m.input("image", {1, 4});
        m.output("sum");
        m.weight("matrix", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
        m.node("MatMul", "mm", {"image", "matrix"}, {"sum"});
        m.save(m_folder / "other.onnx");
        const QString other = test::messageOf([&] { imported(file, m_folder / "other.onnx"); });
        QVERIFY2(other.contains("encodings of another model: the model has no tensor '"), qPrintable(other));
        const QString alone = test::messageOf([&] { imported(file); });
        QVERIFY2(alone.contains("--model"), qPrintable(alone));
    }

    /// TensorRT's calibration cache: bits of scales. Files that were cut or changed are refused with the line.
    void calibrationCache()
    {
        test::OnnxModel m;
        m.input("x", {1, 4});
        m.output("y");
        m.weight("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
        m.node("MatMul", "mm", {"x", "w"}, {"y"});
        m.save(m_folder / "mm.onnx");
        const fs::path cache = m_folder / "model.cache";
        writeFileAtomically(cache, "TRT-8601-EntropyCalibration2\nx: 3c010a14\ny: 3d000000\n");
        const QuantModel model = quantized(imported(cache, m_folder / "mm.onnx").recipe);
        const OpId mm = model.graph.findOperation("mm");
        QCOMPARE(model.plan.scale(outputSlot(mm)), std::vector<float>{0.03125f});
        QVERIFY(model.plan.simulated(inputSlot(mm, 1))); // TensorRT derives scales of weights, and so does the platform
        for (const char *line : {"y: 00000000", "y", "y: 3d0000zz", "y: 3d"}) {
            writeFileAtomically(cache, std::string("TRT-8601-EntropyCalibration2\nx: 3c010a14\n") + line);
            const QString message = test::messageOf([&] { imported(cache, m_folder / "mm.onnx"); });
            QVERIFY2(message.contains("line 3"), qPrintable(message));
        }
        writeFileAtomically(cache, "TRT-8601-EntropyCalibration2\nother: 3c010a14\n");
        const QString other = test::messageOf([&] { imported(cache, m_folder / "mm.onnx"); });
        QVERIFY2(other.contains("encodings of another model"), qPrintable(other));
    }

    void badFiles()
    {
        const auto model = [](float scale, bool isConstant) {
            test::OnnxModel m;
            m.input("x", {1, 4});
            m.output("y");
            if (isConstant)
                m.weight("s", {}, {scale});
            else
                test::OnnxModel::attribute(m.node("ReduceMax", "max", {"x"}, {"s"}), "keepdims",
                                           onnx::AttributeProto::INT)
                    ->set_i(0);
            auto *zero = m.graph()->add_initializer();
            zero->set_name("z");
            zero->set_data_type(2);
            zero->add_int32_data(3);
            m.node("QuantizeLinear", "q", {"x", "s", "z"}, {"c"});
            m.node("DequantizeLinear", "dq", {"c", "s", "z"}, {"d"});
            m.node("Relu", "relu", {"d"}, {"y"});
            return m;
        };
        const auto messageFor = [&](const char *name, const fs::path &parent = {}) {
            return test::messageOf([&] { imported(m_folder / name, parent); });
        };
        model(0, true).save(m_folder / "zero.onnx");
        const QString zero = messageFor("zero.onnx");
        QVERIFY2(zero.contains("zero.onnx") && zero.contains("expected a positive number"), qPrintable(zero));
        model(0, false).save(m_folder / "open.onnx");
        QVERIFY2(messageFor("open.onnx").contains("computed at run time"), qPrintable(messageFor("open.onnx")));
        QVERIFY(messageFor("none.onnx").contains("none.onnx"));
        const QString plain = test::messageOf([&] { imported(modelFile("residual")); });
        QVERIFY2(plain.contains("not quantized"), qPrintable(plain));
        writeFileAtomically(m_folder / "other.json", R"({"a": 1})");
        QVERIFY2(messageFor("other.json").contains("Known formats"), qPrintable(messageFor("other.json")));
        writeFileAtomically(m_folder / "cut.json", R"({"act_quant_info": {"x": 1.0)");
        QVERIFY2(messageFor("cut.json").contains("line 1"), qPrintable(messageFor("cut.json")));
        writeFileAtomically(m_folder / "empty.json", R"({"act_quant_info": {}})");
        QVERIFY(messageFor("empty.json", modelFile("residual")).contains("empty.json: the file has no encodings"));
        writeFileAtomically(m_folder / "negative.json", R"({"act_quant_info": {"x": -1.0}})");
        QVERIFY2(messageFor("negative.json", modelFile("residual")).contains("act_quant_info.x"),
                 qPrintable(messageFor("negative.json", modelFile("residual"))));
    }

    /// A value on the border of two codes may have either of them; a third one is that of another weight.
    void weightsOfTheModel()
    {
        const auto save = [&](const char *name, float value) {
            test::OnnxModel m;
            m.input("x", {1, 2});
            m.output("y");
            m.weight("w", {2, 2}, {127.5f, value, -3, 50});
            m.weight("v", {2, 2}, {1, 2, 3, 4});
            m.node("MatMul", "mm", {"x", "w"}, {"h"});
            m.node("MatMul", "last", {"h", "v"}, {"y"});
            m.save(m_folder / name);
            return m_folder / name;
        };
        const QuantModel model = calibrated(save("a.onnx", 11), "ONNXRUNTIME");
        const float step = model.plan.scale(inputSlot(model.graph.findOperation("mm"), 1)).at(0);
        const fs::path file = exported(model, "onnx_qdq", "q.onnx");
        for (const auto &[value, count] : {std::pair(10.5f * step, 0), std::pair(20 * step, 1)})
            QCOMPARE(int(imported(file, save("b.onnx", value), "ONNXRUNTIME").problems.size()), count);
    }
};

QL_TEST(TestImportEncodings)
#include "tst_import_encodings.moc"
