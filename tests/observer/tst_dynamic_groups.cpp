// Scales by group that are computed at run time; the expected values follow from the formats by hand.
#include "core/quant/quantize.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>

#include <QtTest>

using namespace ql;
using namespace ql::test;

class TestDynamicGroups : public QObject
{
    Q_OBJECT

private:
    static TensorQuantConfig dynamicGroups(int axis, int bits, std::int64_t lowest, std::int64_t highest)
    {
        TensorQuantConfig config;
        config.bits = bits;
        config.quantMin = lowest;
        config.quantMax = highest;
        config.channelAxis = axis;
        config.groupSize = 4;
        config.dynamic = true;
        return config;
    }
    static TensorQuantConfig floating(int bits, int exponentBits, std::int64_t largest, ScaleFormat scales)
    {
        TensorQuantConfig config = dynamicGroups(1, bits, -largest, largest);
        config.exponentBits = exponentBits;
        config.scaleFormat = scales;
        return config;
    }
    /// Also in place and along another axis.
    static void compare(const at::Tensor &x, TensorQuantConfig config, const at::Tensor &wanted)
    {
        config.validate();
        const at::Tensor before = x.clone();
        QVERIFY(at::equal(fakeQuant(x, config, {}, {}), wanted));
        QVERIFY(at::equal(x, before));
        at::Tensor own = x.clone();
        fakeQuantInPlace(own, config, {}, {});
        QVERIFY(at::equal(own, wanted));
        config.channelAxis = 0;
        QVERIFY(at::equal(fakeQuant(x.t().contiguous(), config, {}, {}).t(), wanted));
    }

private Q_SLOTS:
    /// In every test the last group of a row is smaller, and one group is zero.
    void integers()
    {
        // Steps: 1 and 0.5, none and 2
        compare(floats({2, 6}, {127, 1.4F, -2.5F, 63.7F, -63.5F, 0.7F, 0, 0, 0, 0, 254, -3.4F}),
                dynamicGroups(1, 8, -127, 127), floats({2, 6}, {127, 1, -2, 64, -63.5F, 0.5F, 0, 0, 0, 0, 254, -4}));
    }

    void asymmetricIntegers()
    {
        TensorQuantConfig config = dynamicGroups(1, 8, 0, 255);
        config.symmetric = false; // steps: 1 with zero point 1, none, 2 without zero point
        compare(floats({1, 9}, {-1, 254, 10.4F, 0, 0, 0, 0, 0, 510}), config,
                floats({1, 9}, {-1, 254, 10, 0, 0, 0, 0, 0, 510}));
    }

    void mxfp8()
    {
        // Scales 1 (300 and 500 have exponent 8, as 448 has) and 1/256: 1.75 is the largest exponent of the group
        compare(floats({2, 6}, {300, 1, 0.3F, -17, 3, 500, 0, 0, 0, 0, 1.7F, -1}),
                floating(8, 4, 448, ScaleFormat::E8M0),
                floats({2, 6}, {288, 1, 0.3125F, -16, 3, 448, 0, 0, 0, 0, 1.75F, -1}));
    }

    void mxfp4()
    {
        // Scales 1 and 2: 15 saturates at 12; ties to even
        compare(floats({2, 6}, {6, 2.4F, -0.2F, 5, 15, 1, 0, 0, 0, 0, 3, -0.8F}), floating(4, 2, 6, ScaleFormat::E8M0),
                floats({2, 6}, {6, 2, 0, 4, 12, 1, 0, 0, 0, 0, 3, -0.75F}));
    }

    void nvfp4()
    {
        // The scale of the tensor is 448 / 448 = 1, those of the groups 448, 3, 1.05 -> 1 (steps of 1/8), the smallest
        compare(floats({2, 6}, {2688, -448, 0, 1344, 6.3F, -2.6F, 18, -9, 4, 1, 0, 0}),
                floating(4, 2, 6, ScaleFormat::E4M3),
                floats({2, 6}, {2688, -448, 0, 1344, 6, -3, 18, -9, 4.5F, 1.5F, 0, 0}));
        const at::Tensor nothing = floats({2, 6}, std::vector<float>(12, 0));
        compare(nothing, floating(4, 2, 6, ScaleFormat::E4M3), nothing);
    }

    /// As before, such formats are not computed at run time for whole tensors.
    void wholeTensors()
    {
        TensorQuantConfig config = floating(8, 4, 448, ScaleFormat::Float32);
        config.validate();
        config.groupSize = 0;
        QCOMPARE(QString::fromStdString(errorOf([&] { config.validate(); }).message.english()),
                 QString("floating-point formats can be dynamic only with a scale per group"));
    }
};

QL_TEST(TestDynamicGroups)
#include "tst_dynamic_groups.moc"
