// Resize of channels-last tensors against the same values in plain order.
#include "core/exec/executor.h"
#include "core/exec/kernel.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/Context.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>
#include <QtTest>

using namespace ql;
using test::SmallGraph;

class TestResize : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { at::manual_seed(7); }

    /// ONNX Runtime 1.31 aligns the corners of the 7 elements, ONNX those of 0.7 x 11.
    void alignsCornersAsTheRuntime()
    {
        SmallGraph small;
        small.input("x", {11});
        small.parameter("scales", test::floats({1}, {0.7f}));
        const OpId id = small.op(
            "Resize", "resize", {"x", "", "scales"}, {"y"},
            {{"mode", "nearest"}, {"coordinate_transformation_mode", "align_corners"}, {"nearest_mode", "floor"}});
        const KernelContext context{small.graph.operation(id), small.graph};
        const at::Tensor x = test::floats({11}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        const std::vector<at::Tensor> inputs{x, at::Tensor(), test::floats({1}, {0.7f})};
        const KernelEntry &entry = *findKernel(context.op);
        QVERIFY(at::equal(entry.asRuntime(context, inputs).at(0), test::floats({7}, {0, 1, 3, 5, 6, 8, 10})));
        QVERIFY(at::equal(entry.run(context, inputs).at(0), test::floats({7}, {0, 1, 2, 4, 5, 7, 8})));
    }

    void isTheSameInEveryOrder_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("transform");
        QTest::addColumn<std::vector<float>>("scales");
        const auto row = [](const char *mode, const char *transform, const std::vector<float> &scales) {
            const QString name =
                QString("%1 %2 %3x%4").arg(mode, transform).arg(double(scales[2])).arg(double(scales[3]));
            QTest::newRow(qPrintable(name)) << QString(mode) << QString(transform) << scales;
        };
        row("nearest", "asymmetric", {1, 1, 2, 2});
        row("nearest", "half_pixel", {1, 1, 3, 0.5});
        row("linear", "align_corners", {1, 1, 2, 2});
        row("linear", "half_pixel", {1, 1, 1.7f, 2.3f});
        row("cubic", "half_pixel", {1, 1, 2, 2});
        row("nearest", "asymmetric", {1, 2, 1, 3}); // channels, too
        row("linear", "half_pixel", {2, 1, 1, 2});  // samples, too
    }
    void isTheSameInEveryOrder()
    {
        QFETCH(QString, mode);
        QFETCH(QString, transform);
        QFETCH(std::vector<float>, scales);
        SmallGraph small;
        small.input("x", {2, 5, 6, 7});
        small.parameter("scales", test::floats({4}, scales));
        small.op("Resize", "resize", {"x", "", "scales"}, {"y"},
                 {{"mode", mode.toStdString()}, {"coordinate_transformation_mode", transform.toStdString()}});
        small.output("y");
        small.graph.verify();
        const Executor executor(small.graph);
        const Program program = executor.compile({});
        const at::Tensor x = at::randn({2, 5, 6, 7});
        const at::Tensor plain = program.run({x}, {})[0];
        const at::Tensor last = program.run({x.contiguous(at::MemoryFormat::ChannelsLast)}, {})[0];
        QVERIFY(plain.is_contiguous());
        QVERIFY(last.is_contiguous(at::MemoryFormat::ChannelsLast));
        QVERIFY(mode == "nearest" ? at::equal(plain, last) : at::allclose(plain, last, 1e-6, 1e-6));
    }
};

QL_TEST(TestResize)
#include "tst_resize.moc"
