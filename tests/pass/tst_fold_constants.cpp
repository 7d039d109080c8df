#include "core/pass/fold_constants.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

using namespace ql;
using namespace ql::test;

class TestFoldConstants : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A weight after two operations, one shared by two layers, and tensors that have to stay.
    void weightsBecomeParameters()
    {
        SmallGraph g;
        g.input("x", {2, 4});
        g.parameter("w", noise({3, 4}, 1));
        g.op("Transpose", "turn", {"w"}, {"turned"}, {{"perm", std::vector<std::int64_t>{1, 0}}});
        g.parameter("gain", floats({3}, {1, 2, 3}));
        g.op("Mul", "standardise", {"turned", "gain"}, {"weight"});
        g.op("MatMul", "one", {"x", "weight"}, {"y1"});
        g.op("MatMul", "two", {"x", "weight"}, {"y2"});
        g.parameter("codes", floats({4, 3}, std::vector<float>(12, 3)).to(at::kChar));
        g.parameter("scale", floats({}, {0.5f}));
        g.op("DequantizeLinear", "stored", {"codes", "scale"}, {"dequantized"});
        g.op("MatMul", "three", {"x", "dequantized"}, {"y3"});
        g.op("RandomNormalLike", "drawn", {"w"}, {"random"});
        g.op("Relu", "named", {"gain"}, {"y4"});            // a graph output names it
        g.op("Reshape", "wrong", {"w", "gain"}, {"never"}); // cannot be computed
        for (const char *name : {"y1", "y2", "y3", "y4", "random", "never"}) g.output(name);
        QuantModel model;
        model.graph = std::move(g.graph);
        std::set<std::string> foldable;
        for (const VarId id : foldableTensors(model.graph)) foldable.insert(model.graph.variable(id).name);
        QCOMPARE(foldable, (std::set<std::string>{"turned", "weight", "y4", "never"}));

        const at::Tensor weight = at::ones({1}) * model.graph.variable(model.graph.findVariable("w")).value.t() *
                                  model.graph.variable(model.graph.findVariable("gain")).value;
        QCOMPARE(run("fold_constants", model), 2);
        for (const char *gone : {"turn", "standardise"}) QVERIFY(model.graph.findOperation(gone) == noOp);
        for (const char *left : {"stored", "drawn", "named", "wrong"}) QVERIFY(model.graph.findOperation(left) != noOp);
        QVERIFY(model.graph.findVariable("turned") == noVar);
        const VarId first = op(model.graph, "one").inputs[1], second = op(model.graph, "two").inputs[1];
        QVERIFY(first != second); // each layer has its own, as passes expect
        for (const VarId id : {first, second}) {
            QVERIFY(model.graph.isParameter(id));
            QVERIFY(model.graph.variable(id).value.equal(weight));
            QCOMPARE(model.graph.variable(id).type.sizes(), (std::vector<std::int64_t>{4, 3}));
        }
        QCOMPARE(run("fold_constants", model), 0);
    }

    void theNetworkComputesTheSame()
    {
        SmallGraph g;
        g.input("x", {1, 2, 5, 5});
        g.parameter("w", noise({3, 2, 3, 3}, 2));
        g.op("ReduceMean", "mean", {"w"}, {"m"}, {{"axes", std::vector<std::int64_t>{1, 2, 3}}});
        g.op("Sub", "centre", {"w", "m"}, {"centred"});
        g.op("Conv", "conv", {"x", "centred"}, {"y"});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        const Feed feed = {{"x", noise({1, 2, 5, 5}, 3)}};
        const auto before = forward(model, feed, false);
        QCOMPARE(run("fold_constants", model), 2);
        QCOMPARE(model.graph.operationCount(), std::size_t(1));
        QCOMPARE(largestDifference(before[0], forward(model, feed, false)[0]), 0.0);
    }
};

QL_TEST(TestFoldConstants)
#include "tst_fold_constants.moc"
