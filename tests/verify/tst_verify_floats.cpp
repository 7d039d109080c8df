#include "core/io/dataset.h"
#include "core/io/onnx/write.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "core/verify/verify.h"
#include "tests/pass/pass_support.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"
#include "tests/verify/executor_runtime.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

namespace {

/// Operations take the place of the one that writes the tensor, and read what it wrote.
void replaceTensor(Graph &graph, const char *name, const std::function<VarId(VarId)> &make)
{
    const VarId tensor = graph.findVariable(name);
    const VarId raw = graph.addVariable(graph.freshName(std::string(name) + "_raw"));
    graph.setOutput(graph.variable(tensor).producer, 0, raw);
    graph.setOutput(graph.variable(make(raw)).producer, 0, tensor);
}

VarId addNumber(Graph &graph, float value)
{
    return graph.addParameter(graph.freshName("number"), floats({}, {value}));
}

} // namespace

/// Float tensors that their readers round.
class TestVerifyFloats : public QObject
{
    Q_OBJECT

private:
    /// Two float operations before a Conv, which rounds their result "e": quantized, exported and compared.
    static api::VerifyReport verifiedFloats(const char *platform, const char *exporter,
                                            const std::function<void(Graph &, float scaleOfE)> &change)
    {
        SmallGraph g;
        g.input("x", {1, 3, 8, 8});
        g.parameter("w", noise({4, 3, 1, 1}, 2));
        g.op("Erf", "erf", {"x"}, {"r"});
        g.op("Exp", "exp", {"r"}, {"e"});
        g.parameter("v", noise({2, 4, 1, 1}, 3));
        g.op("Conv", "conv", {"e", "w"}, {"c"});
        g.op("Conv", "last", {"c", "v"}, {"y"});
        g.output("y");
        return verified(g, platform, exporter, [&](Graph &graph, const QuantModel &model) {
            const Slot read = inputSlot(model.graph.findOperation("conv"), 0);
            change(graph, model.plan.scale(model.plan.root(read)).at(0));
        });
    }

    /// Quantized, exported and compared. inFloat: runs in float32 in what the file is compared with; empty: none.
    static api::VerifyReport verified(const SmallGraph &g, const char *platform, const char *exporter,
                                      const std::function<void(Graph &, const QuantModel &)> &change,
                                      const std::string &inFloat = {})
    {
        const QTemporaryDir temporary;
        const fs::path folder = temporary.path().toStdString();
        const std::string name = exporter;
        writeOnnx(g.graph, folder / (name + "_float.onnx"), {});
        writeFileAtomically(folder / "x.npz", [](std::ostream &out) {
            writeNpz(out, {{"x", noise({4, 3, 8, 8}, 5)}});
        });
        api::Recipe recipe;
        setRecipeField(recipe, "passes.runtime_kernels.enabled", "false"); // the runtime here computes in float32
        recipe.calibration.path = (folder / "x.npz").string();
        recipe.evaluation.samples = 4;
        recipe.analyses.clear();
        recipe.model = (folder / (name + "_float.onnx")).string();
        recipe.platform = platform;
        api::StepRequest step;
        step.id = name;
        step.path = (folder / (name + ".onnx")).string();
        recipe.exports.push_back(step);
        RunOptions options;
        options.base = folder;
        RunResult result = runRecipe(recipe, options, JobContext());
        if (!inFloat.empty()) {
            recipe.exports.clear();
            recipe.dispatch.push_back({.match = {.op = inFloat}, .set = {.platform = "FP32"}});
            result = runRecipe(recipe, options, JobContext());
        }
        const RuntimeEntry runtime = executorRuntime([&](Graph &graph) { change(graph, result.model); }, {});
        return verifyFile({.model = result.model,
                           .data = *Dataset::open(recipe.calibration.path, result.model.graph, {}),
                           .exec = {},
                           .runtime = runtime,
                           .place = {},
                           .options = {},
                           .file = step.path},
                          JobContext());
    }

private Q_SLOTS:
    void namesWhatIsNotFinite()
    {
        const api::VerifyReport report = verifiedFloats("MNN_INT8", "mnn_json", [&](Graph &graph, float) {
            if (graph.findVariable("e") == noVar) return;
            replaceTensor(graph, "e", [&](VarId raw) {
                return addNode(graph, "Log", {addNode(graph, "Neg", {addNode(graph, "Abs", {raw})})});
            });
        });
        QVERIFY(report.firstDivergence);
        QCOMPARE(report.firstDivergence->tensor, std::string("e"));
        const std::string evidence = report.firstDivergence->evidence.english();
        QVERIFY2(evidence.find("infinite or not a number in the runtime") != std::string::npos, evidence.c_str());
        QVERIFY(!report.outputs[0].sqnrRuntimeSimulator && report.outputs[0].equal < 1);
    }

    /// A runtime that stores a float tensor as the codes that its readers want, such as MNN.
    void comparesCodesOfReaders()
    {
        const auto rowOf = [&](bool isRounded) {
            const api::VerifyReport report = verifiedFloats("MNN_INT8", "mnn_json", [&](Graph &graph, float scale) {
                if (!isRounded || graph.findVariable("e") == noVar) return;
                replaceTensor(graph, "e", [&](VarId raw) {
                    const VarId step = addNumber(graph, scale);
                    return addNode(graph, "Mul", {addNode(graph, "Round", {addNode(graph, "Div", {raw, step})}), step});
                });
            });
            for (const api::TensorAgreement &row : report.tensors)
                if (row.name == "e") return row;
            return api::TensorAgreement();
        };
        for (const bool isRounded : {true, false}) {
            const api::TensorAgreement row = rowOf(isRounded);
            QCOMPARE(row.equal, 1.0);
            QCOMPARE(row.step.has_value(), isRounded);
        }
    }

    /// The recipe has an operation in float32 whose result the file rounds, as its reader does.
    void comparesCodesOfTheFile()
    {
        SmallGraph g;
        g.input("x", {1, 3, 8, 8});
        g.parameter("w", noise({4, 3, 1, 1}, 2));
        g.parameter("v", noise({2, 4, 1, 1}, 3));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"r"});
        g.op("Conv", "last", {"r", "v"}, {"y"});
        g.output("y");
        const api::VerifyReport report = verified(
            g, "RKNN_INT8", "onnx_qdq", [](Graph &, const QuantModel &) {}, "relu");
        const auto isRelu = [](const api::TensorAgreement &row) { return row.name == "r"; };
        const auto row = std::find_if(report.tensors.begin(), report.tensors.end(), isRelu);
        QVERIFY(row != report.tensors.end() && row->step.has_value());
    }

    /// No operation diverges, but what they add up to changes codes.
    void roundingErrorsAddUp()
    {
        const api::VerifyReport report = verifiedFloats("OPENVINO_INT8", "openvino_qdq", [](Graph &graph, float) {
            if (graph.findVariable("r") == noVar) return;
            replaceTensor(graph, "r", [&](VarId raw) {
                return addNode(graph, "Mul", {raw, addNumber(graph, 1.00009f)});
            });
        });
        QVERIFY(report.outputs[0].equal < 1);
        QVERIFY(report.firstDivergence.has_value());
        QCOMPARE(report.firstDivergence->tensor, std::string("e"));
        QCOMPARE(report.firstDivergence->cause, api::cause::tie);
        QVERIFY(report.firstDivergence->evidence.english().find("add up") != std::string::npos);
    }
};

QL_TEST(TestVerifyFloats)
#include "tst_verify_floats.moc"
