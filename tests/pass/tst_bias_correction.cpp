#include "core/train/blocks.h"
#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestBiasCorrection : public QObject
{
    Q_OBJECT

private:
    /// The residual network with weights of so few bits that means are visibly shifted.
    static QuantModel coarse(const Batches &batches)
    {
        QuantModel model = coarseResidual(batches);
        run("passive_parameters", model);
        return model;
    }
    static double error(const QuantModel &model, const Batches &batches)
    {
        double sum = 0;
        for (std::size_t i = 0; i < batches.size(); ++i) {
            const auto fp = values(forward(model, batches.batch(i), false)[0]);
            const auto q = values(forward(model, batches.batch(i), true)[0]);
            for (std::size_t e = 0; e < fp.size(); ++e) sum += (fp[e] - q[e]) * (fp[e] - q[e]);
        }
        return sum;
    }
    static std::string names(const QuantModel &model, const std::vector<OpId> &ops)
    {
        std::string out;
        for (const OpId op : ops) out += (out.empty() ? "" : " ") + model.graph.operation(op).name;
        return out;
    }

private Q_SLOTS:
    void theErrorFalls()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 8);
        QuantModel model = coarse(batches);
        const double before = error(model, batches);
        QVERIFY(run("bias_correction", model, {}, &batches) > 0);
        const double after = error(model, batches);
        QVERIFY2(after < 0.7 * before, qPrintable(QString("%1 -> %2").arg(before).arg(after)));
        QVERIFY(!model.plan.parameterValues.empty());
    }

    void unknownLayersAreRefused()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 2);
        QuantModel model = coarse(batches);
        const Error error = errorOf([&] {
            run("bias_correction", model, {{"interested_layers", {"conv1", "none"}}}, &batches);
        });
        QVERIFY2(error.message.english().find("no layer is called 'none'") != std::string::npos, error.what());
    }

    void theFloatNetworkKeepsItsBiases()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 4);
        QuantModel model = coarse(batches);
        const Feed feed = batches.batch(0);
        const at::Tensor before = forward(model, feed, false)[0];
        run("bias_correction", model, {}, &batches);
        QCOMPARE(largestDifference(forward(model, feed, false)[0], before), 0.0);
        for (const auto &[id, value] : model.plan.parameterValues) {
            QVERIFY(model.graph.variable(id).name.starts_with("b"));
            QVERIFY(value.sizes() == model.graph.variable(id).value.sizes());
        }
    }

    void oneLayerByHand()
    {
        // y = 0.3 x + 0 with a weight rounded to 0.4: the mean of the output is off by 0.1 mean(x)
        SmallGraph g;
        g.input("x", {1, 1, 2, 2});
        g.parameter("w", floats({2, 1, 1, 1}, {0.3f, 0.3f}));
        g.parameter("b", floats({2}, {0, 5}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        for (const Slot slot : {in(model, "conv", 0), out(model, "conv"), in(model, "conv", 2)})
            model.plan.find(slot)->state = QuantState::Off;
        model.plan.setScale(in(model, "conv", 1), {0.4f}, {0}, QuantState::Active, {});
        const Batches batches(std::vector<Feed>{{{"x", floats({1, 1, 2, 2}, {1, 2, 3, 2})}},
                                                {{"x", floats({1, 1, 2, 2}, {4, 4, 4, 4})}}});
        QCOMPARE(run("bias_correction", model, {}, &batches), 1);
        const auto bias = values(model.plan.parameterValues.at(model.graph.findVariable("b")));
        QVERIFY(std::abs(bias[0] + 0.3) < 1e-6); // the batches' means are 2 and 4
        QVERIFY(std::abs(bias[1] - 4.7) < 1e-6);
        QuantModel first = model;
        first.plan.parameterValues.clear();
        run("bias_correction", first, {{"steps", 1}}, &batches);
        QVERIFY(std::abs(values(first.plan.parameterValues.at(model.graph.findVariable("b")))[0] + 0.2) < 1e-6);
    }

    void worseBlockKeepsItsOldBias()
    {
        // The Relu clips the values that determine the mean of the convolution's output: shifting it harms
        SmallGraph g;
        g.input("x", {1, 1, 1, 4});
        g.parameter("w", floats({1, 1, 1, 1}, {0.3f}));
        g.parameter("b", floats({1}, {0}));
        g.op("Conv", "conv", {"x", "w", "b"}, {"c"});
        g.op("Relu", "relu", {"c"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        std::vector<Slot> slots;
        for (const auto &[slot, config] : model.plan.configs()) slots.push_back(slot);
        for (const Slot slot : slots) model.plan.find(slot)->state = QuantState::Off;
        model.plan.setScale(in(model, "conv", 1), {0.3f / 1.001f}, {0}, QuantState::Active, {});
        const Batches batches(std::vector<Feed>{{{"x", floats({1, 1, 1, 4}, {1, 1, 1, -100000})}}});
        QCOMPARE(run("bias_correction", model, {}, &batches), 0);
        QVERIFY(model.plan.parameterValues.empty());
    }

    void interestingLayersOnly()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 4);
        QuantModel model = coarse(batches);
        QVERIFY(run("bias_correction", model, {{"interested_layers", {"ge*"}}}, &batches) <= 1);
        for (const auto &[id, value] : model.plan.parameterValues)
            QCOMPARE(model.graph.variable(id).name, std::string("b3"));
    }

    void branchesOfDifferentLengths()
    {
        // In execution order, the short branch is before the end of the long one
        SmallGraph g;
        g.input("x", {1, 2, 6, 6});
        std::string last = "x";
        const auto conv = [&](const std::string &name, const std::string &from) {
            g.parameter("w_" + name, noise({2, 2, 1, 1}, name.size() + std::uint64_t(name.back()), 0.5));
            g.parameter("b_" + name, noise({2}, std::uint64_t(name.back()), 0.1));
            g.op("Conv", name, {from, "w_" + name, "b_" + name}, {name + "_y"});
            return name + "_y";
        };
        for (const char *name : {"long1", "long2", "long3"}) last = conv(name, last);
        g.op("Add", "sum", {last, conv("short", "x")}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        const Batches batches = noiseBatches({1, 2, 6, 6}, 4);
        run("parameter_quantize", model);
        run("calibrate", model, {}, &batches);
        run("bias_correction", model, {{"block_size", 1}}, &batches);
        const std::vector<Block> blocks = findBlocks(model, 0);
        std::string starts;
        for (const Block &block : blocks) starts += model.graph.operation(block.start).name + " ";
        QCOMPARE(starts, std::string("long1 short long2 long3 "));
    }

    void missingDataIsAnError()
    {
        const Batches batches = noiseBatches({1, 3, 8, 8}, 4);
        QuantModel model = coarse(batches);
        QVERIFY(errorOf([&] { run("bias_correction", model); }).kind == ErrorKind::BadData);
    }

    void blocks()
    {
        QuantModel model = configured(residualGraph());
        // conv1 -> relu; relu has two consumers, which join in add; the chain continues to the end
        std::vector<Block> blocks = findBlocks(model, 100);
        QCOMPARE(blocks.size(), std::size_t(1));
        QCOMPARE(names(model, blocks[0].ops), std::string("conv1 relu conv2 add gap flatten gemm"));
        blocks = findBlocks(model, 4); // gap is at level 4
        QCOMPARE(blocks.size(), std::size_t(2));
        QCOMPARE(names(model, blocks[0].ops), std::string("conv1 relu conv2 add gap"));
        QCOMPARE(names(model, blocks[1].ops), std::string("gemm"));
        blocks = findBlocks(model, 1);
        QCOMPARE(names(model, blocks[0].ops), std::string("conv1 relu"));
        QCOMPARE(names(model, blocks[1].ops), std::string("conv2")); // add reads two tensors
        QCOMPARE(blocks[1].inputs, std::vector<VarId>{model.graph.findVariable("r")});
        QCOMPARE(blocks[1].outputs, std::vector<VarId>{model.graph.findVariable("c2")});
        blocks = findBlocks(model, 0);
        QCOMPARE(blocks.size(), std::size_t(3));
        QCOMPARE(names(model, blocks[0].ops), std::string("conv1"));
    }
};

QL_TEST(TestBiasCorrection)
#include "tst_bias_correction.moc"
