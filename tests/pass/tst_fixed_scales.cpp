#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestFixedScales : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Nothing is measured: only scales that are computed at run time are complete.
    void tensorsWaitForOverrides()
    {
        QuantModel model = configured(residualGraph());
        model.plan.find(in(model, "conv2"))->dynamic = true;
        QCOMPARE(run("fixed_scales", model), 1);
        QL_STATE(model, in(model, "conv2"), "active");
        QVERIFY(model.plan.simulated(in(model, "conv2")));
        QL_STATE(model, in(model, "conv1"), "initial");
        QVERIFY(!model.plan.simulated(in(model, "conv1")));
        QCOMPARE(run("fixed_scales", model), 0);
    }

    void fixedTensorsAreReported()
    {
        QuantModel model = configured(residualGraph());
        const std::string before = planText(model);
        PassContext context;
        context.fixedScales = {in(model, "conv1"), out(model, "gemm")};
        QCOMPARE(runPass(*makePass("fixed_scales", {}), model, context).changed, 2);
        QCOMPARE(planText(model), before); // overrides are applied after the pass
    }
};

QL_TEST(TestFixedScales)
#include "tst_fixed_scales.moc"
