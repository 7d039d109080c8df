// Import of whole files is tested by tests/export/tst_import_encodings.cpp.
#include "core/pass/dequantize_model.h"
#include "core/quant/quantize.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/relu.h>
#include <ATen/ops/tensor.h>
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

    /// Rounded upstream of a Transpose and a Reshape, as fold_weights leaves float models; scales of channels that the
    /// Reshape joins with others stay where they are.
    void gridsOfComputedWeightsMove()
    {
        SmallGraph g;
        g.input("x", {2, 6});
        g.parameter("w", ramp({2, 2, 3}, -5, 1).to(at::kChar));
        g.parameter("s", floats({2}, {0.5F, 0.25F}));
        g.parameter("one", floats({}, {0.5F}));
        g.parameter("flat", at::tensor(std::vector<std::int64_t>{2, 6}));
        const auto turned = [&](const std::string &name, const char *scale, std::int64_t axis) {
            g.op("DequantizeLinear", "dq" + name, {"w", scale}, {"w" + name}, {{"axis", axis}});
            g.op("Reshape", "shape" + name, {"w" + name, "flat"}, {"m" + name});
            g.op("Transpose", "turn" + name, {"m" + name}, {"t" + name});
            g.op("MatMul", "last" + name, {"x", "t" + name}, {"y" + name});
            g.output("y" + name);
            for (const char *of : {"m", "t"}) {
                const bool isTurned = of == std::string("t");
                g.graph.edit(g.graph.findVariable(of + name)).type.shape = {{isTurned ? 6 : 2, {}},
                                                                            {isTurned ? 2 : 6, {}}};
            }
        };
        turned("1", "s", 0);
        turned("2", "s", 1);
        turned("3", "one", 1);
        Graph graph = std::move(g.graph);
        const auto grids = dequantizeGraph(graph, [](const api::Problem &) {});
        QCOMPARE(grids.size(), std::size_t(3));
        const StoredGrid &first = grids.at(inputSlot(graph.findOperation("last1"), 1));
        QVERIFY(first.axis == 1 && first.scale.size() == 2);
        QVERIFY(grids.contains(inputSlot(graph.findOperation("shape2"), 0)));
        QVERIFY(!grids.at(inputSlot(graph.findOperation("last3"), 1)).axis);
        QVERIFY(graph.isParameter(op(graph, "last1").inputs[1]) && graph.findOperation("turn1") == noOp);
    }

    /// MatMulNBits becomes a product with a matrix in blocks, whose grid is returned.
    void matricesInBlocks_data()
    {
        QTest::addColumn<int>("bits");
        QTest::addColumn<bool>("hasZeros");
        QTest::addColumn<int>("level");
        QTest::newRow("4 bits") << 4 << false << 1;
        QTest::newRow("4 bits, zero points") << 4 << true << 0;
        QTest::newRow("8 bits") << 8 << false << 1;
        QTest::newRow("8 bits, zero points") << 8 << true << 1;
        QTest::newRow("x in 8 bits") << 4 << false << 4;
    }
    void matricesInBlocks()
    {
        QFETCH(const int, bits);
        QFETCH(const bool, hasZeros);
        QFETCH(const int, level);
        constexpr std::int64_t outputs = 3, inputs = 6, block = 4; // the last block is not full
        const auto bytes = [](const std::vector<std::int64_t> &shape, float start, float step) {
            return ramp(shape, start, step).to(at::kByte);
        };
        SmallGraph g;
        g.input("x", {2, inputs});
        g.parameter("w_Q", bytes({outputs, 2, block * bits / 8}, 7, 9));
        g.parameter("w_scales", ramp({outputs * 2}, 0.1F, 0.05F));
        g.parameter("zeros", bytes({outputs * (bits == 4 ? 1 : 2)}, 100, 17));
        g.parameter("bias", floats({outputs}, {1, 2, 3}));
        const std::string zeros = hasZeros ? "zeros" : "";
        const OpId id = g.op("MatMulNBits", "product", {"x", "w_Q", "w_scales", zeros, "", "bias"}, {"y"},
                             {{"N", outputs},
                              {"K", inputs},
                              {"bits", std::int64_t(bits)},
                              {"block_size", block},
                              {"accuracy_level", std::int64_t(level)}});
        g.graph.edit(id).domain = "com.microsoft";
        g.graph.edit(id).opset = 1;
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        Feed feed{{"x", ramp({2, inputs}, -0.5F, 0.3F)}};
        const at::Tensor before = forward(model, feed, false)[0];
        auto grids = dequantizeGraph(model.graph, [](const api::Problem &) {});
        QCOMPARE(model.graph.operation(model.graph.findOperation("product")).type, std::string("MatMul"));
        if (level == 4) {
            const auto ofInput = grids.extract(inputSlot(model.graph.findOperation("product"), 0));
            QVERIFY(!ofInput.empty());
            const StoredGrid &rounding = ofInput.mapped();
            QVERIFY(rounding.dynamic && rounding.groupSize == int(block) && rounding.quantMin == -127);
            TensorQuantConfig config = rounding.config();
            config.dynamic = config.symmetric = true;
            QVERIFY(largestDifference(forward(model, feed, false)[0], before) > 1e-3);
            feed["x"] = fakeQuant(feed["x"], config, {}, {});
        }
        QVERIFY(largestDifference(forward(model, feed, false)[0], before) < 1e-4);
        QCOMPARE(grids.size(), std::size_t(1));
        const auto &[slot, grid] = *grids.begin();
        QCOMPARE(model.graph.variable(variableOf(model.graph, slot)).name, std::string("w"));
        QCOMPARE(grid.bits, bits);
        QCOMPARE(grid.groupSize, int(block));
        QCOMPARE(grid.quantMin, hasZeros ? 0 : -(std::int64_t{1} << (bits - 1)));
        QCOMPARE(grid.scale.size(), std::size_t(outputs * 2));
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
