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

    void interpolatesAsTheRuntime_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("shape");
        QTest::addColumn<std::vector<float>>("scales");
        QTest::addColumn<std::vector<float>>("wanted");
        QTest::newRow("three axes") << std::vector<std::int64_t>{1, 2, 5} << std::vector<float>{1, 1, 1.6f}
                                    << std::vector<float>{
                                           -0x1.b3e454p+3f, -0x1.c00002p+1f, 0x1.282982p+3f, 0x1.aaeb4p+2f,
                                           0x1.058376p+2f,  0x1.806eb2p+0f,  -0x1.15307p+0f, -0x1.722984p+1f,
                                           -0x1.c1badp+2f,  -0x1.1ac1bcp+3f, -0x1.36eb4p+3f, 0x1.2f914cp+2f,
                                           0x1.55c8a6p+3f,  0x1.0314cp+3f,   0x1.60c1bcp+2f, 0x1.d9f22cp+1f};
        QTest::newRow("images") << std::vector<std::int64_t>{1, 1, 3, 4} << std::vector<float>{1, 1, 1.5f, 0.7f}
                                << std::vector<float>{-0x1.15403ep+3f, 0x1.b6bbcep+2f,  -0x1.8e258ep+2f,
                                                      -0x1.6a4138p+0f, -0x1.fd5d48p+0f, -0x1.f9691ap+2f,
                                                      0x1.4a75fp+2f,   -0x1.7cdecap-1f};
        QTest::newRow("volumes") << std::vector<std::int64_t>{1, 1, 2, 3, 4} << std::vector<float>{1, 1, 1, 0.5f, 1.5f}
                                 << std::vector<float>{-0x1.08375ap+3f, -0x1.c0dd68p+1f, 0x1.1bacfcp-1f,
                                                       -0x1.19f226p+1f, 0x1.dbacfap+0f,  0x1.a6eb3ep+2f,
                                                       -0x1.ab3e44p+1f, -0x1.59f22ap+2f, -0x1.78efdep+2f,
                                                       0x1.c65778p-2f,  -0x1.4c1b4p-5f,  -0x1.0dd67ap+1f};
    }
    void interpolatesCubicallyAsTheRuntime_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("shape");
        QTest::addColumn<std::vector<float>>("scales");
        QTest::addColumn<std::vector<float>>("wanted");
        QTest::newRow("both axes") << std::vector<std::int64_t>{1, 1, 3, 4} << std::vector<float>{1, 1, 1.5f, 0.7f}
                                   << std::vector<float>{-0x1.32df32p+3f, 0x1.505ce4p+3f,  -0x1.d5fceap+2f,
                                                         -0x1.9e9d1p+1f,  -0x1.8baf12p+0f, -0x1.8e09bp+3f,
                                                         0x1.6e0a9p+2f,   -0x1.296c9cp+0f};
        QTest::newRow("one axis") << std::vector<std::int64_t>{1, 2, 2, 5} << std::vector<float>{1, 1, 1, 1.6f}
                                  << std::vector<float>{
                                         -0x1.f89e98p+3f, -0x1.ac0884p+1f, 0x1.48b8dap+3f,  0x1.06bb36p+3f,
                                         0x1.f5b48cp+1f,  0x1.9b91bcp+0f,  -0x1.72cfacp+0f, -0x1.a34c98p+1f,
                                         -0x1.a92946p+2f, -0x1.55851cp+3f, -0x1.457efep+3f, 0x1.5d61acp+2f,
                                         0x1.b11fd2p+3f,  0x1.08deb6p+3f,  0x1.4959ecp+2f,  0x1.a8cf14p+1f,
                                         -0x1.8db76p-5f,  -0x1.e0373cp+0f, -0x1.3ba62ap+2f, -0x1.cf9cp+2f,
                                         -0x1.711c12p+3f, -0x1.b319b8p+3f, 0x1.4282p-6f,    0x1.8e3dbep+3f,
                                         0x1.a2f268p+2f,  0x1.2e0006p+2f,  0x1.a99eb4p+0f,  -0x1.4c7148p-1f,
                                         -0x1.c890a4p+1f, -0x1.783e28p+2f, -0x1.1deb4p+3f,  -0x1.586472p+3f};
    }
    void interpolatesCubicallyAsTheRuntime() { interpolates("cubic"); }
    void interpolatesAsTheRuntime() { interpolates("linear"); }

private:
    /// Bit for bit. Values: of ONNX Runtime 1.31.
    static void interpolates(const std::string &mode)
    {
        QFETCH(std::vector<std::int64_t>, shape);
        QFETCH(std::vector<float>, scales);
        QFETCH(std::vector<float>, wanted);
        SmallGraph small;
        small.input("x", shape);
        const at::Tensor factors = test::floats({std::int64_t(scales.size())}, scales);
        small.parameter("scales", factors);
        const OpId id = small.op("Resize", "resize", {"x", "", "scales"}, {"y"}, {{"mode", mode}});
        const KernelContext context{small.graph.operation(id), small.graph};
        std::int64_t count = 1;
        for (const std::int64_t size : shape) count *= size;
        std::vector<float> numbers;
        for (std::int64_t i = 0; i < count; ++i) numbers.push_back(float(i * 7919 % 1009 - 504) / 37);
        const std::vector<at::Tensor> inputs{test::floats(shape, numbers), at::Tensor(), factors};
        const at::Tensor y = findKernel(context.op)->asRuntime(context, inputs).at(0);
        QVERIFY(at::equal(y.flatten(), test::floats({y.numel()}, wanted)));
        QCOMPARE(y.sizes().vec(), findKernel(context.op)->run(context, inputs).at(0).sizes().vec());
    }

private Q_SLOTS:
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
