#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/ones.h>

using namespace ql;
using namespace ql::test;

class TestComputeInFloat32 : public QObject
{
    Q_OBJECT

private:
    /// y = relu(conv(x)) with everything in type, and the input twice.
    static Graph net(at::ScalarType type)
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4}, type);
        g.parameter("w", noise({3, 2, 1, 1}, 1).to(type));
        g.op("Conv", "conv", {"x", "w"}, {"t"});
        g.op("Relu", "relu", {"t"}, {"y"});
        g.output("y");
        g.graph.edit(g.graph.findVariable("t")).type.dtype = type;
        g.graph.edit(g.graph.findVariable("y")).type.dtype = type;
        return std::move(g.graph);
    }
    static at::ScalarType typeOf(const Graph &graph, const char *name)
    {
        return graph.variable(graph.findVariable(name)).type.dtype;
    }

private Q_SLOTS:
    void theInsideBecomesFloat32_data()
    {
        QTest::addColumn<int>("type");
        QTest::newRow("float16") << int(at::kHalf);
        QTest::newRow("bfloat16") << int(at::kBFloat16);
    }
    void theInsideBecomesFloat32()
    {
        QFETCH(int, type);
        const auto shortType = at::ScalarType(type);
        QuantModel model;
        model.graph = net(shortType);
        const at::Tensor x = noise({1, 2, 4, 4}, 2).to(shortType);
        const Graph before = model.graph;
        Problems problems;
        QVERIFY(run("compute_in_float32", model, {}, nullptr, &problems) > 0);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(typeOf(model.graph, "x"), shortType);
        QCOMPARE(typeOf(model.graph, "y"), shortType);
        QCOMPARE(typeOf(model.graph, "t"), at::kFloat);
        QCOMPARE(model.graph.variable(model.graph.findVariable("w")).value.scalar_type(), at::kFloat);
        const Operation &conv = model.graph.operation(model.graph.findOperation("conv"));
        QCOMPARE(model.graph.operation(model.graph.variable(conv.inputs[0]).producer).type, std::string("Cast"));
        const auto outputOf = [&](const Graph &graph) {
            const Executor executor(graph, {});
            return executor.compile({}).run({{"x", x}}, {}, "x")[0];
        };
        const at::Tensor y = outputOf(model.graph);
        QCOMPARE(y.scalar_type(), shortType);
        QVERIFY(at::allclose(y.to(at::kFloat), outputOf(before).to(at::kFloat), 0.02, 0.02));
        QCOMPARE(run("compute_in_float32", model), 0); // nothing is left to do
    }

    void attributesAndBodies()
    {
        SmallGraph g;
        g.input("x", {2});
        g.op("Cast", "down", {"x"}, {"h"}, {{"to", std::int64_t{10}}});
        g.op("Cast", "up", {"h"}, {"y"}, {{"to", std::int64_t{1}}});
        g.output("y");
        SmallGraph inner;
        inner.parameter("c", floats({2}, {1, 2}).to(at::kHalf));
        inner.op("Identity", "id", {"c"}, {"z"});
        inner.output("z");
        g.parameter("condition", at::ones({}, at::TensorOptions(at::kBool)));
        const auto body = std::make_shared<const Graph>(std::move(inner.graph));
        g.op("If", "if", {"condition"}, {"v"}, {{"then_branch", body}, {"else_branch", body}});
        g.output("v");
        QuantModel model;
        model.graph = std::move(g.graph);
        QVERIFY(run("compute_in_float32", model) > 0);
        const auto &attributes = model.graph.operation(model.graph.findOperation("if")).attributes;
        const Graph &then = *std::get<std::shared_ptr<const Graph>>(attributes.at("then_branch"));
        QCOMPARE(then.variable(then.findVariable("c")).value.scalar_type(), at::kFloat);
        QCOMPARE(model.graph.operation(model.graph.findOperation("down")).intAttribute("to", 0), std::int64_t(1));
    }

    void float32IsLeftAlone()
    {
        QuantModel model;
        model.graph = net(at::kFloat);
        QCOMPARE(run("compute_in_float32", model), 0);
        QCOMPARE(model.graph.operationCount(), std::size_t(2));
    }
};

QL_TEST(TestComputeInFloat32)
#include "tst_compute_in_float32.moc"
