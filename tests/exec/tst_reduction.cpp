// Sums and means in ONNX Runtime's order of additions. Results: of ONNX Runtime 1.31, with one or two threads.
#include "core/exec/kernel.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/ops/equal.h>
#include <QtTest>

using namespace ql;
using test::SmallGraph;

namespace {

using Sizes = std::vector<std::int64_t>;
using Floats = std::vector<float>;

} // namespace

class TestReduction : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void addsAsTheRuntime_data()
    {
        QTest::addColumn<Sizes>("shape");
        QTest::addColumn<Sizes>("axes");
        QTest::addColumn<Floats>("sums");
        const auto row = [](const char *name, const Sizes &shape, const Sizes &axes, const Floats &sums) {
            QTest::newRow(name) << shape << axes << sums;
        };
        row("rows, the second one not aligned", {2, 13}, {1}, {-0x1.18375ap+3f, 0x1.6eb408p+0f});
        row("an odd number of vectors", {2, 19}, {1}, {-0x1.6eb3e4p+3f, 0x1.6e452ep+4f});
        row("everything", {37}, {0}, {0x1.cdd68p+3f});
        row("middle axis", {2, 11, 3}, {1},
            {-0x1.c0dd64p+3f, -0x1.3e4532p+2f, 0x1.05306cp+2f, 0x1.81badp+3f, -0x1.8a60dcp+2f, 0x1.722988p+1f});
        row("middle axis, one sample", {1, 11, 3}, {1}, {-0x1.c0dd62p+3f, -0x1.3e452ep+2f, 0x1.053064p+2f});
        row("axes around one", {3, 2, 7}, {0, 2}, {0x1.48a61p+3f, 0x1.2cf90cp+1f});
        row("axes around one of size 1", {3, 1, 7}, {2, 0}, {-0x1.229836p+3f});
        row("first axis", {9, 4}, {0}, {-0x1.20dd6cp+3f, 0x1.098376p+3f, -0x1.a60dep+0f, 0x1.f59f26p+3f});
        row("every other axis", {2, 3, 2, 4}, {1, -1},
            {-0x1.e98374p+2f, 0x1.80dd7p+3f, 0x1.c98378p+4f, -0x1.0c5308p+5f});
    }
    void addsAsTheRuntime()
    {
        QFETCH(Sizes, shape);
        QFETCH(Sizes, axes);
        QFETCH(Floats, sums);
        Sizes kept = shape;
        std::int64_t count = 1;
        for (const std::int64_t axis : axes) {
            std::int64_t &size = kept[std::size_t(axis < 0 ? axis + std::int64_t(shape.size()) : axis)];
            count *= size;
            size = 1;
        }
        std::int64_t total = 1;
        for (const std::int64_t size : shape) total *= size;
        Floats values;
        for (std::int64_t i = 0; i < total; ++i) values.push_back(float(i * 7919 % 1009 - 504) / 37);
        const at::Tensor x = test::floats(shape, values), expected = test::floats(kept, sums);
        for (const bool keep : {true, false}) {
            for (const char *type : {"ReduceSum", "ReduceMean"}) {
                SmallGraph small;
                small.input("x", shape);
                const OpId id =
                    small.op(type, "reduce", {"x"}, {"y"}, {{"axes", axes}, {"keepdims", std::int64_t(keep)}});
                const KernelContext context{small.graph.operation(id), small.graph};
                const at::Tensor y = findKernel(context.op)->asRuntime(context, {&x, 1}).at(0);
                const at::Tensor want = QByteArray(type) == "ReduceMean" ? expected / float(count) : expected;
                QVERIFY2(at::equal(y.reshape(kept), want), type);
                QCOMPARE(y.dim(), keep ? x.dim() : x.dim() - std::int64_t(axes.size()));
            }
        }
    }

    /// GlobalAveragePool of ONNX Runtime 1.31.1.
    void globalMeansOfTheRuntime()
    {
        Floats values;
        for (std::int64_t i = 0; i < 126; ++i) values.push_back(float(i * 7919 % 1009 - 504) / 37);
        const auto mean = [&](const Sizes &shape) {
            SmallGraph small;
            small.input("x", shape);
            const OpId id = small.op("GlobalAveragePool", "pool", {"x"}, {"y"});
            const KernelContext context{small.graph.operation(id), small.graph};
            const at::Tensor x = test::floats(shape, values);
            return findKernel(context.op)->asRuntime(context, {&x, 1}).at(0);
        };
        const Floats means{-0x1.bacf96p-2f, 0x1.0890f6p+0f, -0x1.90a376p-4f,
                           0x1.1caa1cp-4f,  0x1.e4fbcp-3f,  -0x1.c9f76ap-1f};
        QVERIFY(at::equal(mean({1, 6, 21}), test::floats({1, 6, 1}, means)));
        QVERIFY(at::equal(mean({2, 3, 3, 7}), test::floats({2, 3, 1, 1}, means)));
        QVERIFY(at::equal(mean({1, 3, 2, 3, 7}),
                          test::floats({1, 3, 1, 1, 1}, {0x1.33ba26p-2f, -0x1.cfe586p-7f, -0x1.50b87cp-2f})));
    }

    /// ReduceL2 adds squares one after the other, whichever axes they are.
    void addsSquaresInOrder()
    {
        Floats values;
        for (std::int64_t i = 0; i < 42; ++i) values.push_back(float(i * 7919 % 1009 - 504) / 37);
        const at::Tensor x = test::floats({2, 3, 7}, values);
        const auto norm = [&](const Sizes &axes) {
            SmallGraph small;
            small.input("x", {2, 3, 7});
            const OpId id = small.op("ReduceL2", "reduce", {"x"}, {"y"}, {{"axes", axes}});
            const KernelContext context{small.graph.operation(id), small.graph};
            return findKernel(context.op)->asRuntime(context, {&x, 1}).at(0);
        };
        QVERIFY(at::equal(norm({2}), test::floats({2, 3, 1}, {0x1.61c3acp+4f, 0x1.5e9354p+4f, 0x1.57e696p+4f,
                                                              0x1.4f814p+4f, 0x1.5400c4p+4f, 0x1.468a4p+4f})));
        QVERIFY(at::equal(norm({2, 0}), test::floats({1, 3, 1}, {0x1.e78ed6p+4f, 0x1.e85eb8p+4f, 0x1.da3b6cp+4f})));
    }
};

QL_TEST(TestReduction)
#include "tst_reduction.moc"
