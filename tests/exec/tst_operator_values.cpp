// Values and types that the ONNX backend suite does not try.
#include "core/exec/executor.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <QTest>
#include <limits>

using namespace ql;
using namespace ql::test;

class TestOperatorValues : public QObject
{
    Q_OBJECT

private:
    static at::Tensor run(const char *type, const at::Tensor &x,
                          const std::map<std::string, Attribute, std::less<>> &attributes = {})
    {
        SmallGraph net;
        net.input("x", {}, x.scalar_type());
        net.op(type, "op", {"x"}, {"y"}, attributes);
        net.output("y");
        return Executor(net.graph, {"cpu", 1}).compile({}).run(Feed{{"x", x}}, {}).at(0);
    }

    static std::vector<std::int64_t> sizes(const at::Tensor &x) { return x.sizes().vec(); }

private Q_SLOTS:
    /// Axes in any order; the result has the shape of what is left.
    void productOverAxesInAnyOrder()
    {
        const at::Tensor x = ramp({2, 3, 4}, 1, 1);
        const at::Tensor y =
            run("ReduceProd", x, {{"axes", std::vector<std::int64_t>{2, 0}}, {"keepdims", std::int64_t{0}}});
        QCOMPARE(sizes(y), std::vector<std::int64_t>{3});
        double first = 1;
        for (const double v : {1., 2., 3., 4., 13., 14., 15., 16.}) first *= v;
        QVERIFY(std::abs(values(y)[0] / first - 1) < 1e-6);
    }

    /// Factors may be fractions; the result has the type of the matrices.
    void productOfIntegers()
    {
        SmallGraph net;
        for (const char *name : {"a", "b", "c"}) net.input(name, {}, at::kInt);
        net.op("Gemm", "op", {"a", "b", "c"}, {"y"}, {{"alpha", 0.5f}, {"beta", 3.0f}});
        net.output("y");
        const auto matrix = [](std::initializer_list<std::int64_t> v) { return ints(v).to(at::kInt).reshape({2, 2}); };
        const at::Tensor y =
            Executor(net.graph, {"cpu", 1})
                .compile({})
                .run({{"a", matrix({2, 0, 0, 2})}, {"b", matrix({1, 2, 3, -5})}, {"c", matrix({1, 0, 0, 1})}}, {})[0];
        QVERIFY(y.scalar_type() == at::kInt);
        QCOMPARE(values(y.to(at::kFloat)), (std::vector<double>{4, 2, 3, -2}));
    }

    /// Source: CumSum-11; small values stay beside large ones.
    void exclusiveSum()
    {
        SmallGraph net;
        net.input("x");
        net.parameter("axis", ints({0}));
        net.op("CumSum", "op", {"x", "axis"}, {"y"}, {{"exclusive", std::int64_t{1}}});
        net.output("y");
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run({{"x", floats({3}, {1, 1e9f, 2})}}, {})[0];
        QCOMPARE(values(y), (std::vector<double>{0, 1, 1e9}));
    }

    /// Exporters write the largest int64 for "all of them".
    void suppressionWithoutLimit()
    {
        SmallGraph net;
        net.input("boxes");
        net.input("scores");
        net.parameter("most", ints({std::numeric_limits<std::int64_t>::max()}));
        net.parameter("iou", floats({1}, {0.5f}));
        net.op("NonMaxSuppression", "op", {"boxes", "scores", "most", "iou"}, {"y"});
        net.output("y");
        const Feed feed{{"boxes", floats({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 0.9f, 2, 2, 3, 3})},
                        {"scores", floats({1, 1, 3}, {0.2f, 0.9f, 0.5f})}};
        const at::Tensor y = Executor(net.graph, {"cpu", 1}).compile({}).run(feed, {})[0];
        QCOMPARE(sizes(y), (std::vector<std::int64_t>{2, 3}));
        QCOMPARE(values(y), (std::vector<double>{0, 0, 1, 0, 0, 2}));
    }

    /// Source: ReduceL2-18: without axes nothing is summed, but the rest is done.
    void noAxes()
    {
        const at::Tensor y = run("ReduceL2", floats({2}, {-3, 4}), {{"noop_with_empty_axes", std::int64_t{1}}});
        QCOMPARE(values(y), (std::vector<double>{3, 4}));
    }

    /// Source: ThresholdedRelu-10: x where x > alpha, else 0; neither -infinity nor NaN is.
    void thresholdedRelu()
    {
        constexpr float infinity = std::numeric_limits<float>::infinity();
        const at::Tensor y = run("ThresholdedRelu", floats({4}, {-infinity, std::nanf(""), 0.5f, infinity}));
        QCOMPARE(values(y), (std::vector<double>{0, 0, 0, double(infinity)}));
    }

    /// The result has the type of the operands, where LibTorch sums in int64.
    void integerSums()
    {
        const at::Tensor x = ints({3, -5, 9}).to(at::kInt);
        const at::Tensor sum = run("Einsum", x, {{"equation", std::string("i->")}});
        QVERIFY(sum.scalar_type() == at::kInt);
        QCOMPARE(values(sum), std::vector<double>{7});
        const at::Tensor scalar = run("ReduceSum", x.select(0, 0));
        QVERIFY(scalar.scalar_type() == at::kInt);
        QCOMPARE(values(scalar), std::vector<double>{3});
    }
};

QL_TEST(TestOperatorValues)
#include "tst_operator_values.moc"
