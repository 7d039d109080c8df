#include "core/verify/aligned_tensor.h"
#include "tests/pass/pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestAlignedTensor : public QObject
{
    Q_OBJECT

private:
    /// x is read by two Conv, one of them through a Transpose, and by a Shape.
    static QuantModel twoReaders(float scale, float other)
    {
        SmallGraph g;
        g.input("x", {1, 2, 3, 3});
        g.parameter("w", floats({2, 2, 1, 1}, {1, 0, 0, 1}));
        g.op("Conv", "near", {"x", "w"}, {"y"});
        g.op("Transpose", "turn", {"x"}, {"t"}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
        g.op("Conv", "far", {"t", "w"}, {"z"});
        g.op("Shape", "shape", {"x"}, {"s"});
        for (const char *output : {"y", "z", "s"}) g.output(output);
        QuantModel model = configured(std::move(g.graph));
        const auto set = [&](Slot slot, float value) {
            model.plan.setScale(slot, {value}, {0}, QuantState::Active, {});
        };
        set(in(model, "near"), scale);
        set(in(model, "turn"), other);
        model.plan.overlap(out(model, "turn"), in(model, "turn"), {});
        model.plan.overlap(in(model, "far"), in(model, "turn"), {});
        return model;
    }
    static std::vector<std::string> alignedNames(const QuantModel &model)
    {
        std::vector<std::string> names;
        std::map<std::string, FileTensor> file;
        for (const char *name : {"x", "t"}) file[name] = {.name = name};
        for (const AlignedTensor &tensor : alignedTensors(model, file))
            names.push_back(model.graph.variable(tensor.variable).name);
        return names;
    }

private Q_SLOTS:
    /// A runtime, or its converter, computes them once, and refuses a model that is cut there.
    void tensorsOfConstants()
    {
        SmallGraph g;
        g.input("x", {1, 2});
        g.parameter("p", floats({2}, {1, -1}));
        g.op("Relu", "constant", {"p"}, {"k"});
        g.op("Mul", "mul", {"x", "k"}, {"y"});
        g.output("y");
        QuantModel model;
        model.graph = std::move(g.graph);
        std::map<std::string, FileTensor> file;
        for (const char *name : {"k", "y"}) {
            file[name] = {.name = name};
            model.graph.edit(model.graph.findVariable(name)).type.dtype = at::kFloat;
        }
        const std::vector<AlignedTensor> tensors = alignedTensors(model, file);
        QCOMPARE(tensors.size(), std::size_t(1));
        QCOMPARE(model.graph.variable(tensors[0].variable).name, std::string("y"));
    }

    void readersOfAnInput()
    {
        const QuantModel same = twoReaders(0.5f, 0.5f);
        const VarId x = same.graph.findVariable("x"), t = same.graph.findVariable("t");
        QVERIFY(roundingSlot(same, x) == in(same, "near"));
        QVERIFY(roundingSlot(same, t) == in(same, "turn"));
        QCOMPARE(stepsOf(same, roundingSlot(same, x)).scale, std::vector<float>{0.5f});
        QCOMPARE(alignedNames(same), std::vector<std::string>{"x"});

        const QuantModel different = twoReaders(0.5f, 0.25f); // no one value of x is rounded
        QVERIFY(!roundingSlot(different, x));
        QVERIFY(roundingSlot(different, t) == in(different, "turn"));
        QCOMPARE(stepsOf(different, roundingSlot(different, t)).scale, std::vector<float>{0.25f});
        QVERIFY(alignedNames(different).empty());
    }

    /// RKNN's toolkit computes a float tensor that all readers round otherwise if it is an output, so it is left out.
    void floatTensorsThatReadersRound()
    {
        SmallGraph g;
        g.input("x", {1, 1, 3, 3});
        g.parameter("w", floats({1, 1, 1, 1}, {1}));
        g.op("Tanh", "curve", {"x"}, {"t"});
        g.op("Conv", "conv", {"t", "w"}, {"y"});
        g.output("y");
        QuantModel model = configured(std::move(g.graph));
        model.graph.edit(model.graph.findVariable("t")).type.dtype = at::kFloat;
        const OpId curve = model.graph.findOperation("curve");
        model.plan.erase(curve);
        model.plan.setScale(in(model, "conv"), {0.5f}, {0}, QuantState::Active, {});
        QCOMPARE(alignedNames(model), std::vector<std::string>{"t"});
        const std::map<std::string, FileTensor> file{{"t", {.name = "t", .rounded = "r"}},
                                                     {"r", {.name = "r", .codes = "q"}}};
        const std::vector<AlignedTensor> rounded = alignedTensors(model, file);
        QCOMPARE(rounded.size(), std::size_t(1));
        QCOMPARE(rounded[0].file.name, std::string("r"));
        QVERIFY(rounded[0].isRoundedByReaders(model.graph) && rounded[0].slot == in(model, "conv"));
        QCOMPARE(rounded[0].steps.scale, std::vector<float>{0.5f});
        model.plan.kernels[curve].sums = TargetKernel::Sums::Rknn;
        QVERIFY(alignedNames(model).empty());
        model.plan.find(in(model, "conv"))->state = QuantState::Off;
        QCOMPARE(alignedNames(model), std::vector<std::string>{"t"});
    }

    /// What another reader rounds is not rounded for this one.
    void aReaderInFloat()
    {
        QuantModel model = twoReaders(0.5f, 0.5f);
        model.plan.find(in(model, "turn"))->state = QuantState::Off;
        QVERIFY(!roundingSlot(model, model.graph.findVariable("x")));
        QVERIFY(!roundingSlot(model, model.graph.findVariable("t")));
    }
};

QL_TEST(TestAlignedTensor)
#include "tst_aligned_tensor.moc"
