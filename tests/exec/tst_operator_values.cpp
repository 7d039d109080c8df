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

private Q_SLOTS:
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
