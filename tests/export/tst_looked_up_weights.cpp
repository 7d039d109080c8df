// Weights in formats that QuantizeLinear does not have, which exported models look up in a table.
#include "core/export/exporter.h"
#include "core/io/onnx/write.h"
#include "core/quant/quantize.h"
#include "core/session/import_encodings.h"
#include "core/session/recipe_fields.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/pass/pass_support.h"
#include "tests/support/onnx_model.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

class TestLookedUpWeights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void groups_data()
    {
        QTest::addColumn<QString>("format");
        QTest::addColumn<int>("group");
        QTest::addColumn<bool>("int4");
        QTest::newRow("MXFP4") << "mxfp4" << 32 << false;
        QTest::newRow("MXFP4, two codes in a byte") << "mxfp4" << 32 << true;
        QTest::newRow("MXFP6") << "mxfp6" << 32 << true;
        QTest::newRow("NVFP4") << "nvfp4" << 16 << true;
        QTest::newRow("NF4, groups of 16") << "nf4" << 16 << false;
        QTest::newRow("NF4, groups of 32") << "nf4" << 32 << true;
        QTest::newRow("NF4, per channel") << "nf4" << 0 << true;
    }
    /// Formats without a type in QuantizeLinear: the file looks up the simulator's weights, bit by bit, also if the
    /// last group is smaller. Opened again, they are the parameters that they were.
    void groups()
    {
        QFETCH(QString, format);
        QFETCH(int, group);
        QFETCH(bool, int4);
        SmallGraph g;
        g.input("x", {1, 72});
        g.parameter("w", noise({72, 40}, 2));
        g.parameter("v", noise({5, 40}, 3)); // groups along the other axis
        g.op("MatMul", "first", {"x", "w"}, {"h"});
        g.op("Gemm", "last", {"h", "v"}, {"y"}, {{"transB", std::int64_t(1)}});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        const auto recipeOf = [&](const char *file) {
            api::Recipe recipe;
            recipe.model = (base / file).string();
            recipe.platform = "WEIGHT_ONLY";
            recipe.platformParams = {{"weight_format", format.toStdString()}, {"weight_group", group}};
            recipe.calibration.path = "random:2,seed=3";
            recipe.analyses.clear();
            recipe.threads = 1;
            return recipe;
        };
        const QuantModel model = runRecipe(recipeOf("float.onnx"), {}, {}).model;
        exportModel("onnx_qdq", model, base / "q.onnx", {{"int4", int4}}, [](api::Problem) {});

        api::Recipe recipe = recipeOf("q.onnx");
        const std::vector<api::Problem> problems = runRecipe(recipe, {}, {}).report.problems;
        QVERIFY(std::any_of(problems.begin(), problems.end(), [](const api::Problem &problem) {
            return problem.remedy.english().find("'fold_constants'") != std::string::npos;
        }));
        setRecipeField(recipe, "passes.fold_constants.enabled", "true");
        const QuantModel again = runRecipe(recipe, {}, {}).model;
        for (const char *name : {"first", "last"}) {
            const at::Tensor want =
                simulatedParameter(model.graph, model.plan, inputSlot(model.graph.findOperation(name), 1));
            const VarId read = again.graph.operation(again.graph.findOperation(name)).inputs[1];
            QVERIFY(again.graph.isParameter(read));
            QVERIFY(at::equal(again.graph.variable(read).value, want));
        }
        // Imported, they are quantized as they were, next to the float model and without it
        for (const fs::path &parent : {base / "float.onnx", fs::path()}) {
            const ImportedEncodings imported =
                importEncodings({(base / "q.onnx").string(), parent.string(), "WEIGHT_ONLY"}, {});
            QCOMPARE(imported.matched, std::size_t(2));
            api::Recipe of = imported.recipe;
            of.analyses.clear();
            of.threads = 1;
            const QuantModel same = runRecipe(of, {}, {}).model;
            for (const char *name : {"first", "last"}) {
                const Slot slot = inputSlot(model.graph.findOperation(name), 1),
                           read = inputSlot(same.graph.findOperation(name), 1);
                QVERIFY(same.plan.simulated(read));
                const TensorQuantConfig &was = *model.plan.find(slot), &is = *same.plan.find(read);
                QVERIFY(is.bits == was.bits && is.exponentBits == was.exponentBits && is.codebook == was.codebook &&
                        is.channelAxis == was.channelAxis && is.groupSize == was.groupSize);
                QCOMPARE(same.plan.scale(read), model.plan.scale(slot));
                QVERIFY(at::equal(simulatedParameter(same.graph, same.plan, read),
                                  simulatedParameter(model.graph, model.plan, slot)));
            }
        }
        if (!int4 || format == "mxfp6") return;
        const Graph file = opened(base / "q.onnx");
        QCOMPARE(file.opsets.at(""), std::int64_t(21));
        const auto ids = file.variables();
        QCOMPARE(std::count_if(ids.begin(), ids.end(),
                               [&](VarId id) { return file.isParameter(id) && file.variable(id).fileType == 21; }),
                 2);
    }

    /// Nothing rounds activations to such formats while the network runs.
    void activations()
    {
        SmallGraph g;
        g.input("x", {1, 3, 6, 6});
        g.parameter("w", noise({4, 3, 3, 3}, 2));
        g.op("Conv", "layer", {"x", "w"}, {"y"});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        api::Recipe recipe;
        recipe.model = (base / "float.onnx").string();
        recipe.platform = "TRT_INT8";
        recipe.dispatcher = "pointwise";
        recipe.calibration.path = "random:2,seed=3";
        recipe.overrides = {
            {.match = {.roles = {api::SlotRole::Input}}, .set = {.bits = 4, .exponentBits = 2, .observer = "minmax"}}};
        recipe.analyses.clear();
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        const Error error = errorOf([&] { exportModel("onnx_qdq", model, base / "q.onnx", {}, [](api::Problem) {}); });
        QCOMPARE(error.op, std::string("layer"));
        QCOMPARE(QString::fromStdString(error.remedy.english()),
                 QString("For activations, choose FP8 E4M3 (up to 448) or E5M2 (up to 57344), integer bits, or the "
                         "native format."));
    }
};

QL_TEST(TestLookedUpWeights)
#include "tst_looked_up_weights.moc"
