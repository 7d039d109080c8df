// Training of networks with operations that have no gradient: they are named, the rest is trained.
#include "core/exec/kernel.h"
#include "core/train/blocks.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/abs.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/tensor.h>

#include <algorithm>
#include <functional>

using namespace ql;
using namespace ql::test;

class TestNoGradient : public QObject
{
    Q_OBJECT

    /// A Conv, what middle adds between 'c' and 'r', and a Conv; calibrated.
    static QuantModel calibrated(const Batches &batches, const std::function<void(SmallGraph &)> &middle)
    {
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.parameter("w2", noise({2, 2, 1, 1}, 2));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        middle(g);
        g.op("Conv", "last", {"r", "w2"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {}, &batches);
        return model;
    }
    static const api::Problem *problemOf(const Problems &problems, const char *op)
    {
        const auto named = std::find_if(problems.begin(), problems.end(),
                                        [&](const api::Problem &problem) { return problem.op == op; });
        return named == problems.end() ? nullptr : &*named;
    }

private Q_SLOTS:
    void operationIsNamed_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("message");
        QTest::newRow("computed without LibTorch") << "GridlessRound"
                                                   << "GridlessRound has no gradient";
        QTest::newRow("refused by LibTorch") << "GridlessOut"
                                             << "GridlessOut cannot be computed from its inputs 'c' 1x2x4x4: it has no "
                                                "gradient";
        QTest::newRow("without derivative in LibTorch") << "Unique"
                                                        << "Unique has no gradient";
    }
    void operationIsNamed()
    {
        QFETCH(QString, type);
        QFETCH(QString, message);
        const Batches batches = noiseBatches({1, 2, 4, 4}, 6);
        QuantModel model = calibrated(batches, [&](SmallGraph &g) {
            g.op(type.toStdString(), "odd", {"c"}, {"r"}, {{"axis", std::int64_t{3}}});
        });
        Problems problems;
        run("learned_step_size", model, {{"steps", 40}, {"block_size", 1}}, &batches, &problems);
        const api::Problem *named = problemOf(problems, "odd");
        QVERIFY(named);
        const std::string text = named->message.english();
        QVERIFY2(text.find("is not trained: " + message.toStdString()) != std::string::npos, text.c_str());
        QVERIFY(!model.plan.parameterValues.contains(model.graph.findVariable("w")));
    }

    void integersAreNamedIfNothingHasAGradient()
    {
        const Batches batches = noiseBatches({1, 2, 4, 4}, 6);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        g.parameter("w", noise({2, 2, 1, 1}, 1));
        g.op("Conv", "conv", {"x", "w"}, {"c"});
        g.op("ArgMax", "largest", {"c"}, {"i"}, {{"axis", std::int64_t{1}}});
        g.op("Cast", "cast", {"i"}, {"y"}, {{"to", std::int64_t{1}}});
        g.output("y");
        for (const char *name : {"c", "y"}) g.graph.edit(g.tensor(name)).type.dtype = at::kFloat;
        g.graph.edit(g.tensor("i")).type.dtype = at::kLong;
        QuantModel model = configured(std::move(g.graph));
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {}, &batches);
        // A block ends before the integers: their errors say nothing
        const std::vector<Block> blocks = findBlocks(model, 4);
        QCOMPARE(blocks[0].ops, std::vector<OpId>{model.graph.findOperation("conv")});
        Problems problems;
        run("learned_step_size", model, {{"steps", 10}, {"whole_graph", true}, {"scale_rate", 0}}, &batches, &problems);
        const api::Problem *named = problemOf(problems, "largest");
        QVERIFY(named && named->message.english().find("ArgMax has no gradient") != std::string::npos);
    }

    void whatIsUpstreamOfIntegersIsNamed_data()
    {
        QTest::addColumn<QString>("type");
        for (const char *type : {"ArgMax", "Floor"}) QTest::newRow(type) << type;
    }
    void whatIsUpstreamOfIntegersIsNamed()
    {
        QFETCH(QString, type);
        const Batches batches = noiseBatches({1, 2, 4, 4}, 6);
        SmallGraph g;
        g.input("x", {1, 2, 4, 4});
        for (const char *name : {"w", "w2", "w3"}) g.parameter(name, noise({2, 2, 1, 1}, 1 + int(name[1])));
        g.op("Conv", "asked", {"x", "w"}, {"a"});
        g.op("Relu", "positive", {"a"}, {"p"});
        const bool isFloor = type == QLatin1String("Floor");
        if (isFloor)
            g.op("Floor", "largest", {"p"}, {"i"});
        else
            g.op("ArgMax", "largest", {"p"}, {"i"}, {{"axis", std::int64_t{1}}});
        g.op("Cast", "cast", {"i"}, {"f"}, {{"to", std::int64_t{1}}});
        g.op("Conv", "answer", {"x", "w2"}, {"b"});
        g.op("Add", "sum", {"b", "f"}, {"s"});
        g.op("Conv", "last", {"s", "w3"}, {"y"});
        g.output("y");
        for (const char *name : {"a", "p", "f", "b", "s", "y"}) g.graph.edit(g.tensor(name)).type.dtype = at::kFloat;
        g.graph.edit(g.tensor("i")).type.dtype = isFloor ? at::kFloat : at::kLong;
        QuantModel model = configured(std::move(g.graph));
        for (const char *pass : {"quantize_fusion", "quantize_simplify", "parameter_quantize"}) run(pass, model);
        run("calibrate", model, {}, &batches);
        Problems problems;
        const nlohmann::json params = {{"steps", 40}, {"whole_graph", true}, {"held_out", 0}, {"weight_rate", 1e-3}};
        run("learned_step_size", model, params, &batches, &problems);
        const api::Problem *named = problemOf(problems, "largest");
        QVERIFY(named);
        QCOMPARE(named->message.english(),
                 type.toStdString() + " has no gradient: upstream of it, this is not trained: asked, positive");
        const auto isTrained = [&](const char *name) {
            const VarId weight = model.graph.findVariable(name);
            return model.plan.parameterValues.contains(weight) &&
                   !at::equal(model.plan.parameterValues.at(weight), model.graph.variable(weight).value);
        };
        QVERIFY(isTrained("w3"));
        QVERIFY(isTrained("w2"));
        QVERIFY(!isTrained("w"));
    }

    void gradientsReachWhatIsUpstream_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<int>("gates");
        QTest::newRow("LSTM") << "LSTM" << 4;
        QTest::newRow("GRU") << "GRU" << 3;
    }
    void gradientsReachWhatIsUpstream()
    {
        QFETCH(QString, type);
        QFETCH(int, gates);
        const Batches batches = noiseBatches({1, 2, 4, 4}, 6);
        QuantModel model = calibrated(batches, [&](SmallGraph &g) {
            g.parameter("sizes", at::tensor({8, 1, 4}, at::kLong));
            g.parameter("back", at::tensor({1, 2, 4, 4}, at::kLong));
            g.parameter("W", noise({1, gates * 4, 4}, 5, 0.5));
            g.parameter("R", noise({1, gates * 4, 4}, 6, 0.5));
            g.op("Reshape", "flat", {"c", "sizes"}, {"s"});
            g.op(type.toStdString(), "odd", {"s", "W", "R"}, {"h"}, {{"hidden_size", std::int64_t{4}}});
            g.op("Reshape", "square", {"h", "back"}, {"r"});
        });
        Problems problems;
        const nlohmann::json params = {{"steps", 40}, {"whole_graph", true}, {"held_out", 0}, {"weight_rate", 1e-3}};
        run("learned_step_size", model, params, &batches, &problems);
        for (const api::Problem &problem : problems)
            QVERIFY2(problem.message.english().find("not trained") == std::string::npos,
                     problem.message.english().c_str());
        const VarId weight = model.graph.findVariable("w");
        QVERIFY(model.plan.parameterValues.contains(weight));
        QVERIFY(!at::equal(model.plan.parameterValues.at(weight), model.graph.variable(weight).value));
    }
};

/// An operator that computes without LibTorch, so that it has no gradient.
static std::vector<at::Tensor> gridlessRound(const KernelContext &, Inputs inputs)
{
    return {inputs[0].detach().clone()};
}
static const KernelRegistrar gridlessRoundKernel{{"GridlessRound"}, {.run = gridlessRound, .family = "test"}};

/// One that LibTorch refuses to compute with gradients.
static std::vector<at::Tensor> gridlessOut(const KernelContext &, Inputs inputs)
{
    at::Tensor y = at::empty(inputs[0].sizes(), inputs[0].options());
    at::abs_out(y, inputs[0]);
    return {y};
}
static const KernelRegistrar gridlessOutKernel{{"GridlessOut"}, {.run = gridlessOut, .family = "test"}};

QL_TEST(TestNoGradient)
#include "tst_no_gradient.moc"
