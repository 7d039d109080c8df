// What openvino_qdq writes differently for OpenVINO's optimizer.
#include "core/base/file.h"
#include "core/export/exporter.h"
#include "core/session/import_encodings.h"
#include "core/session/run.h"
#include "tests/export/exported_model.h"
#include "tests/support/onnx_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

using namespace ql;

class TestOpenVinoForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// OpenVINO gives a Concat one scale per entry of its axis, and does not load a model in which a MatMul reads that,
    /// unless a Max is between the Concat and its rounding.
    void concatAheadOfMatMul_data()
    {
        QTest::addColumn<int>("axis");
        QTest::addColumn<QString>("between");
        QTest::newRow("rows") << 1 << "";
        QTest::newRow("rows, Relu") << 1 << "Relu";
        QTest::newRow("rows, Sigmoid") << 1 << "Sigmoid";
        QTest::newRow("columns") << 2 << "";
    }
    void concatAheadOfMatMul()
    {
        QFETCH(const int, axis);
        QFETCH(const QString, between);
        test::OnnxModel m;
        m.input("x", {1, 4, 4});
        m.output("y");
        m.weight("v", {4, 4}, {1, -2, 3, .5f, 2, 1, -1, .25f, .75f, 1, 2, -3, 1, .5f, -.25f, 2});
        const std::int64_t columns = axis == 1 ? 4 : 8;
        m.weight("w", {columns, 2}, std::vector<float>(std::size_t(2 * columns), .5f));
        m.node("MatMul", "left", {"x", "v"}, {"a"});
        m.node("Sigmoid", "right", {"a"}, {"b"});
        m.attribute(m.node("Concat", "join", {"a", "b"}, {"c"}), "axis", onnx::AttributeProto::INT)->set_i(axis);
        if (!between.isEmpty()) m.node(between.toStdString(), "between", {"c"}, {"d"});
        m.node("MatMul", "last", {between.isEmpty() ? "c" : "d", "w"}, {"y"});
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        m.save(base / "m.onnx");
        api::Recipe recipe;
        recipe.model = (base / "m.onnx").string();
        recipe.platform = "OPENVINO_INT8";
        recipe.calibration.path = "random:4,seed=3";
        recipe.analyses.clear();
        const QuantModel model = runRecipe(recipe, {}, {}).model;
        exportModel("openvino_qdq", model, base / "q.onnx", {}, [](api::Problem) {});
        const Graph opened = test::opened(base / "q.onnx");
        const Operation &join = test::op(opened, "join");
        const auto &readers = opened.variable(join.outputs[0]).uses;
        QCOMPARE(readers.size(), std::size_t(1));
        const bool isSeparated = opened.operation(readers[0].op).type == "Max";
        QCOMPARE(isSeparated, axis == 1 && between != "Sigmoid");
        if (isSeparated && between.isEmpty()) { // read back without it
            const auto imported = importEncodings({(base / "q.onnx").string(), recipe.model, recipe.platform}, {});
            QVERIFY(imported.problems.empty());
            const QuantModel again = runRecipe(imported.recipe, {}, {}).model;
            exportModel("openvino_qdq", again, base / "again.onnx", {}, [](api::Problem) {});
            QVERIFY(readFile(base / "q.onnx") == readFile(base / "again.onnx"));
        }
    }
};

QL_TEST(TestOpenVinoForms)
#include "tst_openvino_forms.moc"
