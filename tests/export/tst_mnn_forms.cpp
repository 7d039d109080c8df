// What mnn_json writes differently for MNN's converter and kernels.
#include "core/exec/executor.h"
#include "core/export/exporter.h"
#include "core/io/onnx/write.h"
#include "tests/export/exported_model.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/tensor.h>
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <filesystem>

using namespace ql;

class TestMnnForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// MNN computes negative pads wrongly, or crashes: a Slice crops, and the values are the same.
    void negativePads_data()
    {
        QTest::addColumn<QVector<qint64>>("pads");
        QTest::newRow("crop") << QVector<qint64>{0, 0, -1, 0, 0, 0, 0, -2};
        QTest::newRow("crop and pad one axis") << QVector<qint64>{0, 1, 2, -1, 0, -1, -1, 3};
        QTest::newRow("pad") << QVector<qint64>{0, 0, 1, 0, 0, 0, 0, 2};
    }
    void negativePads()
    {
        QFETCH(const QVector<qint64>, pads);
        const std::vector<std::int64_t> given(pads.begin(), pads.end());
        const bool crops = std::any_of(given.begin(), given.end(), [](std::int64_t pad) { return pad < 0; });
        const QTemporaryDir folder;
        const std::filesystem::path base = folder.path().toStdString();
        test::SmallGraph g;
        g.input("x", {1, 2, 5, 6});
        g.parameter("w", test::noise({2, 2, 1, 1}, 2));
        g.parameter("pads", at::tensor(given, at::kLong));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("Pad", "pad", {"c", "pads"}, {"y"});
        g.output("y");
        writeOnnx(g.graph, base / "float.onnx", {});
        exportModel("mnn_json", test::quantized(base / "float.onnx", {1, 2, 5, 6}, "MNN_INT8"), base / "out.onnx", {},
                    [](api::Problem) {});
        const Graph written = test::opened(base / "out.onnx");
        int slices = 0;
        for (const OpId id : written.operations()) {
            const Operation &op = written.operation(id);
            slices += op.type == "Slice";
            if (op.type == "Pad") QVERIFY(written.variable(op.inputs[1]).value.ge(0).all().item().toBool());
        }
        QCOMPARE(slices, crops ? 1 : 0);
        const Feed feed{{"x", test::noise({1, 2, 5, 6}, 9)}};
        const auto outputOf = [&](const Graph &graph) {
            return Executor(graph, {"cpu", 1}).compile({}).run(feed, {})[0].contiguous();
        };
        const at::Tensor want = outputOf(g.graph), got = outputOf(written);
        QVERIFY(want.sizes() == got.sizes());
        QVERIFY((want - got).abs().max().item().toDouble() < 0.05); // the file's weights are rounded
    }
};

QL_TEST(TestMnnForms)
#include "tst_mnn_forms.moc"
