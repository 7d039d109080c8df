// Bodies of If and Loop are quantized with their activations, on every platform that has these operators: exported
// files, opened by the importer and run by the float executor, give the simulator's results.
#include "core/base/file.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/dataset.h"
#include "core/io/importer.h"
#include "core/io/native.h"
#include "core/io/npz.h"
#include "core/ir/subgraphs.h"
#include "core/session/import_encodings.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "core/tune/cost.h"
#include "tests/support/error_of.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>

using namespace ql;
using test::OnnxModel;

class TestQuantizedBodies : public QObject
{
    Q_OBJECT

private:
    static std::vector<float> values(std::int64_t count)
    {
        const at::Tensor drawn = 0.4 * at::randn({count});
        return {drawn.data_ptr<float>(), drawn.data_ptr<float>() + count};
    }

    static onnx::GraphProto *bodyOf(onnx::NodeProto *op, const std::string &name)
    {
        auto *body = OnnxModel::attribute(op, name, onnx::AttributeProto::GRAPH)->mutable_g();
        body->set_name(name);
        return body;
    }

    /// MatMul -> If {MatMul -> Relu -> MatMul} {the same} -> Loop {MatMul -> Tanh -> Add to the state} -> MatMul.
    static void save(const std::filesystem::path &file)
    {
        OnnxModel m;
        m.input("x", {1, 8});
        m.output("y");
        m.weight("first_w", {8, 8}, values(64));
        m.weight("last_w", {8, 4}, values(32));
        m.weight("zero", {}, {0});
        auto *trips = m.graph()->add_initializer();
        trips->set_name("trips");
        trips->set_data_type(onnx::TensorProto::INT64);
        trips->add_int64_data(3);
        m.node("MatMul", "first", {"x", "first_w"}, {"r"});
        auto *sum = m.node("ReduceMax", "max", {"x"}, {"most"});
        OnnxModel::attribute(sum, "keepdims", onnx::AttributeProto::INT)->set_i(0);
        m.node("Greater", "greater", {"most", "zero"}, {"c"});
        auto *choice = m.node("If", "if", {"c"}, {"z"});
        for (const std::string name : {"then_branch", "else_branch"}) {
            onnx::GraphProto *body = bodyOf(choice, name);
            OnnxModel::floats(body->add_initializer(), name + "_w1", {8, 6}, values(48));
            OnnxModel::floats(body->add_initializer(), name + "_w2", {6, 8}, values(48));
            OnnxModel::node(body->mutable_node(), "MatMul", name + "_1", {"r", name + "_w1"}, {name + "_a"});
            OnnxModel::node(body->mutable_node(), "Relu", "relu", {name + "_a"}, {name + "_b"});
            OnnxModel::node(body->mutable_node(), "MatMul", name + "_2", {name + "_b", name + "_w2"}, {name + "_o"});
            body->add_output()->set_name(name + "_o");
        }
        auto *loop = m.node("Loop", "loop", {"trips", "", "z"}, {"l"});
        onnx::GraphProto *body = bodyOf(loop, "body");
        OnnxModel::describe(body->add_input(), "i", {}, onnx::TensorProto::INT64);
        OnnxModel::describe(body->add_input(), "go", {}, onnx::TensorProto::BOOL);
        OnnxModel::describe(body->add_input(), "s", {1, 8});
        OnnxModel::floats(body->add_initializer(), "loop_w", {8, 8}, values(64));
        OnnxModel::node(body->mutable_node(), "Identity", "go_on", {"go"}, {"on"});
        OnnxModel::node(body->mutable_node(), "MatMul", "step", {"s", "loop_w"}, {"p"});
        OnnxModel::node(body->mutable_node(), "Tanh", "tanh", {"p"}, {"q"});
        OnnxModel::node(body->mutable_node(), "Add", "next", {"q", "s"}, {"n"});
        body->add_output()->set_name("on");
        body->add_output()->set_name("n");
        m.node("MatMul", "last", {"l", "last_w"}, {"y"});
        m.save(file);
    }

    static RunResult quantized(const std::filesystem::path &base, const std::string &platform, bool isOneSided = false,
                               const std::string &rules = {}, std::vector<api::StepRequest> analyses = {},
                               const std::string &list = "overrides")
    {
        save(base / "bodies.onnx");
        at::Tensor samples = at::randn({24, 8});
        if (isOneSided)
            samples = samples.abs(); // one branch never runs
        else
            samples.slice(0, 0, 12).abs_().neg_();
        writeFileAtomically(base / "x.npz", [&](std::ostream &out) { writeNpz(out, {{"x", samples}}); });
        api::Recipe recipe;
        recipe.model = "bodies.onnx";
        recipe.calibration.path = "x.npz";
        recipe.platform = platform;
        recipe.analyses = std::move(analyses);
        recipe.threads = 1;
        if (!rules.empty()) setRecipeField(recipe, list, rules);
        RunOptions options;
        options.base = base;
        return runRecipe(recipe, options, {});
    }

    static std::vector<at::Tensor> outputs(const Graph &graph, const QuantPlan *plan, const std::filesystem::path &data)
    {
        const Executor executor(graph, {"cpu", 1});
        ProgramSpec spec;
        spec.plan = plan;
        const Program program = executor.compile(spec);
        const auto samples = Dataset::open(data, graph, {});
        std::vector<at::Tensor> all;
        for (std::size_t i = 0; i < samples->size(); ++i)
            all.push_back(program.run(samples->batch(i), {})[0].contiguous());
        return all;
    }

    static bool areEqual(const std::vector<at::Tensor> &a, const std::vector<at::Tensor> &b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](const at::Tensor &x, const at::Tensor &y) { return at::equal(x, y); });
    }

    static std::ptrdiff_t count(const Graph &graph, const std::string &type)
    {
        const std::vector<OpId> ids = graph.operations();
        return std::count_if(ids.begin(), ids.end(), [&](OpId id) { return graph.operation(id).type == type; });
    }

private Q_SLOTS:
    void exported_data()
    {
        QTest::addColumn<QString>("format");
        QTest::newRow("ONNXRUNTIME") << "onnx_qdq";
        QTest::newRow("TRT_INT8") << "trt_qdq";
        QTest::newRow("TRT_FP8") << "onnx_qdq";
        QTest::newRow("OPENVINO_INT8") << "openvino_qdq";
    }
    void exported()
    {
        QFETCH(const QString, format);
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const QuantModel model = quantized(base, QTest::currentDataTag()).model;
        const Graph &graph = model.graph;
        for (const auto &[op, bodyCount] : {std::pair("if", 2), std::pair("loop", 1)}) {
            const auto found = model.plan.bodies.find(graph.findOperation(op));
            QVERIFY(found != model.plan.bodies.end());
            QCOMPARE(int(found->second.size()), bodyCount);
        }
        QVERIFY(model.isQuantized(graph.findOperation("last"))); // what follows bodies is quantized, too
        QuantPlan weightsOnly = model.plan;
        weightsOnly.bodies.clear();
        const auto simulated = outputs(graph, &model.plan, base / "x.npz");
        QVERIFY(!areEqual(simulated, outputs(graph, &weightsOnly, base / "x.npz")));

        exportModel(format.toStdString(), model, base / "q.onnx", {}, [](api::Problem) {});
        ImportRequest request;
        request.file = base / "q.onnx";
        const Graph opened = importModel(request);
        QVERIFY(areEqual(simulated, outputs(opened, nullptr, base / "x.npz")));
        for (const char *name : {"if", "loop"}) {
            const Operation &op = opened.operation(opened.findOperation(name));
            for (const auto &body : bodies(op)) {
                QVERIFY(count(*body, "QuantizeLinear") >= 1);
                QVERIFY(count(*body, "DequantizeLinear") >= 2);
            }
            for (std::size_t i = formalInputCount(op); i < op.inputs.size(); ++i)
                QVERIFY(!opened.isParameter(op.inputs[i])); // weights are in the bodies again
        }
    }

    /// A file is read again as the plan that it was exported from, bodies included, also without the float model.
    void importedAgain_data()
    {
        QTest::addColumn<bool>("isOneSided");
        for (const char *platform : {"ONNXRUNTIME", "TRT_INT8", "OPENVINO_INT8"}) {
            QTest::addRow("%s", platform) << false;
            QTest::addRow("%s, one branch never runs", platform) << true;
        }
    }
    void importedAgain()
    {
        QFETCH(const bool, isOneSided);
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const std::string platform = QString(QTest::currentDataTag()).section(',', 0, 0).toStdString();
        const QuantModel model = quantized(base, platform, isOneSided).model;
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        for (const std::string &parent : {(base / "bodies.onnx").string(), std::string()}) {
            const ImportedEncodings imported = importEncodings({(base / "q.onnx").string(), parent, platform}, {});
            for (const api::Problem &problem : imported.problems)
                QVERIFY2(problem.severity == api::Severity::Info, problem.message.english().c_str());
            api::Recipe recipe = imported.recipe;
            recipe.analyses.clear();
            recipe.threads = 1;
            const QuantModel again = runRecipe(recipe, {}, {}).model;
            std::size_t compared = 0;
            forEachQuantizedBody(model, [&](const BodyPath &path, const QuantModel &body) {
                const std::string name = model.graph.operation(path[0].first).name;
                const auto all = again.plan.bodies.find(again.graph.findOperation(name));
                QVERIFY2(all != again.plan.bodies.end() && all->second.contains(path[0].second), name.c_str());
                const QuantModel &same = *all->second.at(path[0].second);
                for (const auto &[slot, config] : body.plan.configs()) {
                    const Slot other{same.graph.findOperation(body.graph.operation(slot.op).name), slot.output,
                                     slot.index};
                    if (!body.plan.simulated(slot)) continue;
                    QVERIFY2(same.plan.simulated(other), body.graph.operation(slot.op).name.c_str());
                    QCOMPARE(same.plan.scale(other), body.plan.scale(slot));
                    QCOMPARE(same.plan.zeroPoint(other), body.plan.zeroPoint(slot));
                    QCOMPARE(same.plan.find(other)->state, config.state);
                    ++compared;
                }
            });
            QVERIFY(compared >= 3);
            std::size_t count = 0, expected = 0;
            forEachQuantizedBody(again, [&](const BodyPath &, const QuantModel &) { ++count; });
            forEachQuantizedBody(model, [&](const BodyPath &, const QuantModel &) { ++expected; });
            QCOMPARE(count, expected);
            QVERIFY(areEqual(outputs(model.graph, &model.plan, base / "x.npz"),
                             outputs(again.graph, &again.plan, base / "x.npz")));
        }
    }

    /// Operations in bodies have rows with names that are unique in the model, and their own errors.
    void reported()
    {
        const QTemporaryDir folder;
        const RunResult result =
            quantized(folder.path().toStdString(), "TRT_INT8", false,
                      R"([{"match": {"op": "then_branch_1", "role": "output"}, "set": {"observer": "minmax"}}])",
                      {{"graphwise", true, {}}, {"layerwise", true, {}}});
        const auto named = [](const auto &rows, const std::string &name) {
            const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto &row) { return row.op == name; });
            return found == rows.end() ? nullptr : &*found;
        };
        const auto &operations = result.report.operations;
        const auto step = std::find_if(operations.begin(), operations.end(),
                                       [](const api::OperationRow &row) { return row.name == "step"; });
        QVERIFY(step != operations.end() && step->quantized);
        const auto &configs = result.report.configs;
        QVERIFY(std::any_of(configs.begin(), configs.end(), [](const api::ConfigRow &row) {
            return row.slot.op == "then_branch_1" && row.slot.role == api::SlotRole::Output &&
                   row.scheme.observer == "minmax";
        }));
        for (const api::Problem &problem : result.report.problems) // the override is used in the body
            QVERIFY2(problem.message.english().find("matches no") == std::string::npos,
                     problem.message.english().c_str());
        const std::vector<api::ErrorRow> &graphwise = *result.report.measures.graphwise,
                                         &layerwise = *result.report.measures.layerwise;
        QVERIFY(named(graphwise, "step") && named(graphwise, "else_branch_2"));
        QCOMPARE(named(graphwise, "step")->samples, 3 * named(graphwise, "last")->samples); // three iterations
        // The only operation that is quantized in the loop
        QCOMPARE(*named(layerwise, "step")->noiseRatio, *named(layerwise, "loop")->noiseRatio);
        const double one = *named(layerwise, "then_branch_1")->noiseRatio;
        QVERIFY(one > 0 && one < *named(layerwise, "if")->noiseRatio);
        QVERIFY(named(layerwise, "else_branch_1") && !named(layerwise, "next"));
    }

    /// Also those of bodies in which nothing is rounded.
    void reportedInFloat()
    {
        const QTemporaryDir folder;
        const RunResult result = quantized(folder.path().toStdString(), "TRT_INT8", false,
                                           R"([{"op": "if", "platform": "FP32"}])", {}, "dispatch");
        std::map<std::string, int> count;
        for (const api::OperationRow &row : result.report.operations) {
            ++count[row.name];
            const bool isInFloat = row.name.find("_branch") != std::string::npos;
            QVERIFY(!isInFloat || (!row.quantized && row.platform == "FP32" && !row.inputs.empty()));
            QVERIFY(row.name != "step" || row.quantized);
        }
        for (const char *name : {"step", "then_branch_1", "if/then_branch/relu", "else_branch_2"})
            QVERIFY2(count[name] == 1, name);
    }

    void calledByNameOrPath_data()
    {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QStringList>("operations");
        QTest::newRow("the name in reports") << "relu" << QStringList{"relu"};
        QTest::newRow("a path in reports") << "if/then_branch/relu" << QStringList{"if/then_branch/relu"};
        QTest::newRow("a path that is not needed") << "if/then_branch/then_branch_2" << QStringList{"then_branch_2"};
        QTest::newRow("a body") << "loop/body/*" << QStringList{"step"};
        QTest::newRow("a pattern") << "*relu" << QStringList{"if/then_branch/relu", "relu"};
    }
    /// One rule for overrides and dispatch: what reports call an operation in a body, or its path.
    void calledByNameOrPath()
    {
        QFETCH(const QString, pattern);
        QFETCH(const QStringList, operations);
        const QTemporaryDir folder;
        const auto run = [&](const nlohmann::json &set, const char *list) {
            nlohmann::json rule{{"match", {{"op", pattern.toStdString()}}}, {"set", set}};
            if (std::string(list) == "dispatch") rule = {{"op", pattern.toStdString()}, {"platform", "FP32"}};
            const RunResult result = quantized(folder.path().toStdString(), "TRT_INT8", false,
                                               nlohmann::json::array({rule}).dump(), {}, list);
            for (const api::Problem &problem : result.report.problems)
                if (problem.message.english().find("matches no") != std::string::npos)
                    throw std::runtime_error(problem.message.english());
            return result.report;
        };
        QStringList changed;
        for (const api::ConfigRow &row : run({{"observer", "minmax"}}, "overrides").configs)
            if (row.slot.role == api::SlotRole::Output && row.scheme.observer == "minmax")
                changed.append(QString::fromStdString(row.slot.op));
        changed.sort();
        QCOMPARE(changed, operations);
        const auto rows = run({}, "dispatch").operations;
        for (const QString &name : operations) {
            const auto row =
                std::find_if(rows.begin(), rows.end(), [&](const auto &r) { return r.name == name.toStdString(); });
            QVERIFY(row != rows.end());
            QCOMPARE(row->platform, std::string("FP32"));
            const bool isWholeBody = pattern.endsWith("/*"); // without a plan, which has the origins
            QCOMPARE(row->setBy && row->setBy->isOverride(), !isWholeBody);
        }
    }

    void unknownPath()
    {
        const QTemporaryDir folder;
        const RunResult result = quantized(folder.path().toStdString(), "TRT_INT8", false,
                                           R"([{"match": {"op": "loop/body/stp"}, "set": {"observer": "minmax"}}])");
        const auto &problems = result.report.problems;
        QVERIFY(std::any_of(problems.begin(), problems.end(), [](const api::Problem &problem) {
            const std::string text = problem.message.english();
            return text.find("matches no tensor") != std::string::npos &&
                   text.find("loop/body/step") != std::string::npos;
        }));
    }

    /// The file with packed matrices: those of bodies are in the bodies, and give the simulator's results.
    void packedMatrices()
    {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        save(base / "bodies.onnx");
        api::Recipe recipe;
        recipe.model = "bodies.onnx";
        recipe.platform = "WEIGHT_ONLY";
        recipe.analyses.clear();
        recipe.threads = 1;
        RunOptions options;
        options.base = base;
        const QuantModel model = runRecipe(recipe, options, {}).model;
        writeFileAtomically(base / "x.npz", [&](std::ostream &out) { writeNpz(out, {{"x", at::randn({6, 8})}}); });
        const ExportResult result = exportModel("onnx_matmul_nbits", model, base / "q.onnx", {}, [](api::Problem) {});
        QVERIFY(result.notes.empty());                  // nothing is left in rounded floats
        recipe.platformParams["weight_format"] = "nf4"; // of which the operator has no form
        const QuantModel floating = runRecipe(recipe, options, {}).model;
        const QString refused = test::messageOf(
            [&] { exportModel("onnx_matmul_nbits", floating, base / "f.onnx", {}, [](api::Problem) {}); });
        QVERIFY2(refused.contains("these weights have a floating format"), qPrintable(refused));
        ImportRequest request;
        request.file = base / "q.onnx";
        const Graph opened = importModel(request);
        for (const auto &[name, matrices] : {std::pair("if", 2), std::pair("loop", 1)}) {
            const Operation &op = opened.operation(opened.findOperation(name));
            for (const auto &body : bodies(op)) {
                QCOMPARE(int(count(*body, "MatMulNBits")), matrices);
                QCOMPARE(int(count(*body, "MatMul")), 0);
            }
            for (std::size_t i = formalInputCount(op); i < op.inputs.size(); ++i)
                QVERIFY(!opened.isParameter(op.inputs[i])); // none is stored twice
        }
        const auto simulated = outputs(model.graph, &model.plan, base / "x.npz");
        const auto written = outputs(opened, nullptr, base / "x.npz");
        for (std::size_t i = 0; i < simulated.size(); ++i) QVERIFY(at::allclose(simulated[i], written[i], 1e-5, 1e-6));
    }

    /// Weights of bodies in groups, which the operation with the body captures.
    void groupsImportedAgain()
    {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        save(base / "bodies.onnx");
        api::Recipe recipe;
        recipe.model = (base / "bodies.onnx").string();
        recipe.platform = "WEIGHT_ONLY";
        recipe.analyses.clear();
        recipe.threads = 1;
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        recipe = importEncodings({(base / "q.onnx").string(), recipe.model, {}}, {}).recipe;
        recipe.analyses.clear();
        recipe.threads = 1;
        const QuantModel again = runRecipe(recipe, {}, {}).model;
        int groups = 0;
        for (const auto &[slot, config] : model.plan.configs()) {
            if (config.groupSize == 0) continue;
            ++groups;
            const Operation &op = model.graph.operation(slot.op);
            const Slot other = inputSlot(again.graph.findOperation(op.name), std::size_t(slot.index));
            const TensorQuantConfig *const same = again.plan.find(other);
            QVERIFY2(same, op.name.c_str());
            QCOMPARE(same->groupSize, config.groupSize);
            QCOMPARE(same->channelAxis, config.channelAxis);
            QCOMPARE(again.plan.scale(other), model.plan.scale(slot));
        }
        QCOMPARE(groups, 7); // those of the outer graph included
    }

    /// The next iteration reads the state of a loop: it would be rounded again and again.
    void statesStayFloat()
    {
        const QTemporaryDir folder;
        const QuantModel model = quantized(folder.path().toStdString(), "TRT_INT8").model;
        const QuantModel &body = *model.plan.bodies.at(model.graph.findOperation("loop")).at("body");
        QVERIFY(body.isQuantized(body.graph.findOperation("step")));
        QVERIFY(!body.isQuantized(body.graph.findOperation("next")));
    }

    /// Activations that the network has rounded keep their grid.
    void capturedGrid()
    {
        const QTemporaryDir folder;
        const QuantModel model = quantized(folder.path().toStdString(), "TRT_INT8").model;
        const std::vector<float> &outer = model.plan.scale(outputSlot(model.graph.findOperation("first"), 0));
        for (const auto &[name, body] : model.plan.bodies.at(model.graph.findOperation("if")))
            QCOMPARE(body->plan.scale(inputSlot(body->graph.findOperation(name + "_1"), 0)), outer);
    }

    /// A weight that an override leaves in float32 is not rounded in the body either.
    void floatWeight()
    {
        const QTemporaryDir folder;
        const QuantModel model =
            quantized(folder.path().toStdString(), "TRT_INT8", false,
                      R"([{"match": {"op": "if", "variable": "then_branch_w1"}, "set": {"state": "fp32"}}])")
                .model;
        const QuantModel &body = *model.plan.bodies.at(model.graph.findOperation("if")).at("then_branch");
        QVERIFY(!body.plan.simulated(inputSlot(body.graph.findOperation("then_branch_1"), 1)));
        QVERIFY(body.plan.simulated(inputSlot(body.graph.findOperation("then_branch_2"), 1)));
    }

    /// Multiplications in bodies are in 8 bits if both operands are.
    void cost()
    {
        const QTemporaryDir folder;
        QuantModel model = quantized(folder.path().toStdString(), "TRT_INT8").model;
        QCOMPARE(costOf(model).int8Macs, 1.0);
        QCOMPARE(costOf(model).weightBytes, 64.0 + 32 + 4 * 48 + 64);
        model.plan.bodies.clear();
        QVERIFY(costOf(model).int8Macs < 0.5);
    }

    void isKeptInFiles()
    {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        const QuantModel model = quantized(base, "OPENVINO_INT8").model;
        const QuantModel again = modelFromJson(modelToJson(model));
        QVERIFY(areEqual(outputs(model.graph, &model.plan, base / "x.npz"),
                         outputs(again.graph, &again.plan, base / "x.npz")));
    }

    void neverRun()
    {
        const QTemporaryDir folder;
        const RunResult result = quantized(folder.path().toStdString(), "TRT_INT8", true);
        QCOMPARE(int(result.model.plan.bodies.at(result.model.graph.findOperation("if")).size()), 1);
        const auto &problems = result.report.problems;
        QVERIFY(std::any_of(problems.begin(), problems.end(), [](const api::Problem &problem) {
            return problem.op == "if" && problem.message.english().find("'else_branch'") != std::string::npos;
        }));
    }
};

QL_TEST(TestQuantizedBodies)
#include "tst_quantized_bodies.moc"
