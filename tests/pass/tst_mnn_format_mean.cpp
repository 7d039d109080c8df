#include "pass_support.h"
#include "tests/support/test_main.h"

using namespace ql;
using namespace ql::test;

class TestMnnFormatMean : public QObject
{
    Q_OBJECT

private:
    /// x -> pool -> reader -> y
    static QuantModel pooled(const char *reader, std::int64_t opset)
    {
        SmallGraph g;
        g.input("x", {2, 3, 4, 5});
        g.parameter("w", noise({2, 3, 1, 1}, 1));
        g.op("GlobalAveragePool", "pool", {"x"}, {"m"});
        const bool isConv = std::string(reader) == "Conv";
        g.op(reader, "reader", isConv ? std::vector<std::string>{"m", "w"} : std::vector<std::string>{"m"}, {"y"});
        g.output("y");
        g.graph.opsets[""] = opset;
        QuantModel model;
        model.graph = std::move(g.graph);
        return model;
    }

private Q_SLOTS:
    void becomesAMean_data()
    {
        QTest::addColumn<int>("opset");
        QTest::newRow("axes are an attribute") << 13;
        QTest::newRow("axes are an input") << 18;
    }
    void becomesAMean()
    {
        QFETCH(int, opset);
        QuantModel model = pooled("Conv", opset);
        const Feed feed = {{"x", noise({2, 3, 4, 5}, 3)}};
        const at::Tensor before = forward(model, feed, false)[0];
        QCOMPARE(run("mnn_format_mean", model), 1);
        const Operation &mean = op(model.graph, "pool");
        QCOMPARE(mean.type, std::string("ReduceMean"));
        QCOMPARE(mean.hasAttribute("axes"), opset < 18);
        QCOMPARE(mean.hasInput(1), opset >= 18);
        QVERIFY(at::allclose(forward(model, feed, false)[0], before, 1e-5, 1e-6));
        QCOMPARE(run("mnn_format_mean", model), 0);
    }

    /// As in the channel attention of ECA-Net.
    void aConvThatReadsIt()
    {
        SmallGraph g;
        g.input("x", {2, 3, 4, 5});
        g.parameter("w", noise({1, 1, 3}, 1));
        g.parameter("axis", ints({3}));
        g.op("GlobalAveragePool", "pool", {"x"}, {"m"});
        g.op("Squeeze", "squeeze", {"m", "axis"}, {"s"});
        g.op("Transpose", "transpose", {"s"}, {"t"}, {{"perm", std::vector<std::int64_t>{0, 2, 1}}});
        g.op("Conv", "conv", {"t", "w"}, {"y"});
        g.output("y");
        g.graph.opsets[""] = 13;
        QuantModel model;
        model.graph = std::move(g.graph);
        QCOMPARE(run("mnn_format_mean", model), 1);
        QCOMPARE(op(model.graph, "pool").type, std::string("ReduceMean"));
    }

    void aPoolThatNoConvReadsStays()
    {
        QuantModel model = pooled("Relu", 13);
        QCOMPARE(run("mnn_format_mean", model), 0);
        QCOMPARE(op(model.graph, "pool").type, std::string("GlobalAveragePool"));
    }
};

QL_TEST(TestMnnFormatMean)
#include "tst_mnn_format_mean.moc"
