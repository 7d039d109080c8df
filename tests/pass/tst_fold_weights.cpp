#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/tensor.h>

using namespace ql;
using namespace ql::test;

class TestFoldWeights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// Standardized and transposed weights and a bias; the network computes the same.
    void weightsAndBiases()
    {
        SmallGraph g;
        g.input("x", {1, 2, 5, 5});
        g.parameter("w", noise({3, 2, 3, 3}, 1));
        g.op("ReduceMean", "mean", {"w"}, {"m"}, {{"axes", std::vector<std::int64_t>{1, 2, 3}}});
        g.op("Sub", "centre", {"w", "m"}, {"centred"});
        g.parameter("b", floats({1, 3}, {1, 2, 3}));
        g.parameter("shape", at::tensor(std::vector<std::int64_t>{3}));
        g.op("Reshape", "flat", {"b", "shape"}, {"bias"});
        g.op("Conv", "conv", {"x", "centred", "bias"}, {"c"});
        g.op("Flatten", "flatten", {"c"}, {"f"});
        g.parameter("v", noise({4, 27}, 2));
        g.op("Transpose", "turn", {"v"}, {"turned"}, {{"perm", std::vector<std::int64_t>{1, 0}}});
        g.op("MatMul", "last", {"f", "turned"}, {"y"});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        const Feed feed = {{"x", noise({1, 2, 5, 5}, 3)}};
        const auto before = forward(model, feed, false);
        QCOMPARE(run("fold_weights", model), 4);
        QCOMPARE(model.graph.operationCount(), std::size_t(3));
        for (const char *name : {"conv", "last"})
            for (std::size_t i = 1; i < op(model.graph, name).inputs.size(); ++i)
                QVERIFY(model.graph.isParameter(op(model.graph, name).inputs[i]));
        QVERIFY(largestDifference(before[0], forward(model, feed, false)[0]) < 1e-5); // a sum in another order
        QCOMPARE(run("fold_weights", model), 0);
    }

    /// What no layer reads as a weight, weights looked up by their codes, and graph outputs.
    void othersStay()
    {
        SmallGraph g;
        g.input("x", {2, 4});
        g.parameter("p", noise({2, 4}, 1));
        g.op("Abs", "position", {"p"}, {"absolute"});
        g.op("Add", "add", {"x", "absolute"}, {"sum"});
        g.parameter("table", floats({4}, {-1, 0, 1, 2}));
        g.parameter("codes", floats({16}, std::vector<float>(16, 3)).to(at::kLong));
        g.parameter("shape", at::tensor(std::vector<std::int64_t>{4, 4}));
        g.op("Reshape", "order", {"codes", "shape"}, {"matrix"});
        g.op("Gather", "look_up", {"table", "matrix"}, {"looked_up"});
        g.op("MatMul", "one", {"sum", "looked_up"}, {"y1"});
        g.parameter("integers", floats({16}, std::vector<float>(16, 3)).to(at::kInt).reshape({4, 4}));
        g.op("Cast", "convert", {"integers"}, {"converted"}, {{"to", std::int64_t(1)}});
        g.op("MatMul", "two", {"sum", "converted"}, {"y2"});
        g.parameter("w", noise({4, 4}, 2));
        g.op("Neg", "named", {"w"}, {"y3"});
        g.op("MatMul", "three", {"sum", "y3"}, {"y4"});
        for (const char *name : {"y1", "y2", "y3", "y4"}) g.output(name);
        QuantModel model;
        model.graph = std::move(g.graph);
        QCOMPARE(run("fold_weights", model), 0);
        QCOMPARE(run("fold_constants", model), 4);
    }
};

QL_TEST(TestFoldWeights)
#include "tst_fold_weights.moc"
