// Exported files, opened by the importer and run by the float executor, give the simulator's results.
#include "core/api/recipe.h"
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/dataset.h"
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/io/onnx/write.h"
#include "core/ir/subgraphs.h"
#include "core/pass/dequantize_model.h"
#include "core/quant/integer_arithmetic.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace ql;

/// What an importer reads of the model's file.
static Graph exportedAndOpened(const QuantModel &model)
{
    const QTemporaryDir folder;
    ImportRequest request;
    request.file = std::filesystem::path(folder.path().toStdString()) / "q.onnx";
    exportModel("onnx_qdq", model, request.file, {}, [](api::Problem) {});
    return importModel(request);
}

class TestOnnxQdq : public QObject
{
    Q_OBJECT

private:
    static std::filesystem::path sampleFolder() { return std::filesystem::path(QL_SOURCE_DIR) / "resources/sample"; }
    static api::Recipe sampleRecipe(const QString &platform)
    {
        const std::string text = readFile(sampleFolder() / "sample.quantloupe");
        api::Recipe recipe = api::recipeFromJson(api::JsonText::parse(text, "sample.quantloupe"));
        recipe.platform = platform.toStdString();
        recipe.calibration.samples = 16;
        recipe.analyses.clear();
        recipe.evaluation.path.clear();
        recipe.threads = 1;
        // A file says nothing about kernels of its runtime
        setRecipeField(recipe, "passes.runtime_kernels.enabled", "false");
        return recipe;
    }

    /// Rounds these tensors alone, on one scale.
    static void roundOnly(QuantModel &model, const std::vector<Slot> &rounded)
    {
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
        for (const Slot slot : slots) model.plan.setState(slot, QuantState::Off, {});
        for (const Slot slot : rounded) model.plan.setScale(slot, {0.01f}, {0}, QuantState::Active, {});
    }
    /// The file, as it is when it is opened.
    static Graph exported(const QuantModel &model, const std::string &exporter)
    {
        const QTemporaryDir folder;
        ImportRequest request;
        request.file = std::filesystem::path(folder.path().toStdString()) / "q.onnx";
        exportModel(exporter, model, request.file, {}, [](api::Problem) {});
        return importModel(request);
    }

private Q_SLOTS:
    void roundTrip_data()
    {
        QTest::addColumn<QString>("platform");
        QTest::addColumn<bool>("integerParameters");
        QTest::newRow("per channel, symmetric") << "TRT_INT8" << true;
        QTest::newRow("per tensor, asymmetric") << "OPENVINO_INT8" << true;
        QTest::newRow("as the sample asks") << "RKNN_INT8" << true;
        QTest::newRow("integer arithmetic") << "ONNXRUNTIME" << true;
        QTest::newRow("rounded float parameters") << "TRT_INT8" << false;
    }

    void roundTrip()
    {
        QFETCH(QString, platform);
        QFETCH(bool, integerParameters);
        api::Recipe recipe = sampleRecipe(platform);
        RunOptions options;
        const std::filesystem::path sample = options.base = sampleFolder();
        const QuantModel model = runRecipe(recipe, options, {}).model;

        const QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "qdq.onnx";
        exportModel("onnx_qdq", model, file, {{"quantized_parameters", integerParameters}}, [](api::Problem) {});
        ImportRequest request;
        request.file = file;
        const Graph opened = importModel(request);
        QVERIFY(unsupportedOps(opened).empty());
        // The sample's batch is open: no inner tensor may claim the batch that it was traced with.
        for (const VarId id : opened.variables()) {
            const Variable &variable = opened.variable(id);
            if (variable.producer == noOp || opened.isGraphOutput(id)) continue;
            QVERIFY2(!variable.type.shape, variable.name.c_str());
            QVERIFY2(variable.type.dtype != at::ScalarType::Undefined, variable.name.c_str());
        }
        for (const VarId id : opened.outputs()) QVERIFY(!opened.variable(id).type.isStatic());
        const auto pairs = opened.operations();
        QVERIFY(std::any_of(pairs.begin(), pairs.end(),
                            [&](OpId id) { return opened.operation(id).type == "QuantizeLinear"; }));

        const Executor simulator(model.graph, {"cpu", 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Program simulated = simulator.compile(spec);
        const Executor reader(opened, {"cpu", 1});
        const Program again = reader.compile({});
        const auto samples = Dataset::open(sample / "eval", model.graph, {recipe.calibration.preprocess, 64});
        double noise = 0, signal = 0;
        for (std::size_t i = 0; i < samples->size(); ++i) {
            const Feed feed = samples->batch(i);
            const at::Tensor want = simulated.run(feed, {})[0].contiguous();
            const at::Tensor got = again.run(feed, {})[0].contiguous();
            QCOMPARE(got.sizes().vec(), want.sizes().vec());
            noise += ((got - want) * (got - want)).sum().item().toDouble();
            signal += (want * want).sum().item().toDouble();
        }
        QVERIFY(signal > 0);
        // Sums of float32 in another order may push a value across the border between two codes, here and there; more
        // of them against exact integers
        const double decibel = 10 * std::log10(signal / std::max(noise, 1e-300));
        qInfo("%.1f dB", decibel);
        QVERIFY2(decibel >= (platform == "ONNXRUNTIME" ? 40 : 60), qPrintable(QString::number(decibel)));
    }

    /// For integer arithmetic each layer is between pairs with unsigned codes, before its activation, and no Add
    /// between pairs is left that ONNX Runtime would compute differently.
    void layersStandBetweenPairs()
    {
        for (const bool integers : {true, false}) {
            RunOptions options;
            options.base = sampleFolder();
            QuantModel model = runRecipe(sampleRecipe("ONNXRUNTIME"), options, {}).model;
            if (!integers) model.plan.integerOps.clear();
            const QTemporaryDir folder;
            ImportRequest request;
            request.file = std::filesystem::path(folder.path().toStdString()) / "q.onnx";
            exportModel("onnx_qdq", model, request.file, {}, [](api::Problem) {});
            const Graph opened = importModel(request);
            const auto producerOf = [&](const Operation &op, std::size_t i) {
                const OpId producer = opened.variable(op.inputs[i]).producer;
                return producer == noOp ? std::string() : opened.operation(producer).type;
            };
            int layers = 0, between = 0, adds = 0, sums = 0, quantizers = 0, isUnsigned = 0, unsignedWeights = 0;
            for (const OpId id : opened.operations()) {
                const Operation &op = opened.operation(id);
                if (op.type == "Conv" || op.type == "Gemm") {
                    ++layers;
                    const std::vector<OpId> readers = opened.consumers(id);
                    const std::string before = producerOf(op, 0);
                    between += (before == "DequantizeLinear" || before == "Flatten") && readers.size() == 1 &&
                               opened.operation(readers[0]).type == "QuantizeLinear";
                    const Operation &restore = opened.operation(opened.variable(op.inputs[1]).producer);
                    unsignedWeights += opened.variable(restore.inputs[0]).value.scalar_type() == at::kByte;
                }
                adds += op.type == "Add" && producerOf(op, 0) == "DequantizeLinear";
                sums += op.type == "Sum" && op.inputs.size() == 2;
                if (op.type != "QuantizeLinear") continue;
                ++quantizers;
                isUnsigned += opened.variable(op.inputs[2]).value.scalar_type() == at::kByte;
            }
            QVERIFY(layers > 3 && quantizers > layers);
            QCOMPARE(between == layers, integers);
            QCOMPARE(isUnsigned, integers ? quantizers : 0);
            QCOMPARE(unsignedWeights, integers ? layers : 0);
            QCOMPARE(integers ? adds : sums, 0);
            QVERIFY((integers ? sums : adds) > 0);
        }
    }

    /// ONNX Runtime would replace a Softmax that a pair reaches through a Reshape, and pad with the lowest number
    /// where a MaxPool follows a Pad with zeros.
    void otherFormsOfTheRuntimeAreAvoided()
    {
        test::SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("pads", test::ints({0, 0, 1, 1, 0, 0, 1, 1}));
        g.parameter("shape", test::ints({1, 2, 9}));
        g.op("Pad", "pad", {"x", "pads"}, {"p"});
        g.op("MaxPool", "pool", {"p"}, {"m"},
             {{"kernel_shape", std::vector<std::int64_t>{2, 2}}, {"strides", std::vector<std::int64_t>{2, 2}}});
        g.op("Reshape", "reshape", {"m", "shape"}, {"r"});
        g.op("Softmax", "softmax", {"r"}, {"y"}, {{"axis", std::int64_t{-1}}});
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        roundOnly(model, {test::out(model, "pool"), test::out(model, "softmax")});
        for (const OpId id : model.graph.operations()) model.plan.integerOps.insert(id);
        const Graph opened = exported(model, "onnx_qdq");
        const OpId reader = opened.consumers(opened.findOperation("pad")).at(0);
        QCOMPARE(opened.operation(reader).type, std::string("Sum"));
        const OpId source = opened.variable(test::op(opened, "softmax").inputs[0]).producer;
        QCOMPARE(opened.operation(source).type, std::string("Sum"));
    }

    /// ONNX Runtime would compute a sum and its normalization, or a variance, in one kernel with other sums.
    void sumsOfNormalizationsAreKeptApart()
    {
        test::SmallGraph g(17);
        g.input("x", {1, 3, 8});
        for (const char *name : {"bias", "scale"}) g.parameter(name, test::ramp({8}, 0.5f, 0.1f));
        g.parameter("epsilon", test::floats({}, {1e-5f}));
        g.op("Add", "sum", {"x", "bias"}, {"s"});
        g.op("LayerNormalization", "norm", {"s", "scale"}, {"n"});
        g.op("Add", "other", {"n", "bias"}, {"o"});
        g.op("Mul", "square", {"o", "o"}, {"q"});
        g.op("ReduceMean", "mean", {"q"}, {"m"}, {{"axes", std::vector<std::int64_t>{-1}}});
        g.op("Add", "variance", {"m", "epsilon"}, {"v"});
        g.op("Sqrt", "root", {"v"}, {"r"});
        g.op("Div", "quotient", {"o", "r"}, {"y"});
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        roundOnly(model, {});
        for (const auto &[exporter, type] : {std::pair{"onnx_qdq", "Sum"}, std::pair{"openvino_qdq", "Add"}}) {
            const Graph opened = exported(model, exporter);
            for (const char *name : {"sum", "variance"}) QCOMPARE(test::op(opened, name).type, std::string(type));
            QCOMPARE(test::op(opened, "other").type, std::string("Add"));
        }
    }

    /// OpenVINO would pad codes with 0, whatever their zero point is. Read again, the copy is gone.
    void countedPaddingIsInFloat_data()
    {
        QTest::addColumn<QString>("exporter");
        QTest::addColumn<QString>("upstream");
        QTest::addColumn<int>("pad");
        QTest::addColumn<QString>("producer");
        QTest::newRow("OpenVINO") << "openvino_qdq"
                                  << "MaxPool" << 1 << "Max";
        QTest::newRow("OpenVINO without padding") << "openvino_qdq"
                                                  << "MaxPool" << 0 << "MaxPool";
        QTest::newRow("OpenVINO with a Pad") << "openvino_qdq"
                                             << "Pad" << 0 << "Max";
        QTest::newRow("ONNX Runtime") << "onnx_qdq"
                                      << "MaxPool" << 1 << "MaxPool";
    }
    void countedPaddingIsInFloat()
    {
        QFETCH(QString, exporter);
        QFETCH(QString, upstream);
        QFETCH(int, pad);
        QFETCH(QString, producer);
        const std::vector<std::int64_t> kernel{3, 3}, one{1, 1}, pads(4, pad);
        test::SmallGraph g;
        g.input("x", {1, 2, 6, 6});
        g.op("Relu", "relu", {"x"}, {"r"});
        g.parameter("by", at::tensor({0, 0, 1, 1, 0, 0, 1, 1}, at::kLong));
        if (upstream == "Pad")
            g.op("Pad", "moved", {"r", "by"}, {"m"});
        else
            g.op("MaxPool", "moved", {"r"}, {"m"}, {{"kernel_shape", one}});
        g.op("AveragePool", "mean", {"m"}, {"y"},
             {{"kernel_shape", kernel}, {"pads", pads}, {"count_include_pad", std::int64_t{1}}});
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        roundOnly(model, {test::out(model, "relu"), test::out(model, "mean")});
        Graph opened = exported(model, exporter.toStdString());
        const auto before = [&] { return opened.variable(test::op(opened, "mean").inputs[0]).producer; };
        QCOMPARE(opened.operation(before()).type, producer.toStdString());
        dequantizeGraph(opened, [](const api::Problem &) {});
        QCOMPARE(opened.operation(before()).type, upstream.toStdString());
    }

    /// OpenVINO would pad the codes with 0 if a size is open.
    void paddedChannelsAreInFloat_data()
    {
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("channels");
        QTest::addColumn<QString>("producer");
        QTest::newRow("open batch") << -1 << 1 << "Max";
        QTest::newRow("fixed batch") << 1 << 1 << "DequantizeLinear";
        QTest::newRow("open batch, no channels") << -1 << 0 << "DequantizeLinear";
    }
    void paddedChannelsAreInFloat()
    {
        QFETCH(int, batch);
        QFETCH(int, channels);
        QFETCH(QString, producer);
        test::SmallGraph g;
        g.input("x", {batch, 2, 6, 6});
        g.op("Relu", "relu", {"x"}, {"r"});
        g.parameter("by", at::tensor({0, channels, 0, 1, 0, 0, 0, 1}, at::kLong));
        g.op("Pad", "pad", {"r", "by"}, {"y"});
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        roundOnly(model, {test::out(model, "relu"), test::out(model, "pad")});
        Graph opened = exported(model, "openvino_qdq");
        QCOMPARE(opened.operation(opened.variable(test::op(opened, "pad").inputs[0]).producer).type,
                 producer.toStdString());
    }

    /// ONNX Runtime would round a float output of the graph because a tensor that only moves its values is rounded.
    void movedOutputsAreKeptApart()
    {
        test::SmallGraph g;
        g.input("x", {1, 3, 8});
        g.op("Exp", "exp", {"x"}, {"e"});
        g.op("Transpose", "transpose", {"e"}, {"t"}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
        g.parameter("w", test::ramp({3, 4}, -0.5f, 0.1f));
        g.op("MatMul", "product", {"t", "w"}, {"y"});
        g.output("e");
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        roundOnly(model, {test::in(model, "product", 0)});
        const Graph opened = exported(model, "onnx_qdq");
        const OpId reader = opened.consumers(opened.findOperation("transpose")).at(0);
        QCOMPARE(opened.operation(reader).type, std::string("Sum"));
        QCOMPARE(opened.operation(opened.consumers(reader).at(0)).type, std::string("QuantizeLinear"));
    }

    /// ONNX Runtime moves no pair across a Split or Flatten: layers that are computed in integers get pairs of their
    /// own, and each part of a Split is on the grid.
    void layersAfterASplitReadPairs()
    {
        test::SmallGraph g;
        g.input("x", {1, 4, 5, 5});
        g.parameter("w", test::ramp({4, 4, 1, 1}, -0.7f, 0.09f));
        g.parameter("v", test::ramp({2, 2, 1, 1}, -0.3f, 0.17f));
        g.parameter("m", test::ramp({50, 3}, -0.2f, 0.003f));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Split", "split", {"c"}, {"first", "second"}, {{"axis", std::int64_t{1}}});
        g.op("Conv", "part", {"second", "v"}, {"p"});
        g.op("Flatten", "flatten", {"first"}, {"f"});
        g.op("Gemm", "gemm", {"f", "m"}, {"y"});
        g.output("p");
        g.output("y");
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "m.onnx", {});
        const QuantModel model = test::quantized(base / "m.onnx", {1, 4, 5, 5}, "ONNXRUNTIME");
        for (const char *layer : {"part", "gemm"}) {
            const AppliedConfig applied = [&](Slot slot) { return model.plan.simulated(slot); };
            const auto source = gridSource(model.graph, test::in(model, layer, 0), applied);
            QVERIFY(source && model.graph.operation(source->op).name == "conv");
        }
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        const Graph opened = test::opened(base / "q.onnx");
        for (const char *layer : {"part", "gemm"})
            QCOMPARE(opened.operation(opened.variable(test::op(opened, layer).inputs[0]).producer).type,
                     std::string("DequantizeLinear"));
    }

    /// Weights that a network normalizes are stored with the simulator's values: a runtime's sums differ.
    void roundedConstantsAreStored()
    {
        test::SmallGraph g;
        g.input("x", {1, 2, 5, 5});
        g.parameter("v", test::ramp({1, 3, 5, 5}, -0.7f, 0.031f));
        g.op("ReduceL2", "length", {"v"}, {"l"}, {{"axes", std::vector<std::int64_t>{1, 2, 3}}});
        g.op("Div", "grid", {"v", "l"}, {"w"});
        g.parameter("u", test::ramp({3, 2, 1, 1}, -0.3f, 0.1f));
        g.op("Conv", "conv", {"x", "u"}, {"c"});
        g.op("Add", "sum", {"c", "w"}, {"s"});
        g.parameter("t", test::ramp({2, 3, 1, 1}, -0.3f, 0.1f));
        g.op("Conv", "last", {"s", "t"}, {"y"});
        g.output("y");
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "m.onnx", {});
        const QuantModel model = test::quantized(base / "m.onnx", {1, 2, 5, 5}, "ONNXRUNTIME");
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        const Graph opened = test::opened(base / "q.onnx");
        QVERIFY(!test::hasOp(opened, "length") && !test::hasOp(opened, "grid"));
        const Operation &restore = opened.operation(opened.variable(test::op(opened, "sum").inputs[1]).producer);
        const Operation &rounds = opened.operation(opened.variable(restore.inputs[0]).producer);
        QCOMPARE(rounds.type, std::string("QuantizeLinear"));
        ProgramSpec spec;
        spec.outputs = {model.graph.findVariable("w")};
        const at::Tensor value = Executor(model.graph, {"cpu", 1}).compile(spec).run(Feed{}, {})[0];
        QVERIFY(at::equal(opened.variable(rounds.inputs[0]).value, value));
    }

    /// ONNX Runtime's QLinearAveragePool has no dilations, not even those of 1: it would not load the file.
    void dilationsOfMeansAreKeptApart()
    {
        for (const std::int64_t dilation : {1, 2}) {
            test::SmallGraph g;
            g.input("x", {1, 2, 6, 6});
            g.op("AveragePool", "pool", {"x"}, {"y"},
                 {{"kernel_shape", std::vector<std::int64_t>{2, 2}},
                  {"dilations", std::vector<std::int64_t>{dilation, dilation}}});
            g.output("y");
            QuantModel model = test::configured(std::move(g.graph));
            model.graph.opsets[""] = 19;
            model.graph.edit(model.graph.findOperation("pool")).opset = 19;
            for (const Slot slot : {test::in(model, "pool"), test::out(model, "pool")})
                model.plan.setScale(slot, {0.01f}, {0}, QuantState::Active, {});
            model.plan.integerOps.insert(model.graph.findOperation("pool"));
            const Graph opened = exportedAndOpened(model);
            const Operation &pool = test::op(opened, "pool");
            QCOMPARE(pool.hasAttribute("dilations"), dilation == 2);
            const std::string &source = opened.operation(opened.variable(pool.inputs[0]).producer).type;
            QCOMPARE(source, std::string(dilation == 2 ? "Sum" : "DequantizeLinear"));
        }
    }

    /// Sizes rounded up: ONNX's shape inference counts windows that start in the padding, which no runtime computes,
    /// and QLinearAveragePool divides windows that end outside of the padding by another count.
    void poolsThatRoundUp_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("size");
        QTest::addColumn<bool>("roundsUp");
        for (const char *type : {"AveragePool", "MaxPool"})
            for (const int size : {7, 6}) QTest::addRow("%s of %d", type, size) << type << size << (size == 6);
    }
    void poolsThatRoundUp()
    {
        QFETCH(const QString, type);
        QFETCH(const int, size);
        QFETCH(const bool, roundsUp);
        const bool isMean = type == "AveragePool";
        test::SmallGraph g;
        g.input("x", {1, 2, size, size});
        decltype(Operation::attributes) attributes{{"kernel_shape", std::vector<std::int64_t>{2, 2}},
                                                   {"strides", std::vector<std::int64_t>{2, 2}},
                                                   {"ceil_mode", std::int64_t{1}}};
        // 7: a last window would start in the padding; 6: it ends outside
        attributes["pads"] = size == 7 ? std::vector<std::int64_t>{1, 1, 1, 1} : std::vector<std::int64_t>{1, 1, 0, 0};
        if (isMean) attributes["count_include_pad"] = std::int64_t{1};
        g.op(type.toStdString(), "pool", {"x"}, {"y"}, attributes);
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        model.graph.edit(model.graph.findVariable("y")).type.shape = {{{1, ""}, {2, ""}, {4, ""}, {4, ""}}};
        for (const Slot slot : {test::in(model, "pool"), test::out(model, "pool")})
            model.plan.setScale(slot, {0.01f}, {0}, QuantState::Active, {});
        model.plan.integerOps.insert(model.graph.findOperation("pool"));
        const Graph opened = exportedAndOpened(model);
        const Operation &pool = test::op(opened, "pool");
        QCOMPARE(pool.hasAttribute("ceil_mode"), roundsUp);
        const std::string &source = opened.operation(opened.variable(pool.inputs[0]).producer).type;
        QCOMPARE(source, std::string(isMean && roundsUp ? "Sum" : "DequantizeLinear"));
    }

    /// An already quantized model, quantized again: ONNX Runtime would execute its operations in integers, and take the
    /// stored bias for codes on the new grid of the layer.
    void ownCodesOfTheModelStayApart()
    {
        test::SmallGraph g;
        g.input("x", {1, 2});
        g.parameter("scale", test::floats({1}, {0.1f}).reshape({}));
        g.parameter("zero", test::ints({0}).to(at::kChar).reshape({}));
        g.parameter("w", test::floats({2, 2}, {1, 2, 3, 4}));
        g.parameter("b", test::ints({3, -4}).to(at::kInt));
        g.op("QuantizeLinear", "quantize", {"x", "scale", "zero"}, {"codes"});
        g.op("DequantizeLinear", "restore", {"codes", "scale", "zero"}, {"restored"});
        g.op("DequantizeLinear", "bias", {"b", "scale"}, {"bias_values"});
        g.op("Gemm", "gemm", {"restored", "w", "bias_values"}, {"y"});
        g.output("y");
        QuantModel model = test::configured(std::move(g.graph));
        roundOnly(model, {});
        const Graph opened = exported(model, "onnx_qdq");
        const Operation &gemm = test::op(opened, "gemm");
        QCOMPARE(opened.variable(gemm.inputs[2]).value.reshape({-1})[1].item().toFloat(), -4 * 0.1f);
        const OpId reader = opened.consumers(opened.findOperation("restore")).at(0);
        QCOMPARE(opened.operation(reader).type, std::string("Sum"));
    }

    /// ONNX Runtime's optimizer merges two consecutive pairs.
    void twoGridsOnOneTensorStayTwo()
    {
        QuantModel model = test::toyModel(); // the Relu writes steps of 0.03, the next reads steps of 0.02
        const QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "q.onnx";
        const OpId relu = model.graph.findOperation("relu1");
        for (const OpId reader : model.graph.consumers(relu))
            model.plan.set(inputSlot(reader, 0), *model.plan.find(inputSlot(model.graph.findOperation("fc"), 0)));
        exportModel("onnx_qdq", model, file, {}, [](api::Problem) {});
        ImportRequest request;
        request.file = file;
        const Graph opened = importModel(request);
        int separated = 0;
        for (const OpId id : opened.operations()) {
            const Operation &op = opened.operation(id);
            if (op.type != "QuantizeLinear" || opened.variable(op.inputs[0]).producer == noOp) continue;
            const std::string &before = opened.operation(opened.variable(op.inputs[0]).producer).type;
            QVERIFY(before != "DequantizeLinear");
            separated += before == "Sum";
        }
        QCOMPARE(separated, 1);
    }

    void floatBiases_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<QString>("reader");
        QTest::newRow("4") << 4 << "Sum";
        QTest::newRow("8") << 8 << "Relu";
        QTest::newRow("12") << 12 << "Sum";
    }
    /// ONNX Runtime's optimizer rounds a float bias, unless something separates the layer from the next QuantizeLinear.
    void floatBiases()
    {
        QFETCH(int, bits);
        QFETCH(QString, reader);
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        test::OnnxModel m;
        m.input("x", {1, 2, 3, 3});
        m.output("y");
        m.weight("w", {2, 2, 1, 1}, {1, -0.3f, 0.7f, 0.2f});
        m.weight("b", {2}, {0.123f, -0.456f});
        m.node("Conv", "conv", {"x", "w", "b"}, {"c"});
        m.node("Relu", "relu", {"c"}, {"y"});
        m.save(base / "conv.onnx");
        const std::string rule = R"([{"match": {}, "set": {"bits": )" + std::to_string(bits) + "}}]";
        const QuantModel model = test::quantized(base / "conv.onnx", {1, 2, 3, 3}, "TRT_INT8", {}, rule.c_str());
        const ExportResult written = exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        const Graph opened = test::opened(base / "q.onnx");
        const OpId next = opened.soleConsumer(opened.findOperation("conv"));
        QCOMPARE(QString::fromStdString(opened.operation(next).type), reader);
        QCOMPARE(
            std::any_of(written.notes.begin(), written.notes.end(),
                        [](const Text &note) { return note.english().find("biases are float") != std::string::npos; }),
            bits == 8);
    }

    /// ONNX Runtime aborts if a body reads the output of a DequantizeLinear.
    void bodiesReadNoDequantizeLinear()
    {
        test::OnnxModel m;
        m.input("a", {1, 4});
        m.output("y");
        m.weight("w", {4, 4}, {1, 2, -1, 3, 0.5f, -2, 1, 1, -3, 1, 2, 1, 1, 1, -1, 0.25f});
        m.weight("zero", {}, {0});
        m.node("MatMul", "matmul", {"a", "w"}, {"h"});
        m.node("Relu", "relu", {"h"}, {"r"});
        auto *sum = m.node("ReduceMax", "max", {"a"}, {"s"});
        test::OnnxModel::attribute(sum, "keepdims", onnx::AttributeProto::INT)->set_i(0);
        m.node("Greater", "greater", {"s", "zero"}, {"c"});
        auto *branch = m.node("If", "if", {"c"}, {"z"});
        for (const char *name : {"then_branch", "else_branch"}) {
            auto *body = test::OnnxModel::attribute(branch, name, onnx::AttributeProto::GRAPH)->mutable_g();
            body->set_name(name);
            const std::string out = std::string(name) + "_out";
            test::OnnxModel::node(body->mutable_node(), name[0] == 't' ? "Neg" : "Abs", name, {"r"}, {out});
            body->add_output()->set_name(out);
        }
        m.node("Add", "add", {"z", "r"}, {"y"}); // a second reader outside
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        m.save(base / "if.onnx");
        at::Tensor samples = test::spread({6, 4});
        samples[5] = samples[5].abs().neg(); // for the other branch
        writeFileAtomically(base / "a.npz", [&](std::ostream &out) { writeNpz(out, {{"a", samples}}); });
        api::Recipe recipe;
        recipe.model = "if.onnx";
        recipe.calibration.path = "a.npz";
        recipe.platform = "ONNXRUNTIME";
        recipe.analyses.clear();
        recipe.threads = 1;
        RunOptions options;
        options.base = base;
        const QuantModel model = runRecipe(recipe, options, {}).model;
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        ImportRequest request;
        request.file = base / "q.onnx";
        const Graph opened = importModel(request);
        const Operation &reader = opened.operation(opened.findOperation("if"));
        QCOMPARE(captureNames(reader).size(), std::size_t(1));
        const Operation &between = opened.operation(opened.variable(reader.inputs.at(1)).producer);
        QCOMPARE(between.type, std::string("Sum"));
        QCOMPARE(opened.operation(opened.variable(between.inputs.at(0)).producer).type,
                 std::string("DequantizeLinear"));
        ProgramSpec spec;
        spec.plan = &model.plan;
        const Executor simulator(model.graph, {"cpu", 1}), runner(opened, {"cpu", 1});
        const Program simulated = simulator.compile(spec), again = runner.compile({});
        const auto data = Dataset::open(base / "a.npz", model.graph, {});
        for (std::size_t i = 0; i < data->size(); ++i) {
            const Feed feed = data->batch(i);
            QVERIFY(at::equal(again.run(feed, {})[0].contiguous(), simulated.run(feed, {})[0].contiguous()));
        }
    }
};

QL_TEST(TestOnnxQdq)
#include "tst_onnx_qdq.moc"
