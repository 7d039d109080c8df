// What the file with packed matrices says of the others.
#include "core/export/exporter.h"
#include "core/io/onnx/write.h"
#include "core/session/run.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

class TestMatMulNBits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void notes_data()
    {
        QTest::addColumn<bool>("odd");
        QTest::addColumn<int>("notes");
        QTest::newRow("a product of activations has no weights to pack") << false << 0;
        QTest::newRow("one of several matrices has, but no packed form") << true << 1;
    }
    void notes()
    {
        QFETCH(bool, odd);
        QFETCH(int, notes);
        SmallGraph g;
        g.input("x", {1, 3, 32});
        g.parameter("w", noise({32, 32}, 2));
        g.parameter("v", noise({1, 3, 8}, 3));
        g.op("MatMul", "project", {"x", "w"}, {"h"});
        g.op("Transpose", "turn", {"x"}, {"t"}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
        g.op("MatMul", "scores", {"h", "t"}, {"s"});
        if (odd) g.op("MatMul", "mix", {"s", "v"}, {"y"});
        g.output(odd ? "y" : "s");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        writeOnnx(g.graph, base / "float.onnx", {});
        api::Recipe recipe;
        recipe.model = (base / "float.onnx").string();
        recipe.platform = "WEIGHT_ONLY";
        recipe.calibration.path = "random:2,seed=3";
        recipe.analyses.clear();
        recipe.threads = 1;
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        QVERIFY(model.isQuantized(model.graph.findOperation("scores")));
        const ExportResult result = exportModel("onnx_matmul_nbits", model, base / "q.onnx", {}, [](api::Problem) {});
        QCOMPARE(int(result.notes.size()), notes);
    }
};

QL_TEST(TestMatMulNBits)
#include "tst_matmul_nbits.moc"
