// What ncnn_table writes differently for ncnn's kernels.
#include "core/export/exporter.h"
#include "core/io/onnx/write.h"
#include "tests/export/exported_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/tensor.h>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

using namespace ql;

class TestNcnnForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// ncnn's power of 0 is garbage: a square root is written as one.
    void squareRoots()
    {
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        test::SmallGraph g;
        g.input("x", {1, 2, 5, 6});
        g.parameter("w", test::noise({2, 2, 1, 1}, 2));
        g.parameter("half", at::tensor(0.5F));
        g.parameter("two", at::tensor({2.0F}));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Pow", "square", {"c", "two"}, {"s"});
        g.op("Pow", "root", {"s", "half"}, {"y"});
        g.output("y");
        writeOnnx(g.graph, base / "float.onnx", {});
        exportModel("ncnn_table", test::quantized(base / "float.onnx", {1, 2, 5, 6}, "NCNN_INT8"), base / "out.onnx",
                    {}, [](api::Problem) {});
        const Graph written = test::opened(base / "out.onnx");
        const Operation &root = written.operation(written.findOperation("root"));
        QCOMPARE(root.type, std::string("Sqrt"));
        QCOMPARE(root.inputs.size(), std::size_t(1));
        QCOMPARE(written.operation(written.findOperation("square")).type, std::string("Pow"));
    }
};

QL_TEST(TestNcnnForms)
#include "tst_ncnn_forms.moc"
