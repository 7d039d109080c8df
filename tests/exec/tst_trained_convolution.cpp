#include "core/exec/trained_convolution.h"
#include "tests/support/test_main.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/randn.h>

#include <QtTest>

using namespace ql;

class TestTrainedConvolution : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stridesOfSmallKernels_data()
    {
        QTest::addColumn<int>("channels");
        QTest::addColumn<int>("kernel");
        QTest::addColumn<int>("stride");
        QTest::addColumn<bool>("isOurs");
        QTest::newRow("RGB, every second pixel") << 3 << 1 << 2 << false;
        QTest::newRow("15 channels") << 15 << 1 << 2 << false;
        QTest::newRow("16 channels") << 16 << 1 << 2 << true;
        QTest::newRow("no stride") << 3 << 1 << 1 << true;
        QTest::newRow("larger kernel") << 3 << 3 << 2 << true;
    }
    /// oneDNN would write past its scratchpad for the first two: they are left to LibTorch.
    void stridesOfSmallKernels()
    {
        QFETCH(int, channels);
        QFETCH(int, kernel);
        QFETCH(int, stride);
        const at::Tensor x = at::randn({1, channels, 8, 8}).requires_grad_();
        const at::Tensor w = at::randn({48, channels, kernel, kernel}).requires_grad_();
        ConvGeometry geometry;
        geometry.strides = {stride, stride};
        geometry.dilations = {1, 1};
        geometry.padBegin = geometry.padEnd = {0, 0};
        const at::Tensor want = at::conv2d(x, w, {}, stride);
        const at::Tensor y = convolveWithGradient(geometry, want.sizes().vec(), x, w, {});
#ifdef QL_WITH_DNNL
        QTEST(y.defined(), "isOurs");
#endif
        if (!y.defined()) return;
        QVERIFY(at::allclose(y, want, 1e-4, 1e-4));
        y.sum().backward();
        const at::Tensor gradient = w.grad().clone();
        w.mutable_grad().reset();
        want.sum().backward();
        QVERIFY(at::allclose(gradient, w.grad(), 1e-3, 1e-3));
    }
};

QL_TEST(TestTrainedConvolution)
#include "tst_trained_convolution.moc"
