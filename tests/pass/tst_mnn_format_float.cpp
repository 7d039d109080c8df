#include "pass_support.h"
#include "tests/support/test_main.h"

#include <ATen/ops/tensor.h>

using namespace ql;
using namespace ql::test;

class TestMnnFormatFloat : public QObject
{
    Q_OBJECT

private:
    static QuantModel modelOf(SmallGraph g)
    {
        g.graph.opsets[""] = 13;
        QuantModel model;
        model.graph = std::move(g.graph);
        return model;
    }

    /// An operation whose values have no scale of their own: x -> Sigmoid -> s
    static SmallGraph afterSigmoid()
    {
        SmallGraph g;
        g.input("x", {1, 4, 8, 8});
        g.parameter("w", noise({4, 4, 1, 1}, 1));
        g.parameter("half", noise({4, 2, 1, 1}, 2));
        g.op("Sigmoid", "sigmoid", {"x"}, {"s"});
        return g;
    }

    /// The names of the operations whose input 0 is kept in float.
    static std::set<std::string> keptInFloat(const QuantModel &model)
    {
        std::set<std::string> names;
        for (const OpId id : model.graph.operations()) {
            const Operation &max = model.graph.operation(id);
            if (max.type != "Max") continue;
            for (const Use &use : model.graph.variable(max.outputs[0]).uses)
                names.insert(model.graph.operation(use.op).name);
        }
        return names;
    }

    /// Runs the pass, which must keep the function, and returns where it added a Max.
    static std::set<std::string> changed(SmallGraph g)
    {
        QuantModel model = modelOf(std::move(g));
        const Feed feed = {{"x", noise({1, 4, 8, 8}, 3)}};
        const auto before = forward(model, feed, false);
        run("mnn_format_float", model);
        const auto after = forward(model, feed, false);
        for (std::size_t i = 0; i < before.size(); ++i)
            if (!at::equal(before[i], after[i])) return {"another function"};
        if (run("mnn_format_float", model) != 0) return {"changed again"};
        return keptInFloat(model);
    }

    using Names = std::set<std::string>;

private Q_SLOTS:
    void aPoolThatAConvReads()
    {
        SmallGraph g = afterSigmoid();
        g.op("MaxPool", "pool", {"s"}, {"p"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
        g.op("Conv", "conv", {"p", "w"}, {"y"});
        g.output("y");
        QCOMPARE(changed(std::move(g)), Names{"conv"});
    }

    void aPoolThatNoConvReads()
    {
        SmallGraph g = afterSigmoid();
        g.op("MaxPool", "pool", {"s"}, {"p"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
        g.output("p");
        QCOMPARE(changed(std::move(g)), Names{});
    }

    /// Codes of a Relu are not negative: MNN orders them correctly.
    void aPoolBetweenConvs_data()
    {
        QTest::addColumn<bool>("withRelu");
        QTest::newRow("of signed values") << false;
        QTest::newRow("after a Relu") << true;
    }
    void aPoolBetweenConvs()
    {
        QFETCH(bool, withRelu);
        SmallGraph g = afterSigmoid();
        g.op("Conv", "first", {"x", "w"}, {"f"});
        if (withRelu) g.op("Relu", "relu", {"f"}, {"r"});
        g.op("MaxPool", "pool", {withRelu ? "r" : "f"}, {"p"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2}}});
        g.op("Conv", "conv", {"p", "w"}, {"y"});
        g.output("y");
        QCOMPARE(changed(std::move(g)), withRelu ? Names{} : (Names{"pool", "conv"}));
    }

    void aMeanOverItsPadding()
    {
        SmallGraph g = afterSigmoid();
        g.op("Conv", "first", {"x", "w"}, {"f"});
        g.op("AveragePool", "pool", {"f"}, {"p"},
             {{"kernel_shape", std::vector<std::int64_t>{3, 3}}, {"pads", std::vector<std::int64_t>{1, 1, 1, 1}}});
        g.op("Conv", "conv", {"p", "w"}, {"y"});
        g.output("y");
        QCOMPARE(changed(std::move(g)), (Names{"pool", "conv"}));
    }

    /// MaxViT: the Conv no longer gives the pool's input a scale, as other operations read values moved with it.
    void aPoolOfMovedValuesThatAConvReads()
    {
        SmallGraph g = afterSigmoid();
        const std::vector<std::int64_t> last{0, 2, 3, 1}, first{0, 3, 1, 2}, two{2, 2};
        g.op("Transpose", "to last", {"s"}, {"t"}, {{"perm", last}});
        g.op("Tanh", "tanh", {"t"}, {"u"});
        g.op("Add", "add", {"t", "u"}, {"a"});
        g.op("Transpose", "to first", {"a"}, {"b"}, {{"perm", first}});
        g.op("AveragePool", "pool", {"b"}, {"p"}, {{"kernel_shape", two}});
        g.op("Conv", "conv", {"b", "w"}, {"y"});
        g.op("Conv", "shortcut", {"p", "w"}, {"z"});
        g.output("y");
        g.output("z");
        QCOMPARE(changed(std::move(g)), (Names{"conv", "shortcut"}));
    }

    /// Class tokens of CoaT, which a Conv joins: a Gather moves values if its indices are constant.
    void gathered_data()
    {
        QTest::addColumn<bool>("isConstant");
        QTest::addColumn<bool>("isReadElsewhere");
        QTest::newRow("for the Conv alone") << true << false;
        QTest::newRow("of a tensor that others move") << true << true;
        QTest::newRow("computed indices") << false << true;
    }
    void gathered()
    {
        QFETCH(bool, isConstant);
        QFETCH(bool, isReadElsewhere);
        SmallGraph g = afterSigmoid();
        g.parameter("indices", ints({0, 1, 2, 3}));
        g.parameter("first", ints({0}));
        g.parameter("one", ints({1}));
        g.op("Shape", "shape", {"s"}, {"sizes"});
        g.op("Sub", "sub", {"sizes", "one"}, {"computed"});
        g.op("Gather", "gather", {"s", isConstant ? "indices" : "computed"}, {"t"}, {{"axis", std::int64_t{2}}});
        g.op("Conv", "conv", {"t", "w"}, {"y"});
        g.output("y");
        g.op("Slice", "slice", {"s", "first", "one"}, {"c"});
        g.op(isReadElsewhere ? "Tanh" : "Shape", "reader", {"c"}, {"z"});
        g.output("z");
        QCOMPARE(changed(std::move(g)), isConstant && isReadElsewhere ? Names{"conv"} : Names{});
    }

    void leakyRelu_data()
    {
        QTest::addColumn<QString>("reader");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("pooled") << "GlobalAveragePool" << true;
        QTest::newRow("read by a Conv") << "Conv" << false;
    }
    void leakyRelu()
    {
        QFETCH(QString, reader);
        QFETCH(bool, isKept);
        SmallGraph g = afterSigmoid();
        g.op("Conv", "first", {"x", "w"}, {"f"});
        g.op("LeakyRelu", "leaky", {"f"}, {"r"});
        g.op(reader.toStdString(), "reader",
             reader == "Conv" ? std::vector<std::string>{"r", "w"} : std::vector<std::string>{"r"}, {"y"});
        g.output("y");
        QCOMPARE(changed(std::move(g)), isKept ? Names{"leaky"} : Names{});
    }

    /// MNN reads the codes of these in the wrong order.
    void codesInAnotherOrder_data()
    {
        QTest::addColumn<QString>("producer");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("of a Conv") << "Conv" << true;
        QTest::newRow("of a Sigmoid") << "Sigmoid" << false;
    }
    void codesInAnotherOrder()
    {
        QFETCH(QString, producer);
        QFETCH(bool, isKept);
        SmallGraph g = afterSigmoid();
        g.parameter("axis", at::tensor({2}, at::kLong));
        g.parameter("volume", at::tensor({1, 2, 2, 8, 8}, at::kLong));
        g.op(producer.toStdString(), "first",
             producer == "Conv" ? std::vector<std::string>{"x", "w"} : std::vector<std::string>{"x"}, {"f"});
        g.op("CumSum", "sum", {"f", "axis"}, {"y"});
        g.op("Reshape", "reshape", {"f", "volume"}, {"v"});
        g.op("AveragePool", "pool", {"v"}, {"p"}, {{"kernel_shape", std::vector<std::int64_t>{2, 2, 2}}});
        g.output("y");
        g.output("p");
        QCOMPARE(changed(std::move(g)), isKept ? (Names{"pool", "sum"}) : Names{});
    }

    /// The block of YOLOv8: a Conv and an Add read one half, a Concat reads both.
    void aHalfThatAConvAndOthersRead()
    {
        SmallGraph g = afterSigmoid();
        g.parameter("sizes", ints({2, 2}));
        g.parameter("inner", noise({2, 2, 1, 1}, 4));
        g.parameter("last", noise({4, 6, 1, 1}, 5));
        g.op("Split", "split", {"s", "sizes"}, {"a", "b"}, {{"axis", std::int64_t{1}}});
        g.op("Conv", "inside", {"b", "inner"}, {"c"});
        g.op("Sigmoid", "gate", {"c"}, {"d"});
        g.op("Add", "add", {"b", "d"}, {"e"});
        g.op("Concat", "concat", {"a", "b", "e"}, {"f"}, {{"axis", std::int64_t{1}}});
        g.op("Conv", "conv", {"f", "last"}, {"y"});
        g.output("y");
        QCOMPARE(changed(std::move(g)), (Names{"inside", "conv"}));
    }

    /// A constant that a Concat joins, and an equal one that a Mul reads, as the first state of a ConvGRU: MNN keeps
    /// one.
    void aConstantThatAConcatJoins()
    {
        for (const bool isEqual : {false, true}) {
            SmallGraph g = afterSigmoid();
            g.parameter("state", noise({1, 4, 8, 8}, 6));
            g.parameter("again", noise({1, 4, 8, 8}, isEqual ? 6 : 7));
            g.parameter("last", noise({4, 8, 1, 1}, 5));
            g.op("Conv", "first", {"x", "w"}, {"f"});
            g.op("Concat", "concat", {"f", "state"}, {"c"}, {{"axis", std::int64_t{1}}});
            g.op("Conv", "conv", {"c", "last"}, {"y"});
            g.op("Mul", "mul", {"s", "again"}, {"z"});
            g.output("y");
            g.output("z");
            QCOMPARE(changed(std::move(g)), isEqual ? Names{"conv"} : Names{});
        }
    }

    /// Parts that only this Concat reads, as in YOLOX, and the shape of what the Conv reads.
    void partsThatAConcatJoins()
    {
        SmallGraph g = afterSigmoid();
        g.parameter("sizes", ints({2, 2}));
        g.parameter("rest", ints({4, 8, 8}));
        g.parameter("first", ints({0}));
        g.parameter("one", ints({1}));
        g.op("Split", "split", {"s", "sizes"}, {"a", "b"}, {{"axis", std::int64_t{1}}});
        g.op("Concat", "join", {"b", "a"}, {"c"}, {{"axis", std::int64_t{1}}});
        g.op("Shape", "shape", {"s"}, {"n"});
        g.op("Slice", "slice", {"n", "first", "one"}, {"m"});
        g.op("Mul", "mul", {"m", "one"}, {"k"});
        g.op("Concat", "sizes of all", {"k", "rest"}, {"all"}, {{"axis", std::int64_t{0}}});
        g.op("Reshape", "reshape", {"c", "all"}, {"d"});
        g.op("Conv", "conv", {"d", "w"}, {"y"});
        g.output("y");
        g.op("Identity", "same", {"k"}, {"z"});
        g.output("z");
        QCOMPARE(changed(std::move(g)), Names{});
    }

    void halvesThatOnlyConvsRead()
    {
        SmallGraph g = afterSigmoid();
        g.parameter("sizes", ints({2, 2}));
        g.op("Split", "split", {"s", "sizes"}, {"a", "b"}, {{"axis", std::int64_t{1}}});
        g.op("Conv", "one", {"a", "half"}, {"y"});
        g.op("Conv", "two", {"b", "half"}, {"z"});
        g.output("y");
        g.output("z");
        QCOMPARE(changed(std::move(g)), Names{});
    }

    /// A Conv reads a Relu with a Pad, an Add the Relu itself: the blocks of style transfer.
    void aReluThatIsPadded()
    {
        for (const bool isAdded : {false, true}) {
            SmallGraph g = afterSigmoid();
            g.parameter("pads", ints({0, 0, 1, 1, 0, 0, 1, 1}));
            g.op("Relu", "relu", {"s"}, {"r"});
            g.op("Pad", "pad", {"r", "pads"}, {"p"}, {{"mode", std::string("reflect")}});
            g.op("Conv", "conv", {"p", "w"}, {"y"});
            if (isAdded) g.op("Add", "add", {"r", "x"}, {"z"});
            if (isAdded) g.output("z");
            g.output("y");
            QCOMPARE(changed(std::move(g)), isAdded ? Names{"conv"} : Names{});
        }
    }

    /// A SiLU that a Conv reads rounded and a Resize as it is: the heads of YOLOv8.
    void resizeOfWhatAConvReads()
    {
        SmallGraph g = afterSigmoid();
        g.parameter("sizes", ints({1, 4, 16, 16}));
        g.op("Conv", "first", {"x", "w"}, {"f"});
        g.op("Sigmoid", "gate", {"f"}, {"t"});
        g.op("Mul", "silu", {"f", "t"}, {"u"});
        g.op("Conv", "head", {"u", "w"}, {"y"});
        g.op("Resize", "resize", {"u", "", "", "sizes"}, {"r"});
        g.op("Conv", "conv", {"r", "w"}, {"z"});
        g.output("y");
        g.output("z");
        QCOMPARE(changed(std::move(g)), (Names{"resize", "conv"}));
    }

    /// A Resize of values with a scale: one that interpolates would round its result to their codes.
    void resize_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<bool>("isKept");
        QTest::newRow("nearest") << "nearest" << false;
        QTest::newRow("linear") << "linear" << true;
    }
    void resize()
    {
        QFETCH(QString, mode);
        QFETCH(bool, isKept);
        SmallGraph g = afterSigmoid();
        g.parameter("scales", floats({4}, {1, 1, 2, 2}));
        g.op("Conv", "first", {"x", "w"}, {"f"});
        g.op("Resize", "resize", {"f", "", "scales"}, {"y"}, {{"mode", mode.toStdString()}});
        g.output("y");
        QCOMPARE(changed(std::move(g)), isKept ? Names{"resize"} : Names{});
    }
};

QL_TEST(TestMnnFormatFloat)
#include "tst_mnn_format_float.moc"
