// Sizes that the model leaves open are open in exported models, too: a run fixes them for itself only.
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

class TestOpenSizes : public QObject
{
    Q_OBJECT

private:
    /// x -> Conv -> c -> Sigmoid -> y, without its output.
    static OnnxModel convAndSigmoid(const std::vector<std::int64_t> &inputShape)
    {
        OnnxModel m;
        m.input("x", inputShape);
        m.weight("w", {2, 3, 1, 1}, {1, 2, 3, -1, 0.5f, 2});
        m.node("Conv", "conv", {"x", "w"}, {"c"});
        m.node("Sigmoid", "sigmoid", {"c"}, {"y"});
        return m;
    }

private Q_SLOTS:
    void openSizesStayOpen()
    {
        OnnxModel m = convAndSigmoid({-1, 3, -2, -2});
        m.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        m.save(base / "open.onnx");
        const QuantModel model = quantized(base / "open.onnx", {1, 3, 4, 4}, "ONNXRUNTIME", {{"x", {1, 3, 4, 4}}});
        for (const char *format : {"onnx", "onnx_qdq"})
            for (const bool isFixed : {false, true}) {
                exportModel(format, model, base / "out.onnx", {{"fixed_shapes", isFixed}}, [](api::Problem) {});
                const Graph again = opened(base / "out.onnx");
                const TensorType &type = again.variable(again.inputs()[0]).type;
                QCOMPARE(type.isStatic(), isFixed);
                QCOMPARE((*type.shape)[1].size, std::int64_t(3));
                for (const std::int64_t side : {4, 6}) { // any size, if it is open
                    if (isFixed && side != 4) continue;
                    const Feed feed{{"x", noise({2 - isFixed, 3, side, side}, 5)}};
                    QCOMPARE(Executor(again, {"cpu", 1}).compile({}).run(feed, {})[0].size(3), side);
                }
            }
    }

    /// Sizes that the model declares and the run replaces are those of the run in the file, too.
    void replacedSizesAreWritten()
    {
        OnnxModel m = convAndSigmoid({-1, 3, 4, 4});
        OnnxModel::describe(m.graph()->add_output(), "y", {-1, 2, 4, 4});
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        m.save(base / "open.onnx");
        const QuantModel model = quantized(base / "open.onnx", {1, 3, 6, 5}, "ONNXRUNTIME", {{"x", {-1, 3, 6, 5}}});
        exportModel("onnx_qdq", model, base / "out.onnx", {}, [](api::Problem) {});
        const Graph again = opened(base / "out.onnx");
        QCOMPARE(toString(again.variable(again.inputs()[0]).type), std::string("n1x3x6x5"));
        QCOMPARE(toString(again.variable(again.outputs()[0]).type), std::string("n1x?x?x?"));
    }

    /// Tensors that the file declares no shape for have the sizes of the data in a run, not in the file.
    void cutsOfOpenModelsStayOpen()
    {
        OnnxModel m = convAndSigmoid({-1, 3, 4, 4});
        m.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString(), file = base / "out.onnx";
        m.save(base / "open.onnx");
        api::Recipe recipe;
        recipe.model = (base / "open.onnx").string();
        recipe.platform = "ONNXRUNTIME";
        recipe.analyses.clear();
        recipe.threads = 1;
        recipe.calibration.path = "random:4";
        const auto exported = [&](const api::CutPoints &cut) {
            recipe.cut = cut;
            recipe.exports = {{"onnx_qdq", true, file.string(), nlohmann::json::object()}};
            runRecipe(recipe, {}, {});
            return opened(file);
        };
        const auto isOpen = [](const Graph &graph, VarId id) { return !graph.variable(id).type.isStatic(); };
        const Graph first = exported({.inputs = {}, .outputs = {"c", "y"}});
        QVERIFY(isOpen(first, first.outputs()[0]) && isOpen(first, first.outputs()[1]));
        const Graph second = exported({.inputs = {"c"}, .outputs = {}});
        QVERIFY(isOpen(second, second.inputs()[0]) && isOpen(second, second.outputs()[0]));
        recipe.inputShapes = {{"c", {-1, 2, 6, 7}}};
        const Graph shaped = exported({.inputs = {"c"}, .outputs = {}});
        QCOMPARE(toString(shaped.variable(shaped.inputs()[0]).type), std::string("?x2x6x7"));
    }
};

QL_TEST(TestOpenSizes)
#include "tst_open_sizes.moc"
