#include "core/quant/groups.h"
#include "core/quant/quantize.h"
#include "tests/support/error_of.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones_like.h>

#include <QtTest>

#include <cmath>
#include <set>

using namespace ql;
using namespace ql::test;

class TestGroups : public QObject
{
    Q_OBJECT

private:
    static TensorQuantConfig grouped(int axis, int size)
    {
        TensorQuantConfig config;
        config.channelAxis = axis;
        config.groupSize = size;
        return config;
    }
    static TensorQuantConfig floating(int bits, int exponentBits, std::int64_t largest)
    {
        TensorQuantConfig config;
        config.bits = bits;
        config.exponentBits = exponentBits;
        config.quantMin = -largest;
        config.quantMax = largest;
        return config;
    }
    /// What a config with scale 1 makes of many numbers, without the negative ones.
    static std::set<float> representable(const TensorQuantConfig &config, double largest)
    {
        const at::Tensor y = fakeQuant(at::linspace(0, largest * 1.25, 4001), config, {1.0F}, {0});
        return {y.data_ptr<float>(), y.data_ptr<float>() + y.numel()};
    }

private Q_SLOTS:
    void rowsAreInTheOrderOfTheScales()
    {
        // A MatMul weight [K, N] in groups of 2 of 3 input channels: scales [2, N]
        const at::Tensor x = floats({3, 2}, {1, 2, 3, 4, 5, 6});
        const TensorQuantConfig config = grouped(0, 2);
        QCOMPARE(groupShape(x.sizes(), config), (std::vector<std::int64_t>{2, 2}));
        QVERIFY(at::equal(groupRows(x, config), floats({4, 2}, {1, 3, 2, 4, 5, 5, 6, 6})));
        for (const int axis : {0, 1, 2}) {
            const at::Tensor cube = ramp({5, 4, 6}, 0, 1);
            const TensorQuantConfig along = grouped(axis, 4);
            QVERIFY(at::equal(fromGroupRows(groupRows(cube, along), cube.sizes(), along), cube));
        }
        QCOMPARE(QString::fromStdString(errorOf([&] { groupRows(x, grouped(2, 2)); }).message.english()),
                 QString("groups along axis 2, but the tensor has 2 axes"));
    }

    /// Groups of a weight [N, K] along K are rows already, without a copy.
    void inputStays()
    {
        const at::Tensor x = floats({2, 4}, {1.4F, 2.4F, 3.4F, 4.4F, 5.4F, 6.4F, 7.4F, 8.4F}), copy = x.clone();
        const at::Tensor y = fakeQuant(x, grouped(1, 2), {1, 2, 0.5F, 4}, {0, 0, 0, 0});
        QVERIFY(at::equal(x, copy));
        QVERIFY(at::equal(y, floats({2, 4}, {1, 2, 4, 4, 5.5F, 6.5F, 8, 8})));
    }

    void eachGroupHasItsScale()
    {
        const at::Tensor x = floats({3, 2}, {1.4F, 2.4F, 3.4F, 4.4F, 5.4F, 6.4F});
        TensorQuantConfig config = grouped(0, 2);
        const std::vector<float> scale = {1, 2, 0.5F, 4};
        const at::Tensor y = fakeQuant(x, config, scale, {0, 0, 0, 0});
        QVERIFY(at::equal(y, floats({3, 2}, {1, 2, 3, 4, 5.5F, 8})));
        const at::Tensor codes = quantizeToInteger(x, config, scale, {0, 0, 0, 0});
        QVERIFY(at::equal(codes, floats({3, 2}, {1, 1, 3, 2, 11, 2}).to(at::kChar)));
        QVERIFY(
            at::equal(scaleOfElements(floats({4}, scale), x.sizes(), config), floats({3, 2}, {1, 2, 1, 2, 0.5F, 4})));
        const FakeQuantGradient gradient = fakeQuantGradient(x, at::ones_like(x), config, scale, {0, 0, 0, 0});
        QVERIFY(at::equal(gradient.input, at::ones_like(x)));
        QCOMPARE(gradient.scale.size(), std::size_t(4));
    }

    void elementsOfMicroscalingFormats()
    {
        // OCP Microscaling Formats (MX) Specification v1.0, tables 2 to 5
        const std::set<float> e2m1 = {0, 0.5F, 1, 1.5F, 2, 3, 4, 6};
        QVERIFY(representable(floating(4, 2, 6), 6) == e2m1);
        const std::set<float> e2m3 = representable(floating(6, 2, 8), 7.5);
        QCOMPARE(e2m3.size(), std::size_t(32));
        QCOMPARE(*std::next(e2m3.begin()), 0.125F);
        QCOMPARE(*e2m3.rbegin(), 7.5F);
        const std::set<float> e3m2 = representable(floating(6, 3, 28), 28);
        QCOMPARE(e3m2.size(), std::size_t(32));
        QCOMPARE(*std::next(e3m2.begin()), 0.0625F);
        QCOMPARE(*e3m2.rbegin(), 28.0F);
        // OCP 8-bit Floating Point Specification, section 5
        QCOMPARE(*representable(floating(8, 4, 448), 448).rbegin(), 448.0F);
        QCOMPARE(*representable(floating(8, 5, 57344), 57344).rbegin(), 57344.0F);
    }

    void scalesOfMicroscalingFormats()
    {
        // MX v1.0, section 6.3: 2^(floor(log2(largest)) - exponent of the largest element)
        TensorQuantConfig config = floating(4, 2, 6);
        config.scaleFormat = ScaleFormat::E8M0;
        const auto scaleOf = [&](double largest) { return solveRange(-largest, largest / 2, config).scale; };
        QCOMPARE(scaleOf(6), 1.0F);
        QCOMPARE(scaleOf(7.9), 1.0F); // saturates at 6
        QCOMPARE(scaleOf(8), 2.0F);
        QCOMPARE(scaleOf(3.9), 0.5F);
        QCOMPARE(scaleOf(0), 1.0F);
        config.exponentBits = 4;
        config.bits = 8;
        config.quantMax = 448; // exponent 8
        QCOMPARE(scaleOf(300), 1.0F);
        config.exponentBits = 5;
        config.quantMax = 57344; // 15
        QCOMPARE(scaleOf(32768), 1.0F);
        config.exponentBits = 0;
        config.quantMax = 127; // 1.984375 in steps of 1/64: exponent 0
        QCOMPARE(scaleOf(1), 0.015625F);
    }

    void scalesOfNvfp4()
    {
        TensorQuantConfig config = floating(4, 2, 6);
        config.channelAxis = 0;
        config.groupSize = 16;
        config.scaleFormat = ScaleFormat::E4M3;
        config.validate();
        std::vector<float> scale = {0.7F, 0.1F, 0.03F, 1e-9F};
        roundScales(scale, config);
        QCOMPARE(scale[0], 0.7F); // 448 times the scale of the tensor
        const float ofTensor = 0.7F / 448;
        QCOMPARE(scale[1], 64 * ofTensor);                   // 64 exactly: 0.1 / ofTensor = 64
        QVERIFY(std::abs(scale[2] / ofTensor - 19) < 1.01F); // E4M3 counts by 2 between 16 and 32
        QCOMPARE(std::fmod(std::round(scale[2] / ofTensor), 2.0F), 0.0F);
        QCOMPARE(scale[3], ofTensor / 512); // the smallest subnormal
    }

    /// Each value of a format has a code that looks it up, of its sign and bits as in the OCP formats.
    void codesOfFloats()
    {
        QVERIFY(codeValues(floating(4, 2, 6)) ==
                (std::vector<float>{0, 0.5F, 1, 1.5F, 2, 3, 4, 6, -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6}));
        TensorQuantConfig odd = floating(6, 2, 7); // 7.5 is above the range
        odd.quantMin = -5;                         // not a value of the format
        for (const TensorQuantConfig &config : {floating(4, 2, 6), floating(6, 2, 8), floating(6, 3, 28),
                                                floating(5, 1, 2), floating(8, 4, 240), floating(8, 7, 1000), odd}) {
            const std::vector<float> table = codeValues(config);
            QCOMPARE(table.size(), std::size_t(1) << config.bits);
            const at::Tensor rounded = fakeQuant(at::linspace(-9, 9, 2999), config, {1.0F}, {0});
            const at::Tensor codes = codesOfValues(rounded, config);
            for (std::int64_t i = 0; i < rounded.numel(); ++i) {
                const float want = rounded.data_ptr<float>()[i], got = table[codes.data_ptr<std::uint8_t>()[i]];
                QVERIFY2(got == want && std::signbit(got) == std::signbit(want), qPrintable(QString::number(want)));
            }
        }
    }

    void normalFloatIsTheTableOfThePaper()
    {
        TensorQuantConfig config;
        config.bits = 4;
        config.codebook = Codebook::Nf4;
        config.quantMin = -1;
        config.quantMax = 1;
        config.validate();
        QVERIFY(config.isFloating());
        const std::vector<float> &table = codebookValues(Codebook::Nf4);
        QCOMPARE(table.size(), std::size_t(16));
        QCOMPARE(table[8], 0.07958029955625534F); // QLoRA, appendix E
        QCOMPARE(solveRange(-3, 2, config).scale, 3.0F);
        const at::Tensor y = fakeQuant(floats({5}, {-6, -0.1F, 0.2F, std::nanf(""), 9}), config, {2.0F}, {0});
        const float *out = y.data_ptr<float>();
        QCOMPARE(out[0], -2.0F);
        QCOMPARE(out[1], 2 * table[6]);
        QCOMPARE(out[2], 2 * table[8]);
        QVERIFY(std::isnan(out[3]));
        QCOMPARE(out[4], 2.0F);
        QVERIFY(at::equal(codesOfValues(floats({3}, {-1, 0, 1}), config), floats({3}, {0, 7, 15}).to(at::kByte)));
        QVERIFY(codeValues(config) == table);
        config.exponentBits = 2;
        QCOMPARE(QString::fromStdString(errorOf([&] { config.validate(); }).message.english()),
                 QString("codebook nf4 needs 4 bits, no exponent bits, and a symmetric config that is static or has a "
                         "scale per group"));
    }
};

QL_TEST(TestGroups)
#include "tst_groups.moc"
