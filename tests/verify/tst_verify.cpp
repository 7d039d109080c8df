// An exported file against the simulation: with runtimes of this test that execute the file in our own executor,
// changed in one known way each, and with commands that crash, hang or write garbage.
#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/dataset.h"
#include "core/io/importer.h"
#include "core/io/npz.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "core/session/verify.h"
#include "core/verify/local.h"
#include "core/verify/verify.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"
#include "tests/verify/executor_runtime.h"

#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <map>
#include <random>
#include <string>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

namespace {

/// The operation of this type whose output 0 has a name that starts so.
OpId producerOf(const Graph &graph, const std::string &type, const std::string &start)
{
    for (const OpId id : graph.operations()) {
        const Operation &op = graph.operation(id);
        if (op.type == type && graph.variable(op.outputs[0]).name.starts_with(start)) return id;
    }
    return noOp;
}

} // namespace

class TestVerify : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_folder, m_exported;
    api::Recipe m_recipe;
    std::shared_ptr<RunResult> m_quantized;
    std::shared_ptr<Dataset> m_data;

    api::VerifyReport verified(const Change &change, const fs::path &file = {}, const Dataset *data = nullptr,
                               const std::map<std::string, std::string> &facts = {})
    {
        const RuntimeEntry runtime = executorRuntime(change, facts);
        return verifyFile({.model = m_quantized->model,
                           .data = data ? *data : *m_data,
                           .exec = {},
                           .runtime = runtime,
                           .place = {},
                           .options = {},
                           .file = file.empty() ? m_exported : file},
                          JobContext());
    }
    /// What the recipe and a command of the user give. words: after the shell's script, {in} and {out}
    api::VerifyReport withCommand(const std::string &script, bool isAllowed = true, double seconds = 20)
    {
        const fs::path file = m_folder / "command.json";
        writeFileAtomically(file, nlohmann::json{{"command", {"sh", "-c", script, "sh", "{in}", "{out}"}}}.dump());
        VerifyRequest request;
        request.file = m_exported;
        request.runtime = "command";
        request.place.command = file;
        request.place.allowCommands = isAllowed;
        request.place.limits.seconds = seconds;
        request.intermediate = false;
        RunOptions options;
        options.base = m_folder;
        return verifyExport(m_recipe, request, options, JobContext());
    }

private Q_SLOTS:
    /// The interpreter is started in another folder.
    void interpretersAreFoundFromAnyFolder()
    {
        const std::filesystem::path here = std::filesystem::current_path();
        QVERIFY(runtimePlace("venv/bin/python").python == here / "venv/bin/python");
        QVERIFY(runtimePlace("/usr/bin/python3").python == "/usr/bin/python3");
        QVERIFY(runtimePlace("python3").python == "python3");
        QVERIFY(runtimePlace({}).python.empty());
    }

    void initTestCase()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_folder = m_temporary->path().toStdString();
        m_exported = m_folder / "exported.onnx";
        std::mt19937 random(5);
        std::normal_distribution<float> normal;
        std::vector<float> values(std::size_t(4 * 3 * 8 * 8));
        for (float &value : values) value = normal(random);
        const at::Tensor x = floats({4, 3, 8, 8}, values);
        writeFileAtomically(m_folder / "x.npz", [&](std::ostream &out) { writeNpz(out, {{"x", x}}); });
        m_recipe.model = QL_TEST_DATA "/models/residual.onnx";
        m_recipe.platform = "OPENVINO_INT8";
        setRecipeField(m_recipe, "passes.runtime_kernels.enabled", "false"); // the runtime here computes in float32
        m_recipe.calibration.path = (m_folder / "x.npz").string();
        m_recipe.evaluation.samples = 4;
        m_recipe.analyses.clear();
        api::StepRequest step;
        step.id = "onnx_qdq";
        step.path = m_exported.string();
        m_recipe.exports.push_back(step);
        RunOptions options;
        options.base = m_folder;
        m_quantized = std::make_shared<RunResult>(runRecipe(m_recipe, options, JobContext()));
        m_data = Dataset::open(m_recipe.calibration.path, m_quantized->model.graph, {});
    }

    void agrees()
    {
        const api::VerifyReport report = verified([](Graph &) {});
        QVERIFY(report.good);
        QCOMPARE(report.samples, 4);
        QCOMPARE(QString::fromStdString(report.how), QString("intermediate outputs"));
        QCOMPARE(report.outputs.size(), std::size_t(1));
        QCOMPARE(report.outputs[0].equal, 1.0);
        QVERIFY(report.outputs[0].step.has_value());
        QVERIFY(!report.outputs[0].sqnrRuntimeSimulator); // exact
        QVERIFY(report.outputs[0].sqnrRuntimeFloat.value() > 20);
        QVERIFY(report.tensors.size() >= 5);
        QVERIFY(!report.firstDivergence);
        const nlohmann::json json = report;
        const nlohmann::json again = json.get<api::VerifyReport>();
        QCOMPARE(again.dump(), json.dump());
    }

    /// Nothing computes an output that is an input, which others round, or a constant.
    void outputsThatNothingComputes()
    {
        auto model = m_quantized->model;
        std::vector<VarId> outputs = model.graph.outputs();
        const VarId input = model.graph.inputs().at(0);
        VarId constant = noVar;
        for (const VarId id : model.graph.variables())
            if (constant == noVar && model.graph.isParameter(id)) constant = id;
        outputs.insert(outputs.end(), {input, constant});
        model.graph.setOutputs(outputs);
        const fs::path file = m_folder / "more_outputs.onnx";
        exportModel("onnx_qdq", model, file, nlohmann::json::object(), [](const api::Problem &) {});
        const RuntimeEntry runtime = executorRuntime([](Graph &) {}, {});
        const api::VerifyReport report = verifyFile(
            {.model = model, .data = *m_data, .exec = {}, .runtime = runtime, .place = {}, .options = {}, .file = file},
            JobContext());
        QVERIFY(report.good);
        QCOMPARE(report.outputs.size(), std::size_t(3));
        for (const api::TensorAgreement &row : report.outputs) QCOMPARE(row.equal, 1.0);
    }

    void sessionsMayDiffer()
    {
        const auto notes = [&](const std::map<std::string, std::string> &facts) {
            return verified([](Graph &) {}, {}, nullptr, facts).notes;
        };
        QVERIFY(notes({{"instructions", "avx2"}}).empty());
        QCOMPARE(notes({{"sessions", "differ"}}).size(), std::size_t(1));
    }

    /// As OpenVINO does: the Conv before the Add is clamped to its codes, not rounded, and the codes are right if they
    /// are an output.
    void findsAFusedOperation()
    {
        const api::VerifyReport report = verified([](Graph &graph) {
            const OpId quantize = producerOf(graph, "QuantizeLinear", "c2_");
            if (quantize == noOp) return; // cut off
            const VarId raw = graph.operation(quantize).inputs[0], rounded = graph.findVariable("c2");
            const OpId add = graph.findOperation("add");
            if (add == noOp) return;
            for (std::size_t i = 0; i < 2; ++i)
                if (graph.operation(add).inputs[i] == rounded) graph.setInput(add, i, raw);
        });
        QVERIFY(!report.good || report.outputs[0].equal < 1);
        QVERIFY(report.firstDivergence.has_value());
        QCOMPARE(QString::fromStdString(report.firstDivergence->op), QString("add"));
        QVERIFY2(report.firstDivergence->cause == api::cause::fused,
                 report.firstDivergence->evidence.english().c_str());
        QVERIFY(report.firstDivergence->evidence.english().find("'c2'") != std::string::npos);
    }

    /// A file that was changed by hand.
    void findsAnotherScale()
    {
        const fs::path changed = m_folder / "changed.onnx";
        std::string bytes = readFile(m_exported);
        const float scale = scaleOf("a");
        QCOMPARE(replaceFloat(bytes, scale, scale * 1.5f), 1);
        writeFileAtomically(changed, bytes);
        const api::VerifyReport other = verified([](Graph &) {}, changed);
        QVERIFY(other.outputs[0].equal < 1);
        QVERIFY(other.firstDivergence.has_value());
        QCOMPARE(QString::fromStdString(other.firstDivergence->tensor), QString("a"));
        QCOMPARE(QString::fromStdString(other.firstDivergence->cause), QString(api::cause::encoding));
    }

    /// A constant that the tensor is computed with, compared with what the recipe exports.
    void findsAChangedWeight()
    {
        RuntimeEntry runtime = executorRuntime([](Graph &) {}, {});
        runtime.find = [](const RuntimePlace &, const JobContext &) {
            api::RuntimeItem item;
            item.found = true;
            return item;
        };
        static const Registrar<RuntimeEntry> registered("executor", runtime);
        const Graph &graph = m_quantized->model.graph;
        const auto order = graph.topological();
        const auto conv =
            std::find_if(order.begin(), order.end(), [&](OpId id) { return graph.operation(id).type == "Conv"; });
        QVERIFY(conv != order.end());
        const std::vector<float> scales = m_quantized->model.plan.scale(inputSlot(*conv, 1));
        QVERIFY(scales.size() > 1);
        std::string bytes = readFile(m_exported);
        QCOMPARE(replaceFloat(bytes, scales[1], scales[1] * 1.5f), 1);
        VerifyRequest request;
        request.file = m_folder / "weight.onnx";
        request.runtime = "executor";
        writeFileAtomically(request.file, bytes);
        RunOptions options;
        options.base = m_folder;
        const api::VerifyReport report = verifyExport(m_recipe, request, options, JobContext());
        QVERIFY(report.firstDivergence.has_value());
        QCOMPARE(QString::fromStdString(report.firstDivergence->cause), QString(api::cause::changedFile));
        const std::string evidence = report.firstDivergence->evidence.english();
        QVERIFY2(evidence.find("1 of " + std::to_string(scales.size()) + " elements of '") != std::string::npos,
                 evidence.c_str());
    }

    /// The runtime fuses differently when inner tensors are outputs: the outputs show it, and the model is cut.
    void cutsIfOutputsChangeTheNumbers()
    {
        const api::VerifyReport report = verified([](Graph &graph) {
            if (graph.outputs().size() == 1) return;
            graph.setInput(graph.findOperation("fc"), 2, noVar);
        });
        QCOMPARE(QString::fromStdString(report.how), QString("cuts"));
        QVERIFY(!report.notes.empty());
        QVERIFY(!report.firstDivergence);
        QVERIFY(report.tensors.size() >= 4);
    }

    void cutsMayFail()
    {
        const api::VerifyReport report = verified([](Graph &graph) {
            if (graph.outputs().size() > 1) graph.setInput(graph.findOperation("fc"), 2, noVar);
            if (graph.variable(graph.outputs()[0]).name.starts_with("r1")) throw Error(ErrorKind::BadData, "no kernel");
        });
        QVERIFY(report.how == "cuts" && report.tensors.size() >= 3 && !report.firstDivergence);
        QVERIFY(report.notes.back().english().find("left out: 1; the first one at 'r1': no kernel") !=
                std::string::npos);
    }

    /// A tensor may have another code in the model that is cut at it than in a longer one, where the runtime has the
    /// simulator's values.
    void valuesOfTheWholeModelDoNotDiffer()
    {
        const QuantModel &model = m_quantized->model;
        const Graph &graph = model.graph;
        std::map<std::string, FileTensor> file;
        for (const char *name : {"r1", "a"}) file[name].name = name;
        const std::vector<AlignedTensor> tensors = alignedTensors(model, file);
        QCOMPARE(tensors.size(), std::size_t(2));
        const Executor executor(graph, {"cpu", 1});
        ProgramSpec spec;
        for (const AlignedTensor &tensor : tensors) spec.outputs.push_back(tensor.variable);
        spec.plan = &model.plan;
        const Program simulator = executor.compile(spec);
        std::vector<at::Tensor> first, second;
        for (std::size_t batch = 0; batch < m_data->size(); ++batch) {
            const auto values = simulator.run(m_data->batch(batch), {});
            first.push_back(values[0].clone(at::MemoryFormat::Contiguous));
            second.push_back(values[1].contiguous());
            first.back().flatten()[27] += 3 * tensors[0].steps.scale[0];
        }
        const auto ofRuntime = [&](std::size_t batch, const AlignedTensor &tensor) {
            return (tensor.variable == tensors[0].variable ? first : second)[batch];
        };
        const JobContext job;
        const LocalContext context{model, executor, *m_data, tensors, tensors.size(), ofRuntime, job};
        QVERIFY(localAgreement(context, 1).differing > 0);
        QCOMPARE(localAgreement(context, 1, second).differing, std::int64_t(0));
    }

    /// As OpenVINO rounds the first Conv of squeezenet1.1 on processors with AVX2: to multiples of another step.
    void findsAnotherStep()
    {
        const api::VerifyReport report = verified([](Graph &graph) {
            const OpId quantize = producerOf(graph, "QuantizeLinear", "a_");
            if (quantize == noOp) return;
            const VarId x = graph.operation(quantize).inputs[0], scale = graph.operation(quantize).inputs[1];
            const VarId twice = addNode(graph, "Add", {scale, scale}), four = addNode(graph, "Add", {twice, twice});
            const VarId rounded = addNode(graph, "Round", {addNode(graph, "Div", {x, four})});
            graph.setInput(quantize, 0, addNode(graph, "Mul", {rounded, four}));
        });
        QVERIFY(report.firstDivergence.has_value());
        QCOMPARE(QString::fromStdString(report.firstDivergence->tensor), QString("a"));
        QCOMPARE(QString::fromStdString(report.firstDivergence->cause), QString(api::cause::encoding));
        QVERIFY(report.firstDivergence->evidence.english().find("multiples of") != std::string::npos);
    }

    void findsAnotherRounding()
    {
        const api::VerifyReport report = verified([](Graph &graph) {
            const OpId quantize = producerOf(graph, "QuantizeLinear", "a_");
            if (quantize == noOp) return;
            // x -> Floor(x / s) * s -> QuantizeLinear
            const VarId x = graph.operation(quantize).inputs[0], scale = graph.operation(quantize).inputs[1];
            const VarId down = addNode(graph, "Floor", {addNode(graph, "Div", {x, scale})});
            graph.setInput(quantize, 0, addNode(graph, "Mul", {down, scale}));
        });
        QVERIFY(report.firstDivergence.has_value());
        QCOMPARE(QString::fromStdString(report.firstDivergence->tensor), QString("a"));
        QCOMPARE(QString::fromStdString(report.firstDivergence->cause), QString(api::cause::rounding));
        QVERIFY(report.firstDivergence->evidence.english().find("'down'") != std::string::npos);
    }

    /// The runtime rounds an input between two codes to the other one, which a model cut after it cannot show.
    void findsTiesOfAnInput()
    {
        const Graph &graph = m_quantized->model.graph;
        const Use use = graph.variable(graph.findVariable("x")).uses[0];
        const float step = m_quantized->model.plan.scale(inputSlot(use.op, std::size_t(use.index)))[0];
        std::vector<float> values(std::size_t(4 * 3 * 8 * 8));
        for (std::size_t i = 0; i < values.size(); ++i) // one in each channel is just above the border
            values[i] = step * (i % 64 == 27 ? 3.5001f : float(i % 50) - 25);
        const fs::path file = m_folder / "ties.npz";
        writeFileAtomically(file, [&](std::ostream &out) { writeNpz(out, {{"x", floats({4, 3, 8, 8}, values)}}); });
        const auto data = Dataset::open(file.string(), graph, {});
        const auto below = [step](Graph &other) {
            const OpId quantize = producerOf(other, "QuantizeLinear", "x_");
            const VarId shift = other.addParameter("shift", floats({1}, {-3e-4f * step}));
            other.setInput(quantize, 0, addNode(other, "Add", {other.findVariable("x"), shift}));
            const OpId fc = other.findOperation("fc");
            if (other.outputs().size() > 1 && fc != noOp) other.setInput(fc, 2, noVar); // so that it is cut
        };
        const api::VerifyReport report = verified(below, {}, data.get());
        QCOMPARE(QString::fromStdString(report.how), QString("cuts"));
        QVERIFY(report.firstDivergence.has_value());
        const std::string evidence = report.firstDivergence->evidence.english();
        QVERIFY2(report.firstDivergence->cause == api::cause::tie, evidence.c_str());
        QVERIFY2(evidence.find("rounds 'x', 12 of whose elements") != std::string::npos, evidence.c_str());
    }

    /// As AIMET and others: halves go up. Half of the ties of the input are then rounded otherwise.
    void findsAnotherRoundingOfAnInput()
    {
        const Graph &graph = m_quantized->model.graph;
        const Use use = graph.variable(graph.findVariable("x")).uses[0];
        const float step = m_quantized->model.plan.scale(inputSlot(use.op, std::size_t(use.index)))[0];
        std::vector<float> values(std::size_t(4 * 3 * 8 * 8));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = step * (float(i * 37 % 50) - 24.5f);
        const fs::path file = m_folder / "halves.npz";
        writeFileAtomically(file, [&](std::ostream &out) { writeNpz(out, {{"x", floats({4, 3, 8, 8}, values)}}); });
        const auto data = Dataset::open(file.string(), graph, {});
        const auto up = [](Graph &other) {
            const OpId quantize = producerOf(other, "QuantizeLinear", "x_");
            const VarId half = other.addParameter("half", floats({1}, {0.5001f})); // whatever Div rounds
            const VarId scale = other.operation(quantize).inputs[1];
            const VarId code = addNode(other, "Div", {other.findVariable("x"), scale});
            const VarId rounded = addNode(other, "Floor", {addNode(other, "Add", {code, half})});
            other.setInput(quantize, 0, addNode(other, "Mul", {rounded, scale}));
            const OpId fc = other.findOperation("fc");
            if (other.outputs().size() > 1 && fc != noOp) other.setInput(fc, 2, noVar); // so that it is cut
        };
        const api::VerifyReport report = verified(up, {}, data.get());
        QVERIFY(report.firstDivergence.has_value());
        const std::string evidence = report.firstDivergence->evidence.english();
        QVERIFY2(report.firstDivergence->cause == api::cause::rounding, evidence.c_str());
        QVERIFY2(evidence.find("rounds 'x'") != std::string::npos && evidence.find("'half_up'") != std::string::npos,
                 evidence.c_str());
    }

    void commands_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("message");
        QTest::newRow("crash") << "kill -SEGV $$"
                               << "crashed";
        QTest::newRow("failure") << "echo cannot reach the board >&2; exit 5"
                                 << "cannot reach the board";
        QTest::newRow("no memory for a library") << "echo lib.so: failed to map segment from shared object >&2; exit 1"
                                                 << "ran out of memory";
        QTest::newRow("hang") << "sleep 100"
                              << "did not end within";
        QTest::newRow("garbage") << "echo hello > \"$2\""
                                 << "results cannot be read";
        QTest::newRow("no result") << "true"
                                   << "wrote no";
        QTest::newRow("other tensors") << "cp \"$1\" \"$2\""
                                       << "no tensor 'y'";
    }
    void commands()
    {
        QFETCH(QString, script);
        QFETCH(QString, message);
        const bool hangs = QByteArray(QTest::currentDataTag()) == "hang";
        const QString error = messageOf([&] { withCommand(script.toStdString(), true, hangs ? 0.3 : 60); });
        QVERIFY2(error.contains(message), qPrintable(error));
    }

    void commandsNeedConsent()
    {
        const QString error = messageOf([&] { withCommand("touch started", false); });
        QVERIFY2(error.contains("--allow-commands"), qPrintable(error));
        QVERIFY(!fs::exists(m_folder / "started"));
    }

    /// A recipe may name the command itself. It is started in the recipe's folder, with the same consent.
    void aRecipeMayNameTheCommand()
    {
        api::Recipe recipe = m_recipe;
        recipe.runtimeCommand = {"sh", "-c", "touch begun; echo no board here >&2; exit 4", "sh", "{in}", "{out}"};
        QVERIFY(api::recipeFromJson(api::JsonText::wrap(api::toJson(recipe), "recipe")) == recipe);
        VerifyRequest request;
        request.file = m_exported;
        RunOptions options;
        options.base = m_folder;
        const auto message = [&] { return messageOf([&] { verifyExport(recipe, request, options, JobContext()); }); };
        QVERIFY2(message().contains("--allow-commands"), qPrintable(message()));
        options.recipeFile = (m_folder / "r.quantloupe").string();
        writeFileAtomically(options.recipeFile, api::toJson(recipe).dump());
        QVERIFY2(message().contains("--allow-commands"), qPrintable(message()));
        QVERIFY(!fs::exists(m_folder / "begun"));
        request.place.allowCommands = true;
        QVERIFY2(message().contains("no board here"), qPrintable(message()));
        QVERIFY(fs::exists(m_folder / "begun"));
        recipe.runtimeCommand.pop_back();
        QVERIFY2(message().contains("{out}"), qPrintable(message()));
        request.runtime = "onnxruntime"; // another one, on request
        request.place.python = "/nowhere";
        QVERIFY2(message().contains("onnxruntime"), qPrintable(message()));
    }

    void aCommandMayBeRight()
    {
        // The right answers, one file per batch
        InferRequest request;
        request.input = m_recipe.calibration.path;
        request.fp32 = false;
        RunOptions options;
        options.base = m_folder;
        const auto outputs = infer(m_recipe, request, options, JobContext());
        const fs::path answers = m_folder / "answers";
        fs::create_directory(answers);
        for (std::int64_t k = 0; k < 4; ++k)
            writeFileAtomically(answers / (std::to_string(k + 1) + ".npz"), [&](std::ostream &out) {
                writeNpz(out, {{"y", outputs[0].second.narrow(0, k, 1).contiguous()}});
            });
        const api::VerifyReport report = withCommand("echo x >> answers/count; "
                                                     "cp answers/$(wc -l < answers/count | tr -d ' ').npz \"$2\"");
        QVERIFY(report.good);
        QCOMPARE(report.samples, 4);
        QCOMPARE(report.outputs[0].equal, 1.0);
    }

    void aCancelledCommandEnds()
    {
        const ScratchFolder folder;
        const JobContext job;
        job.cancel();
        bool isCancelled = false;
        try {
            runChild({"sleep", "infinity"}, {}, folder.path(), folder.path() / "log", {}, job);
        } catch (const Cancelled &) {
            isCancelled = true;
        }
        QVERIFY(isCancelled);
    }

    void limitsMemory()
    {
        const ScratchFolder folder;
        const ChildLimits limits{.seconds = 60, .memory = std::int64_t(64) << 20};
        const ChildResult result =
            runChild({"sh", "-c", "ulimit -v"}, {}, folder.path(), folder.path() / "log", limits, JobContext());
        QCOMPARE(result.exitCode, 0);
        QCOMPARE(QString::fromStdString(result.output).trimmed(), QString("65536"));
    }

    /// Programs in place of Python: one that answers nothing, one that fails.
    void interpreters_data()
    {
        QTest::addColumn<QString>("script");
        QTest::addColumn<QString>("message");
        QTest::newRow("silent") << "exit 0"
                                << "/python succeeded, but its reply cannot be read";
        QTest::newRow("garbage") << "echo '{' > \"$(dirname \"$2\")/reply.json\"; exit 0"
                                 << "reply cannot be read";
        QTest::newRow("failure") << "echo no such module; exit 3"
                                 << "no such module";
        QTest::newRow("not installed") << "echo No module named onnxruntime; exit 64"
                                       << "(not installed)";
        QTest::newRow("crash") << "kill -SEGV $$"
                               << "/python crashed (Segmentation fault): it printed nothing";
    }
    void interpreters()
    {
        QFETCH(QString, script);
        QFETCH(QString, message);
        const fs::path python = m_folder / "python";
        writeFileAtomically(python, "#!/bin/sh\n" + script.toStdString() + "\n");
        fs::permissions(python, fs::perms::owner_all);
        VerifyRequest request;
        request.file = m_exported;
        request.runtime = "onnxruntime";
        request.place.python = python;
        request.place.limits.seconds = 2;
        RunOptions options;
        options.base = m_folder;
        const QString error = messageOf([&] { verifyExport(m_recipe, request, options, JobContext()); });
        QVERIFY2(error.contains("'onnxruntime' was not found") && error.contains(message), qPrintable(error));
    }

    /// It may be installed, and too slow for the limit.
    void slowInterpreter()
    {
        const fs::path python = m_folder / "python";
        writeFileAtomically(python, "#!/bin/sh\nsleep 60\n");
        fs::permissions(python, fs::perms::owner_all);
        VerifyRequest request;
        request.file = m_exported;
        request.runtime = "onnxruntime";
        request.place.python = python;
        request.place.limits.seconds = 1;
        RunOptions options;
        options.base = m_folder;
        const Error error = errorOf([&] { verifyExport(m_recipe, request, options, JobContext()); });
        const QString message = QString::fromStdString(error.message.english());
        QVERIFY2(message.contains("time limit of 1 s") && !message.contains("not found"), qPrintable(message));
        QVERIFY(error.remedy.english().find("--time-limit") != std::string::npos);
    }

    /// Only a module that the driver itself imports is reported as not installed: a package may be incomplete.
    void incompletePackages()
    {
        const fs::path packages = m_folder / "packages", python = m_folder / "python";
        fs::create_directories(packages / "numpy");
        writeFileAtomically(python, "#!/bin/sh\nPYTHONPATH='" + packages.string() + "' exec python3 -S \"$@\"\n");
        fs::permissions(python, fs::perms::owner_all);
        const auto missing = [&] {
            const auto &entry = Registry<RuntimeEntry>::instance().at("onnxruntime", QL_TEXT("runtime"));
            RuntimePlace place;
            place.python = python;
            return entry.find(place, JobContext()).missing.english();
        };
        writeFileAtomically(packages / "numpy" / "__init__.py", "");
        QCOMPARE(missing(), std::string("not installed"));
        writeFileAtomically(packages / "onnxruntime.py", "import no_such_part\n");
        QVERIFY2(missing().find("No module named 'no_such_part'") != std::string::npos, missing().c_str());
        writeFileAtomically(packages / "onnxruntime.py", "import importlib\nimportlib.import_module('no_such_part')\n");
        QVERIFY2(missing().find("No module named 'no_such_part'") != std::string::npos, missing().c_str());
    }

    void missing()
    {
        VerifyRequest request;
        request.file = m_exported;
        request.runtime = "onnxruntime";
        request.place.python = m_folder / "no-python";
        RunOptions options;
        options.base = m_folder;
        const Error error = errorOf([&] { verifyExport(m_recipe, request, options, JobContext()); });
        QVERIFY(error.message.english().find("was not found") != std::string::npos);
        QVERIFY(error.remedy.english().find("runtimes install onnxruntime") != std::string::npos);
    }

private:
    float scaleOf(const std::string &tensor) const
    {
        const Graph &graph = m_quantized->model.graph;
        const Variable &variable = graph.variable(graph.findVariable(tensor));
        return m_quantized->model.plan.scale(outputSlot(variable.producer)).at(0);
    }
    /// @returns how often it was found; the first one is replaced
    static int replaceFloat(std::string &bytes, float from, float to)
    {
        const std::string old(reinterpret_cast<const char *>(&from), sizeof from);
        const std::string now(reinterpret_cast<const char *>(&to), sizeof to);
        int found = 0;
        for (std::size_t at = bytes.find(old); at != std::string::npos; at = bytes.find(old, at + 1), ++found)
            if (found == 0) bytes.replace(at, old.size(), now);
        return found;
    }
};

QL_TEST(TestVerify)
#include "tst_verify.moc"
