#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

/// What RKNN's toolkit 2.5 computes in another way than the file says (pass runtime_kernels, sums rknn).
class TestRknnFusions : public QObject
{
    Q_OBJECT

private:
    static void scale(QuantModel &model, Slot slot, float value)
    {
        TensorQuantConfig &config = *model.plan.find(slot);
        config.quantMin = 0;
        config.quantMax = 255;
        config.symmetric = false;
        model.plan.setScale(slot, {value}, {0}, QuantState::Active, {});
    }
    static std::vector<float> valuesOf(const QuantModel &model, const at::Tensor &x)
    {
        const Executor executor(model.graph, {.threads = 1});
        ProgramSpec spec;
        spec.plan = &model.plan;
        const at::Tensor y = executor.compile(spec).run(Feed{{"x", x}}, {}).at(0).contiguous();
        return {y.data_ptr<float>(), y.data_ptr<float>() + y.numel()};
    }

private Q_SLOTS:
    /// x * sigmoid(x) is one operation: the Sigmoid is not rounded unless something else reads it.
    void silu_data()
    {
        QTest::addColumn<bool>("isAlone");
        QTest::newRow("one operation") << true;
        QTest::newRow("another reader") << false;
    }
    void silu()
    {
        QFETCH(bool, isAlone);
        SmallGraph g;
        g.input("x", {1, 1, 1, 2});
        g.op("Sigmoid", "gate", {"x"}, {"s"});
        g.op("Mul", "product", {"x", "s"}, {"y"});
        if (!isAlone) g.op("Relu", "other", {"s"}, {"z"});
        g.output("y");
        if (!isAlone) g.output("z");
        QuantModel model = configured(std::move(g.graph));
        for (const Slot slot : {in(model, "gate"), in(model, "product", 0), out(model, "product")})
            scale(model, slot, 1.f / 64);
        for (const Slot slot : {out(model, "gate"), in(model, "product", 1)}) scale(model, slot, 0.25f);
        run("runtime_kernels", model, {{"sums", "rknn"}});
        // sigmoid(1) = 0.731, on the grid 0.75; sigmoid(2) = 0.881, on the grid 1
        const std::vector<float> y = valuesOf(model, floats({1, 1, 1, 2}, {1, 2}));
        QCOMPARE(y[0], isAlone ? 47.f / 64 : 0.75f);
        QCOMPARE(y[1], isAlone ? 113.f / 64 : 2.f);
    }
};

QL_TEST(TestRknnFusions)
#include "tst_rknn_fusions.moc"
