#include "core/analysis/analyser.h"
#include "tests/support/test_main.h"

#include "core/analysis/channel_ranges.h"
#include "core/base/error.h"
#include "core/quant/quantize.h"
#include "tests/support/toy_model.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/zeros.h>
#include <QtTest>
#include <algorithm>
#include <cmath>

using namespace ql;
using nlohmann::json;

namespace {

class Batches final : public BatchSource
{
public:
    std::size_t size() const override { return 3; }
    mutable int reads = 0;
    std::int64_t samples = 1; ///< of each batch
    Feed batch(std::size_t index) const override
    {
        ++reads;
        return {{"x", test::spread({samples, 3, 8, 8}) * (1 + 0.3 * double(index))}};
    }
};

json run(const QuantModel &model, const std::string &id, const json &params = json::object(),
         std::vector<api::Problem> *problems = nullptr, std::int64_t samples = 1)
{
    Batches data;
    data.samples = samples;
    AnalysisContext context(model);
    context.data = &data;
    context.batches = data.size();
    context.labels = {0, 1, 2};
    if (problems) context.report = [problems](const api::Problem &problem) { problems->push_back(problem); };
    return analyse(id, context, params);
}

/// Noise ratio of the output by brute force: whole float program against whole program with only these ops quantized.
double outputNoise(const QuantModel &model, const std::set<OpId> *only)
{
    const Batches data;
    const Executor executor(model.graph);
    ProgramSpec quantized;
    quantized.plan = &model.plan;
    quantized.onlyQuantized = only;
    const Program a = executor.compile({}), b = executor.compile(quantized);
    double sum = 0;
    for (std::size_t i = 0; i < data.size(); ++i) {
        const at::Tensor fp = a.run(data.batch(i), {})[0].to(at::kDouble),
                         q = b.run(data.batch(i), {})[0].to(at::kDouble);
        sum += ((fp - q) * (fp - q)).sum().item().toDouble() / (fp * fp).sum().item().toDouble();
    }
    return sum / double(data.size());
}

/// The row of a tensor.
json rowOf(const json &rows, const char *variable)
{
    const auto it =
        std::find_if(rows.begin(), rows.end(), [&](const json &row) { return row["variable"] == variable; });
    return it == rows.end() ? json() : *it;
}

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-6 * std::max(std::abs(a), std::abs(b)) + 1e-15;
}

} // namespace

class TestAnalysers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layerwiseEqualsBruteForce()
    {
        const QuantModel model = test::toyModel();
        const json rows = run(model, "layerwise", {{"operations", "all"}})["layerwise"];
        QCOMPARE(rows.size(), std::size_t(3)); // conv1, relu1, fc
        for (const json &row : rows) {
            const std::set<OpId> only{model.graph.findOperation(row["op"].get<std::string>())};
            const double want = outputNoise(model, &only);
            QVERIFY(want > 0);
            QVERIFY2(near(row["noise_ratio"].get<double>(), want), row.dump().c_str());
            QVERIFY(near(row["sqnr_db"].get<double>(), -10 * std::log10(want)));
            QCOMPARE(row["samples"].get<int>(), 3);
            QCOMPARE(row["elements"].get<int>(), 5);
            QCOMPARE(row["output"].get<std::string>(), std::string("y"));
        }
        QCOMPARE(run(model, "layerwise")["layerwise"].size(), std::size_t(2)); // those with weights
    }

    void layerwiseWithSharedScales()
    {
        QuantModel model = test::toyModel();
        const auto find = [&](const char *name) { return model.graph.findOperation(name); };
        const OpId conv = find("conv1"), relu = find("relu1"), fc = find("fc");
        for (const Slot slot : {outputSlot(conv, 0), inputSlot(relu, 0), inputSlot(fc, 0)}) {
            if (!model.plan.find(slot)) model.plan.set(slot, *model.plan.find(outputSlot(relu, 0)));
            model.plan.overlap(slot, outputSlot(relu, 0), {});
        }
        model.plan.setState(outputSlot(fc, 0), QuantState::Off, {}); // its steps would hide the difference
        const json apart = run(model, "layerwise"), shared = run(model, "layerwise", {{"shared_scales", true}});
        const auto noise = [](const json &rows, std::size_t i) {
            return rows["layerwise"][i]["noise_ratio"].get<double>();
        };
        // Nothing but the shared output is quantized at the Relu; the Gemm reads an input on the same grid.
        const std::set<OpId> convAlone{conv}, convAndRelu{conv, relu}, gemm{fc};
        QVERIFY(!near(outputNoise(model, &convAlone), outputNoise(model, &convAndRelu)));
        QVERIFY(near(noise(apart, 0), outputNoise(model, &convAlone)));
        QVERIFY(near(noise(shared, 0), outputNoise(model, &convAndRelu)));
        QVERIFY(near(noise(apart, 1), outputNoise(model, &gemm)));
        model.plan.set(inputSlot(fc, 0), *model.plan.find(outputSlot(relu, 0)));
        QVERIFY(near(noise(shared, 1), outputNoise(model, &gemm)));
        QVERIFY(!near(noise(shared, 1), noise(apart, 1)));
    }

    void layerwiseRecomputesActivationsThatDoNotFit()
    {
        QuantModel model = test::toyModel();
        for (const auto &[id, type] : Executor(model.graph).traceTypes(Batches().batch(0), {}))
            model.graph.edit(id).type = type;
        const Batches data;
        AnalysisContext context(model);
        context.data = &data;
        context.batches = data.size();
        const json params = {{"operations", "all"}}, plenty = analyse("layerwise", context, params);
        QCOMPARE(data.reads, 3);
        context.memory = 1;
        data.reads = 0;
        QCOMPARE(json(analyse("layerwise", context, params)), plenty);
        QCOMPARE(data.reads, 3 * 3); // one float pass for each of the three operations
    }

    void graphwiseMeasuresEveryOutputAndTheMetric()
    {
        const QuantModel model = test::toyModel();
        const json result = run(model, "graphwise");
        QCOMPARE(result["graphwise"].size(), std::size_t(3));
        QVERIFY(near(result["graphwise"].back()["noise_ratio"].get<double>(), outputNoise(model, nullptr)));
        QCOMPARE(result["outputs"].size(), std::size_t(1));
        QCOMPARE(result["outputs"][0]["noise_ratio"], result["graphwise"].back()["noise_ratio"]);
        QCOMPARE(result["outputs"][0]["metric"]["samples"].get<int>(), 3);
        QCOMPARE(run(model, "outputs")["outputs"], result["outputs"]);
    }

    /// Log of a value that was rounded to zero: the problem names the operation and the rounded tensor.
    void reportsWhereInfinityBegins()
    {
        QuantModel model = test::toyModel();
        Graph &graph = model.graph;
        const OpId fc = graph.findOperation("fc");
        const OpId square = test::addOp(graph, "square", "Mul", {graph.outputs()[0], graph.outputs()[0]}, {"s"});
        const OpId log = test::addOp(graph, "log", "Log", {graph.operation(square).outputs[0]}, {"l"});
        graph.setOutputs({graph.operation(log).outputs[0]});
        std::vector<api::Problem> problems;
        QVERIFY(!run(model, "graphwise", json::object(), &problems)["outputs"][0]["noise_ratio"].is_null());
        QVERIFY(problems.empty());

        TensorQuantConfig coarse = *model.plan.find(outputSlot(fc, 0));
        coarse.scale = {1000};
        model.plan.set(outputSlot(fc, 0), coarse);
        const json result = run(model, "graphwise", json::object(), &problems);
        QVERIFY(result["outputs"][0]["noise_ratio"].is_null());
        QCOMPARE(problems.size(), std::size_t(2));
        QCOMPARE(problems[0].op, std::string("fc"));
        QCOMPARE(problems[0].variable, std::string("l"));
        QCOMPARE(problems[0].message.english(),
                 std::string("values that are NaN or infinite only when quantized: 5, starting at 'log' (Log)"));
        QVERIFY(problems[0].remedy.english().find("'fc'") != std::string::npos);
        QCOMPARE(std::string(toString(problems[1].severity)), std::string("info"));
        QCOMPARE(problems[1].message.english(),
                 std::string("outputs: 1 of 1 rows cannot be measured because a quantized value is NaN or infinite"));
    }

    /// No error at all is a null in sqnr_db, too.
    void reportsExactRows()
    {
        QuantModel model = test::toyModel();
        const QuantPlan before = model.plan;
        const OpId fc = model.graph.findOperation("fc");
        for (const auto &[slot, config] : before.configs())
            if (slot.op != fc) model.plan.setState(slot, QuantState::Off, {});
        for (const char *analysis : {"graphwise", "layerwise"}) {
            std::vector<api::Problem> problems;
            const json rows = run(model, analysis, json::object(), &problems)[analysis];
            QVERIFY(rows[0]["sqnr_db"].is_null());
            QCOMPARE(rows[0]["noise_ratio"].get<double>(), 0.0);
            QVERIFY(!problems.empty());
            QCOMPARE(std::string(toString(problems[0].severity)), std::string("info"));
            const auto exact =
                std::count_if(rows.begin(), rows.end(), [](const json &row) { return row["noise_ratio"] == 0.0; });
            QVERIFY(exact < std::ptrdiff_t(rows.size()));
            QCOMPARE(problems[0].message.english(), std::string(analysis) + ": no error in " + std::to_string(exact) +
                                                        " of " + std::to_string(rows.size()) + " rows (infinite SQNR)");
        }
    }

    /// An output that is a graph input has no error, whatever is quantized.
    void ignoresOutputsThatAreInputs()
    {
        QuantModel model = test::toyModel();
        std::vector<VarId> outputs = model.graph.outputs();
        outputs.push_back(model.graph.inputs().at(0));
        model.graph.setOutputs(outputs);
        std::vector<api::Problem> problems;
        const json rows = run(model, "graphwise", json::object(), &problems)["outputs"];
        QCOMPARE(rows.size(), outputs.size());
        QCOMPARE(rows.back()["noise_ratio"].get<double>(), 0.0);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems[0].message.english().c_str());
    }

    void statisticsDescribeTheNoise()
    {
        const QuantModel model = test::toyModel();
        bool found = false;
        const json rows = run(model, "statistics")["statistics"];
        for (const json &row : rows) {
            std::int64_t count = 0;
            for (const json &bin : row["float"]["histogram"]["counts"]) count += bin.get<std::int64_t>();
            if (row["variable"] != "x") continue;
            found = true;
            QCOMPARE(count, std::int64_t(3 * 192)); // all elements of all batches
            QVERIFY(std::abs(row["noise"]["max"].get<double>()) <= 0.005 + 1e-6 ||
                    row["quantized"]["max"].get<double>() > 1.2);
            QVERIFY(near(row["float"]["max"].get<double>(), 1.6) ||
                    std::abs(row["float"]["max"].get<double>() - 1.6) < 1e-5);
        }
        QVERIFY(found);
    }

    /// A parameter is the same in every batch: it is counted once, as the plan has it.
    void parametersAreCountedOnce()
    {
        const QuantModel model = test::toyModel();
        for (const auto &[analysis, params] : {std::pair("statistics", json::object({{"operations", {"conv1"}}})),
                                               std::pair("variables", json::object({{"names", {"w1"}}}))}) {
            const json row = rowOf(run(model, analysis, params)[analysis], "w1");
            for (const char *part : {"float", "quantized", "noise"}) {
                std::int64_t count = 0;
                for (const json &bin : row[part]["histogram"]["counts"]) count += bin.get<std::int64_t>();
                QCOMPARE(count, std::int64_t(4 * 3 * 3 * 3));
            }
            QVERIFY(!row.contains("samples"));
            const json alone = rowOf(run(model, "parameters")["parameters"], "w1");
            QCOMPARE(row["quantized"], alone["quantized"]);
            QCOMPARE(row["noise_ratio"], alone["noise_ratio"]);
        }
        QCOMPARE(rowOf(run(model, "statistics")["statistics"], "x")["samples"].get<int>(), 3);
    }

    void channelsOfFeatures_data()
    {
        QTest::addColumn<QString>("tensor");
        QTest::addColumn<int>("axis"); // 0: none
        QTest::addColumn<bool>("isLearned");
        QTest::newRow("graph input") << "x" << 0 << false;
        QTest::newRow("in front of an activation") << "c1" << 1 << false;
        QTest::newRow("behind it") << "r1" << 1 << true;
        QTest::newRow("pool") << "p" << 1 << false;
        QTest::newRow("flattened") << "f" << 0 << false;
        QTest::newRow("Gemm") << "y" << 1 << true;
        QTest::newRow("padding") << "padded" << 0 << false;
        QTest::newRow("sum with padding") << "sum" << 1 << false;
        QTest::newRow("activation of a sum") << "relu2" << 1 << false;
        QTest::newRow("Slice") << "slice" << 0 << false;
        QTest::newRow("Softmax") << "softmax" << 0 << false;
        QTest::newRow("MatMul with a weight") << "product" << -1 << true;
        QTest::newRow("MatMul of activations") << "square" << 0 << false;
    }
    void channelsOfFeatures()
    {
        QFETCH(QString, tensor);
        QFETCH(int, axis);
        QFETCH(bool, isLearned);
        Graph graph = test::toyGraph();
        const auto id = [&](const std::string &name) { return graph.findVariable(name); };
        test::addOp(graph, "pad", "Pad", {id("r1"), graph.addParameter("pads", at::zeros({8}, at::kLong))}, {"padded"});
        test::addOp(graph, "add", "Add", {id("padded"), id("r1")}, {"sum"});
        test::addOp(graph, "relu2", "Relu", {id("sum")}, {"relu2"});
        test::addOp(graph, "slice", "Slice", {id("r1")}, {"slice"});
        test::addOp(graph, "softmax", "Softmax", {id("y")}, {"softmax"});
        test::addOp(graph, "matmul", "MatMul", {id("r1"), graph.addParameter("w3", test::spread({8, 6}))}, {"product"});
        test::addOp(graph, "matmul2", "MatMul", {id("r1"), id("r1")}, {"square"});
        const auto found = featureChannels(graph);
        const auto it = found.find(id(tensor.toStdString()));
        QCOMPARE(it != found.end(), axis != 0);
        if (axis == 0) return;
        QCOMPARE(it->second.axis, std::int64_t(axis));
        QCOMPARE(it->second.isLearned, isLearned);
    }

    /// A filter of zeros is dead, the zeros that Pad adds to its channels are not.
    void rangesReportDeadFilters()
    {
        QuantModel model = test::toyModel();
        Graph &graph = model.graph;
        at::Tensor weight = test::spread({4, 3, 3, 3}), pads = at::zeros({8}, at::kLong);
        std::fill_n(weight.data_ptr<float>(), 27, 0.0f);
        pads.data_ptr<std::int64_t>()[1] = 4;
        graph.setValue(graph.findVariable("w1"), weight);
        graph.edit(graph.findVariable("x")).type.shape->front() = Dim{-1, "N"};
        const OpId pad =
            test::addOp(graph, "pad", "Pad", {graph.findVariable("r1"), graph.addParameter("pads", pads)}, {"padded"});
        graph.setOutputs({graph.findVariable("y"), graph.findVariable("padded")});
        model.plan.set(outputSlot(pad), *model.plan.find(outputSlot(graph.findOperation("relu1"))));
        const json rows = run(model, "ranges", json::object(), nullptr, 2)["ranges"]["tensors"];
        const json relu = rowOf(rows, "r1"), channels = relu["channels"];
        QCOMPARE(relu["role"].get<std::string>(), std::string("output"));
        QCOMPARE(relu["samples"].get<int>(), 2 * 3);
        QVERIFY(channels["learned"].get<bool>());
        QCOMPARE(channels["min"].size(), std::size_t(4));
        QCOMPARE(channels["min"][0], channels["max"][0]);
        QVERIFY(!rowOf(rows, "padded").is_null());
        QVERIFY(!rowOf(rows, "padded").contains("channels"));
        QCOMPARE(rowOf(rows, "x")["role"].get<std::string>(), std::string("input"));
    }

    void parametersNeedNoData()
    {
        const QuantModel model = test::toyModel();
        const AnalysisContext context(model);
        const json rows = *analyse("parameters", context, json::object()).parameters;
        QVERIFY(rows.size() >= 2);
        for (const json &row : rows)
            if (row["variable"] == "w1") QCOMPARE(row["channels"]["min"].size(), std::size_t(4));
    }

    /// A dynamic weight is rounded with a scale of its own values: the plan needs none.
    void dynamicParametersAreRounded()
    {
        QuantModel model = test::toyModel();
        const Slot weight = inputSlot(model.graph.findOperation("fc"), 1);
        TensorQuantConfig dynamic;
        dynamic.dynamic = true;
        dynamic.state = QuantState::Active;
        model.plan.set(weight, dynamic);
        const at::Tensor fp = model.graph.variable(model.graph.findVariable("w2")).value;
        const at::Tensor rounded = fakeQuant(fp, model.plan, weight);
        QVERIFY(!rounded.equal(fp));
        const json parameter = rowOf(run(model, "parameters")["parameters"], "w2");
        QVERIFY(parameter["noise_ratio"].get<double>() > 0);
        const json detail = rowOf(run(model, "details", {{"operations", {"fc"}}})["details"], "w2");
        const auto pairs = detail["pairs"]["quantized"].get<std::vector<float>>();
        QCOMPARE(pairs.size(), std::size_t(rounded.numel()));
        QVERIFY(std::equal(pairs.begin(), pairs.end(), rounded.data_ptr<float>()));
    }

    void slotsInSimulation_data()
    {
        QTest::addColumn<QuantState>("state");
        QTest::addColumn<bool>("isDynamic");
        QTest::addColumn<bool>("hasScale");
        QTest::addColumn<bool>("isRounded");
        QTest::newRow("active") << QuantState::Active << false << true << true;
        QTest::newRow("active, no scale yet") << QuantState::Active << false << false << false;
        QTest::newRow("active, dynamic") << QuantState::Active << true << false << true;
        QTest::newRow("passive") << QuantState::Passive << false << true << true;
        QTest::newRow("passive, unresolved") << QuantState::Passive << false << false << false;
        QTest::newRow("baked") << QuantState::Baked << false << true << true;
        QTest::newRow("initial") << QuantState::Initial << false << true << false;
        QTest::newRow("initial, dynamic") << QuantState::Initial << true << false << false;
        QTest::newRow("overlapped") << QuantState::Overlapped << false << true << false;
        QTest::newRow("off") << QuantState::Off << true << true << false;
    }
    void slotsInSimulation()
    {
        QFETCH(QuantState, state);
        QFETCH(bool, isDynamic);
        QFETCH(bool, hasScale);
        QFETCH(bool, isRounded);
        QuantModel model = test::toyModel();
        const Slot slot = inputSlot(model.graph.findOperation("fc"), 1);
        TensorQuantConfig config;
        config.state = state;
        config.dynamic = isDynamic;
        if (hasScale) config.scale = {0.01f};
        config.zeroPoint.resize(config.scale.size());
        model.plan.set(slot, config);
        QCOMPARE(model.plan.simulated(slot) != nullptr, isRounded);
        QVERIFY(!model.plan.simulated(outputSlot(slot.op, 1))); // no config
        const at::Tensor value = model.graph.variable(model.graph.findVariable("w2")).value;
        QCOMPARE(!simulatedParameter(model.graph, model.plan, slot).equal(value), isRounded);
    }

    void slotsOfAnOperation()
    {
        const QuantModel model = test::toyModel();
        const Operation &conv = model.graph.operation(model.graph.findOperation("conv1"));
        const std::vector<Slot> all{inputSlot(conv.id, 0), inputSlot(conv.id, 1), inputSlot(conv.id, 2),
                                    outputSlot(conv.id)};
        QCOMPARE(slotsOf(conv), all);
        QCOMPARE(model.plan.slotsOf(conv.id), all);
        QVERIFY(model.plan.slotsOf(model.graph.findOperation("gap")).empty());
    }

    void weightsAreReadAlongOutputChannels_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("transB"); // -1: not given
        QTest::addColumn<int>("axis");
        QTest::newRow("MatMul") << "MatMul" << -1 << 1;
        QTest::newRow("BiasedMatMul") << "BiasedMatMul" << -1 << 1;
        QTest::newRow("Gemm") << "Gemm" << -1 << 1;
        QTest::newRow("Gemm, weight not transposed") << "Gemm" << 0 << 1;
        QTest::newRow("Gemm, weight transposed") << "Gemm" << 1 << 0;
    }
    /// One scale for the whole weight does not define its axes; the operator does.
    void weightsAreReadAlongOutputChannels()
    {
        QFETCH(QString, type);
        QFETCH(int, transB);
        QFETCH(int, axis);
        QuantModel model = test::toyModel();
        Graph &graph = model.graph;
        const OpId fc = graph.findOperation("fc");
        Operation &op = graph.edit(fc);
        op.type = type.toStdString();
        op.attributes.clear();
        if (transB >= 0) op.attributes["transB"] = std::int64_t(transB);
        const VarId weight = op.inputs[1];
        graph.setValue(weight, axis == 0 ? test::spread({5, 4}) : test::spread({4, 5}));
        const TensorQuantConfig config = *model.plan.find(inputSlot(fc, 1));
        model.plan.erase(fc);
        model.plan.set(inputSlot(fc, 1), config);
        if (type == "MatMul") graph.resizeInputs(fc, 2);
        const AnalysisContext context(model);
        const json parameters = rowOf(*analyse("parameters", context, json::object()).parameters, "w2");
        QCOMPARE(parameters["channels"]["axis"].get<int>(), axis);
        QCOMPARE(parameters["channels"]["min"].size(), std::size_t(5));
        const json details = rowOf(run(model, "details", {{"operations", {"fc"}}})["details"], "w2");
        QCOMPARE(details["channels"]["axis"].get<int>(), axis);
        QCOMPARE(details["channels"]["min"], parameters["channels"]["min"]);
        QCOMPARE(rowOf(json(sharedScaleWeights(model)), "w2")["channels"]["axis"].get<int>(), axis);
    }

    /// Slopes and other constants have one scale as well, but there is nothing to gain per channel.
    void constantsAreNoWeights()
    {
        QuantModel model = test::toyModel();
        Graph &graph = model.graph;
        const OpId relu = graph.findOperation("relu1");
        graph.edit(relu).type = "PRelu";
        graph.resizeInputs(relu, 2);
        graph.setInput(relu, 1, graph.addParameter("slope", test::spread({4, 1, 1})));
        model.plan.set(inputSlot(relu, 1), *model.plan.find(inputSlot(graph.findOperation("fc"), 1)));
        std::vector<std::string> names;
        for (const api::WeightRow &row : sharedScaleWeights(model)) names.push_back(row.variable);
        QCOMPARE(names, std::vector<std::string>{"w2"});
    }

    /// An operation in FP32 has distributions if it is named: its inputs have errors.
    void distributionsInFloat()
    {
        QuantModel model = test::toyModel();
        model.plan.erase(model.graph.findOperation("fc"));
        QVERIFY(!model.isQuantized(model.graph.findOperation("fc")));
        const json named = {{"operations", {"fc"}}};
        const json rows = run(model, "statistics", named)["statistics"];
        QCOMPARE(rows.size(), std::size_t(3)); // weight, bias, output; the type of the input is unknown
        QVERIFY(rowOf(rows, "y")["noise_ratio"].get<double>() > 0);
        QCOMPARE(rowOf(rows, "w2")["noise_ratio"].get<double>(), 0.0);
        QCOMPARE(run(model, "parameters", named)["parameters"].size(), std::size_t(2));
        QVERIFY(!run(model, "details", named)["details"].empty());
        const json all = run(model, "statistics")["statistics"];
        for (const json &row : all) QVERIFY(row["op"] != "fc");
    }

    void refusesUnknownNames()
    {
        const QuantModel model = test::toyModel();
        QVERIFY_EXCEPTION_THROWN(run(model, "layerwize"), Error);
        QVERIFY_EXCEPTION_THROWN(run(model, "layerwise", {{"operation", "all"}}), Error);
        QVERIFY_EXCEPTION_THROWN(run(model, "variables", {{"names", {"no_such_tensor"}}}), Error);
        QVERIFY_EXCEPTION_THROWN(analyse("graphwise", AnalysisContext(model), json::object()), Error);
    }
};

QL_TEST(TestAnalysers)
#include "tst_analysers.moc"
