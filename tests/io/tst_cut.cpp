#include "core/base/file.h"
#include "core/io/caffe/import.h"
#include "core/io/caffe/write.h"
#include "core/io/model_file.h"
#include "core/io/onnx/import.h"
#include "core/io/onnx/write.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace ql;
using namespace ql::test;
namespace fs = std::filesystem;

/// Other outputs for a model file.
class TestCut : public QObject
{
    Q_OBJECT

private:
    static std::vector<std::string> outputsOf(const Graph &graph)
    {
        std::vector<std::string> names;
        for (const VarId id : graph.outputs()) names.push_back(graph.variable(id).name);
        return names;
    }

private Q_SLOTS:
    void otherReadersStay_data()
    {
        QTest::addColumn<QString>("asked");
        QTest::addColumn<QStringList>("outputs");
        QTest::newRow("of tensors upstream") << "left" << QStringList{"left", "right", "scaled"};
        QTest::newRow("of graph inputs; none of the tensor itself") << "r" << QStringList{"r", "scaled"};
        QTest::newRow("none that needs tensors that are not there") << "scaled" << QStringList{"scaled", "r"};
        QTest::newRow("outputs without other readers") << "y" << QStringList{"y"};
    }
    void otherReadersStay()
    {
        QFETCH(QString, asked);
        QFETCH(QStringList, outputs);
        SmallGraph g;
        g.input("x", {1, 4});
        g.parameter("w", floats({1, 4}, {1, 2, 3, 4}));
        g.op("Relu", "relu", {"x"}, {"r"});
        g.op("Mul", "mul", {"x", "w"}, {"scaled"});
        g.op("Neg", "neg", {"r"}, {"left"});
        g.op("Exp", "exp", {"r"}, {"right"});
        g.op("Add", "add", {"left", "right"}, {"sum"});
        g.op("Sub", "sub", {"sum", "scaled"}, {"y"});
        g.output("y");
        const QTemporaryDir folder;
        const fs::path whole = folder.filePath("whole.onnx").toStdString(),
                       cut = folder.filePath("cut.onnx").toStdString();
        writeOnnx(g.graph, whole);
        Registry<ModelFileEntry>::instance().find(".onnx")->writeWithOutputs(whole, cut, {asked.toStdString()}, false);
        std::vector<std::string> expected;
        for (const QString &name : outputs) expected.push_back(name.toStdString());
        std::vector<std::string> names = outputsOf(importOnnx(cut));
        QCOMPARE(names.front(), asked.toStdString());
        std::sort(names.begin(), names.end());
        std::sort(expected.begin(), expected.end());
        QCOMPARE(names, expected);
    }

    /// Layers that no output needs are left out, the weights stay as they are.
    void caffeNet()
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", floats({1, 2, 1, 1}, {1, 2}));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"r"});
        g.op("Sigmoid", "sigmoid", {"c"}, {"s"});
        g.output("r");
        g.output("s");
        const QTemporaryDir folder;
        const fs::path base = folder.path().toStdString();
        const CaffeNet net = writeCaffe(g.graph);
        writeFileAtomically(base / "whole.prototxt", net.definition);
        writeFileAtomically(base / "whole.caffemodel", net.weights);
        const ModelFileEntry &format = *Registry<ModelFileEntry>::instance().find(".prototxt");
        const auto tensors = format.tensors(base / "whole.prototxt");
        QVERIFY(tensors.contains("c") && tensors.contains("s") && !tensors.contains("x"));
        QVERIFY(at::equal(format.parameters(base / "whole.prototxt").at("conv:0"), floats({1, 2, 1, 1}, {1, 2})));

        format.writeWithOutputs(base / "whole.prototxt", base / "cut.prototxt", {"s"}, false);
        const Graph cut = importCaffe({base / "cut.prototxt", {}, {}});
        QCOMPARE(outputsOf(cut), std::vector<std::string>{"s"});
        QCOMPARE(cut.operations().size(), std::size_t(2));
        format.writeWithOutputs(base / "whole.prototxt", base / "all.prototxt", {"s"}, true);
        QCOMPARE(importCaffe({base / "all.prototxt", {}, {}}).operations().size(), std::size_t(3));
    }
};

QL_TEST(TestCut)
#include "tst_cut.moc"
