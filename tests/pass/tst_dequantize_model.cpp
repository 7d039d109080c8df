// Import of whole files is tested by tests/export/tst_import_encodings.cpp.
#include "core/pass/dequantize_model.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

using namespace ql;
using namespace ql::test;

class TestDequantizeModel : public QObject
{
    Q_OBJECT

private:
    /// x -> QuantizeLinear -> DequantizeLinear -> relu -> y
    static Graph stored(float readScale = 0.5F)
    {
        SmallGraph g;
        g.input("x", {1, 4});
        g.parameter("s", floats({}, {0.5F}));
        g.parameter("read_s", floats({}, {readScale}));
        g.parameter("z", at::zeros({}, at::TensorOptions(at::kChar)));
        g.op("QuantizeLinear", "q", {"x", "s", "z"}, {"codes"});
        g.op("DequantizeLinear", "dq", {"codes", "read_s", "z"}, {"rounded"});
        g.op("Relu", "relu", {"rounded"}, {"y"});
        g.output("y");
        return std::move(g.graph);
    }

private Q_SLOTS:
    void theFloatModelIsLeft()
    {
        QuantModel model;
        model.graph = stored();
        QCOMPARE(run("dequantize_model", model), 3); // two operations, and grids
        QCOMPARE(model.graph.operationCount(), std::size_t(1));
        const at::Tensor x = floats({1, 4}, {-0.7F, 0.3F, 1.2F, 90.0F});
        QCOMPARE(largestDifference(forward(model, {{"x", x}}, false)[0], at::relu(x)), 0.0);
        QCOMPARE(run("dequantize_model", model), 0);
    }

    void gridsAreReturned()
    {
        Graph graph = stored();
        const auto grids = dequantizeGraph(graph, [](const api::Problem &) {});
        QCOMPARE(grids.size(), std::size_t(1));
        const auto &[slot, grid] = *grids.begin();
        QVERIFY(slot == inputSlot(graph.findOperation("relu"), 0));
        QCOMPARE(grid.scale, std::vector<float>{0.5F});
        QCOMPARE(grid.zeroPoint, std::vector<std::int32_t>{0});
        QCOMPARE(grid.quantMin, std::int64_t(-128));
    }

    void codesReadWithAnotherScaleAreRefused()
    {
        Graph graph = stored(0.25F);
        const Error error = errorOf([&] { dequantizeGraph(graph, [](const api::Problem &) {}); });
        QVERIFY(error.kind == ErrorKind::InvalidModel);
        QVERIFY(!error.op.empty());
    }
};

QL_TEST(TestDequantizeModel)
#include "tst_dequantize_model.moc"
