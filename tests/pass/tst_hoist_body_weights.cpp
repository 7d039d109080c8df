#include "core/exec/executor.h"
#include "core/ir/subgraphs.h"
#include "core/pass/pass.h"
#include "core/platform/dispatcher.h"
#include "core/platform/quantizer.h"
#include "tests/support/small_graph.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <QtTest>

using namespace ql;
using namespace ql::test;

/// Weights of bodies become parameters that the operation captures, and are quantized as the body reads them.
class TestHoistBodyWeights : public QObject
{
    Q_OBJECT

    /// If(c): x * w, otherwise x * w', which has the same name in the other body.
    static Graph branches()
    {
        const auto branch = [](float start) {
            SmallGraph body;
            body.parameter("w", ramp({3, 2}, start, 0.5f));
            body.op("MatMul", "product", {"x", "w"}, {"z"});
            body.output("z");
            return std::make_shared<const Graph>(body.graph);
        };
        SmallGraph g;
        g.input("c", {}, at::kBool);
        g.input("x", {1, 3});
        g.op("If", "if", {"c", "x"}, {"y"},
             {{"then_branch", branch(-1)},
              {"else_branch", branch(1)},
              {std::string(capturesAttribute), std::vector<std::string>{"x"}}});
        g.output("y");
        return g.graph;
    }

    static at::Tensor outputOf(const Graph &graph, const QuantPlan *plan, bool condition)
    {
        const Executor executor(graph, {"cpu", 1});
        ProgramSpec spec;
        spec.plan = plan;
        const at::Tensor x = floats({1, 3}, {0.3f, -1.2f, 0.7f});
        const Feed feed{{"c", at::full({}, condition, at::TensorOptions(at::kBool))}, {"x", x}};
        return executor.compile(spec).run(feed, {})[0].contiguous();
    }

private Q_SLOTS:
    void sameResult()
    {
        QuantModel model{branches(), {}, {}};
        const Graph before = model.graph;
        QCOMPARE(runPass(*makePass("hoist_body_weights", {}), model, {}).changed, 2);
        const Operation &op = model.graph.operation(model.graph.findOperation("if"));
        QCOMPARE(op.inputs.size(), std::size_t(4));
        QCOMPARE(captureNames(op).size(), std::size_t(3));
        for (const std::size_t i : {2, 3}) {
            QVERIFY(model.graph.isParameter(op.inputs[i]));
            QCOMPARE(bodyReaders(op, i).size(), std::size_t(1));
        }
        QVERIFY(bodyReaders(op, 0).empty()); // the condition
        for (const bool condition : {false, true})
            QVERIFY(at::equal(outputOf(before, nullptr, condition), outputOf(model.graph, nullptr, condition)));
        QCOMPARE(runPass(*makePass("hoist_body_weights", {}), model, {}).changed, 0);
    }

    /// An operation whose bodies own no weights stays as it is, also after one that changes.
    void othersStay()
    {
        SmallGraph body;
        body.op("Relu", "relu", {"y"}, {"z2"});
        body.output("z2");
        const auto shared = std::make_shared<const Graph>(body.graph);
        SmallGraph g;
        g.graph = branches();
        g.op("If", "plain", {"c", "y", "x"}, {"last"},
             {{"then_branch", shared},
              {"else_branch", shared},
              {std::string(capturesAttribute), std::vector<std::string>{"y", "x"}}}); // x is not read
        g.output("last");
        QuantModel model;
        model.graph = g.graph;
        QCOMPARE(runPass(*makePass("hoist_body_weights", {}), model, {}).changed, 2);
        const Operation &plain = model.graph.operation(model.graph.findOperation("plain"));
        QCOMPARE(captureNames(plain), (std::vector<std::string>{"y", "x"}));
    }

    /// A weight that a body computes from a captured constant is computed once; the constant is not captured any more.
    void computedInBody()
    {
        SmallGraph body;
        body.op("Transpose", "turn", {"raw"}, {"w"});
        body.op("MatMul", "product", {"x", "w"}, {"z"});
        body.output("z");
        SmallGraph g;
        g.input("c", {}, at::kBool);
        g.input("x", {1, 3});
        g.parameter("raw", ramp({2, 3}, -1, 0.5f));
        const auto shared = std::make_shared<const Graph>(body.graph);
        g.op("If", "if", {"c", "x", "raw"}, {"y"},
             {{"then_branch", shared},
              {"else_branch", shared},
              {std::string(capturesAttribute), std::vector<std::string>{"x", "raw"}}});
        g.output("y");
        QuantModel model{g.graph, {}, {}};
        QCOMPARE(runPass(*makePass("hoist_body_weights", {}), model, {}).changed, 2);
        const Operation &op = model.graph.operation(model.graph.findOperation("if"));
        QCOMPARE(op.inputs.size(), std::size_t(4));
        for (const std::size_t i : {2, 3}) {
            QCOMPARE(model.graph.variable(op.inputs[i]).value.sizes().vec(), (std::vector<std::int64_t>{3, 2}));
            QCOMPARE(bodyReaders(op, i).size(), std::size_t(1));
        }
        for (const bool condition : {false, true})
            QVERIFY(at::allclose(outputOf(g.graph, nullptr, condition), outputOf(model.graph, nullptr, condition), 0,
                                 1e-6)); // a product with a transposed matrix adds in another order
    }

    void quantized()
    {
        QuantModel model{branches(), {}, {}};
        runPass(*makePass("hoist_body_weights", {}), model, {});
        const PlatformDefinition &definition = platform("ONNXRUNTIME");
        model.dispatch = dispatch(model.graph, "conservative", dispatchRequest(definition));
        const OpId id = model.graph.findOperation("if");
        QCOMPARE(model.platformOf(id), std::string("ONNXRUNTIME"));
        configure(model, definition);
        for (const int i : {2, 3}) QCOMPARE(model.plan.find(inputSlot(id, std::size_t(i)))->state, QuantState::Initial);
        QCOMPARE(model.plan.find(inputSlot(id, 1))->state, QuantState::Off); // activations stay in float32
        runPass(*makePass("parameter_quantize", {}), model, {});
        for (const bool condition : {false, true}) {
            const at::Tensor exact = outputOf(model.graph, nullptr, condition);
            const double error = (outputOf(model.graph, &model.plan, condition) - exact).abs().max().item().toDouble();
            QVERIFY2(error > 0 && error < 0.05, qPrintable(QString::number(error)));
        }
    }
};

QL_TEST(TestHoistBodyWeights)
#include "tst_hoist_body_weights.moc"
